//! How names and members get their values: declarations, assignments, loops, patterns.

use crate::tree::Node;

use super::keys::KeyPlace;
use super::scopes::ScopeKind;
use super::text::unquoted;
use super::{Extractor, Hint, Manner, byte, line};
use crate::facts::{Argument, CallKind, DefKind, Export, Member, Name, Term, TermId, Write};
use crate::pattern::Match;
use crate::roles::{Part, Role};

impl<'t> Extractor<'_, 't> {
    /// A declaration; several may share a type that stands before them.
    pub(super) fn variable(&mut self, node: Node<'t>, found: &Match<'t>, shared: Option<TermId>) -> TermId {
        self.hint = self.hint_for_type(found);
        let declared = found.one(Part::Type).map(|declared| self.type_term(declared)).or(shared);
        self.hint = None;
        self.note_decorators(found);
        let manner = self.manner;
        self.manner = self.manner_of(found);
        for item in found.all(Part::Item) {
            match self.role_of(item) {
                Some(inner) if inner.role == Role::Variable => drop(self.variable(item, &inner, declared)),
                Some(inner) if matches!(inner.role, Role::Name | Role::Declarator) => {
                    let is_made = inner.role == Role::Name && found.has(Part::Callee);
                    let value = if is_made { self.made_value(item, &inner, declared) } else { self.unknown() };
                    self.bind(item, value, declared, true);
                }
                _ => drop(self.term(item)),
            }
        }
        let targets: Vec<Node<'t>> = found.all(Part::Target).chain(found.all(Part::Name)).collect();
        let values: Vec<Node<'t>> = found.all(Part::Value).collect();
        if found.has(Part::Arguments) {
            let value = self.made_value(node, found, declared);
            targets.iter().for_each(|target| self.bind(*target, value, declared, true));
        } else {
            self.bind_all(&targets, &values, declared, true);
        }
        self.rest(node, found);
        self.manner = manner;
        self.unknown()
    }

    fn manner_of(&self, found: &Match<'t>) -> Manner {
        let mut manner = self.manner;
        for modifier in found.all(Part::Modifier).flat_map(|modifier| self.text(modifier).split_whitespace()) {
            manner.is_static |= modifier == "static";
            manner.is_function_wide |=
                self.language.settings().scopes.function_wide.iter().any(|wide| wide == modifier);
        }
        manner
    }

    /// `x.n += 1`, `x.n++`: what is read is written as well.
    pub(super) fn update(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        for target in found.all(Part::Target) {
            let member = self.value_term(target);
            if self.language.settings().calls.properties {
                let arguments = vec![Argument { name: None, value: self.add(Term::BuiltIn), is_spread: false }];
                self.note_property(member, CallKind::Set, self.last_line(target), arguments);
            }
        }
        self.rest(node, found);
        for value in found.all(Part::Value) {
            self.used_term(value);
        }
        self.add(Term::BuiltIn)
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
    fn bind_all(
        &mut self,
        targets: &[Node<'t>],
        values: &[Node<'t>],
        declared: Option<TermId>,
        declares: bool,
    ) -> TermId {
        let mut terms = Vec::new();
        for (position, value) in values.iter().enumerate() {
            self.hint = targets
                .get(position)
                .filter(|_| targets.len() == values.len())
                .and_then(|target| self.hint_for(*target, declares));
            self.expected = declared;
            let (calls, first) = (self.facts.calls.len(), self.facts.defs.len());
            let term = self.value_term(*value);
            self.expected = None;
            if let Some(target) = targets.get(position).filter(|_| declares) {
                self.begin_with_name(first, *target);
            }
            let term = self.constant_value(*value, term);
            let term = self.wrapped_function(term, calls);
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

    /// A function or type that stands on a later line than its name begins with the name.
    fn begin_with_name(&mut self, def: usize, name: Node<'t>) {
        let (text, line, start) = (self.text(name), line(name), byte(name.start_byte()));
        let is_named = self.facts.defs.get(def).is_some_and(|def| self.facts.text(def.name) == text);
        let def = self.facts.defs.get_mut(def).filter(|_| is_named);
        if let Some(def) = def.filter(|def| def.start_line > line) {
            (def.start_line, def.own_line, def.start_byte) = (line, line, start);
        }
    }

    /// `const f = wrap(() => …)`: the name stands for what is wrapped as well, where functions are handed around freely.
    fn wrapped_function(&mut self, value: TermId, first_call: usize) -> TermId {
        let Term::Result(callee) = self.facts.term(value) else { return value };
        if !self.language.settings().receiver.in_functions {
            return value;
        }
        let call = self.facts.calls[first_call..].iter().find(|call| call.callee == callee);
        let is_lambda = |term: TermId| matches!(self.facts.term(term), Term::Def(def) if self.facts.def(def).kind == DefKind::Lambda);
        let arguments = call.map_or(&[][..], |call| &call.arguments);
        let functions: Vec<TermId> =
            arguments.iter().map(|argument| argument.value).filter(|term| is_lambda(*term)).collect();
        match functions.as_slice() {
            [one] => self.union(vec![value, *one]),
            _ => value,
        }
    }

    fn facts_unknown(&self) -> TermId {
        TermId(self.facts.terms.iter().position(|term| *term == Term::Unknown).map_or(0, super::index))
    }

    /// The name that an unnamed function takes when it is assigned to this.
    fn hint_for(&mut self, target: Node<'t>, declares: bool) -> Option<Hint> {
        let in_type = self.scope_of(self.scope).kind == ScopeKind::Type;
        let Some(found) = self.role_of(target) else {
            let name = if in_type { self.known_key(target) } else { None };
            return name.map(|name| Hint { name, is_method: true, receiver: None, declares });
        };
        match found.role {
            Role::Name => {
                let is_method = self.scope_of(self.scope).kind == ScopeKind::Type;
                Some(Hint { name: self.name_of(target), is_method, receiver: None, declares })
            }
            Role::Member => {
                let name = found.one(Part::Name)?;
                let name = self.definition_name(name);
                Some(Hint { name, is_method: false, receiver: None, declares })
            }
            Role::Same | Role::Parameter => {
                self.hint_for(found.one(Part::Value).or_else(|| found.one(Part::Name))?, declares)
            }
            Role::Index => {
                let name = found.one(Part::Key).and_then(|key| self.constant(key))?;
                Some(Hint { name, is_method: false, receiver: None, declares })
            }
            _ if in_type => {
                Some(Hint { name: self.definition_name(target), is_method: true, receiver: None, declares })
            }
            _ => None,
        }
    }

    /// Gives a target its value: a name, a member, an element, or a pattern of these.
    pub(super) fn bind(&mut self, target: Node<'t>, value: TermId, declared: Option<TermId>, declares: bool) {
        let is_field = declares && self.scope_of(self.scope).kind == ScopeKind::Type;
        let Some(found) = self.role_of(target) else {
            if is_field {
                self.bind_field(target, value, declared);
            } else {
                self.children(target);
            }
            return;
        };
        match found.role {
            Role::Text | Role::Number if is_field => self.bind_field(target, value, declared),
            Role::Name => {
                if let Some((object, name)) = self.marked_field(self.text(target)) {
                    self.write_member(object, Some(name), value);
                    return;
                }
                let name = self.name_of(target);
                if !declares {
                    self.note_bare_property(name, value, line(target));
                }
                self.bind_name(name, value, declared, declares);
            }
            Role::Call if self.call_setter(target, &found, value) || self.take_apart(&found, declares) => {}
            Role::Member if declares && self.language.settings().scopes.matches_paths => drop(self.term(target)),
            Role::Member => self.bind_member(target, &found, value, declared),
            Role::Index => self.bind_element(target, &found, value),
            Role::List => {
                let value = self.of_pattern(&found, value);
                self.bind_list(target, &found, value, declares);
            }
            Role::Map => {
                let value = self.of_pattern(&found, value);
                found.all(Part::Item).for_each(|item| self.bind_entry(item, value, declares));
            }
            Role::Assign | Role::Variable | Role::Parameter => {
                let default = found.one(Part::Value).or_else(|| found.one(Part::Default));
                let both = self.with_default(value, found.one(Part::Target).or_else(|| found.one(Part::Name)), default);
                for inner in found.all(Part::Target).chain(found.all(Part::Name)) {
                    self.bind(inner, both, declared, declares);
                }
            }
            Role::Spread | Role::Same | Role::RestParameter => {
                for inner in found.all(Part::Value).chain(found.all(Part::Name)) {
                    self.bind(inner, value, declared, declares);
                }
            }
            Role::Declarator => self.bind_declarator(target, &found, value, declared),
            _ => drop(self.term(target)),
        }
    }

    /// What a pattern takes apart: `Point { x, y }` says its type.
    fn of_pattern(&mut self, found: &Match<'t>, value: TermId) -> TermId {
        let Some(declared) = found.one(Part::Type).map(|declared| self.type_term(declared)) else { return value };
        let instance = self.instance_of(declared);
        self.union(vec![instance, value])
    }

    /// What is bound where a default stands in for what is missing.
    fn with_default(&mut self, value: TermId, target: Option<Node<'t>>, default: Option<Node<'t>>) -> TermId {
        let Some(default) = default else { return value };
        self.hint = target.and_then(|target| self.hint_for(target, false));
        let default = self.used_term(default);
        self.hint = None;
        self.union(vec![value, default])
    }

    /// A field under a name that may be a text, a number or computed.
    fn bind_field(&mut self, target: Node<'t>, value: TermId, declared: Option<TermId>) {
        if let Some(name) = self.key(target) {
            self.bind_name(name, value, declared, true);
        } else {
            let object = self.add(Term::Receiver(self.scope_of(self.scope).def));
            self.facts.writes.push(Write { object, name: None, value });
        }
    }

    pub(super) fn bind_name(&mut self, name: Name, value: TermId, declared: Option<TermId>, declares: bool) {
        if self.facts.text(name) == "_" {
            return;
        }
        if declares || declared.is_some() {
            let declared = declared.filter(|declared| self.facts.term(*declared) != Term::Unknown);
            if let Some(declared) = declared.filter(|_| self.language.settings().calls.fields_in_order) {
                self.field_values(declared, value);
            }
            let scope = self.begin_declaration(name);
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

    /// From here on the name may be an instance of the type that it was tested for.
    pub(super) fn narrow(&mut self, found: &Match<'t>, instance: TermId) {
        for target in found.all(Part::Target) {
            if !self.role_of(target).is_some_and(|found| found.role == Role::Name) {
                self.value_term(target);
                continue;
            }
            let name = self.name_of(target);
            if self.language.settings().scopes.assignment_declares {
                // A test declares nothing.
                if self.scope_of(self.declaring_scope()).variables.contains_key(&name) {
                    self.assign_name(name, instance);
                }
            } else {
                let before = self.name_term(name);
                let both = self.union(vec![before, instance]);
                self.bind_name(name, both, None, true);
            }
        }
    }

    fn add_field(&mut self, name: Name, value: TermId, declared: Option<TermId>) {
        let is_known = self.facts.term(value) != Term::Unknown;
        let owner = self.scope_of(self.scope).def;
        let is_static = self.manner.is_static;
        let members = &mut self.facts.defs[owner.index()].members;
        if is_known || declared.is_none() {
            members.push(Member { name, value, is_static, is_type: false });
        }
        members.extend(declared.map(|value| Member { name, value, is_static, is_type: true }));
    }

    fn bind_member(&mut self, target: Node<'t>, found: &Match<'t>, value: TermId, declared: Option<TermId>) {
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
        let owner = declared.filter(|_| self.is_receiver(object)).and_then(|_| self.receiver_owner());
        if let (Some(owner), Some(value)) = (owner, declared) {
            let is_static = self.facts.def(self.self_def).has_modifier("static");
            self.facts.defs[owner.index()].members.push(Member { name, value, is_static, is_type: true });
        }
    }

    pub(super) fn write_member(&mut self, object: TermId, name: Option<Name>, value: TermId) {
        let owner = if self.is_receiver(object) { self.receiver_owner() } else { None };
        let (Some(owner), Some(name)) = (owner, name) else {
            self.facts.writes.push(Write { object, name, value });
            return;
        };
        let is_static = self.facts.def(self.self_def).has_modifier("static");
        let member = Member { name, value, is_static, is_type: false };
        let members = &mut self.facts.defs[owner.index()].members;
        if !members.contains(&member) {
            members.push(member);
            // A function may make instances, or be called on any object.
            if self.facts.def(owner).kind.is_callable() {
                self.facts.writes.push(Write { object, name: Some(name), value });
            }
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
            Some(rest) if rest.starts_with('.') && !rest[1..].contains(['.', '[', '(']) => {
                Some(self.intern(&rest[1..]))
            }
            Some(rest) if rest.starts_with("['") || rest.starts_with("[\"") => {
                let key = rest.strip_suffix(']').map(|key| unquoted(&key[1..]));
                let Some(key) = key.filter(|key| !key.contains(['\'', '"'])) else { return false };
                Some(self.intern(key))
            }
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

    fn bind_element(&mut self, target: Node<'t>, found: &Match<'t>, value: TermId) {
        if self.export_by_assignment(target, value) {
            return;
        }
        let Some(object) = found.one(Part::Object).map(|object| self.value_term(object)) else { return };
        let key = found.one(Part::Key).and_then(|key| {
            let constant = self.constant(key);
            if constant.is_none() {
                self.value_term(key);
            }
            constant
        });
        if let Some(key) = key.filter(|_| self.language.settings().calls.properties) {
            let callee = self.element(object, Some(key));
            let arguments = vec![Argument { name: None, value, is_spread: false }];
            self.note_property(callee, CallKind::Set, line(target), arguments);
        }
        let position = self.facts.writes.len();
        self.write_member(object, key, value);
        if let Some(node) = found.one(Part::Key).filter(|_| key.is_none()) {
            self.note_key(node, KeyPlace::Write(position));
        }
    }

    /// One entry of a pattern that takes an object apart.
    fn bind_entry(&mut self, item: Node<'t>, value: TermId, declares: bool) {
        let Some(found) = self.role_of(item) else {
            self.term(item);
            return;
        };
        match found.role {
            Role::Pair => {
                let key = found.one(Part::Key).and_then(|key| self.key(key));
                let part = match key {
                    Some(key) => self.taken_member(item, value, key),
                    None => self.add(Term::Element(value)),
                };
                for inner in found.all(Part::Value) {
                    self.bind(inner, part, None, declares);
                }
            }
            Role::Name | Role::ShortPair | Role::Assign => {
                let target = found.one(Part::Target).or_else(|| found.one(Part::Name)).unwrap_or(item);
                let name = self.name_of(target);
                let part = self.taken_member(item, value, name);
                let part = self.with_default(part, Some(target), found.one(Part::Value));
                self.bind_name(name, part, None, declares);
            }
            _ => self.bind(item, value, None, declares),
        }
    }

    /// A member that a pattern takes out of an object.
    fn taken_member(&mut self, item: Node<'t>, object: TermId, name: Name) -> TermId {
        let member = self.add(Term::Member(object, name));
        if self.language.settings().calls.properties {
            self.note_property(member, CallKind::Get, line(item), Vec::new());
        }
        member
    }

    pub(super) fn for_each(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let blocks = self.language.settings().scopes.blocks;
        let def = self.scope_of(self.scope).def;
        let work = |this: &mut Self| {
            let first_call = this.facts.calls.len();
            let iterable = found.one(Part::Iterable).map(|iterable| this.value_term(iterable));
            let declared = found.one(Part::Type).map(|declared| this.type_term(declared));
            let element = match iterable {
                Some(iterable) => this.add(Term::Element(iterable)),
                None => this.unknown(),
            };
            if let Some(iterable) = iterable {
                this.implied_calls(&this.language.settings().calls.iterate, iterable, line(node));
            }
            let manner = this.manner;
            this.manner = this.manner_of(found);
            for target in found.all(Part::Target) {
                this.bind(target, element, declared, found.role == Role::For);
                this.bind_parts(target, iterable, first_call);
            }
            this.manner = manner;
            this.rest(node, found);
            for body in found.all(Part::Body) {
                this.term(body);
            }
        };
        if blocks && found.has(Part::Body) {
            self.within(ScopeKind::Block, def, work)
        } else {
            work(self)
        }
        self.unknown()
    }

    pub(super) fn with(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let value = found.one(Part::Value).map(|value| self.value_term(value)).unwrap_or_else(|| self.unknown());
        let bound = self.implied_calls(&self.language.settings().calls.enter, value, line(node));
        self.implied_calls(&self.language.settings().calls.leave, value, line(node));
        let targets: Vec<Node<'t>> = found.all(Part::Target).collect();
        for target in targets {
            self.bind(target, bound, None, true);
        }
        self.rest(node, found);
        bound
    }

    pub(super) fn catch(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let def = self.scope_of(self.scope).def;
        let has_body = found.has(Part::Body);
        let work = |this: &mut Self| {
            let types: Vec<TermId> = found.all(Part::Type).map(|declared| this.type_term(declared)).collect();
            let declared = (!types.is_empty()).then(|| this.union(types));
            // Without a body the name lives on, and may be bound again with another type.
            let value = match declared {
                Some(declared) if !has_body => this.instance_of(declared),
                _ => this.unknown(),
            };
            for target in found.all(Part::Target) {
                this.bind(target, value, declared.filter(|_| has_body), true);
            }
            this.rest(node, found);
            for body in found.all(Part::Body) {
                this.term(body);
            }
        };
        if has_body && self.language.settings().scopes.blocks {
            self.within(ScopeKind::Block, def, work);
        } else {
            work(self);
        }
        self.unknown()
    }
}
