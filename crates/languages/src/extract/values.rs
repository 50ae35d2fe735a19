//! What each kind of node stands for as a value.

use tree_sitter::Node;

use super::scopes::ScopeKind;
use super::text::unquoted;
use super::{Extractor, Hint, index, line};
use crate::facts::{DefId, DefKind, Item, Literal, LiteralId, Name, Term, TermId};
use crate::pattern::Match;
use crate::roles::{Part, Role};

impl<'t> Extractor<'_, 't> {
    pub(super) fn by_role(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        match found.role {
            Role::Function | Role::Method | Role::Lambda | Role::FunctionValue => self.function(node, found),
            Role::Class | Role::ClassValue => self.class(node, found, DefKind::Class),
            Role::Interface => self.class(node, found, DefKind::Interface),
            Role::Enum => self.class(node, found, DefKind::Enum),
            Role::TypeAlias => self.class(node, found, DefKind::Type),
            Role::Namespace => self.namespace(node, found),
            Role::Extension => self.extension(node, found),
            Role::Decorated => self.decorated(node, found),
            Role::Variable => self.variable(node, found, None),
            Role::Assign => self.assign(node, found),
            Role::Return | Role::Yield => self.result(node, found),
            Role::Call | Role::New => self.call(node, found),
            Role::Member => self.member_read(node, found),
            Role::Index => self.index(found),
            Role::Name => self.name(node),
            Role::List | Role::Map => self.literal(node, found),
            Role::Import | Role::ImportCall | Role::Export | Role::Package => self.module_statement(node, found),
            _ => self.simple(node, found),
        }
    }

    /// The roles that need little.
    fn simple(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        match found.role {
            Role::SelfValue => self.add(Term::Receiver(self.self_def)),
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
            Role::TypeGeneric => self.generic(found),
            Role::For => self.for_each(node, found),
            Role::With => self.with(node, found),
            Role::Catch => self.catch(node, found),
            Role::Block => self.block(node),
            Role::Outer => {
                for name in found.all(Part::Name) {
                    let name = self.name_of(name);
                    self.send_outwards(name);
                }
                self.unknown()
            }
            Role::Comment | Role::Skip => self.unknown(),
            _ => {
                self.children(node);
                self.unknown()
            }
        }
    }

    fn block(&mut self, node: Node<'t>) -> TermId {
        let last = if self.language.settings().scopes.blocks {
            let def = self.scope_of(self.scope).def;
            self.within(ScopeKind::Block, def, |this| this.children(node))
        } else {
            self.children(node)
        };
        last.unwrap_or_else(|| self.unknown())
    }

    pub(super) fn name(&mut self, node: Node<'t>) -> TermId {
        let text = self.text(node);
        let settings = &self.language.settings().receiver;
        if settings.type_names.iter().any(|name| name == text) {
            return self.own_type();
        }
        if settings.names.iter().any(|name| name == text) {
            return self.add(Term::Receiver(self.self_def));
        }
        let name = self.intern(text);
        self.name_term(name)
    }

    fn own_type(&mut self) -> TermId {
        if let Some(owner) = self.enclosing_type(self.def) {
            return self.add(Term::Def(owner));
        }
        let extension = self.facts.def(self.self_def).receiver.or(self.extension);
        match extension.map(|instance| self.facts.term(instance)) {
            Some(Term::Instance(of)) => of,
            _ => self.unknown(),
        }
    }

    /// A value that is handed on here.
    pub(super) fn used_term(&mut self, node: Node<'t>) -> TermId {
        let term = self.value_term(node);
        self.note_use(node, term);
        term
    }

    fn choice(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        self.rest(node, found);
        let terms = found.all(Part::Value).map(|value| self.term(value)).collect();
        self.union(terms)
    }

    fn same(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        self.rest(node, found);
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

    fn index(&mut self, found: &Match<'t>) -> TermId {
        let Some(object) = found.one(Part::Object).map(|object| self.term(object)) else { return self.unknown() };
        let Some(key_node) = found.one(Part::Key) else { return self.add(Term::Element(object)) };
        let key = self.constant(key_node);
        if key.is_none() {
            self.term(key_node);
        }
        self.element(object, key)
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
        for (position, item) in found.all(Part::Item).enumerate() {
            self.item(term, id, item, position);
        }
        self.rest(node, found);
        term
    }

    fn item(&mut self, object: TermId, literal: LiteralId, node: Node<'t>, position: usize) {
        let Some(found) = self.role_of(node) else {
            let value = self.term(node);
            let key = self.intern(&position.to_string());
            self.facts.literals[literal.index()].items.push(Item { key: Some(key), value });
            return;
        };
        let (key, value) = match found.role {
            Role::Pair => {
                let key = found.one(Part::Key).and_then(|key| self.key(key));
                let Some(value_node) = found.one(Part::Value) else { return };
                self.hint = key.map(|name| Hint { name, is_method: false, receiver: Some(object) });
                let value = self.used_term(value_node);
                self.hint = None;
                (key, value)
            }
            Role::ShortPair => {
                let name = self.name_of(found.one(Part::Name).unwrap_or(node));
                let value = self.name_term(name);
                self.note_use(node, value);
                (Some(name), value)
            }
            Role::Spread => {
                let spread = self.term(node);
                self.facts.literals[literal.index()].spreads.push(spread);
                return;
            }
            Role::Function | Role::Method => {
                let key = found.one(Part::Name).map(|name| self.definition_name(name));
                self.hint = key.map(|name| Hint { name, is_method: false, receiver: Some(object) });
                (key, self.term(node))
            }
            _ => (Some(self.intern(&position.to_string())), self.used_term(node)),
        };
        self.facts.literals[literal.index()].items.push(Item { key, value });
    }

    /// The key of an entry: a name as it stands, a constant, or nothing that is known.
    fn key(&mut self, node: Node<'t>) -> Option<Name> {
        if let Some(constant) = self.constant(node) {
            return Some(constant);
        }
        if node.named_child_count() == 0 {
            return Some(self.name_of(node));
        }
        let inner = node.named_child(0).and_then(|inner| self.constant(inner));
        if inner.is_none() {
            self.term(node);
        }
        inner
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
