//! What a function has around it: its parameters, its receiver, and what stands above that.

use languages::facts::{ParameterKind, Term};

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
        }
        let mut flowing = self.read(self.parameter_node(def, position));
        if let Some(default) = found.default {
            flowing.extend(&self.read_term(unit, default));
        }
        set.extend(&if set.is_vague() { flowing } else { flowing.callables() });
        set
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
