//! Types: what they hold, what they inherit, and who implements them.

use languages::facts::{DefKind, TermId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::program::{Program, Symbol};

/// Something that a type holds under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// The value of a term.
    Value(u32),
    /// An instance of the type that a term names.
    InstanceOf(u32),
    /// A method that stands outside of its type.
    Method(u32),
}

#[derive(Debug)]
pub(super) struct Members {
    held: FxHashMap<(u32, Symbol), SmallVec<[Held; 1]>>,
    /// The type of methods that stand outside of it.
    owners: FxHashMap<u32, u32>,
    /// Types that others say they implement or extend, beside what they say themselves.
    further: FxHashMap<u32, SmallVec<[u32; 1]>>,
}

impl Members {
    pub(super) fn new(program: &Program<'_>) -> Self {
        let mut held: FxHashMap<(u32, Symbol), SmallVec<[Held; 1]>> = FxHashMap::default();
        for unit in &program.units {
            let defs = (unit.defs..).zip(&unit.facts.defs);
            for (owner, member) in defs.flat_map(|(owner, def)| def.members.iter().map(move |member| (owner, member))) {
                let term = unit.term(member.value);
                let kind: fn(u32) -> Held = if member.is_type { Held::InstanceOf } else { Held::Value };
                held.entry((owner, unit.symbol(member.name))).or_default().push(kind(term));
            }
        }
        Self { held, owners: FxHashMap::default(), further: FxHashMap::default() }
    }

    pub(super) fn held(&self, owner: u32, name: Symbol) -> &[Held] {
        self.held.get(&(owner, name)).map_or(&[], SmallVec::as_slice)
    }

    pub(super) fn attach(&mut self, program: &Program<'_>, method: u32, owner: u32) {
        self.owners.insert(method, owner);
        let held = self.held.entry((owner, program.def_symbol(method))).or_default();
        if !held.contains(&Held::Method(method)) {
            held.push(Held::Method(method));
        }
    }

    pub(super) fn add_supertype(&mut self, of: u32, term: u32) {
        self.further.entry(of).or_default().push(term);
    }

    pub(super) fn further(&self, of: u32) -> &[u32] {
        self.further.get(&of).map_or(&[], SmallVec::as_slice)
    }

    /// The type that a method belongs to, wherever it stands; for code in a type, that type.
    pub(super) fn owner(&self, program: &Program<'_>, def: u32) -> Option<u32> {
        if let Some(owner) = self.owners.get(&def) {
            return Some(*owner);
        }
        let mut def = def;
        loop {
            let found = program.def(def);
            match found.kind {
                DefKind::Module | DefKind::Namespace => return None,
                kind if kind.is_type() => return Some(def),
                _ if found.receiver.is_some() => return self.owners.get(&def).copied(),
                _ => {}
            }
            let parent = program.parent(def);
            // `this` of a plain function in a method is not that of the method.
            if found.kind.is_callable() && program.def(parent).kind.is_callable() && found.kind != DefKind::Lambda {
                return None;
            }
            def = parent;
        }
    }

    /// What a type says it extends and implements, as terms of the program.
    pub(super) fn supertypes(&self, program: &Program<'_>, of: u32) -> SmallVec<[u32; 4]> {
        let unit = program.unit(program.unit_of_def(of));
        let def = program.def(of);
        let own = def.bases.iter().chain(&def.interfaces).map(|term: &TermId| unit.term(*term));
        own.chain(self.further(of).iter().copied()).collect()
    }
}
