//! The end of the walk: all declarations are known, so names can be bound.

use super::scopes::ScopeId;
use super::{Extractor, PendingAssignment, PendingName};
use crate::facts::{CallKind, DefId, FileFacts, Member, Term, TermId, Use, VariableId};

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
                None => self.assign_outside(&assignment),
            }
        }
        self.finish_keys();
        for pending in std::mem::take(&mut self.pending_names) {
            self.facts.terms[pending.term.index()] = match self.bound(&pending) {
                Some(variable) => Term::Variable(variable),
                None => Term::Free(pending.name, pending.def),
            };
        }
        self.finish_bare_names();
        self.bare_properties();
        let uses = std::mem::take(&mut self.facts.uses);
        self.facts.uses = uses.into_iter().filter(|found| self.may_be_callable(found)).collect();
        self.facts.shrink();
        self.facts
    }

    /// A name that nothing in the file declares is a member of the type around it, where the language allows it, else global.
    fn assign_outside(&mut self, assignment: &PendingAssignment) {
        let implicit = self.language.settings().scopes.implicit_members;
        let Some(owner) = self.enclosing_type(assignment.def).filter(|_| implicit) else {
            self.give(ScopeId(0), assignment.name, assignment.value);
            return;
        };
        let declares = |def: DefId| self.facts.def(def).members.iter().any(|member| member.name == assignment.name);
        let around = std::iter::successors(Some(owner), |inner| self.enclosing_type(self.facts.def(*inner).parent));
        let owner = around.into_iter().find(|def| declares(*def)).unwrap_or(owner);
        let member = Member { name: assignment.name, value: assignment.value, is_static: false, is_type: false };
        let members = &mut self.facts.defs[owner.index()].members;
        if !members.contains(&member) {
            members.push(member);
        }
    }

    /// What a name is bound to. One that is called is not the variable that only ever holds what the call gives, and where
    /// functions have names of their own it is no variable at all.
    fn bound(&self, pending: &PendingName) -> Option<VariableId> {
        if !pending.is_called {
            return self.lookup(pending.scope, pending.name);
        }
        let apart = self.language.settings().scopes.functions_apart;
        self.lookup_where(pending.scope, pending.name, |variable| {
            let values = &self.facts.variables[variable.index()].values;
            if apart {
                values.iter().any(|value| {
                    matches!(self.facts.term(*value), Term::Def(_) | Term::Decorated(..) | Term::Import(_))
                })
            } else {
                values.is_empty() || values.iter().any(|value| !self.follows_from(*value, pending))
            }
        })
    }

    /// Whether a value is made by calling this very name.
    fn follows_from(&self, value: TermId, pending: &PendingName) -> bool {
        let mut value = value;
        loop {
            match self.facts.term(value) {
                Term::Result(of) | Term::Member(of, _) | Term::Element(of) | Term::Item(of, _) | Term::Awaited(of) => {
                    value = of
                }
                _ => return value == pending.term,
            }
        }
    }

    /// A bare name reads or writes a property only where nothing in the file declares it.
    fn bare_properties(&mut self) {
        let mut calls = std::mem::take(&mut self.facts.calls);
        calls.retain(|call| {
            let is_property = matches!(call.kind, CallKind::Get | CallKind::Set);
            !is_property || !matches!(self.facts.term(call.callee), Term::Variable(_))
        });
        self.facts.calls = calls;
    }

    /// Leaves out what is only ever a result, a parameter or something built in.
    fn may_be_callable(&self, found: &Use) -> bool {
        match self.facts.term(found.value) {
            Term::Variable(variable) => self.facts.variables[variable.index()].values.iter().any(|value| {
                matches!(
                    self.facts.term(*value),
                    Term::Def(_) | Term::Decorated(..) | Term::Import(_) | Term::Member(..)
                )
            }),
            Term::Free(..) | Term::Member(..) | Term::Import(_) => true,
            _ => false,
        }
    }
}
