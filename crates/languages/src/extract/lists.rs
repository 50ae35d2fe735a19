//! Lists as they are written and as they are taken apart: gaps, spreads, and what takes the rest.

use crate::tree::Node;

use super::{Extractor, index, line};
use crate::facts::{Item, Literal, LiteralId, Term, TermId};
use crate::pattern::Match;
use crate::roles::{Part, Role};

impl<'t> Extractor<'_, 't> {
    /// Gives each target in a list its part of the value.
    pub(super) fn bind_list(&mut self, target: Node<'t>, found: &Match<'t>, value: TermId, declares: bool) {
        let items = self.positions(target, found);
        let takes_rest = |found: Match<'t>| matches!(found.role, Role::Spread | Role::RestParameter);
        let rest = items.iter().position(|(item, _)| self.role_of(*item).is_some_and(takes_rest));
        let length = self.length_of(value);
        for (at, (item, position)) in items.iter().enumerate() {
            let after = items.len() - at - 1;
            let part = match (rest, length) {
                (Some(rest), Some(length)) if at == rest => {
                    self.slice(target, value, *position, length.saturating_sub(after))
                }
                (Some(rest), None) if at == rest && (*position > 0 || after > 0) => self.any_of(target, value),
                (Some(rest), _) if at == rest => value,
                (Some(rest), Some(length)) if at > rest => self.item_at(value, length.saturating_sub(after + 1)),
                (Some(rest), None) if at > rest => self.add(Term::Element(value)),
                _ => self.item_at(value, *position),
            };
            self.bind(*item, part, None, declares);
        }
    }

    /// `for key, value in map.items()`, `for one, other in zip(…)`: the parts are elements of what the call was given.
    pub(super) fn bind_parts(&mut self, target: Node<'t>, iterable: Option<TermId>, first_call: usize) {
        let Some(found) = self.role_of(target).filter(|found| found.role == Role::List) else { return };
        let Some(Term::Result(callee)) = iterable.map(|iterable| self.facts.term(iterable)) else { return };
        let (object, name) = match self.facts.term(callee) {
            Term::Member(object, name) => (Some(object), name),
            Term::Free(name, _) => (None, name),
            _ => return,
        };
        let known = &self.language.settings().collections;
        let is_one_of = |names: &[String]| names.iter().any(|known| known == self.facts.text(name));
        let (is_pairs, is_abreast) = (is_one_of(&known.pairs), is_one_of(&known.abreast));
        let call = self.facts.calls[first_call..].iter().find(|call| call.callee == callee);
        let given: Vec<TermId> =
            call.map_or_else(Vec::new, |call| call.arguments.iter().map(|argument| argument.value).collect());
        let of = match is_abreast {
            true => given.into_iter().map(Some).collect(),
            false if is_pairs => vec![None, given.first().copied().or(object)],
            false => return,
        };
        for ((item, _), of) in self.positions(target, &found).into_iter().zip(of) {
            if let Some(of) = of {
                let element = self.add(Term::Element(of));
                self.bind(item, element, None, true);
            }
        }
    }

    /// The items of a list with their positions; nothing between two commas takes a position, too.
    pub(super) fn positions(&self, node: Node<'t>, found: &Match<'t>) -> Vec<(Node<'t>, usize)> {
        let mut positions = Vec::new();
        let (mut position, mut is_taken) = (0, false);
        let mut items = found.all(Part::Item).peekable();
        for child in self.forest.nodes_in(node) {
            if self.is_sign(child, ",") {
                position += usize::from(!is_taken);
                is_taken = false;
            } else if items.next_if_eq(&child).is_some() {
                positions.push((child, position));
                position += 1;
                is_taken = true;
            }
        }
        // Items that lie deeper have no gaps between them.
        if positions.is_empty() { found.all(Part::Item).zip(0..).collect() } else { positions }
    }

    fn item_at(&mut self, list: TermId, position: usize) -> TermId {
        let key = self.intern(&position.to_string());
        self.add(Term::Item(list, key))
    }

    /// How long a list is that is written out.
    fn length_of(&self, list: TermId) -> Option<usize> {
        let Term::Literal(literal) = self.facts.term(list) else { return None };
        let literal = &self.facts.literals[literal.index()];
        let is_at =
            |(position, item): (usize, &Item)| item.key.is_some_and(|key| self.facts.text(key) == position.to_string());
        let is_plain = literal.spreads.is_empty() && literal.items.iter().enumerate().all(is_at);
        is_plain.then_some(literal.items.len())
    }

    fn slice(&mut self, node: Node<'t>, list: TermId, from: usize, until: usize) -> TermId {
        let mut items = Vec::new();
        for (position, at) in (from..until).enumerate() {
            let key = Some(self.intern(&position.to_string()));
            items.push(Item { key, value: self.item_at(list, at) });
        }
        self.literal_of(node, items)
    }

    /// A list of unknown length whose items are any of another.
    fn any_of(&mut self, node: Node<'t>, list: TermId) -> TermId {
        let value = self.add(Term::Element(list));
        self.literal_of(node, vec![Item { key: None, value }])
    }

    fn literal_of(&mut self, node: Node<'t>, items: Vec<Item>) -> TermId {
        let id = LiteralId(index(self.facts.literals.len()));
        self.facts.literals.push(Literal { items, line: line(node), ..Literal::default() });
        self.add(Term::Literal(id))
    }
}
