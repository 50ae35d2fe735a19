//! Calls, members that are read or called, and what functions give back.

use crate::tree::Node;

use super::{Extractor, line};
use crate::facts::{Argument, Call, CallKind, Term, TermId, Write};
use crate::pattern::Match;
use crate::roles::{Part, Role};

impl<'t> Extractor<'_, 't> {
    pub(super) fn call(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        if let Some(value) = self.super_call(found) {
            return value;
        }
        if let Some(own) = self.type_of_receiver(found) {
            return own;
        }
        let is_class = found.role == Role::New && found.has(Part::Body);
        let Some(callee) = self.callee(found).or_else(|| is_class.then(|| self.unknown())) else {
            self.children(node);
            return self.unknown();
        };
        let position = self.facts.calls.len();
        let kind = if found.role == Role::New { CallKind::New } else { CallKind::Call };
        let at = found
            .one(Part::Name)
            .or_else(|| found.one(Part::Callee))
            .map_or_else(|| line(node), |at| self.last_line(at));
        self.facts.calls.push(Call { caller: self.def, callee, line: at, kind, arguments: Vec::new() });
        let arguments = self.handed_arguments(found, callee);
        let reflected = self.reflected(found, callee, &arguments);
        let value = reflected.or_else(|| self.call_value(found, callee, &arguments));
        if kind == CallKind::New {
            self.given_fields(found, callee, &arguments);
        }
        self.facts.calls[position].arguments = arguments;
        self.element_calls(found, callee);
        self.made_fields(found, callee);
        self.rest(node, found);
        let class = if kind == CallKind::New { self.anonymous_class(node, found, callee) } else { None };
        if let Some(class) = class {
            self.facts.calls[position].callee = class;
        }
        let callee = class.unwrap_or(callee);
        value.unwrap_or_else(|| self.add(if kind == CallKind::New { Term::New(callee) } else { Term::Result(callee) }))
    }

    /// `getattr(x, "name")`, `X.class.getMethod("name")`, `Class.forName("a.X")`: what a constant text names.
    fn reflected(&mut self, found: &Match<'t>, callee: TermId, arguments: &[Argument]) -> Option<TermId> {
        let calls = &self.language.settings().calls;
        let (object, name) = match self.facts.term(callee) {
            Term::Member(object, name) => (Some(object), name),
            Term::Free(name, _) => (None, name),
            _ => return None,
        };
        let is_one_of = |names: &[String]| names.iter().any(|known| known == self.facts.text(name));
        let (names_member, names_type) = (is_one_of(&calls.reflected_members), is_one_of(&calls.reflected_types));
        if !names_member && !names_type {
            return None;
        }
        let nodes: Vec<Node<'t>> = found.all(Part::Arguments).flat_map(|list| self.forest.nodes_in(list)).collect();
        let nodes = nodes.into_iter().filter(|node| node.is_named() && !node.is_extra());
        let (position, text) = nodes.enumerate().find_map(|(position, node)| Some((position, self.constant(node)?)))?;
        if names_type {
            return Some(self.named_type(text, line(found.one(Part::Arguments)?)));
        }
        let object = if position == 0 { object? } else { arguments.first()?.value };
        Some(self.add(Term::Member(object, text)))
    }

    /// The line of the name that is called, which a chain of calls may push below its beginning.
    pub(super) fn last_line(&self, node: Node<'t>) -> u32 {
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

    pub(super) fn callee(&mut self, found: &Match<'t>) -> Option<TermId> {
        if let Some(name) = found.one(Part::Name) {
            let object = found.one(Part::Object).map(|object| self.value_term(object));
            let name = self.definition_name(name);
            return Some(match object {
                Some(object) => self.add(Term::Member(object, name)),
                None => self.own_method(name),
            });
        }
        let Some(callee) = found.one(Part::Callee) else {
            // `new(…)` makes what is expected here.
            return self.expected.take().filter(|_| found.role == Role::New);
        };
        self.expected = None;
        Some(match self.role_of(callee) {
            Some(member) if member.role == Role::Member => self.member(callee, &member),
            Some(element) if element.role == Role::Index => self.index(&element),
            _ if found.role == Role::New => self.type_term(callee),
            Some(name) if name.role == Role::Name => {
                // It is called rather than read.
                let before = self.facts.calls.len();
                let term = self.value_term(callee);
                self.facts.calls.truncate(before);
                term
            }
            _ => self.value_term(callee),
        })
    }

    pub(super) fn arguments(&mut self, found: &Match<'t>, callee: Option<TermId>) -> Vec<Argument> {
        let mut arguments: Vec<Argument> = Vec::new();
        for (position, node) in self.argument_nodes(found).into_iter().enumerate() {
            self.expect_argument(node, callee, position);
            arguments.push(self.argument(node));
            self.expected = None;
        }
        if let Some(first) = found.one(Part::Item) {
            let value = self.entries(first, found);
            arguments.push(Argument { name: None, value, is_spread: false });
        }
        arguments.extend(found.one(Part::Block).map(|block| self.block_argument(Some(block))));
        for list in found.all(Part::Arguments) {
            self.sequence(self.forest.nodes_in(list).filter(Node::is_extra));
        }
        arguments
    }

    pub(super) fn argument_nodes(&self, found: &Match<'t>) -> Vec<Node<'t>> {
        let mut nodes = Vec::new();
        for list in found.all(Part::Arguments) {
            match self.read_code(list) {
                Some(code) => nodes.extend(code),
                None => nodes.extend(self.forest.nodes_in(list)),
            }
        }
        nodes.retain(|node| node.is_named() && !node.is_extra());
        nodes.extend(found.all(Part::Argument));
        nodes
    }

    /// `Point { x: 1 }`: entries among the arguments are fields that get a value.
    pub(super) fn given_fields(&mut self, found: &Match<'t>, callee: TermId, arguments: &[Argument]) {
        let object = self.add(Term::New(callee));
        let in_braces =
            |list: Node<'t>| self.forest.nodes_in(list).next().is_some_and(|first| self.is_sign(first, "{"));
        let in_order =
            self.language.settings().calls.fields_in_order && found.one(Part::Arguments).is_some_and(in_braces);
        for (position, (node, argument)) in self.argument_nodes(found).into_iter().zip(arguments).enumerate() {
            let is_entry = |found: Match<'t>| matches!(found.role, Role::Pair | Role::ShortPair);
            let is_entry = self.role_of(node).is_some_and(is_entry);
            let is_known = !matches!(self.facts.term(argument.value), Term::Unknown | Term::BuiltIn);
            if is_known && (is_entry || (in_order && !argument.is_spread)) {
                let name = if is_entry { argument.name } else { Some(self.intern(&position.to_string())) };
                self.facts.writes.push(Write { object, name, value: argument.value });
            }
        }
    }

    pub(super) fn argument(&mut self, node: Node<'t>) -> Argument {
        let before = std::mem::replace(&mut self.in_type, false);
        let argument = match self.role_of(node) {
            Some(found) if matches!(found.role, Role::NamedArgument | Role::Pair) => {
                let name = found.one(Part::Name).or_else(|| found.one(Part::Key)).map(|name| self.name_of(name));
                let value = found.one(Part::Value).map(|value| self.used_term(value));
                Argument { name, value: value.unwrap_or_else(|| self.unknown()), is_spread: false }
            }
            Some(found) if found.role == Role::Assign && self.language.settings().calls.named_by_assignment => {
                let name = found.one(Part::Target).map(|name| self.name_of(name));
                let value = found.one(Part::Value).map(|value| self.used_term(value));
                Argument { name, value: value.unwrap_or_else(|| self.unknown()), is_spread: false }
            }
            Some(found) if found.role == Role::ShortPair => {
                let name = found.one(Part::Name).unwrap_or(node);
                let value = self.name(name);
                self.note_use(node, value);
                Argument { name: Some(self.name_of(name)), value, is_spread: false }
            }
            Some(found) if found.role == Role::BlockArgument => self.block_argument(found.one(Part::Value)),
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
        let Term::Member(object, _) = self.facts.term(callee) else { return };
        if !matches!(self.facts.term(object), Term::Unknown | Term::BuiltIn) {
            self.facts.calls.push(Call { caller: self.def, callee, line, kind, arguments });
        }
    }

    pub(super) fn member(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        if found.has(Part::Value) {
            return self.path_term(node);
        }
        let object = found.one(Part::Object).map(|object| self.term(object));
        self.rest(node, found);
        let mut member = object.filter(|_| found.has(Part::Name));
        for name in found.all(Part::Name) {
            let name = self.definition_name(name);
            member = Some(match member {
                Some(object) => self.add(Term::Member(object, name)),
                None => self.name_term(name),
            });
        }
        member.unwrap_or_else(|| self.unknown())
    }

    /// Methods that a statement calls without naming them, each on what the one before gives.
    pub(super) fn implied_calls(&mut self, methods: &[String], object: TermId, line: u32) -> TermId {
        let mut object = object;
        for method in methods {
            let name = self.intern(method);
            let callee = self.add(Term::Member(object, name));
            let call = Call { caller: self.def, callee, line, kind: CallKind::Call, arguments: Vec::new() };
            self.facts.calls.push(call);
            object = self.add(Term::Result(callee));
        }
        object
    }

    /// `raise X` makes an instance where `X` is a type.
    pub(super) fn raise(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        for value in found.all(Part::Value) {
            let callee = self.value_term(value);
            if matches!(self.facts.term(callee), Term::Free(..) | Term::Member(..)) {
                let (caller, line) = (self.def, line(value));
                self.facts.calls.push(Call { caller, callee, line, kind: CallKind::New, arguments: Vec::new() });
            }
        }
        self.rest(node, found);
        self.unknown()
    }

    /// `return` and `yield`. What stands for another generator gives what that one gives in the end.
    pub(super) fn result(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let mut values: Vec<TermId> = Vec::new();
        let mut given = None;
        for value in found.all(Part::Value) {
            self.expected = self.expected_result(self.def, value);
            values.push(self.used_term(value));
            self.expected = None;
        }
        for iterable in found.all(Part::Iterable) {
            let iterable = self.value_term(iterable);
            values.push(self.add(Term::Element(iterable)));
            given = Some(self.add(Term::Awaited(iterable)));
        }
        let given = given.unwrap_or_else(|| self.unknown());
        self.rest(node, found);
        let def = self.facts.defs.get_mut(self.def.index());
        let Some(def) = def.filter(|def| def.kind.is_callable()) else { return given };
        let results = if found.role == Role::Yield { &mut def.yields } else { &mut def.returns };
        results.extend(values);
        given
    }
}
