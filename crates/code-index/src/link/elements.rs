//! What is in a collection: literals, generators, generic containers, objects that can be iterated.

use languages::facts::{Term, TermId};
use languages::settings::Modules;
use smallvec::SmallVec;

use super::evaluate::{Evaluator, Key};
use super::program::Symbol;
use super::value::{Kind, Set, Value};

impl Evaluator<'_> {
    /// The elements of a collection, or the one under a key.
    pub(super) fn elements(&mut self, unit: u32, of: TermId, key: Option<Symbol>) -> Set {
        let mut out = Set::default();
        for value in self.read_term(unit, of).iter() {
            self.elements_of(value, key, &mut out);
        }
        out
    }

    pub(super) fn elements_of(&mut self, value: Value, key: Option<Symbol>, out: &mut Set) {
        match value.kind() {
            Kind::Object => {
                self.object_member(value.id(), key, &mut SmallVec::new(), out);
                self.written_member(value, Key::Any, out);
                if let Some(key) = key {
                    self.look_for(key);
                    self.written_member(value, Key::Named(key), out);
                }
            }
            Kind::Rest => out.extend(&self.read(value.id())),
            Kind::Generator => self.yielded(value.id(), out),
            Kind::Typed => {
                let mut declared = Set::default();
                self.arguments_of(value.id(), &mut declared);
                if declared.is_vague() {
                    let made = self.written_node(value, Key::Any);
                    declared.extend(&self.read(made));
                }
                out.extend(&declared);
            }
            Kind::Instance => {
                self.iterated(value, key, out);
                self.written_member(value, Key::Any, out);
            }
            Kind::External => out.insert(value),
            Kind::Function | Kind::Type if self.takes_types(value) => out.insert(value),
            Kind::Module => {
                if let Some(key) = key {
                    self.member(value, key, out);
                }
            }
            _ => {}
        }
    }

    /// Whether an index gives the thing itself, with types as its arguments: `decode[Order](text)`, `Box[int]()`.
    fn takes_types(&self, value: Value) -> bool {
        match self.program.settings_of_def(value.id()).modules {
            Modules::Go => true,
            Modules::Python => value.kind() == Kind::Type,
            _ => false,
        }
    }

    pub(super) fn yielded(&mut self, def: u32, out: &mut Set) {
        let unit = self.program.unit_of(def);
        for term in &self.program.def(def).yields {
            out.extend(&self.read_term(unit, *term));
        }
    }

    /// What a generator gives in the end.
    pub(super) fn returned(&mut self, def: u32, out: &mut Set) {
        let unit = self.program.unit_of(def);
        for term in &self.program.def(def).returns {
            out.extend(&self.read_term(unit, *term));
        }
    }

    /// Instances of the arguments of a generic type from outside.
    pub(super) fn arguments_of(&mut self, term: u32, out: &mut Set) {
        let (unit, found) = self.program.term(term);
        let Term::Generic(_, list) = found else { return };
        for argument in &self.program.unit(unit).facts.lists[list as usize] {
            let types = self.read_term(unit, *argument);
            self.instances(&types, out);
        }
    }

    /// What iterating over, or indexing, an object with methods for it gives.
    fn iterated(&mut self, object: Value, key: Option<Symbol>, out: &mut Set) {
        let known = self.known;
        let names: &[Symbol] = if key.is_some() { &[known.get_item] } else { &[known.iterate, known.get_item] };
        for name in names.iter().copied() {
            let mut methods = Set::default();
            self.member(object, name, &mut methods);
            for method in methods.iter() {
                let Some(def) = method.as_kind(Kind::Function) else { continue };
                let results = self.read(def);
                for result in results.iter() {
                    match result.kind() {
                        Kind::Generator => self.yielded(result.id(), out),
                        Kind::Instance if name == known.iterate => self.stepped(result, out),
                        _ => out.insert(result),
                    }
                }
            }
        }
    }

    /// `generator.next().value`.
    pub(super) fn generator_member(&mut self, object: Value, name: Symbol, out: &mut Set) {
        if name == self.known.value {
            self.yielded(object.id(), out);
            self.returned(object.id(), out);
        } else {
            out.insert(object);
        }
    }

    /// What `__next__` of an iterator gives.
    fn stepped(&mut self, iterator: Value, out: &mut Set) {
        let mut methods = Set::default();
        self.member(iterator, self.known.next, &mut methods);
        for method in methods.iter() {
            if let Some(def) = method.as_kind(Kind::Function) {
                out.extend(&self.read(def));
            }
        }
    }
}
