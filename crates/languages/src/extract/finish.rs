//! The end of the walk: all declarations are known, so names can be bound.

use super::Extractor;
use super::scopes::ScopeId;
use crate::facts::{Call, CallKind, FileFacts, Term, Use};

impl Extractor<'_, '_> {
    pub(super) fn finish(mut self) -> FileFacts {
        for assignment in std::mem::take(&mut self.pending_assignments) {
            match self.lookup(assignment.scope, assignment.name) {
                Some(variable) => {
                    let values = &mut self.facts.variables[variable.index()].values;
                    if !values.contains(&assignment.value) {
                        values.push(assignment.value);
                    }
                }
                None => drop(self.give(ScopeId(0), assignment.name, assignment.value)),
            }
        }
        for pending in std::mem::take(&mut self.pending_names) {
            self.facts.terms[pending.term.index()] = match self.lookup(pending.scope, pending.name) {
                Some(variable) => Term::Variable(variable),
                None => Term::Free(pending.name, pending.def),
            };
        }
        self.bare_calls();
        let uses = std::mem::take(&mut self.facts.uses);
        self.facts.uses = uses.into_iter().filter(|found| self.may_be_callable(found)).collect();
        self.facts
    }

    /// Names that nothing declares are calls, where brackets may be left out.
    fn bare_calls(&mut self) {
        if !self.language.settings().calls.without_brackets {
            return;
        }
        for Use { user, value, line } in self.facts.uses.clone() {
            if matches!(self.facts.term(value), Term::Free(..)) {
                let call = Call { caller: user, callee: value, line, kind: CallKind::Call, arguments: Vec::new() };
                self.facts.calls.push(call);
            }
        }
    }

    /// Leaves out what is only ever a result, a parameter or something built in.
    fn may_be_callable(&self, found: &Use) -> bool {
        match self.facts.term(found.value) {
            Term::Variable(variable) => self.facts.variables[variable.index()].values.iter().any(|value| {
                matches!(self.facts.term(*value), Term::Def(_) | Term::Decorated(_) | Term::Import(_) | Term::Member(..))
            }),
            Term::Free(..) | Term::Member(..) | Term::Import(_) => true,
            _ => false,
        }
    }
}
