//! Members that are more than a field: properties with functions behind them, constants of enumerations; and classes without a
//! name, which are made where they are written.

use crate::tree::Node;

use super::scopes::{ScopeId, ScopeKind};
use super::{Extractor, Hint, byte, index, line};
use crate::facts::{
    Argument, Call, CallKind, DefId, DefKind, Member, Name, Parameter, ParameterKind, Term, TermId, Write,
};
use crate::pattern::Match;
use crate::roles::{Part, Role};
use crate::settings::Settings;

impl<'t> Extractor<'_, 't> {
    /// A field, and a method of its name for each function that reads or writes it.
    pub(super) fn property(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let comment = self.comment.take();
        let Some(name_node) = found.one(Part::Name) else {
            self.children(node);
            return self.unknown();
        };
        let name = self.definition_name(name_node);
        let receiver = found.one(Part::Receiver).map(|receiver| {
            let declared = self.type_term(receiver);
            self.instance_of(declared)
        });
        let declared = if receiver.is_none() {
            self.variable(node, found, None);
            self.declared_of(name)
        } else {
            let declared = found.one(Part::Type).map(|declared| self.type_term(declared));
            self.rest(node, found);
            declared
        };
        let accessors: Vec<Node<'t>> = found.all(Part::Accessor).collect();
        for accessor in &accessors {
            self.comment = comment;
            let in_type = self.scope_of(self.scope).kind == ScopeKind::Type;
            self.hint = Some(Hint { name, is_method: in_type || receiver.is_some(), receiver, declares: true });
            let scope = ScopeId(index(self.scopes.len()));
            self.expected = declared;
            let term = self.value_term(*accessor);
            self.expected = None;
            self.hint = None;
            if let Term::Def(def) = self.facts.term(term) {
                self.implicit_names(def, scope, name, declared);
                self.accessor(def, found, declared, receiver.is_none().then_some((name, term)));
                if accessors.len() == 1 {
                    self.widen(def, node, *accessor);
                }
            }
        }
        self.unknown()
    }

    /// Writing to a bare name may write a property of the receiver; whether it does is known at the end.
    pub(super) fn note_bare_property(&mut self, name: Name, value: TermId, line: u32) {
        let Settings { calls, scopes, .. } = self.language.settings();
        if calls.properties && scopes.implicit_members {
            let (caller, callee) = (self.def, self.name_term(name));
            let arguments = vec![Argument { name: None, value, is_spread: false }];
            self.facts.calls.push(Call { caller, callee, line, kind: CallKind::Set, arguments });
        }
    }

    /// The type that a variable of the innermost scope is declared with.
    fn declared_of(&self, name: Name) -> Option<TermId> {
        let variable = self.scope_of(self.scope).variables.get(&name)?;
        self.facts.variables[variable.index()].declared
    }

    /// What the functions of a property know without declaring it.
    fn implicit_names(&mut self, def: DefId, scope: ScopeId, property: Name, declared: Option<TermId>) {
        let calls = &self.language.settings().calls;
        if !calls.setter_parameter.is_empty() && self.is_marked(def, &calls.setters) {
            let name = self.intern(&calls.setter_parameter);
            let parameters = &mut self.facts.defs[def.index()].parameters;
            let position = index(parameters.len());
            parameters.push(Parameter { name, declared, default: None, kind: ParameterKind::One });
            let value = self.add(Term::Parameter(def, position));
            self.give(scope, name, value);
        }
        if !calls.backing_field.is_empty() && self.scope_of(self.scope).kind == ScopeKind::Type {
            let name = self.intern(&calls.backing_field);
            let variable = self.declare(scope, name);
            self.facts.variables[variable.index()].declared = declared;
            let (owner, value) = (self.scope_of(self.scope).def, self.add(Term::Variable(variable)));
            let member = Member { name: property, value, is_static: false, is_type: false };
            self.facts.defs[owner.index()].members.push(member);
        }
    }

    /// `new Point { X = 1 }`: what is assigned is a member of what is made.
    pub(super) fn made_fields(&mut self, found: &Match<'t>, callee: TermId) {
        for list in found.all(Part::Fields) {
            for child in self.forest.nodes_in(list).filter(|child| child.is_named() && !child.is_extra()) {
                let assigned = self.role_of(child).filter(|inner| inner.role == Role::Assign);
                let target = assigned.as_ref().and_then(|inner| inner.one(Part::Target));
                let value = assigned.as_ref().and_then(|inner| inner.one(Part::Value));
                let (Some(target), Some(value)) = (target, value) else {
                    self.used_term(child);
                    continue;
                };
                let (name, value) = (self.name_of(target), self.used_term(value));
                let object = self.add(Term::New(callee));
                self.facts.writes.push(Write { object, name: Some(name), value });
                if self.language.settings().calls.properties {
                    let callee = self.add(Term::Member(object, name));
                    let arguments = vec![Argument { name: None, value, is_spread: false }];
                    self.note_property(callee, CallKind::Set, line(target), arguments);
                }
            }
        }
    }

    fn accessor(&mut self, def: DefId, found: &Match<'t>, declared: Option<TermId>, bound: Option<(Name, TermId)>) {
        let modifiers = self.modifiers(found);
        let is_static = modifiers.iter().any(|modifier| modifier == "static");
        let calls = &self.language.settings().calls;
        let is_setter = self.is_marked(def, &calls.setters);
        let is_getter = is_setter || self.is_marked(def, &calls.getters);
        // What has no word for it reads the property.
        if let Some(getter) = calls.getters.first().filter(|_| !is_getter) {
            self.facts.defs[def.index()].modifiers.push(getter.clone());
        }
        let accessor = &mut self.facts.defs[def.index()];
        for modifier in modifiers {
            if !accessor.modifiers.contains(&modifier) {
                accessor.modifiers.push(modifier);
            }
        }
        if !is_setter {
            accessor.declared = accessor.declared.or(declared);
        }
        let Some((name, value)) = bound else { return };
        if self.scope_of(self.scope).kind == ScopeKind::Type {
            let owner = self.scope_of(self.scope).def;
            self.facts.defs[owner.index()].members.push(Member { name, value, is_static, is_type: false });
        } else {
            self.give(self.scope, name, value);
        }
    }

    /// A property with one function is that function.
    fn widen(&mut self, def: DefId, node: Node<'t>, accessor: Node<'t>) {
        let signature = self.signature(node, Some(accessor));
        let def = &mut self.facts.defs[def.index()];
        (def.start_line, def.own_line) = (line(node), line(node));
        (def.start_byte, def.end_byte) = (byte(node.start_byte()), byte(node.end_byte()));
        def.signature = signature;
    }

    /// Bases that are called where they are named: `class A(x) : Base(x)`.
    pub(super) fn made_bases(&mut self, found: &Match<'t>) {
        for base in found.all(Part::Base).chain(found.all(Part::Implements)) {
            if self.role_of(base).is_some_and(|found| found.role == Role::New) {
                self.value_term(base);
            }
        }
        if let Some(base) = found.one(Part::Base).filter(|_| found.has(Part::Arguments)) {
            let callee = self.type_term(base);
            let position = self.facts.calls.len();
            let (caller, line) = (self.def, line(base));
            self.facts.calls.push(Call { caller, callee, line, kind: CallKind::New, arguments: Vec::new() });
            self.facts.calls[position].arguments = self.arguments(found, None);
        }
    }

    /// A constant of an enumeration.
    pub(super) fn constant_member(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let owner = self.scope_of(self.scope).def;
        let of = self.add(Term::Def(owner));
        let mut value = self.add(Term::Instance(of));
        if found.has(Part::Arguments) || found.has(Part::Body) {
            let position = self.facts.calls.len();
            let call =
                Call { caller: self.def, callee: of, line: line(node), kind: CallKind::New, arguments: Vec::new() };
            self.facts.calls.push(call);
            let arguments = self.arguments(found, None);
            let class = self.anonymous_class(node, found, of);
            let call = &mut self.facts.calls[position];
            call.arguments = arguments;
            if let Some(class) = class {
                call.callee = class;
                value = self.add(Term::New(class));
            }
        }
        if let Some(name) = found.one(Part::Name) {
            let name = self.definition_name(name);
            let before = std::mem::replace(&mut self.manner.is_static, true);
            self.bind_name(name, value, None, true);
            self.manner.is_static = before;
        }
        value
    }

    /// The class that a body after `new` defines, below what is named there.
    pub(super) fn anonymous_class(&mut self, node: Node<'t>, found: &Match<'t>, base: TermId) -> Option<TermId> {
        let body = found.one(Part::Body)?;
        let name = self.intern("<class>");
        let def = self.define(node, found, DefKind::Class, name, Some(body));
        let mut bases = self.supertypes(found, Part::Base);
        if self.facts.term(base) != Term::Unknown {
            bases.insert(0, base);
        }
        let interfaces = self.supertypes(found, Part::Implements);
        let class = &mut self.facts.defs[def.index()];
        (class.bases, class.interfaces) = (bases, interfaces);
        let outer = (self.def, self.self_def, self.extension.take());
        (self.def, self.self_def) = (def, def);
        self.within(ScopeKind::Type, def, |this| this.children(body));
        (self.def, self.self_def, self.extension) = outer;
        Some(self.add(Term::Def(def)))
    }
}
