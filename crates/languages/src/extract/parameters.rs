//! What a function takes: parameters, the one that is its receiver, and those that are fields.

use crate::tree::Node;

use super::{Extractor, index};
use crate::facts::{DefId, DefKind, Member, Name, Parameter, ParameterKind, Term, TermId};
use crate::pattern::Match;
use crate::roles::{Part, Role};

impl<'t> Extractor<'_, 't> {
    /// The parameters, without the one that is the receiver.
    pub(super) fn parameters(&mut self, def: DefId, found: &Match<'t>) {
        let lists: Vec<Node<'t>> = found.all(Part::Parameters).collect();
        let is_among = |receiver: Node<'t>| lists.iter().any(|list| list.byte_range().contains(&receiver.start_byte()));
        let mut first = self.takes_receiver(def) || found.one(Part::Receiver).is_some_and(is_among);
        for list in lists {
            // A lone parameter may stand without brackets.
            let nodes = match self.role_of(list) {
                Some(_) => vec![list],
                None => self.forest.nodes_in(list).collect(),
            };
            let mut before = None;
            for node in nodes {
                let before = before.replace(node);
                if node.is_extra() || !(node.is_named() || self.is_sign(node, "_")) {
                    continue;
                }
                if before.is_some_and(|before| self.is_sign(before, "=")) {
                    self.default_beside(def, node);
                } else if std::mem::take(&mut first) {
                    self.receiver_parameter(def, node);
                } else {
                    self.parameter(def, node);
                }
            }
        }
    }

    fn takes_receiver(&self, def: DefId) -> bool {
        let settings = &self.language.settings().receiver;
        settings.first_parameter
            && self.facts.def(def).kind == DefKind::Method
            && !self.is_marked(def, &settings.none_with)
    }

    /// Whether a definition has one of these as a modifier or decorator.
    pub(super) fn is_marked(&self, def: DefId, marks: &[String]) -> bool {
        let def = self.facts.def(def);
        let is_mark = |text: &str| marks.iter().any(|mark| mark == text);
        def.modifiers.iter().any(|modifier| is_mark(modifier))
            || def.decorators.iter().any(|found| is_mark(&found.text))
    }

    fn receiver_parameter(&mut self, def: DefId, node: Node<'t>) {
        let name = match self.role_of(node) {
            Some(found) => found.one(Part::Name).unwrap_or(node),
            None => node,
        };
        let is_type = self.is_marked(def, &self.language.settings().receiver.type_with);
        let value = match self.enclosing_type(def) {
            Some(owner) if is_type => Term::Def(owner),
            _ => Term::Receiver(def),
        };
        let (name, value, scope) = (self.name_of(name), self.add(value), self.scope);
        self.give(scope, name, value);
    }

    fn parameter(&mut self, def: DefId, node: Node<'t>) {
        let Some(found) = self.role_of(node) else {
            if self.parameters_within(def, node) {
                return;
            }
            if self.is_sign(node, "_") || self.language.settings().scopes.clauses {
                self.unnamed_parameter(def, None, ParameterKind::One);
            }
            self.term(node);
            return;
        };
        if found.role == Role::BlockParameter {
            self.block_parameter(def, &found);
            return;
        }
        let kind = match found.role {
            Role::Parameter | Role::Name | Role::List | Role::Map | Role::Assign | Role::Same => ParameterKind::One,
            Role::RestParameter => ParameterKind::Rest,
            Role::KeywordsParameter => ParameterKind::Keywords,
            Role::Skip | Role::Comment => return,
            _ => {
                if self.language.settings().scopes.clauses {
                    self.unnamed_parameter(def, None, ParameterKind::One);
                }
                self.term(node);
                return;
            }
        };
        let is_plain = matches!(found.role, Role::Name | Role::List | Role::Map | Role::Same);
        let declared = if is_plain { None } else { found.one(Part::Type).map(|declared| self.type_term(declared)) };
        let default = if is_plain { None } else { found.one(Part::Default).or_else(|| found.one(Part::Value)) };
        let default = default.map(|default| self.used_term(default));
        let targets: Vec<Node<'t>> =
            if is_plain { vec![node] } else { found.all(Part::Name).chain(found.all(Part::Target)).collect() };
        if targets.is_empty() {
            self.unnamed_parameter(def, declared, kind);
        }
        let mut shared = None;
        for target in targets {
            // `pattern = name` names one parameter twice.
            let known = shared.filter(|_| found.role == Role::Assign);
            let declared = declared.filter(|_| !self.is_function_declarator(target));
            let parameter = known.unwrap_or_else(|| self.parameter_of(def, target, declared, default, kind));
            shared = Some(parameter);
            self.name_for_callers(def, &found);
            let is_field = found.has(Part::Modifier) && !self.facts.def(def).kind.is_type();
            self.bind(target, parameter, declared, true);
            if is_field {
                let name = self.name_of(found.one(Part::Key).unwrap_or(target));
                self.field_from_parameter(def, name, parameter, declared);
            }
        }
        if !is_plain {
            self.note_decorators(&found);
            self.rest(node, &found);
        }
    }

    /// A list of parameters in the list: those that may be left out.
    fn parameters_within(&mut self, def: DefId, node: Node<'t>) -> bool {
        let nodes: Vec<Node<'t>> = self.forest.nodes_in(node).filter(Node::is_named).collect();
        let is_parameter = |node: &Node<'t>| self.role_of(*node).is_some_and(|found| found.role == Role::Parameter);
        let is_list = nodes.iter().any(is_parameter);
        if is_list {
            nodes.into_iter().filter(|node| !node.is_extra()).for_each(|node| self.parameter(def, node));
        }
        is_list
    }

    /// A parameter may be known to callers by another name than in its function.
    fn name_for_callers(&mut self, def: DefId, found: &Match<'t>) {
        let label = found.one(Part::Alias).map(|label| self.name_of(label));
        let label = label.filter(|label| self.facts.text(*label) != "_");
        if let (Some(label), Some(last)) = (label, self.facts.defs[def.index()].parameters.last_mut()) {
            last.name = label;
        }
    }

    fn unnamed_parameter(&mut self, def: DefId, declared: Option<TermId>, kind: ParameterKind) {
        let name = self.intern("");
        let parameter = Parameter { name, declared, default: None, kind };
        self.facts.defs[def.index()].parameters.push(parameter);
    }

    fn parameter_of(
        &mut self,
        def: DefId,
        target: Node<'t>,
        declared: Option<TermId>,
        default: Option<TermId>,
        kind: ParameterKind,
    ) -> TermId {
        let name = self.target_name(target);
        let parameters = &mut self.facts.defs[def.index()].parameters;
        let position = index(parameters.len());
        parameters.push(Parameter { name, declared, default, kind });
        self.add(Term::Parameter(def, position))
    }

    /// A parameter of a constructor that is a field as well.
    fn field_from_parameter(&mut self, def: DefId, name: Name, value: TermId, declared: Option<TermId>) {
        let owner = if self.facts.def(def).kind.is_type() { Some(def) } else { self.enclosing_type(def) };
        let Some(owner) = owner else { return };
        let members = &mut self.facts.defs[owner.index()].members;
        members.push(Member { name, value, is_static: false, is_type: false });
        members.extend(declared.map(|value| Member { name, value, is_static: false, is_type: true }));
    }
}
