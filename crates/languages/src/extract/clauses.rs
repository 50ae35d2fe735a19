//! Functions that are written clause by clause, and names that types share with what is around them: Haskell, Elixir.

use crate::tree::Node;

use super::definitions::DECLARATION;
use super::scopes::ScopeKind;
use super::{Extractor, byte, index, line};
use crate::facts::{DefId, Name, Term, TermId};
use crate::pattern::Match;
use crate::roles::Part;
use crate::tree::Forest;

impl<'t> Extractor<'_, 't> {
    /// The function that this clause goes on with: the one just before it, if it has the same name and takes as much.
    pub(super) fn earlier_clause(&self, found: &Match<'t>, name: Option<Name>) -> Option<DefId> {
        if !self.language.settings().scopes.clauses {
            return None;
        }
        let last = self.facts.defs.iter().rposition(|def| def.parent == self.def).filter(|last| *last > 0)?;
        let def = &self.facts.defs[last];
        let of_type = self.extension.filter(|_| self.scope_of(self.scope).kind == ScopeKind::Type);
        let is_it = def.kind.is_callable() && Some(def.name) == name && def.receiver == of_type;
        let fits = def.has_modifier(DECLARATION) || def.parameters.len() == arity(self.forest, found);
        (is_it && fits).then(|| DefId(index(last)))
    }

    /// One more clause of a function.
    pub(super) fn clause(&mut self, def: DefId, node: Node<'t>, found: &Match<'t>) -> TermId {
        (self.comment, self.decorated) = (None, None);
        self.decorators.clear();
        let is_first =
            self.facts.def(def).has_modifier(DECLARATION) && (found.has(Part::Body) || found.has(Part::Value));
        let end_line = self.end_line(node);
        let function = &mut self.facts.defs[def.index()];
        if is_first {
            function.modifiers.retain(|modifier| modifier != DECLARATION);
            function.own_line = line(node);
        }
        function.end_line = end_line.max(line(node));
        function.end_byte = byte(node.end_byte());
        let parameters = std::mem::take(&mut function.parameters);
        self.function_inside(node, def, found, None);
        let function = &mut self.facts.defs[def.index()];
        if parameters.len() >= function.parameters.len() {
            function.parameters = parameters;
        }
        self.add(Term::Def(def))
    }

    /// A name for a value: at the top a function, within functions a variable.
    pub(super) fn binding(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let kind = self.scope_of(self.scope).kind;
        if matches!(kind, ScopeKind::Module | ScopeKind::Namespace | ScopeKind::Type) {
            return self.function(node, found);
        }
        let values = found.all(Part::Body).map(|value| self.value_term(value)).collect();
        let value = self.union(values);
        for name in found.all(Part::Name) {
            self.bind(name, value, None, true);
        }
        self.rest(node, found);
        value
    }

    /// `Some x`: in a pattern, what looks like a call takes a value apart.
    pub(super) fn take_apart(&mut self, found: &Match<'t>, declares: bool) -> bool {
        let applies = declares && self.language.settings().scopes.open_types;
        if applies {
            for argument in self.argument_nodes(found) {
                let unknown = self.unknown();
                self.bind(argument, unknown, None, true);
            }
        }
        applies
    }

    /// Makes a name of a type known beside it, too.
    pub(super) fn give_around(&mut self, name: Name, value: TermId) {
        let def = self.scope_of(self.scope).def;
        if !self.language.settings().scopes.open_types || self.facts.def(def).name == name {
            return;
        }
        let mut around = self.scope;
        while let Some(parent) = self.scope_of(around).parent.filter(|_| self.scope_of(around).def == def) {
            around = parent;
        }
        self.give(around, name, value);
    }
}

/// How many parameters a clause takes.
fn arity<'t>(forest: &'t Forest, found: &Match<'t>) -> usize {
    let nodes = found.all(Part::Parameters).flat_map(|list| forest.nodes_in(list));
    nodes.filter(|node| node.is_named() && !node.is_extra()).count()
}
