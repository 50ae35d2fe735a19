//! What is in a collection: literals, generators, generic containers, objects that can be iterated.

use languages::facts::{Term, TermId};
use smallvec::SmallVec;

use super::evaluate::{Evaluator, Key};
use super::program::Symbol;
use super::value::{Kind, Set, Value};

impl Evaluator<'_, '_> {
    /// The elements of a collection, or the one under a key.
    pub(super) fn elements(&mut self, unit: u32, of: TermId, key: Option<Symbol>, node: u32) -> Set {
        let mut out = Set::default();
        for value in self.read_term(unit, of, node).iter() {
            self.elements_of(value, key, node, &mut out);
        }
        out
    }

    pub(super) fn elements_of(&mut self, value: Value, key: Option<Symbol>, node: u32, out: &mut Set) {
        match value.kind() {
            Kind::Object => {
                self.object_member(value.id(), key, node, &mut SmallVec::new(), out);
                self.written_member(value, Key::Any, node, out);
                if let Some(key) = key {
                    self.written_member(value, Key::Named(key), node, out);
                }
            }
            Kind::Rest => out.extend(&self.read(value.id(), node)),
            Kind::Generator => self.yielded(value.id(), node, out),
            Kind::Typed => {
                let mut declared = Set::default();
                self.arguments_of(value.id(), node, &mut declared);
                if declared.is_vague() {
                    let made = self.written_node(value, Key::Any);
                    declared.extend(&self.read(made, node));
                }
                out.extend(&declared);
            }
            Kind::Instance => {
                self.iterated(value, key, node, out);
                self.written_member(value, Key::Any, node, out);
            }
            Kind::External => out.insert(value),
            Kind::Module => {
                if let Some(key) = key {
                    self.member(value, key, node, out);
                }
            }
            _ => {}
        }
    }

    pub(super) fn yielded(&mut self, def: u32, node: u32, out: &mut Set) {
        let unit = self.program.unit_of_def(def);
        for term in &self.program.def(def).yields {
            out.extend(&self.read_term(unit, *term, node));
        }
    }

    /// What a generator gives in the end.
    pub(super) fn returned(&mut self, def: u32, node: u32, out: &mut Set) {
        let unit = self.program.unit_of_def(def);
        for term in &self.program.def(def).returns {
            out.extend(&self.read_term(unit, *term, node));
        }
    }

    /// Instances of the arguments of a generic type from outside.
    pub(super) fn arguments_of(&mut self, term: u32, node: u32, out: &mut Set) {
        let (unit, found) = self.program.term(term);
        let Term::Generic(_, list) = found else { return };
        for argument in &self.program.unit(unit).facts.lists[list as usize] {
            let types = self.read_term(unit, *argument, node);
            self.instances(&types, node, out);
        }
    }

    /// What iterating over, or indexing, an object with methods for it gives.
    fn iterated(&mut self, object: Value, key: Option<Symbol>, node: u32, out: &mut Set) {
        let known = self.well_known;
        let (first, second) = if key.is_some() { (known.get_item, None) } else { (known.iterate, known.get_item) };
        for name in [first, second].into_iter().flatten() {
            let mut methods = Set::default();
            self.member(object, name, node, &mut methods);
            for method in methods.iter() {
                let Some(def) = method.as_kind(Kind::Function) else { continue };
                let results = self.read(self.result_node(def), node);
                for result in results.iter() {
                    match result.kind() {
                        Kind::Generator => self.yielded(result.id(), node, out),
                        Kind::Instance if Some(name) == known.iterate => self.stepped(result, node, out),
                        _ => out.insert(result),
                    }
                }
            }
        }
    }

    /// `generator.next().value`.
    pub(super) fn generator_member(&mut self, object: Value, name: Symbol, reader: u32, out: &mut Set) {
        if self.program.symbols.text(name) == "value" {
            self.yielded(object.id(), reader, out);
            self.returned(object.id(), reader, out);
        } else {
            out.insert(object);
        }
    }

    /// What `__next__` of an iterator gives.
    fn stepped(&mut self, iterator: Value, node: u32, out: &mut Set) {
        let Some(next) = self.well_known.next else { return };
        let mut methods = Set::default();
        self.member(iterator, next, node, &mut methods);
        for method in methods.iter() {
            if let Some(def) = method.as_kind(Kind::Function) {
                out.extend(&self.read(self.result_node(def), node));
            }
        }
    }
}
