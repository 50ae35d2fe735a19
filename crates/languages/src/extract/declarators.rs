//! Declarations whose names lie within what says their types, as in C: declarators, paths before names, values in brackets.

use crate::tree::Node;

use super::scopes::ScopeKind;
use super::{Extractor, Hint, line};
use crate::facts::{Call, CallKind, Item, Name, Term, TermId, Write};
use crate::pattern::Match;
use crate::roles::{Part, Role};

impl<'t> Extractor<'_, 't> {
    /// A match together with the parts that its declarator holds; what stands before the name is the receiver.
    pub(super) fn with_declarator(&mut self, found: &Match<'t>) -> Match<'t> {
        let mut whole = found.without(Part::Declarator);
        let mut next = found.one(Part::Declarator);
        while let Some(node) = next.take() {
            let Some(inner) = self.role_of(node).filter(|inner| inner.role == Role::Declarator) else {
                let (object, name) = self.path(node);
                whole.push(Part::Name, name);
                if object.is_some() {
                    whole.push(Part::Receiver, node);
                    self.named_in = object;
                }
                break;
            };
            if inner.has(Part::Parameters) {
                whole = whole.without(Part::Parameters);
            }
            next = inner.one(Part::Declarator);
            whole.extend(&inner.without(Part::Declarator));
        }
        whole
    }

    /// The name that a target binds, below what says its type.
    pub(super) fn target_name(&mut self, target: Node<'t>) -> Name {
        let mut node = target;
        while let Some(found) = self.role_of(node).filter(|found| matches!(found.role, Role::Declarator | Role::Same)) {
            let parts = [Part::Declarator, Part::Name, Part::Value];
            let Some(inner) = parts.into_iter().find_map(|part| found.one(part)) else { break };
            node = inner;
        }
        self.name_of(node)
    }

    /// A type without a name takes that of what is declared with it.
    pub(super) fn hint_for_type(&mut self, found: &Match<'t>) -> Option<Hint> {
        found
            .one(Part::Type)
            .and_then(|declared| self.role_of(declared))
            .filter(|declared| declared.role == Role::ClassValue)?;
        let parts = [Part::Item, Part::Target, Part::Name];
        let target = parts.into_iter().find_map(|part| found.one(part))?;
        Some(Hint { name: self.target_name(target), is_method: false, receiver: None, declares: true })
    }

    /// Whether it declares a pointer to functions.
    pub(super) fn is_function_declarator(&self, target: Node<'t>) -> bool {
        let mut node = Some(target);
        while let Some(found) = node.and_then(|node| self.role_of(node)).filter(|found| found.role == Role::Declarator)
        {
            if found.has(Part::Parameters) {
                return true;
            }
            node = found.one(Part::Declarator);
        }
        false
    }

    pub(super) fn bind_declarator(
        &mut self,
        target: Node<'t>,
        found: &Match<'t>,
        value: TermId,
        declared: Option<TermId>,
    ) {
        // What is said is the result of a function, not the type of the name.
        let declared = declared.filter(|_| !found.has(Part::Parameters));
        for inner in found.all(Part::Declarator).chain(found.all(Part::Name)) {
            self.bind(inner, value, declared, true);
        }
        self.rest(target, found);
    }

    /// `a::b::c` where what follows a name hangs below it: what comes before the last name, and that.
    pub(super) fn path(&mut self, node: Node<'t>) -> (Option<TermId>, Node<'t>) {
        let (mut object, mut node) = (None, node);
        while let Some(found) = self.role_of(node).filter(|found| found.role == Role::Member) {
            if let Some(scope) = found.one(Part::Object) {
                object = Some(match object {
                    None => self.value_term(scope),
                    Some(outer) => {
                        let name = self.leaf_name(scope);
                        self.add(Term::Member(outer, name))
                    }
                });
            }
            let Some(next) = found.one(Part::Value).or_else(|| found.one(Part::Name)) else { break };
            node = next;
        }
        (object, node)
    }

    pub(super) fn path_term(&mut self, node: Node<'t>) -> TermId {
        let (object, last) = self.path(node);
        let name = self.leaf_name(last);
        let member = match object {
            Some(object) => self.add(Term::Member(object, name)),
            None => self.name_term(name),
        };
        let Some(found) = self.role_of(last).filter(|found| found.role == Role::TypeGeneric) else { return member };
        let arguments = found.all(Part::Argument).map(|argument| self.type_term(argument)).collect();
        let list = self.list(arguments);
        self.add(Term::Generic(member, list))
    }

    /// The name in `name<arguments>`.
    fn leaf_name(&mut self, node: Node<'t>) -> Name {
        let mut node = node;
        while let Some(found) = self.role_of(node).filter(|found| matches!(found.role, Role::Same | Role::TypeGeneric))
        {
            let Some(inner) = found.one(Part::Value) else { break };
            node = inner;
        }
        self.definition_name(node)
    }

    /// A variable that is declared by its type alone: an instance is made, if the type has instances.
    pub(super) fn made_value(&mut self, node: Node<'t>, found: &Match<'t>, declared: Option<TermId>) -> TermId {
        let arguments = self.arguments(found, None);
        let is_field = self.scope_of(self.scope).kind == ScopeKind::Type;
        let callee = declared
            .filter(|declared| !is_field && !matches!(self.facts.term(*declared), Term::Unknown | Term::BuiltIn));
        let Some(callee) = callee else { return self.unknown() };
        self.given_fields(found, callee, &arguments);
        self.facts.calls.push(Call { caller: self.def, callee, line: line(node), kind: CallKind::New, arguments });
        self.add(Term::New(callee))
    }

    /// `Type(int x) : Base(x), field(x)`: makes a base, or a field that gets the value.
    pub(super) fn initialise(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let Some(name) = found.one(Part::Name) else { return self.unknown() };
        let callee = self.type_term(name);
        let arguments = self.arguments(found, None);
        if let [only] = arguments.as_slice() {
            let (object, name) = (self.add(Term::Receiver(self.self_def)), self.leaf_name(name));
            self.facts.writes.push(Write { object, name: Some(name), value: only.value });
        }
        self.facts.calls.push(Call { caller: self.def, callee, line: line(node), kind: CallKind::New, arguments });
        self.rest(node, found);
        self.unknown()
    }

    /// `struct Type x = { f, g }`: values of the fields of the type, or of several instances of it.
    pub(super) fn field_values(&mut self, declared: TermId, value: TermId) {
        let Term::Literal(literal) = self.facts.term(value) else { return };
        let is_list = |item: &Item| matches!(self.facts.term(item.value), Term::Literal(_));
        let items = self.facts.literals[literal.index()].items.clone();
        if items.iter().all(is_list) {
            items.iter().for_each(|item| self.field_values(declared, item.value));
            return;
        }
        let object = self.instance_of(declared);
        for Item { key, value } in items {
            if !matches!(self.facts.term(value), Term::Unknown | Term::BuiltIn | Term::Literal(_)) {
                self.facts.writes.push(Write { object, name: key, value });
            }
        }
    }

    /// What is under a key of this object; behind a pointer, also the object.
    pub(super) fn or_itself(&mut self, element: TermId, object: TermId) -> TermId {
        if self.language.settings().calls.pointers { self.union(vec![element, object]) } else { element }
    }

    /// Whether `Type name(x)` declares a variable: in a block nobody declares functions.
    pub(super) fn is_variable(&self, found: &Match<'t>) -> bool {
        let in_block =
            !matches!(self.scope_of(self.scope).kind, ScopeKind::Module | ScopeKind::Namespace | ScopeKind::Type);
        in_block && found.has(Part::Type) && !found.has(Part::Body) && self.language.settings().calls.constructs
    }

    /// `Type name(x)` in a block, where `x` was taken for the type of a parameter.
    pub(super) fn constructed(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let declared = found.one(Part::Type).map(|declared| self.type_term(declared));
        let mut given = found.without(Part::Parameters);
        for parameter in found.all(Part::Parameters).flat_map(|list| self.forest.nodes_in(list)) {
            let value = self.role_of(parameter).and_then(|parameter| parameter.one(Part::Type));
            value.into_iter().for_each(|value| given.push(Part::Argument, value));
        }
        let value = self.made_value(node, &given, declared);
        for name in found.all(Part::Name) {
            self.bind(name, value, declared, true);
        }
        value
    }
}
