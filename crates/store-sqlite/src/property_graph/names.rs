//! Names and the numbers that stand for them.

use std::sync::Arc;

#[derive(Debug, Default)]
pub(super) struct Names(Vec<Arc<str>>);

impl Names {
    /// The number of this name, a new one if need be.
    pub(super) fn number(&mut self, name: &str) -> u32 {
        self.find(name).unwrap_or_else(|| {
            self.0.push(name.into());
            u32::try_from(self.0.len() - 1).unwrap_or(u32::MAX)
        })
    }

    pub(super) fn find(&self, name: &str) -> Option<u32> {
        (0..).zip(&self.0).find(|(_, known)| &***known == name).map(|(number, _)| number)
    }

    pub(super) fn all<K>(&self, key: impl Fn(u32) -> K) -> Vec<(K, Arc<str>)> {
        (0..).zip(&self.0).map(|(number, name)| (key(number), Arc::clone(name))).collect()
    }
}
