//! What types inherit, kept once for all that are alike.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::program::number;
use super::value::SetId;

/// A type and all it inherits from, nearest first, and whether some of that is outside of the project.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Inherited {
    pub(super) lineage: Arc<[u32]>,
    pub(super) is_foreign: bool,
}

#[derive(Debug, Default)]
pub(super) struct Lineages {
    kept: Vec<Inherited>,
    ids: FxHashMap<Inherited, u32>,
}

impl Lineages {
    pub(super) fn keep(&mut self, inherited: Inherited) -> SetId {
        if let Some(known) = self.ids.get(&inherited) {
            return SetId(*known);
        }
        let id = number(self.kept.len());
        self.kept.push(inherited.clone());
        self.ids.insert(inherited, id);
        SetId(id)
    }

    /// Of a type that was not looked at yet nothing is known but itself.
    pub(super) fn get(&self, id: SetId, of: u32) -> Inherited {
        match id {
            SetId::EMPTY => Inherited { lineage: [of].into(), is_foreign: false },
            SetId(id) => self.kept[id as usize].clone(),
        }
    }
}
