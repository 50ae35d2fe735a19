//! Calls, members that are read or called, and what functions give back.

use tree_sitter::Node;

use super::{Extractor, line};
use crate::facts::{Argument, Call, CallKind, Term, TermId};
use crate::pattern::Match;
use crate::roles::{Part, Role};
use crate::tree::children_of;

impl<'t> Extractor<'_, 't> {
    pub(super) fn call(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        if let Some(value) = self.super_call(found) {
            return value;
        }
        let Some(callee) = self.callee(found) else {
            self.children(node);
            return self.unknown();
        };
        let position = self.facts.calls.len();
        let kind = if found.role == Role::New { CallKind::New } else { CallKind::Call };
        let at = found.one(Part::Name).or_else(|| found.one(Part::Callee)).map_or_else(|| line(node), |at| self.last_line(at));
        self.facts.calls.push(Call { caller: self.def, callee, line: at, kind, arguments: Vec::new() });
        let arguments = self.arguments(found);
        self.facts.calls[position].arguments = arguments;
        self.rest(node, found);
        self.add(if kind == CallKind::New { Term::New(callee) } else { Term::Result(callee) })
    }

    /// The line of the name that is called, which a chain of calls may push below its beginning.
    fn last_line(&self, node: Node<'t>) -> u32 {
        match self.role_of(node) {
            Some(found) if found.role == Role::Member => found.one(Part::Name).map_or_else(|| line(node), line),
            _ => line(node),
        }
    }

    /// `super()` where it is the base and not a call.
    fn super_call(&mut self, found: &Match<'t>) -> Option<TermId> {
        let names = &self.language.settings().receiver.super_names;
        let callee = found.one(Part::Callee).filter(|callee| names.iter().any(|name| name == self.text(*callee)))?;
        let is_name = self.role_of(callee).is_some_and(|found| found.role == Role::Name);
        is_name.then(|| self.add(Term::Super(self.self_def)))
    }

    fn callee(&mut self, found: &Match<'t>) -> Option<TermId> {
        if let Some(name) = found.one(Part::Name) {
            let object = found.one(Part::Object).map(|object| self.value_term(object));
            let name = self.name_of(name);
            return Some(match object {
                Some(object) => self.add(Term::Member(object, name)),
                None => self.name_term(name),
            });
        }
        let callee = found.one(Part::Callee)?;
        Some(match self.role_of(callee) {
            Some(member) if member.role == Role::Member => self.member(callee, &member),
            _ if found.role == Role::New => self.type_term(callee),
            _ => self.value_term(callee),
        })
    }

    fn arguments(&mut self, found: &Match<'t>) -> Vec<Argument> {
        let mut nodes: Vec<Node<'t>> = Vec::new();
        for list in found.all(Part::Arguments) {
            nodes.extend(children_of(list).iter().map(|child| child.node).filter(|node| node.is_named() && !node.is_extra()));
        }
        nodes.extend(found.all(Part::Argument));
        nodes.into_iter().map(|node| self.argument(node)).collect()
    }

    fn argument(&mut self, node: Node<'t>) -> Argument {
        let before = std::mem::replace(&mut self.in_type, false);
        let argument = match self.role_of(node) {
            Some(found) if found.role == Role::NamedArgument => {
                let name = found.one(Part::Name).map(|name| self.name_of(name));
                let value = found.one(Part::Value).map(|value| self.used_term(value));
                Argument { name, value: value.unwrap_or_else(|| self.unknown()), is_spread: false }
            }
            Some(found) if found.role == Role::Spread => {
                Argument { name: None, value: self.term(node), is_spread: true }
            }
            _ => Argument { name: None, value: self.used_term(node), is_spread: false },
        };
        self.in_type = before;
        argument
    }

    pub(super) fn member_read(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let member = self.member(node, found);
        if self.language.settings().calls.properties && !self.in_type {
            let line = found.one(Part::Name).map_or_else(|| line(node), line);
            self.note_property(member, CallKind::Get, line, Vec::new());
        }
        member
    }

    /// Reading or writing a member may run a function.
    pub(super) fn note_property(&mut self, callee: TermId, kind: CallKind, line: u32, arguments: Vec<Argument>) {
        if matches!(self.facts.term(callee), Term::Member(..)) {
            self.facts.calls.push(Call { caller: self.def, callee, line, kind, arguments });
        }
    }

    pub(super) fn member(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let object = found.one(Part::Object).map(|object| self.term(object));
        self.rest(node, found);
        let Some(name) = found.one(Part::Name) else { return self.unknown() };
        let name = self.definition_name(name);
        match object {
            Some(object) => self.add(Term::Member(object, name)),
            None => self.name_term(name),
        }
    }

    /// `return` and `yield`.
    pub(super) fn result(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let values: Vec<TermId> = found.all(Part::Value).map(|value| self.used_term(value)).collect();
        self.rest(node, found);
        let def = self.facts.defs.get_mut(self.def.index());
        let Some(def) = def.filter(|def| def.kind.is_callable()) else { return self.unknown() };
        let results = if found.role == Role::Yield { &mut def.yields } else { &mut def.returns };
        results.extend(values);
        self.unknown()
    }
}
