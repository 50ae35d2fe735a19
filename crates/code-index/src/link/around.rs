//! What a function has around it: its parameters, its receiver, and what stands above that.

use languages::facts::{ParameterKind, Term, TermId};

use super::evaluate::{Evaluator, Key};
use super::value::{Kind, Set, Value};

impl Evaluator<'_> {
    pub(super) fn parameter(&mut self, unit: u32, def: u32, position: u32) -> Set {
        let found = self.program.def(def).parameters[position as usize];
        if found.kind != ParameterKind::One {
            return Set::one(Value::new(Kind::Rest, self.parameter_node(def, position)));
        }
        let mut set = Set::default();
        if let Some(declared) = found.declared {
            let types = self.read_term(unit, declared);
            self.instances(&types, &mut set);
        } else if let Some(expected) = self.program.def(def).expected {
            self.expected_parameter(unit, expected, position, &mut set);
        }
        let mut flowing = self.read(self.parameter_node(def, position));
        if let Some(default) = found.default {
            flowing.extend(&self.read_term(unit, default));
        }
        set.extend(&if self.says_little(&set) { flowing } else { flowing.callables() });
        set
    }

    /// What a function is given here by those that it has to be like.
    fn expected_parameter(&mut self, unit: u32, expected: TermId, position: u32, out: &mut Set) {
        let types = self.read_term(unit, expected);
        let mut alike = Set::default();
        self.instances(&types, &mut alike);
        for function in alike.iter().filter_map(|value| value.as_kind(Kind::Function)) {
            self.declared_parameter(function, position, out);
        }
    }

    fn declared_parameter(&mut self, function: u32, position: u32, out: &mut Set) {
        let parameter = self.program.def(function).parameters.get(position as usize);
        if let Some(declared) = parameter.and_then(|parameter| parameter.declared) {
            let types = self.read_term(self.program.unit_of(function), declared);
            self.instances(&types, out);
        }
    }

    /// What those that are called take at a position, as far as they say so.
    pub(super) fn taken(&mut self, unit: u32, callee: TermId, position: u32) -> Set {
        let mut out = Set::default();
        for value in self.read_term(unit, callee).iter() {
            let functions = match value.kind() {
                Kind::Function | Kind::Unbound => vec![value.id()],
                Kind::Type | Kind::Super => self.constructors(value),
                _ => Vec::new(),
            };
            for function in functions {
                self.declared_parameter(function, position, &mut out);
            }
        }
        out
    }

    /// Whether a declared type leaves open what is meant: one from outside, or one that any function may be of.
    pub(super) fn says_little(&self, set: &Set) -> bool {
        let is_signature = |value: Value| {
            value.as_kind(Kind::Function).is_some_and(|function| self.program.def(function).is_signature())
        };
        set.iter().all(|value| matches!(value.kind(), Kind::External | Kind::Many) || is_signature(value))
    }

    pub(super) fn receiver(&mut self, def: u32) -> Set {
        let unit = self.program.unit_of(def);
        let found = self.program.def(def);
        let mut set = Set::default();
        if let Some(receiver) = found.receiver {
            set.extend(&self.read_term(unit, receiver));
        } else if let Some(owner) = self.owner(def) {
            let is_static = found.has_modifier("static") || found.kind.is_type();
            set.insert(Value::new(if is_static { Kind::Type } else { Kind::Instance }, owner));
        } else if found.kind.is_callable() {
            set.insert(Value::new(Kind::Instance, def));
        }
        let receivers = self.read(self.receiver_node(def));
        if !receivers.is_too_many() {
            set.extend(&receivers);
        }
        set
    }

    /// `super`: what the type around inherits, or the objects that an object which is written out inherits from.
    pub(super) fn above(&mut self, unit: u32, def: u32) -> Set {
        if let Some(owner) = self.owner(def) {
            return Set::one(Value::new(Kind::Super, owner));
        }
        let base = self.program.unit(unit);
        let receiver = self.program.def(def).receiver.map(|receiver| base.facts.term(receiver));
        let mut set = Set::default();
        if let Some(Term::Literal(literal)) = receiver {
            let object = Value::new(Kind::Object, base.literal(literal));
            self.written_member(object, Key::Inherited, &mut set);
        }
        if set.is_empty() {
            set.insert(Value::EXTERNAL);
        }
        set
    }
}
