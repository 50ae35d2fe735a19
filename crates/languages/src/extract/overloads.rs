//! Functions that are written as signatures and then, perhaps, with a body: one function under one name.

use super::Extractor;
use super::scopes::ScopeId;
use crate::facts::{Def, DefId, Name, OVERLOAD, Term, TermId};

impl Extractor<'_, '_> {
    /// Whether the name is left to a function that is there already. One with a body takes the name over from signatures.
    pub(super) fn is_repeated(&mut self, scope: ScopeId, name: Name, value: TermId, has_body: bool) -> bool {
        let Some(def) = self.callable(value).filter(|_| self.language.settings().scopes.signatures) else {
            return false;
        };
        let variable = self.scope_of(scope).variables.get(&name).copied();
        let earlier: Vec<TermId> = match variable {
            Some(variable) => self.facts.variables[variable.index()].values.clone(),
            None => Vec::new(),
        };
        let others: Vec<(TermId, DefId)> =
            earlier.into_iter().filter_map(|term| Some((term, self.callable(term)?))).collect();
        let others: Vec<(TermId, DefId)> =
            others.into_iter().filter(|(_, other)| self.are_alike(*other, def)).collect();
        if !has_body {
            self.signatures.insert(def);
            if !others.is_empty() {
                self.facts.defs[def.index()].modifiers.push(OVERLOAD.to_owned());
            }
            return !others.is_empty();
        }
        let replaced: Vec<(TermId, DefId)> =
            others.into_iter().filter(|(_, other)| self.signatures.contains(other)).collect();
        for (_, signature) in &replaced {
            let first = self.facts.def(*signature).start_line;
            self.facts.defs[signature.index()].modifiers.push(OVERLOAD.to_owned());
            let start = &mut self.facts.defs[def.index()].start_line;
            *start = first.min(*start);
        }
        let replaced: Vec<TermId> = replaced.into_iter().map(|(term, _)| term).collect();
        let owner = self.scope_of(scope).def;
        self.facts.defs[owner.index()].members.retain(|member| !replaced.contains(&member.value));
        if let Some(variable) = variable {
            self.facts.variables[variable.index()].values.retain(|term| !replaced.contains(term));
        }
        false
    }

    fn callable(&self, value: TermId) -> Option<DefId> {
        match self.facts.term(value) {
            Term::Def(def) | Term::Decorated(def, _) => Some(def).filter(|def| self.facts.def(*def).kind.is_callable()),
            _ => None,
        }
    }

    /// Whether both are called the same way: a getter is no setter, and nothing of the type one of its instances.
    fn are_alike(&self, one: DefId, other: DefId) -> bool {
        let calls = &self.language.settings().calls;
        let (one, other): (&Def, &Def) = (self.facts.def(one), self.facts.def(other));
        let alike = |mark: &str| one.has_modifier(mark) == other.has_modifier(mark);
        calls.getters.iter().chain(&calls.setters).all(|mark| alike(mark)) && alike("static")
    }
}
