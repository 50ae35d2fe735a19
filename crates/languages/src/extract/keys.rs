//! Keys that are names: where all that such a name ever holds is one text, it is as good as that text.

use crate::tree::Node;

use super::Extractor;
use super::scopes::ScopeId;
use crate::facts::{LiteralId, Name, Term, TermId};
use crate::roles::Role;

/// A key that is known once all declarations are.
pub(super) struct PendingKey {
    scope: ScopeId,
    name: Name,
    place: KeyPlace,
}

pub(super) enum KeyPlace {
    /// A term that stands for an element of the second.
    Element(TermId, TermId),
    /// An entry of a literal.
    Item(LiteralId, usize),
    /// A write, by its position.
    Write(usize),
}

impl<'t> Extractor<'_, 't> {
    /// Remembers that the key there is this node, if it is a name.
    pub(super) fn note_key(&mut self, node: Node<'t>, place: KeyPlace) {
        let is_name = |node: Node<'t>| self.role_of(node).is_some_and(|found| found.role == Role::Name);
        let inner = if is_name(node) {
            Some(node)
        } else {
            self.forest.first_named_in(node).filter(|(_, is_only)| *is_only).map(|(inner, _)| inner)
        };
        if let Some(key) = inner.filter(|inner| is_name(*inner)) {
            let name = self.name_of(key);
            self.pending_keys.push(PendingKey { scope: self.scope, name, place });
        }
    }

    /// The value of a constant, told apart from other constants so that keys can be read from it.
    pub(super) fn constant_value(&mut self, node: Node<'t>, value: TermId) -> TermId {
        if self.facts.term(value) != Term::BuiltIn {
            return value;
        }
        let Some(constant) = self.constant(node) else { return value };
        let value = self.add_unshared(Term::BuiltIn);
        self.constants.insert(value, constant);
        value
    }

    pub(super) fn finish_keys(&mut self) {
        for PendingKey { scope, name, place } in std::mem::take(&mut self.pending_keys) {
            let Some(variable) = self.lookup(scope, name) else { continue };
            let [value] = self.facts.variables[variable.index()].values.as_slice() else { continue };
            let Some(key) = self.constants.get(value).copied() else { continue };
            match place {
                KeyPlace::Element(term, object) => {
                    let is_member = self.language.settings().calls.index_is_member;
                    let found = if is_member { Term::Member(object, key) } else { Term::Item(object, key) };
                    self.facts.terms[term.index()] = found;
                }
                KeyPlace::Item(literal, position) => {
                    self.facts.literals[literal.index()].items[position].key = Some(key);
                }
                KeyPlace::Write(position) => self.facts.writes[position].name = Some(key),
            }
        }
    }
}
