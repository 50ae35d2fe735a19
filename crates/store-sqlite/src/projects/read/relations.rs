//! Which types of relationships are asked for.

use graph::{Relation, RelationKey};

/// A set of types; a type that does not exist is in none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Relations(u16);

impl Relations {
    const ALL: Self = Self(u16::MAX);

    /// These; all when there are none.
    pub(super) fn of(keys: &[RelationKey]) -> Self {
        if keys.is_empty() {
            return Self::ALL;
        }
        Self(keys.iter().filter(|key| key.0 < 16).fold(0, |set, key| set | 1 << key.0))
    }

    pub(super) fn is_all(self) -> bool {
        self == Self::ALL
    }

    /// The stored numbers of those in it, ascending.
    pub(super) fn codes(self) -> impl Iterator<Item = u8> {
        Relation::ALL.iter().map(|relation| relation.code()).filter(move |code| self.0 & 1 << code != 0)
    }
}
