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
        let mut rest = self.0 & EXISTING;
        std::iter::from_fn(move || {
            let code = u8::try_from(rest.trailing_zeros()).ok().filter(|code| *code < 16)?;
            rest &= rest - 1;
            Some(code)
        })
    }
}

/// A bit for each type there is.
const EXISTING: u16 = {
    let (mut set, mut position) = (0, 0);
    while position < Relation::ALL.len() {
        set |= 1 << Relation::ALL[position].code();
        position += 1;
    }
    set
};
