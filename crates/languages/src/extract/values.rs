//! What each kind of node stands for as a value.

use crate::tree::Node;

use super::keys::KeyPlace;
use super::scopes::ScopeKind;
use super::text::unquoted;
use super::{Extractor, Hint, index, line};
use crate::facts::{Call, CallKind, DefId, DefKind, Item, Literal, LiteralId, Name, Term, TermId};
use crate::pattern::Match;
use crate::roles::{Part, Role};
use crate::settings::Settings;

impl<'t> Extractor<'_, 't> {
    pub(super) fn by_role(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        if !found.role.passes_names() {
            self.hint = None;
            let is_literal = matches!(found.role, Role::Map | Role::List) && self.language.settings().types.expected;
            self.expected = self.expected.filter(|_| found.role == Role::New || is_literal);
        }
        if found.role.keeps_comments() {
            self.comment = None;
        }
        match found.role {
            Role::Function | Role::Method | Role::Lambda | Role::FunctionValue => self.function(node, found),
            Role::Class | Role::ClassValue => self.class(node, found, DefKind::Class),
            Role::Interface => self.class(node, found, DefKind::Interface),
            Role::Enum => self.class(node, found, DefKind::Enum),
            Role::Variant => self.variant(node, found),
            Role::TypeAlias => self.class(node, found, DefKind::Type),
            Role::Namespace => self.namespace(node, found),
            Role::Extension => self.extension(node, found),
            Role::Decorated => self.decorated(node, found),
            Role::Variable => self.variable(node, found, None),
            Role::Property => self.property(node, found),
            Role::Constant => self.constant_member(node, found),
            Role::Assign => self.assign(node, found),
            Role::Update => self.update(node, found),
            Role::Return | Role::Yield => self.result(node, found),
            Role::Call | Role::New => self.call(node, found),
            Role::Member => self.member_read(node, found),
            Role::Index => self.index_read(node, found),
            Role::Name => self.name(node),
            Role::List | Role::Map => self.literal(node, found),
            Role::Import | Role::ImportCall | Role::Export | Role::Package => self.module_statement(node, found),
            _ => self.simple(node, found),
        }
    }

    /// `global name`, `nonlocal name`.
    fn outer(&mut self, found: &Match<'t>) -> TermId {
        for name in found.all(Part::Name) {
            let name = self.name_of(name);
            self.send_outwards(name);
        }
        self.unknown()
    }

    /// The roles that need little.
    fn simple(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        match found.role {
            Role::SelfValue => self.own_receiver(),
            Role::SuperValue => self.add(Term::Super(self.self_def)),
            Role::Text if self.in_type => self.forward_reference(node),
            Role::Text | Role::BuiltIn | Role::Number | Role::TypeBuiltIn => {
                self.children(node);
                self.add(Term::BuiltIn)
            }
            Role::Choice | Role::TypeUnion => self.choice(node, found),
            Role::Same | Role::TypeSame | Role::Spread | Role::NamedArgument => self.same(node, found),
            Role::Await => {
                let value = self.same(node, found);
                self.add(Term::Awaited(value))
            }
            Role::Cast => self.cast(node, found),
            Role::TypeGeneric => self.generic(found),
            Role::TypeTuple => self.tuple_type(node, found),
            Role::TypeFunction => self.function_type(node, found),
            Role::Switch => self.switch(node, found),
            Role::Initialise => self.initialise(node, found),
            Role::Case => self.case(node, found),
            Role::TypeList => self.type_list(found),
            Role::TypeMap => self.type_map(node, found),
            Role::TypeParameter => self.type_parameter(found),
            Role::For | Role::ForAssign => self.for_each(node, found),
            Role::With => self.with(node, found),
            Role::Raise => self.raise(node, found),
            Role::Catch => self.catch(node, found),
            Role::Block => self.block(node),
            Role::Binding => self.binding(node, found),
            Role::Inherit => self.inherit(node, found),
            Role::Static => self.static_part(node, found),
            Role::Accessors | Role::Getters | Role::Setters => self.accessors(node, found),
            Role::FunctionAlias => self.function_alias(found),
            Role::Reference => self.reference(node, found),
            Role::SuperMethod => self.super_method(node, found),
            Role::BlockCall => self.block_call(node, found),
            Role::Outer => self.outer(found),
            Role::Decorator => {
                if let Some(text) = found.one(Part::Documentation) {
                    self.comment = self.joined_comment(None, text);
                }
                self.decorators.extend(found.all(Part::Value));
                self.decorated.get_or_insert(node);
                self.unknown()
            }
            Role::Code => self.code(node),
            Role::Comment | Role::Skip => self.unknown(),
            _ => {
                self.children(node);
                self.unknown()
            }
        }
    }

    fn block(&mut self, node: Node<'t>) -> TermId {
        let last = self.in_block(|this| this.children(node));
        last.unwrap_or_else(|| self.unknown())
    }

    /// Does this in a scope of its own, where the language has them for blocks.
    pub(super) fn in_block<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        if !self.language.settings().scopes.blocks {
            return work(self);
        }
        let def = self.scope_of(self.scope).def;
        self.within(ScopeKind::Block, def, work)
    }

    pub(super) fn name(&mut self, node: Node<'t>) -> TermId {
        let text = self.text(node);
        let settings = &self.language.settings().receiver;
        if settings.type_names.iter().any(|name| name == text) {
            return self.own_type();
        }
        let name = self.intern(text);
        if settings.names.iter().any(|name| name == text) && self.lookup(self.scope, name).is_none() {
            return self.own_receiver();
        }
        if let Some((object, name)) = self.marked_field(text) {
            return self.add(Term::Member(object, name));
        }
        if self.may_call(text) {
            return self.bare_name(name, line(node));
        }
        let term = self.name_term(name);
        let Settings { calls, scopes, .. } = self.language.settings();
        if calls.properties && scopes.implicit_members && !self.in_type {
            let (caller, line) = (self.def, line(node));
            self.facts.calls.push(Call { caller, callee: term, line, kind: CallKind::Get, arguments: Vec::new() });
        }
        term
    }

    fn own_type(&mut self) -> TermId {
        if let Some(owner) = self.enclosing_type(self.def) {
            return self.add(Term::Def(owner));
        }
        let extension = self.facts.def(self.self_def).receiver.or(self.extension);
        match extension.map(|instance| self.facts.term(instance)) {
            Some(Term::Instance(of)) => of,
            _ => self.own_namespace(),
        }
    }

    /// A value that is handed on here.
    pub(super) fn used_term(&mut self, node: Node<'t>) -> TermId {
        let term = self.value_term(node);
        self.note_use(node, term);
        term
    }

    fn choice(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        self.in_block(|this| {
            this.rest(node, found);
            for key in found.all(Part::Key) {
                this.term(key);
            }
            let terms = found.all(Part::Value).map(|value| this.term(value)).collect();
            this.union(terms)
        })
    }

    /// The value itself, and whatever the type says where it says something.
    fn cast(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        self.casting_call(node, found);
        let value = self.same(node, found);
        let Some(declared) = found.one(Part::Type).map(|declared| self.type_term(declared)) else { return value };
        let instance = self.instance_of(declared);
        self.narrow(found, instance);
        match (self.facts.term(value), self.facts.term(instance)) {
            (_, Term::Unknown | Term::BuiltIn) => value,
            (Term::Unknown | Term::BuiltIn, _) => instance,
            _ => self.union(vec![value, instance]),
        }
    }

    /// What looks like a call to a built-in function may be one to a function of that name.
    fn casting_call(&mut self, node: Node<'t>, found: &Match<'t>) {
        if found.has(Part::Callee)
            && let Some(callee) = self.callee(found)
        {
            let call = Call { caller: self.def, callee, line: line(node), kind: CallKind::Call, arguments: Vec::new() };
            self.facts.calls.push(call);
        }
    }

    fn same(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let hint = self.hint.take();
        self.rest(node, found);
        self.hint = hint;
        let mut last = None;
        for value in found.all(Part::Value) {
            last = Some(self.term(value));
        }
        last.unwrap_or_else(|| self.unknown())
    }

    fn generic(&mut self, found: &Match<'t>) -> TermId {
        let Some(base) = found.one(Part::Value).map(|base| self.term(base)) else { return self.unknown() };
        let arguments: Vec<TermId> = found.all(Part::Argument).map(|argument| self.type_term(argument)).collect();
        let list = self.list(arguments);
        self.add(Term::Generic(base, list))
    }

    /// A collection of values of these types, of no type that has a name.
    fn type_list(&mut self, found: &Match<'t>) -> TermId {
        let base = self.add(Term::BuiltIn);
        let arguments: Vec<TermId> = found.all(Part::Argument).map(|argument| self.type_term(argument)).collect();
        let list = self.list(arguments);
        self.add(Term::Generic(base, list))
    }

    /// A type that says which members its values have: an object with those.
    fn type_map(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let mut literal = Literal { line: line(node), ..Literal::default() };
        for item in found.all(Part::Item) {
            let Some(field) = self.role_of(item).filter(|field| field.role == Role::Variable) else { continue };
            let (Some(name), Some(declared)) = (field.one(Part::Name), field.one(Part::Type)) else { continue };
            let key = self.known_key(name);
            let declared = self.type_term(declared);
            literal.items.push(Item { key, value: self.instance_of(declared) });
        }
        let id = LiteralId(index(self.facts.literals.len()));
        self.facts.literals.push(literal);
        self.add(Term::Literal(id))
    }

    /// In its scope the name stands for the type that bounds it.
    fn type_parameter(&mut self, found: &Match<'t>) -> TermId {
        let bound = found.one(Part::Type).map(|bound| self.type_term(bound));
        for name in found.all(Part::Name) {
            let (name, scope) = (self.name_of(name), self.scope);
            let parameter = match bound {
                Some(bound) => self.give(scope, name, bound),
                None => self.declare(scope, name),
            };
            self.type_parameters.insert(parameter);
        }
        self.unknown()
    }

    /// A type that is written as a text because it is not defined yet: `"module.Type"`.
    fn forward_reference(&mut self, node: Node<'t>) -> TermId {
        let text = unquoted(self.text(node));
        let is_name = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
        let head = text.split(['[', '|']).next().unwrap_or(text).trim();
        if !head.split('.').all(is_name) {
            return self.add(Term::BuiltIn);
        }
        let mut parts = head.split('.');
        let first = parts.next().map(|part| self.intern(part));
        let mut term = match first {
            Some(name) => self.name_term(name),
            None => self.unknown(),
        };
        for part in parts {
            let name = self.intern(part);
            term = self.add(Term::Member(term, name));
        }
        term
    }

    fn index_read(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let element = self.index(found);
        if self.language.settings().calls.properties && !self.in_type {
            self.note_property(element, CallKind::Get, line(node), Vec::new());
        }
        element
    }

    pub(super) fn index(&mut self, found: &Match<'t>) -> TermId {
        let Some(object) = found.one(Part::Object).map(|object| self.term(object)) else { return self.unknown() };
        let Some(key_node) = found.one(Part::Key) else { return self.add(Term::Element(object)) };
        let key = self.constant(key_node);
        if key.is_none() {
            self.term(key_node);
            let element = self.add_unshared(Term::Element(object));
            self.note_key(key_node, KeyPlace::Element(element, object));
            return self.or_itself(element, object);
        }
        let element = self.element(object, key);
        self.or_itself(element, object)
    }

    /// What is under this key of a collection.
    pub(super) fn element(&mut self, object: TermId, key: Option<Name>) -> TermId {
        match key {
            Some(key) if self.language.settings().calls.index_is_member => self.add(Term::Member(object, key)),
            Some(key) => self.add(Term::Item(object, key)),
            None => self.add(Term::Element(object)),
        }
    }

    fn literal(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let id = LiteralId(index(self.facts.literals.len()));
        self.facts.literals.push(Literal { line: line(node), ..Literal::default() });
        let term = self.add(Term::Literal(id));
        let mut is_shifted = false;
        let expected = self.expected.take();
        let items = match found.one(Part::Item).and_then(|item| self.read_code(item)) {
            Some(code) => code.into_iter().zip(0..).collect(),
            None => self.positions(node, found),
        };
        for (item, position) in items {
            self.item(term, id, item, (Some(position).filter(|_| !is_shifted), expected));
            is_shifted |= self.role_of(item).is_some_and(|found| found.role == Role::Spread);
        }
        for copied in found.all(Part::Value) {
            let copied = self.value_term(copied);
            self.facts.literals[id.index()].spreads.push(copied);
        }
        self.rest(node, found);
        let Some(declared) = found.one(Part::Type).map(|declared| self.type_term(declared)) else { return term };
        let instance = self.instance_of(declared);
        self.union(vec![term, instance])
    }

    /// A map of these entries that no node of its own stands for.
    pub(super) fn entries(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let id = LiteralId(index(self.facts.literals.len()));
        self.facts.literals.push(Literal { line: line(node), ..Literal::default() });
        let term = self.add(Term::Literal(id));
        for item in found.all(Part::Item) {
            self.item(term, id, item, (None, None));
        }
        term
    }

    /// An entry; what has no key of its own goes by its position, unless a spread has shifted it.
    fn item(
        &mut self,
        object: TermId,
        literal: LiteralId,
        node: Node<'t>,
        (position, expected): (Option<usize>, Option<TermId>),
    ) {
        let Some(found) = self.role_of(node) else {
            let value = self.term(node);
            let key = position.map(|position| self.intern(&position.to_string()));
            self.facts.literals[literal.index()].items.push(Item { key, value });
            return;
        };
        let (key, value) = match found.role {
            Role::Pair => {
                let key_node = found.one(Part::Key);
                let key = key_node.and_then(|key| self.key(key));
                if let (Some(node), None) = (key_node, key) {
                    let position = self.facts.literals[literal.index()].items.len();
                    self.note_key(node, KeyPlace::Item(literal, position));
                }
                let Some(value_node) = found.one(Part::Value) else { return };
                self.hint = key.map(|name| Hint { name, is_method: false, receiver: Some(object), declares: false });
                self.expect_entry(value_node, expected, key);
                let value = self.used_term(value_node);
                (self.hint, self.expected) = (None, None);
                (key, value)
            }
            Role::ShortPair => {
                let name = found.one(Part::Name).unwrap_or(node);
                let value = self.name(name);
                self.note_use(node, value);
                (Some(self.name_of(name)), value)
            }
            Role::Spread => {
                let spread = self.term(node);
                self.facts.literals[literal.index()].spreads.push(spread);
                return;
            }
            Role::Function | Role::Method => {
                let key = found.one(Part::Name).and_then(|name| self.known_key(name));
                let name = found.one(Part::Name).map(|name| self.definition_name(name));
                self.hint = name.map(|name| Hint { name, is_method: false, receiver: Some(object), declares: false });
                self.expect_entry(node, expected, key);
                (key, self.term(node))
            }
            _ => {
                self.expect_entry(node, expected, None);
                (position.map(|position| self.intern(&position.to_string())), self.used_term(node))
            }
        };
        self.facts.literals[literal.index()].items.push(Item { key, value });
    }

    /// The key of an entry: a name as it stands, a constant, or nothing that is known.
    pub(super) fn key(&mut self, node: Node<'t>) -> Option<Name> {
        let known = self.known_key(node);
        if known.is_none() {
            self.term(node);
        }
        known
    }

    pub(super) fn known_key(&mut self, node: Node<'t>) -> Option<Name> {
        if let Some(constant) = self.constant(node) {
            return Some(constant);
        }
        match self.forest.first_named_in(node) {
            Some((inner, _)) => self.constant(inner),
            None => Some(self.name_of(node)),
        }
    }

    /// The definition that `this.x = …` writes to here.
    pub(super) fn receiver_owner(&self) -> Option<DefId> {
        if self.facts.def(self.self_def).receiver.is_some() {
            return None;
        }
        let is_function = self.facts.def(self.self_def).kind.is_callable();
        let in_functions = is_function && self.language.settings().receiver.in_functions;
        let owner = self.method_owner(self.self_def);
        owner.or(in_functions.then_some(self.self_def))
    }

    /// The type that a method is directly in.
    fn method_owner(&self, def: DefId) -> Option<DefId> {
        let parent = self.facts.def(def).parent;
        let is_type = |def: DefId| self.facts.def(def).kind.is_type();
        if is_type(def) { Some(def) } else { Some(parent).filter(|parent| is_type(*parent)) }
    }
}
