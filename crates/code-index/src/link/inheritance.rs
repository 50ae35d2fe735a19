//! To which type a method belongs, and what types inherit.

use std::collections::VecDeque;

use languages::facts::{DefKind, Term};
use smallvec::SmallVec;

use super::ancestry::Ancestry;
use super::evaluate::{Evaluator, Key};
use super::lineages::Inherited;
use super::program::Symbol;
use super::value::{Kind, Value};

impl Evaluator<'_> {
    /// Methods of a type that stand outside of it.
    pub(super) fn methods_outside(&mut self, owner: u32, name: Symbol) -> SmallVec<[u32; 1]> {
        let key = Key::Method(name);
        if !self.members.is_written(key) {
            return SmallVec::new();
        }
        let node = self.written_node(Value::new(Kind::Type, owner), key);
        self.read(node).iter().filter_map(|method| method.as_kind(Kind::Function)).collect()
    }

    /// The type that a method belongs to, wherever it stands; for code in a type, that type.
    pub(super) fn owner(&mut self, def: u32) -> Option<u32> {
        let program = self.program;
        let mut def = def;
        loop {
            let found = program.def(def);
            match found.kind {
                DefKind::Module | DefKind::Namespace => return None,
                kind if kind.is_type() => return Some(def),
                _ if found.receiver.is_some() => {
                    return self.owners_outside(def).into_iter().max_by_key(|owner| program.order_of_def(*owner));
                }
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

    /// The types that a method which stands outside of them belongs to.
    pub(super) fn owners_outside(&mut self, method: u32) -> SmallVec<[u32; 1]> {
        let unit = self.program.unit_of(method);
        let facts = &self.program.unit(unit).facts;
        match self.program.def(method).receiver.map(|receiver| facts.term(receiver)) {
            Some(Term::Instance(of)) => {
                self.read_term(unit, of).iter().filter_map(|value| value.as_kind(Kind::Type)).collect()
            }
            _ => SmallVec::new(),
        }
    }

    /// What a type inherits, from what it and all that it inherits from say.
    pub(super) fn lineage_of(&mut self, of: u32) -> Inherited {
        let mut ancestry = Ancestry::default();
        let mut waiting = VecDeque::from([of]);
        let mut is_foreign = false;
        while let Some(next) = waiting.pop_front() {
            if ancestry.contains(next) || ancestry.is_full() {
                continue;
            }
            let bases = self.bases(next, &mut is_foreign);
            waiting.extend(&bases);
            ancestry.add(next, bases);
        }
        Inherited { lineage: ancestry.lineage(of).as_slice().into(), is_foreign }
    }

    /// What a type extends and implements, and whether some of that is outside of the project.
    pub(super) fn bases(&mut self, of: u32, is_foreign: &mut bool) -> SmallVec<[u32; 4]> {
        let mut nodes: SmallVec<[u32; 4]> = SmallVec::new();
        let (unit, def) = (self.unit_of_def(of), self.program.def(of));
        nodes.extend(def.bases.iter().chain(&def.interfaces).map(|term| unit.term(*term)));
        if self.members.is_written(Key::Supertype) {
            nodes.push(self.written_node(Value::new(Kind::Type, of), Key::Supertype));
        }
        let own = def.bases.len() + def.interfaces.len();
        let mut bases: SmallVec<[u32; 4]> = SmallVec::new();
        for (index, node) in nodes.into_iter().enumerate() {
            let values = self.read(node);
            *is_foreign |= match index < own {
                true => values.is_foreign(),
                false => values.iter().any(|value| value == Value::EXTERNAL),
            };
            let types =
                values.iter().filter_map(|value| value.as_kind(Kind::Type).or_else(|| value.as_kind(Kind::Function)));
            let mut types: SmallVec<[u32; 4]> = types.collect();
            types.sort_unstable_by_key(|base| self.program.order_of_def(*base));
            for base in types {
                if base != of && !bases.contains(&base) {
                    bases.push(base);
                }
            }
        }
        bases
    }
}
