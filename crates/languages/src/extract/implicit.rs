//! What Ruby leaves unsaid: brackets of calls, blocks that are handed over, methods behind fields, the method that `super` means.

use crate::tree::Node;

use super::scopes::{ScopeId, ScopeKind};
use super::{Extractor, line};
use crate::facts::{
    Argument, Call, CallKind, DefId, DefKind, Name, Parameter, ParameterKind, Term, TermId, VariableId,
};
use crate::pattern::Match;
use crate::roles::{Part, Role};

/// The name of the parameter that takes a block, and of the argument that is one.
const BLOCK: &str = "&";

/// A name that is read: a variable, or a call without brackets.
pub(super) struct BareName {
    term: TermId,
    callee: TermId,
    scope: ScopeId,
    name: Name,
    caller: DefId,
    line: u32,
}

impl<'t> Extractor<'_, 't> {
    /// A name that is a call unless it turns out to be a variable.
    pub(super) fn bare_name(&mut self, name: Name, line: u32) -> TermId {
        let callee = self.called_name(name);
        let key = (self.scope, name);
        let term = match self.bare_terms.get(&key) {
            Some(term) => *term,
            None => {
                let term = self.add_unshared(Term::Free(name, self.def));
                self.bare_terms.insert(key, term);
                term
            }
        };
        self.bare_names.push(BareName { term, callee, scope: self.scope, name, caller: self.def, line });
        term
    }

    /// Remembers that a variable is the name of a function.
    pub(super) fn note_function(&mut self, variable: VariableId, value: TermId) {
        if matches!(self.facts.term(value), Term::Def(def) if self.facts.def(def).kind.is_callable()) {
            self.functions.insert(variable);
        }
    }

    /// Whether reading this name may call a function of it.
    pub(super) fn may_call(&self, text: &str) -> bool {
        let begins_small = text.starts_with(|first: char| first.is_lowercase() || first == '_');
        self.language.settings().calls.without_brackets && begins_small && !self.in_type
    }

    /// Names that turned out to be no variables are calls.
    pub(super) fn finish_bare_names(&mut self) {
        for BareName { term, callee, scope, name, caller, line } in std::mem::take(&mut self.bare_names) {
            let variable = self.lookup(scope, name).filter(|variable| !self.functions.contains(variable));
            self.facts.terms[term.index()] = match variable {
                Some(variable) => Term::Variable(variable),
                None => {
                    let call = Call { caller, callee, line, kind: CallKind::Call, arguments: Vec::new() };
                    self.facts.calls.push(call);
                    Term::Result(callee)
                }
            };
        }
    }

    /// `self` here; in a namespace, that namespace.
    pub(super) fn own_receiver(&mut self) -> TermId {
        let def = self.facts.def(self.self_def);
        let is_namespace = |def: DefId| self.facts.def(def).kind == DefKind::Namespace;
        let namespace = if is_namespace(self.self_def) {
            Some(self.self_def)
        } else {
            Some(def.parent).filter(|parent| def.has_modifier("static") && is_namespace(*parent))
        };
        self.add(namespace.map_or(Term::Receiver(self.self_def), Term::Def))
    }

    /// The namespace around, for languages whose functions stand in one.
    pub(super) fn own_namespace(&mut self) -> TermId {
        let mut def = self.def;
        while !matches!(self.facts.def(def).kind, DefKind::Namespace | DefKind::Module) {
            def = self.facts.def(def).parent;
        }
        if def == DefId::MODULE { self.unknown() } else { self.add(Term::Def(def)) }
    }

    /// A field of the receiver, where its name says that it is one.
    pub(super) fn marked_field(&mut self, text: &str) -> Option<(TermId, Name)> {
        let mark = &self.language.settings().receiver.field_mark;
        if mark.is_empty() || !text.starts_with(mark.as_str()) {
            return None;
        }
        let name = self.intern(text);
        Some((self.own_receiver(), name))
    }

    /// The type of the receiver: `self.class`.
    pub(super) fn type_of_receiver(&mut self, found: &Match<'t>) -> Option<TermId> {
        let names = &self.language.settings().receiver.type_members;
        found.one(Part::Name).filter(|name| names.iter().any(|known| known == self.text(*name)))?;
        let object = self.role_of(found.one(Part::Object)?)?;
        let owner = self.enclosing_type(self.self_def)?;
        (object.role == Role::SelfValue).then(|| self.add(Term::Def(owner)))
    }

    /// A name that is called without an object; where it makes instances, it is a method of the type around.
    pub(super) fn own_method(&mut self, name: Name) -> TermId {
        let makes = self.language.settings().calls.makers.iter().any(|maker| maker == self.facts.text(name));
        if makes && self.facts.def(self.self_def).has_modifier("static") {
            let object = self.own_receiver();
            return self.add(Term::Member(object, name));
        }
        self.called_name(name)
    }

    /// `object.name = value`, where that calls a method.
    pub(super) fn call_setter(&mut self, target: Node<'t>, found: &Match<'t>, value: TermId) -> bool {
        let mark = &self.language.settings().calls.setter_mark;
        let (Some(object), Some(name)) = (found.one(Part::Object), found.one(Part::Name)) else { return false };
        if mark.is_empty() || found.has(Part::Arguments) {
            return false;
        }
        let name = self.intern(&format!("{}{mark}", self.text(name)));
        let object = self.value_term(object);
        let callee = self.add(Term::Member(object, name));
        let arguments = vec![Argument { name: None, value, is_spread: false }];
        self.push_call(callee, line(target), arguments);
        true
    }

    fn push_call(&mut self, callee: TermId, line: u32, arguments: Vec<Argument>) {
        self.facts.calls.push(Call { caller: self.def, callee, line, kind: CallKind::Call, arguments });
    }

    /// The method that this one overrides is called, with the same arguments unless others are given.
    pub(super) fn super_method(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let base = self.add(Term::Super(self.self_def));
        let name = self.facts.def(self.self_def).name;
        let callee = self.add(Term::Member(base, name));
        let position = self.facts.calls.len();
        self.push_call(callee, line(node), Vec::new());
        let mut arguments = if found.has(Part::Arguments) { Vec::new() } else { self.own_arguments() };
        arguments.extend(self.arguments(found, None));
        self.facts.calls[position].arguments = arguments;
        self.rest(node, found);
        self.add(Term::Result(callee))
    }

    /// The parameters of the method around, handed on.
    fn own_arguments(&mut self) -> Vec<Argument> {
        let block = self.intern(BLOCK);
        let parameters = self.facts.def(self.self_def).parameters.clone();
        let mut arguments = Vec::new();
        for (position, parameter) in (0..).zip(parameters) {
            let value = self.add(Term::Parameter(self.self_def, position));
            let name = Some(parameter.name).filter(|name| *name == block);
            arguments.push(Argument { name, value, is_spread: parameter.kind != ParameterKind::One });
        }
        arguments
    }

    /// `yield` where it calls the block of the method.
    pub(super) fn block_call(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        if !self.facts.def(self.self_def).kind.is_callable() {
            self.children(node);
            return self.unknown();
        }
        let callee = self.block_of(self.self_def);
        let position = self.facts.calls.len();
        self.push_call(callee, line(node), Vec::new());
        let arguments = self.arguments(found, None);
        self.facts.calls[position].arguments = arguments;
        self.rest(node, found);
        self.add(Term::Result(callee))
    }

    /// The parameter that takes a function's block, whether it is written or not.
    fn block_of(&mut self, def: DefId) -> TermId {
        let name = self.intern(BLOCK);
        let parameters = &mut self.facts.defs[def.index()].parameters;
        let position = parameters.iter().position(|parameter| parameter.name == name).unwrap_or_else(|| {
            parameters.push(Parameter { name, declared: None, default: None, kind: ParameterKind::One });
            parameters.len() - 1
        });
        self.add(Term::Parameter(def, super::index(position)))
    }

    pub(super) fn block_parameter(&mut self, def: DefId, found: &Match<'t>) {
        let value = self.block_of(def);
        if let Some(name) = found.one(Part::Name) {
            let (name, scope) = (self.name_of(name), self.scope);
            self.give(scope, name, value);
        }
    }

    /// A function that is handed over as the block of a call.
    pub(super) fn block_argument(&mut self, value: Option<Node<'t>>) -> Argument {
        let name = Some(self.intern(BLOCK));
        let value = match value {
            Some(value) => self.used_term(value),
            None => self.add(Term::BuiltIn),
        };
        Argument { name, value, is_spread: false }
    }

    /// `items.each(&:name)` calls a method of each element.
    pub(super) fn element_calls(&mut self, found: &Match<'t>, callee: TermId) {
        let Term::Member(object, _) = self.facts.term(callee) else { return };
        if !self.language.settings().calls.without_brackets {
            return;
        }
        for list in found.all(Part::Arguments) {
            for child in self.forest.nodes_in(list).rev().take(2) {
                let method = self.role_of(child).filter(|found| found.role == Role::BlockArgument);
                let Some(name) = method.and_then(|found| found.one(Part::Name)) else { continue };
                let name = self.definition_name(name);
                let element = self.add(Term::Element(object));
                let callee = self.add(Term::Member(element, name));
                self.push_call(callee, line(child), Vec::new());
            }
        }
    }

    /// `include`: the type around it inherits from these before all others.
    pub(super) fn inherit(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let bases = self.supertypes(found, Part::Base);
        self.rest(node, found);
        let owner = &mut self.facts.defs[self.def.index()];
        if owner.kind.is_type() || owner.kind == DefKind::Namespace {
            owner.bases.splice(0..0, bases);
        }
        self.unknown()
    }

    /// Everything in it belongs to the type itself.
    pub(super) fn static_part(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let before = std::mem::replace(&mut self.is_static_part, true);
        self.rest(node, found);
        for body in found.all(Part::Body) {
            self.children(body);
        }
        self.is_static_part = before;
        self.unknown()
    }

    /// A function by its name, without calling it.
    pub(super) fn reference(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let object = found.one(Part::Object).map(|object| self.value_term(object));
        self.rest(node, found);
        let name = self.definition_name(found.one(Part::Name).unwrap_or(node));
        match object {
            Some(object) => self.add(Term::Member(object, name)),
            None => self.called_name(name),
        }
    }

    pub(super) fn function_alias(&mut self, found: &Match<'t>) -> TermId {
        let (Some(name), Some(value)) = (found.one(Part::Name), found.one(Part::Value)) else { return self.unknown() };
        let (name, value) = (self.definition_name(name), self.definition_name(value));
        let value = self.called_name(value);
        self.bind_name(name, value, None, true);
        value
    }

    /// Methods that read and write fields: `attr_accessor :name`.
    pub(super) fn accessors(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let comment = self.comment.take();
        let settings = self.language.settings();
        let keyword = self.text(node).split_whitespace().next().unwrap_or_default();
        for name_node in found.all(Part::Name) {
            let Some(name) = self.constant(name_node).map(|name| self.facts.text(name).to_owned()) else { continue };
            let field = self.intern(&format!("{}{name}", settings.receiver.field_mark));
            let signature = format!("{keyword} {}", self.text(name_node));
            for writes in [false, true] {
                if found.role == (if writes { Role::Getters } else { Role::Setters }) {
                    continue;
                }
                let name = if writes { format!("{name}{}", settings.calls.setter_mark) } else { name.clone() };
                let name = self.intern(&name);
                self.comment = comment;
                let def = self.define(name_node, found, DefKind::Method, name, None);
                self.facts.defs[def.index()].signature.clone_from(&signature);
                self.field_method(def, field, writes);
                let value = self.add(Term::Def(def));
                let in_type = self.scope_of(self.scope).kind == ScopeKind::Type;
                self.bind_definition(name, value, in_type, found);
            }
        }
        self.rest(node, found);
        self.unknown()
    }

    /// What a method does that reads or writes a field.
    fn field_method(&mut self, def: DefId, field: Name, writes: bool) {
        let before = std::mem::replace(&mut self.self_def, def);
        let object = self.own_receiver();
        let value = if writes {
            let name = self.intern("value");
            let parameter = Parameter { name, declared: None, default: None, kind: ParameterKind::One };
            self.facts.defs[def.index()].parameters.push(parameter);
            let value = self.add(Term::Parameter(def, 0));
            self.write_member(object, Some(field), value);
            value
        } else {
            self.add(Term::Member(object, field))
        };
        self.facts.defs[def.index()].returns.push(value);
        self.self_def = before;
    }
}
