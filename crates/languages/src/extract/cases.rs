//! Values in several shapes: what cases find in them, and types that list their parts.

use crate::tree::Node;

use super::{Extractor, index, line};
use crate::facts::{DefId, DefKind, Item, Literal, LiteralId, Member, Name, Term, TermId};
use crate::pattern::Match;
use crate::roles::{Part, Role};

/// What the cases of a `switch` look at, and the name that they all know it by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subject {
    value: TermId,
    name: Option<Name>,
}

impl<'t> Extractor<'_, 't> {
    pub(super) fn switch(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        self.in_block(|this| {
            this.rest(node, found);
            let value = found.one(Part::Value).map(|value| this.value_term(value)).unwrap_or_else(|| this.unknown());
            let name = found.one(Part::Target).map(|name| this.name_of(name));
            let outer = this.subject.replace(Subject { value, name });
            let values = found.all(Part::Item).map(|case| this.term(case)).collect();
            this.subject = outer;
            this.union(values)
        })
    }

    /// Binds its targets to the value that is looked at; with a type, to one of that type.
    pub(super) fn case(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let subject = self.subject;
        self.in_block(|this| {
            let unknown = this.unknown();
            let types: Vec<TermId> = found.all(Part::Type).map(|declared| this.type_term(declared)).collect();
            let declared = if types.is_empty() { None } else { Some(this.union(types)) };
            let value = subject.filter(|_| declared.is_none()).map_or(unknown, |subject| subject.value);
            if let Some(name) = subject.and_then(|subject| subject.name) {
                this.bind_name(name, value, declared, true);
            }
            for target in found.all(Part::Target) {
                this.bind(target, value, declared, true);
            }
            this.rest(node, found);
            for body in found.all(Part::Body) {
                this.term(body);
            }
            let values = found.all(Part::Value).map(|value| this.term(value)).collect();
            this.union(values)
        })
    }

    /// A variant that holds nothing is an instance of the enum; any other is a type below it.
    pub(super) fn variant(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        if found.has(Part::Item) || found.has(Part::Body) {
            return self.class(node, found, DefKind::Type);
        }
        let Some(name) = found.one(Part::Name).map(|name| self.definition_name(name)) else { return self.unknown() };
        let owner = self.add(Term::Def(self.def));
        let value = self.add(Term::Instance(owner));
        let scope = self.scope;
        self.give(scope, name, value);
        self.give_around(name, value);
        let member = Member { name, value, is_static: true, is_type: false };
        self.facts.defs[self.def.index()].members.push(member);
        self.rest(node, found);
        value
    }

    /// The fields of a type that have no names: `struct Pair(A, B)`.
    pub(super) fn positional_fields(&mut self, def: DefId, found: &Match<'t>) {
        for (position, item) in found.all(Part::Item).enumerate() {
            let name = self.intern(&position.to_string());
            let value = self.type_term(item);
            let member = Member { name, value, is_static: false, is_type: true };
            self.facts.defs[def.index()].members.push(member);
        }
    }

    pub(super) fn tuple_type(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let id = LiteralId(index(self.facts.literals.len()));
        self.facts.literals.push(Literal { line: line(node), ..Literal::default() });
        for (position, item) in found.all(Part::Item).enumerate() {
            let key = Some(self.intern(&position.to_string()));
            let value = self.type_term(item);
            self.facts.literals[id.index()].items.push(Item { key, value });
        }
        self.add(Term::Literal(id))
    }

    /// Results with names are variables, and what a bare `return` gives.
    pub(super) fn named_results(&mut self, def: DefId, found: &Match<'t>) {
        let mut names = Vec::new();
        for node in found.all(Part::Results).flat_map(|list| self.forest.nodes_in(list)) {
            let Some(result) = self.role_of(node).filter(|result| result.role == Role::Parameter) else {
                continue;
            };
            let declared = result.one(Part::Type).map(|declared| self.type_term(declared));
            let unknown = self.unknown();
            for name in result.all(Part::Name) {
                self.bind(name, unknown, declared, true);
                names.push(self.name_of(name));
            }
        }
        if let [name] = names.as_slice() {
            let value = self.name_term(*name);
            self.facts.defs[def.index()].returns.push(value);
        }
    }

    /// What stands in place of a node of mere tokens.
    pub(super) fn read_code(&self, node: Node<'t>) -> Option<Vec<Node<'t>>> {
        let role = self.role_of(node)?.role;
        (role == Role::Code).then(|| self.unread.get(&node.start_byte()).cloned().unwrap_or_default())
    }

    pub(super) fn code(&mut self, node: Node<'t>) -> TermId {
        let code = self.read_code(node).unwrap_or_default();
        let last = self.in_block(|this| this.sequence(code));
        last.unwrap_or_else(|| self.unknown())
    }
}
