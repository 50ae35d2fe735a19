//! How names and members get their values: declarations, assignments, loops, patterns.

use tree_sitter::Node;

use super::scopes::ScopeKind;
use super::{Extractor, Hint, line};
use crate::facts::{Argument, CallKind, Export, Member, Name, Term, TermId, Write};
use crate::pattern::Match;
use crate::roles::{Part, Role};

impl<'t> Extractor<'_, 't> {
    /// A declaration; several may share a type that stands before them.
    pub(super) fn variable(&mut self, node: Node<'t>, found: &Match<'t>, shared: Option<TermId>) -> TermId {
        let declared = found.one(Part::Type).map(|declared| self.type_term(declared)).or(shared);
        for item in found.all(Part::Item) {
            match self.role_of(item) {
                Some(inner) if inner.role == Role::Variable => drop(self.variable(item, &inner, declared)),
                Some(inner) if inner.role == Role::Name => {
                    let unknown = self.unknown();
                    self.bind(item, unknown, declared, true);
                }
                _ => drop(self.term(item)),
            }
        }
        let targets: Vec<Node<'t>> = found.all(Part::Target).chain(found.all(Part::Name)).collect();
        let values: Vec<Node<'t>> = found.all(Part::Value).collect();
        self.bind_all(&targets, &values, declared, true);
        self.rest(node, found);
        self.unknown()
    }

    pub(super) fn assign(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let declared = found.one(Part::Type).map(|declared| self.type_term(declared));
        let targets: Vec<Node<'t>> = found.all(Part::Target).collect();
        let values: Vec<Node<'t>> = found.all(Part::Value).collect();
        let value = self.bind_all(&targets, &values, declared, false);
        self.rest(node, found);
        value
    }

    /// `a, b = x, y`: one to one where the numbers agree, else the parts of the one value.
    fn bind_all(&mut self, targets: &[Node<'t>], values: &[Node<'t>], declared: Option<TermId>, declares: bool) -> TermId {
        let mut terms = Vec::new();
        for (position, value) in values.iter().enumerate() {
            self.hint = targets.get(position).filter(|_| targets.len() == values.len()).and_then(|target| self.hint_for(*target));
            let term = self.value_term(*value);
            self.hint = None;
            self.note_use(*value, term);
            terms.push(term);
        }
        for (position, target) in targets.iter().enumerate() {
            let value = match terms.as_slice() {
                [] => self.unknown(),
                [one] if targets.len() > 1 => {
                    let key = self.intern(&position.to_string());
                    self.add(Term::Item(*one, key))
                }
                many => many.get(position).copied().unwrap_or_else(|| self.facts_unknown()),
            };
            self.bind(*target, value, declared, declares);
        }
        terms.last().copied().unwrap_or_else(|| self.unknown())
    }

    fn facts_unknown(&self) -> TermId {
        TermId(self.facts.terms.iter().position(|term| *term == Term::Unknown).map_or(0, super::index))
    }

    /// The name that an unnamed function takes when it is assigned to this.
    fn hint_for(&mut self, target: Node<'t>) -> Option<Hint> {
        let found = self.role_of(target)?;
        match found.role {
            Role::Name => {
                let is_method = self.scope_of(self.scope).kind == ScopeKind::Type;
                Some(Hint { name: self.name_of(target), is_method, receiver: None })
            }
            Role::Member => {
                let name = found.one(Part::Name)?;
                let name = self.definition_name(name);
                Some(Hint { name, is_method: false, receiver: None })
            }
            Role::Same | Role::Parameter => self.hint_for(found.one(Part::Value).or_else(|| found.one(Part::Name))?),
            _ if self.scope_of(self.scope).kind == ScopeKind::Type => {
                Some(Hint { name: self.definition_name(target), is_method: true, receiver: None })
            }
            _ => None,
        }
    }

    /// Gives a target its value: a name, a member, an element, or a pattern of these.
    pub(super) fn bind(&mut self, target: Node<'t>, value: TermId, declared: Option<TermId>, declares: bool) {
        let Some(found) = self.role_of(target) else {
            if self.scope_of(self.scope).kind == ScopeKind::Type && declares && target.named_child_count() == 0 {
                let name = self.definition_name(target);
                self.bind_name(name, value, declared, declares);
            } else {
                self.children(target);
            }
            return;
        };
        match found.role {
            Role::Name => {
                let name = self.name_of(target);
                self.bind_name(name, value, declared, declares);
            }
            Role::Member => self.bind_member(target, &found, value),
            Role::Index => self.bind_element(&found, value),
            Role::List => {
                for (position, item) in found.all(Part::Item).enumerate() {
                    let key = self.intern(&position.to_string());
                    let part = self.add(Term::Item(value, key));
                    self.bind(item, part, None, declares);
                }
            }
            Role::Map => found.all(Part::Item).for_each(|item| self.bind_entry(item, value, declares)),
            Role::Assign | Role::Variable | Role::Parameter => {
                let default = found.one(Part::Value).or_else(|| found.one(Part::Default)).map(|value| self.term(value));
                let both = default.map_or(value, |default| self.union(vec![value, default]));
                for inner in found.all(Part::Target).chain(found.all(Part::Name)) {
                    self.bind(inner, both, declared, declares);
                }
            }
            Role::Spread | Role::Same | Role::RestParameter => {
                for inner in found.all(Part::Value).chain(found.all(Part::Name)) {
                    self.bind(inner, value, declared, declares);
                }
            }
            _ => drop(self.term(target)),
        }
    }

    fn bind_name(&mut self, name: Name, value: TermId, declared: Option<TermId>, declares: bool) {
        if self.facts.text(name) == "_" {
            return;
        }
        if declares || declared.is_some() {
            let scope = if self.language.settings().scopes.blocks { self.scope } else { self.declaring_scope() };
            let variable = self.declare(scope, name);
            if self.facts.term(value) != Term::Unknown {
                self.give(scope, name, value);
            }
            let variable = &mut self.facts.variables[variable.index()];
            variable.declared = declared.or(variable.declared);
        } else {
            self.assign_name(name, value);
        }
        if self.scope_of(self.scope).kind == ScopeKind::Type && self.extension.is_none() {
            self.add_field(name, value, declared);
        }
    }

    fn add_field(&mut self, name: Name, value: TermId, declared: Option<TermId>) {
        let is_known = self.facts.term(value) != Term::Unknown;
        let owner = self.scope_of(self.scope).def;
        let members = &mut self.facts.defs[owner.index()].members;
        if is_known || declared.is_none() {
            members.push(Member { name, value, is_static: false, is_type: false });
        }
        members.extend(declared.map(|value| Member { name, value, is_static: false, is_type: true }));
    }

    fn bind_member(&mut self, target: Node<'t>, found: &Match<'t>, value: TermId) {
        if self.export_by_assignment(target, value) {
            return;
        }
        let (Some(object), Some(name)) = (found.one(Part::Object), found.one(Part::Name)) else { return };
        let object = self.value_term(object);
        let name = self.definition_name(name);
        if self.language.settings().calls.properties {
            let callee = self.add(Term::Member(object, name));
            let arguments = vec![Argument { name: None, value, is_spread: false }];
            self.note_property(callee, CallKind::Set, line(target), arguments);
        }
        self.write_member(object, Some(name), value);
    }

    fn write_member(&mut self, object: TermId, name: Option<Name>, value: TermId) {
        let owner = if self.is_receiver(object) { self.receiver_owner() } else { None };
        match (owner, name) {
            (Some(owner), Some(name)) => {
                let member = Member { name, value, is_static: false, is_type: false };
                let members = &mut self.facts.defs[owner.index()].members;
                if !members.contains(&member) {
                    members.push(member);
                }
            }
            _ => self.facts.writes.push(Write { object, name, value }),
        }
    }

    /// `module.exports = …`, `exports.name = …`.
    fn export_by_assignment(&mut self, target: Node<'t>, value: TermId) -> bool {
        if !self.language.settings().imports.commonjs {
            return false;
        }
        let text = self.text(target);
        let name = match text.strip_prefix("module.exports").or_else(|| text.strip_prefix("exports")) {
            Some("") => None,
            Some(rest) if rest.starts_with('.') && !rest[1..].contains(['.', '[', '(']) => Some(self.intern(&rest[1..])),
            _ => return false,
        };
        self.facts.exports.push(Export { name, value });
        true
    }

    fn is_receiver(&self, object: TermId) -> bool {
        match self.facts.term(object) {
            Term::Receiver(_) => true,
            Term::Free(name, _) => self.lookup(self.scope, name).is_some_and(|variable| {
                let values = &self.facts.variables[variable.index()].values;
                values.iter().all(|value| matches!(self.facts.term(*value), Term::Receiver(_))) && !values.is_empty()
            }),
            _ => false,
        }
    }

    fn bind_element(&mut self, found: &Match<'t>, value: TermId) {
        let Some(object) = found.one(Part::Object).map(|object| self.value_term(object)) else { return };
        let key = found.one(Part::Key).and_then(|key| {
            let constant = self.constant(key);
            if constant.is_none() {
                self.value_term(key);
            }
            constant
        });
        self.write_member(object, key, value);
    }

    /// One entry of a pattern that takes an object apart.
    fn bind_entry(&mut self, item: Node<'t>, value: TermId, declares: bool) {
        let Some(found) = self.role_of(item) else {
            self.term(item);
            return;
        };
        match found.role {
            Role::Pair => {
                let key = found.one(Part::Key).map(|key| self.definition_name(key));
                let part = match key {
                    Some(key) => self.add(Term::Member(value, key)),
                    None => self.unknown(),
                };
                for inner in found.all(Part::Value) {
                    self.bind(inner, part, None, declares);
                }
            }
            Role::Name | Role::ShortPair | Role::Assign => {
                let target = found.one(Part::Target).or_else(|| found.one(Part::Name)).unwrap_or(item);
                let name = self.name_of(target);
                let mut part = self.add(Term::Member(value, name));
                if let Some(default) = found.one(Part::Value).map(|default| self.term(default)) {
                    part = self.union(vec![part, default]);
                }
                self.bind_name(name, part, None, declares);
            }
            _ => self.bind(item, value, None, declares),
        }
    }

    pub(super) fn for_each(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let blocks = self.language.settings().scopes.blocks;
        let def = self.scope_of(self.scope).def;
        let work = |this: &mut Self| {
            let iterable = found.one(Part::Iterable).map(|iterable| this.value_term(iterable));
            let declared = found.one(Part::Type).map(|declared| this.type_term(declared));
            let iterable = iterable.unwrap_or_else(|| this.unknown());
            let targets: Vec<Node<'t>> = found.all(Part::Target).collect();
            for target in targets {
                let element = this.add(Term::Element(iterable));
                this.bind(target, element, declared, true);
            }
            this.rest(node, found);
            for body in found.all(Part::Body) {
                this.term(body);
            }
        };
        if blocks { self.within(ScopeKind::Block, def, work) } else { work(self) }
        self.unknown()
    }

    pub(super) fn with(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let value = found.one(Part::Value).map(|value| self.value_term(value)).unwrap_or_else(|| self.unknown());
        let enter = self.language.settings().calls.enter.clone();
        let mut bound = value;
        if !enter.is_empty() {
            let enter = self.intern(&enter);
            let member = self.add(Term::Member(value, enter));
            bound = self.add(Term::Result(member));
        }
        let targets: Vec<Node<'t>> = found.all(Part::Target).collect();
        for target in targets {
            self.bind(target, bound, None, true);
        }
        self.rest(node, found);
        bound
    }

    pub(super) fn catch(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let def = self.scope_of(self.scope).def;
        let work = |this: &mut Self| {
            let declared = found.one(Part::Type).map(|declared| this.type_term(declared));
            let unknown = this.unknown();
            for target in found.all(Part::Target) {
                this.bind(target, unknown, declared, true);
            }
            this.rest(node, found);
            for body in found.all(Part::Body) {
                this.term(body);
            }
        };
        if self.language.settings().scopes.blocks { self.within(ScopeKind::Block, def, work) } else { work(self) }
        self.unknown()
    }
}
