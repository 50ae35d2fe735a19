//! Functions among the arguments of a call, where the language says what they are called with: `x.apply { … }`.

use crate::tree::Node;

use super::scopes::ScopeId;
use super::{Extractor, Handed, index};
use crate::facts::{Argument, DefId, Parameter, ParameterKind, Term, TermId};
use crate::pattern::Match;
use crate::roles::{Part, Role};

impl<'t> Extractor<'_, 't> {
    /// The arguments; functions among them get the parts `receiver` and `given` of the call.
    pub(super) fn handed_arguments(&mut self, found: &Match<'t>, callee: TermId) -> Vec<Argument> {
        if !found.has(Part::Receiver) && !found.has(Part::Given) {
            return self.arguments(found, Some(callee));
        }
        let outer = self.handed;
        let mut arguments = Vec::new();
        for node in self.argument_nodes(found) {
            let is_function = self.role_of(node).is_some_and(|inner| inner.role == Role::Lambda);
            self.handed = Handed::default();
            if is_function {
                self.handed.receiver = self.part_value(found, Part::Receiver, callee, &arguments);
                self.handed.given = self.part_value(found, Part::Given, callee, &arguments);
            }
            arguments.push(self.argument(node));
        }
        self.handed = outer;
        arguments
    }

    /// What a call gives where a part of it says so: its object, an argument, or the result of a function among those.
    pub(super) fn call_value(&mut self, found: &Match<'t>, callee: TermId, arguments: &[Argument]) -> Option<TermId> {
        let value = self.part_value(found, Part::Value, callee, arguments)?;
        Some(match self.facts.term(value) {
            Term::Def(_) => self.add(Term::Result(value)),
            _ => value,
        })
    }

    /// The value of a part that is the object of the call or one of its arguments as well.
    fn part_value(&self, found: &Match<'t>, part: Part, callee: TermId, arguments: &[Argument]) -> Option<TermId> {
        let node = found.one(part)?;
        if found.one(Part::Object) == Some(node) {
            return match self.facts.term(callee) {
                Term::Member(object, _) => Some(object),
                _ => None,
            };
        }
        let position = self.argument_nodes(found).iter().position(|argument| *argument == node)?;
        arguments.get(position).map(|argument| argument.value)
    }

    /// Takes what the call around hands to this function.
    pub(super) fn handed_to(&mut self, def: DefId, role: Role) -> Handed {
        let handed = std::mem::take(&mut self.handed);
        if role != Role::Lambda {
            return Handed::default();
        }
        if handed.receiver.is_some() {
            self.facts.defs[def.index()].receiver = handed.receiver;
        }
        handed
    }

    /// The last expression of a lambda whose statements stand in it without a body around them.
    pub(super) fn lambda_result(&mut self, def: DefId, found: &Match<'t>, last: Option<TermId>) {
        let is_bare = found.role == Role::Lambda && !found.has(Part::Body) && !found.has(Part::Value);
        if is_bare && let Some(last) = last.filter(|last| self.facts.term(*last) != Term::Unknown) {
            self.facts.defs[def.index()].returns.push(last);
        }
    }

    /// A default that stands beside its parameter rather than in it.
    pub(super) fn default_beside(&mut self, def: DefId, node: Node<'t>) {
        let default = self.used_term(node);
        if let Some(parameter) = self.facts.defs[def.index()].parameters.last_mut() {
            parameter.default = Some(default);
        }
    }

    /// Gives the first parameter a value that it is sure to have.
    pub(super) fn give_first(&mut self, def: DefId, scope: ScopeId, given: Option<TermId>) {
        let first = self.facts.def(def).parameters.first().map(|parameter| parameter.name);
        if let (Some(given), Some(name)) = (given, first) {
            self.give(scope, name, given);
        }
    }

    /// Parameters that a lambda uses without declaring them.
    pub(super) fn implicit_parameters(&mut self, def: DefId, found: &Match<'t>, scope: ScopeId) {
        if found.role != Role::Lambda || found.has(Part::Parameters) {
            return;
        }
        let language = self.language;
        for name in &language.settings().scopes.implicit_parameters {
            let name = self.intern(name);
            let mut used_here = self.pending_names.iter().rev().take_while(|pending| pending.scope >= scope);
            if !used_here.any(|pending| pending.name == name) {
                continue;
            }
            let parameters = &mut self.facts.defs[def.index()].parameters;
            let position = index(parameters.len());
            parameters.push(Parameter { name, declared: None, default: None, kind: ParameterKind::One });
            let value = self.add(Term::Parameter(def, position));
            self.give(scope, name, value);
        }
    }
}
