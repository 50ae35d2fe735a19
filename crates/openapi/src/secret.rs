//! What must never be seen: it goes into requests, and into nothing else.

use std::fmt;

const MASK: &str = "[redacted]";
/// Shorter ones would be found in any text.
const SHORTEST_MASKED: usize = 6;

#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The value without the line end that files and shells leave on it.
    pub fn new(value: &str) -> Self {
        Self(value.trim().to_owned())
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// The text without this secret, should a service repeat it.
    pub(crate) fn mask(&self, text: &mut String) {
        if self.0.len() >= SHORTEST_MASKED && text.contains(&self.0) {
            *text = text.replace(&self.0, MASK);
        }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}
