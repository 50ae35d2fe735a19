//! Members that are more than a field: properties with functions behind them, constants of enumerations; and classes without a
//! name, which are made where they are written.

use tree_sitter::Node;

use super::scopes::ScopeKind;
use super::{Extractor, Hint, byte, line};
use crate::facts::{Argument, Call, CallKind, DefId, DefKind, Member, Name, Term, TermId};
use crate::pattern::Match;
use crate::roles::Part;
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
            self.hint = Some(Hint { name, is_method: in_type || receiver.is_some(), receiver });
            let term = self.value_term(*accessor);
            self.hint = None;
            if let Term::Def(def) = self.facts.term(term) {
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

    fn accessor(&mut self, def: DefId, found: &Match<'t>, declared: Option<TermId>, bound: Option<(Name, TermId)>) {
        let modifiers = self.modifiers(found);
        let is_static = modifiers.iter().any(|modifier| modifier == "static");
        let is_setter = self.is_marked(def, &self.language.settings().calls.setters);
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

    /// A constant of an enumeration.
    pub(super) fn constant_member(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let owner = self.scope_of(self.scope).def;
        let of = self.add(Term::Def(owner));
        let mut value = self.add(Term::Instance(of));
        if found.has(Part::Arguments) || found.has(Part::Body) {
            let position = self.facts.calls.len();
            let call = Call { caller: self.def, callee: of, line: line(node), kind: CallKind::New, arguments: Vec::new() };
            self.facts.calls.push(call);
            let arguments = self.arguments(found);
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
        bases.insert(0, base);
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
