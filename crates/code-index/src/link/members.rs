//! What types hold, and which members are written from outside at all.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::evaluate::Key;
use super::program::{Program, Symbol, Unit};

/// Something that a type holds under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Held {
    /// The value of a term.
    Value(u32),
    /// An instance of the type that a term names.
    InstanceOf(u32),
    /// A method that stands outside of its type.
    Method(u32),
}

#[derive(Debug, Default)]
pub(super) struct Members {
    held: FxHashMap<(u32, Symbol), SmallVec<[Held; 1]>>,
    /// How often each is written to anywhere.
    written: FxHashMap<Key, u32>,
}

impl Members {
    pub(super) fn new(program: &Program) -> Self {
        let mut members = Self::default();
        program.units.iter().for_each(|unit| members.add(unit));
        members
    }

    pub(super) fn add(&mut self, unit: &Unit) {
        for (owner, name, held) in held_in(unit) {
            self.held.entry((owner, name)).or_default().push(held);
        }
        for key in written_in(unit) {
            *self.written.entry(key).or_default() += 1;
        }
    }

    pub(super) fn remove(&mut self, unit: &Unit) {
        for (owner, name, _) in held_in(unit) {
            self.held.remove(&(owner, name));
        }
        for key in written_in(unit) {
            if let Some(count) = self.written.get_mut(&key) {
                *count -= 1;
                if *count == 0 {
                    self.written.remove(&key);
                }
            }
        }
    }

    pub(super) fn held(&self, owner: u32, name: Symbol) -> &[Held] {
        self.held.get(&(owner, name)).map_or(&[], SmallVec::as_slice)
    }

    /// Whether anything is written to so named a member of whatever it is.
    pub(super) fn is_written(&self, key: Key) -> bool {
        matches!(key, Key::Any | Key::Inherited | Key::Described) || self.written.contains_key(&key)
    }
}

/// What the types of a file hold: the type, the name, and what it is.
pub(super) fn held_in(unit: &Unit) -> impl Iterator<Item = (u32, Symbol, Held)> + '_ {
    let defs = unit.defs().zip(&unit.facts.defs);
    defs.flat_map(|(owner, def)| def.members.iter().map(move |member| (owner, member))).map(|(owner, member)| {
        let term = unit.term(member.value);
        let held = if member.is_type { Held::InstanceOf(term) } else { Held::Value(term) };
        (owner, unit.symbol(member.name), held)
    })
}

/// What the code of a file writes to.
pub(super) fn written_in(unit: &Unit) -> impl Iterator<Item = Key> + '_ {
    let writes = unit.facts.writes.iter();
    let written = writes.filter_map(|write| write.name).map(|name| Key::Named(unit.symbol(name)));
    let outside = unit.outside_methods().map(|def| Key::Method(unit.symbol(unit.facts.def(def).name)));
    let implementations = unit.facts.implementations.iter().map(|_| Key::Supertype);
    written.chain(outside).chain(implementations)
}
