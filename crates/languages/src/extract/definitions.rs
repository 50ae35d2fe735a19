//! Definitions: functions, types, namespaces, extensions, parameters.

use crate::tree::Node;

use super::scopes::ScopeKind;
use super::text::unquoted;
use super::{Extractor, byte, index, line};
use crate::facts::{
    Argument, Call, CallKind, Decorator, Def, DefId, DefKind, GENERATOR, Implementation, Member, Name, Term, TermId,
};
use crate::pattern::Match;
use crate::roles::{Part, Role};
use crate::settings::Decorators;

/// The modifier of a function that has no body here.
pub(super) const DECLARATION: &str = "declaration";
/// That of one without a receiver whose name is that of an entry in an object which is written out.
const IN_OBJECT: &str = "in_object";
/// That of one whose own name is seen by nobody but itself: `return function step() { … }`.
const IN_EXPRESSION: &str = "in_expression";
/// That of one that is given to a name which is declared elsewhere, or to a member: `hook.stop = () => …`.
const ASSIGNED: &str = "assigned";

impl<'t> Extractor<'_, 't> {
    pub(super) fn function(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        if found.has(Part::Declarator) {
            let whole = self.with_declarator(found);
            return if self.is_variable(&whole) { self.constructed(node, &whole) } else { self.function(node, &whole) };
        }
        let hint = self.hint.take();
        let own_name = found.one(Part::Name).map(|name| self.definition_name(name));
        let is_value = matches!(found.role, Role::Lambda | Role::FunctionValue);
        if let Some(def) = self.earlier_clause(found, own_name) {
            return self.clause(def, node, found);
        }
        let in_object = hint.is_some_and(|hint| hint.receiver.is_some());
        let in_type = self.scope_of(self.scope).kind == ScopeKind::Type && !is_value && !in_object;
        let is_method = in_type
            || found.role == Role::Method
            || found.has(Part::Receiver)
            || hint.is_some_and(|hint| hint.is_method);
        let kind = match (own_name.or(hint.map(|hint| hint.name)), is_method) {
            (None, _) => DefKind::Lambda,
            (Some(_), true) => DefKind::Method,
            (Some(_), false) => DefKind::Function,
        };
        let name =
            if is_value { hint.map(|hint| hint.name).or(own_name) } else { own_name.or(hint.map(|hint| hint.name)) };
        let name = name.unwrap_or_else(|| self.intern("<lambda>"));
        let body = found.one(Part::Body).or_else(|| found.one(Part::Value));
        let def = self.define(node, found, kind, name, body);
        if body.is_none() && !is_value {
            self.facts.defs[def.index()].modifiers.push(DECLARATION.to_owned());
        }
        if in_object && found.role == Role::Lambda {
            self.facts.defs[def.index()].modifiers.push(IN_OBJECT.to_owned());
        } else if is_value && own_name.is_some() && hint.is_none() {
            self.facts.defs[def.index()].modifiers.push(IN_EXPRESSION.to_owned());
        } else if is_value && !in_object && hint.is_some_and(|hint| !hint.declares) {
            self.facts.defs[def.index()].modifiers.push(ASSIGNED.to_owned());
        }
        if self.language.settings().types.expected {
            self.facts.defs[def.index()].expected = self.expected.take().filter(|_| is_value || in_object);
        }
        let given = hint.and_then(|hint| hint.receiver).filter(|_| found.role != Role::Lambda);
        self.function_receiver(def, found, in_type, given);
        let value = self.add(Term::Def(def));
        let decorated = self.decorate(def, value);
        if let Some(object) = found.one(Part::Object) {
            self.bind_in_object(def, object, decorated);
        } else if own_name.is_some() && !is_value && !in_object {
            self.bind_definition(name, decorated, in_type, found);
        }
        self.function_inside(node, def, found, own_name.filter(|_| is_value).map(|name| (name, value)));
        decorated
    }

    /// `function object.name()`: a member of the object; a method has it as its receiver.
    fn bind_in_object(&mut self, def: DefId, object: Node<'t>, value: TermId) {
        let object = self.value_term(object);
        let name = self.facts.def(def).name;
        if self.facts.def(def).kind == DefKind::Method {
            self.facts.defs[def.index()].receiver = Some(object);
        }
        self.write_member(object, Some(name), value);
    }

    /// What the receiver is when no enclosing type says so.
    fn function_receiver(&mut self, def: DefId, found: &Match<'t>, in_type: bool, given: Option<TermId>) {
        let named_in = self.named_in.take();
        let receiver = match found.one(Part::Receiver) {
            Some(_) if let Some(object) = named_in => Some(self.instance_of(object)),
            Some(receiver) => {
                let declared = self.receiver_type(receiver);
                Some(self.instance_of(declared))
            }
            None if in_type => self.extension,
            None => given,
        };
        if in_type && self.extension.is_some() {
            self.facts.defs[def.index()].interfaces.clone_from(&self.implemented);
        }
        self.facts.defs[def.index()].receiver = receiver;
    }

    /// The type that is extended; what it is applied to does not matter.
    fn receiver_type(&mut self, receiver: Node<'t>) -> TermId {
        let declared = self.type_term(receiver);
        match self.facts.term(declared) {
            Term::Generic(base, _) => base,
            _ => declared,
        }
    }

    pub(super) fn function_inside(
        &mut self,
        node: Node<'t>,
        def: DefId,
        found: &Match<'t>,
        own: Option<(Name, TermId)>,
    ) {
        let outer = (self.def, self.self_def, self.extension.take());
        let handed = self.handed_to(def, found.role);
        self.def = def;
        if found.role != Role::Lambda || handed.receiver.is_some() {
            self.self_def = def;
        }
        self.within(ScopeKind::Function, def, |this| {
            let scope = this.scope;
            this.scope_mut(scope).is_lambda = found.role == Role::Lambda;
            if let Some((name, value)) = own {
                this.give(scope, name, value);
            }
            if let Some(receiver) = found.one(Part::ReceiverName) {
                let (name, value) = (this.name_of(receiver), this.add(Term::Receiver(def)));
                this.give(scope, name, value);
            }
            this.parameters(def, found);
            this.named_results(def, found);
            if let Some(declared) = found.one(Part::Type) {
                this.facts.defs[def.index()].declared = Some(this.type_term(declared));
            }
            this.body(def, found);
            let last = this.rest(node, found);
            this.lambda_result(def, found, last);
            this.implicit_parameters(def, found, scope);
            this.give_first(def, scope, handed.given);
        });
        (self.def, self.self_def, self.extension) = outer;
    }

    fn body(&mut self, def: DefId, found: &Match<'t>) {
        if let Some(value) = found.one(Part::Value) {
            self.expected = self.expected_result(def, value).or(self.expected);
            let term = self.value_term(value);
            self.expected = None;
            self.note_use(value, term);
            self.facts.defs[def.index()].returns.push(term);
        }
        for body in found.all(Part::Body) {
            let last = self.value_term(body);
            if self.language.settings().scopes.implicit_results && self.facts.term(last) != Term::Unknown {
                self.note_use(body, last);
                self.facts.defs[def.index()].returns.push(last);
            }
        }
    }

    pub(super) fn enclosing_type(&self, def: DefId) -> Option<DefId> {
        let mut def = def;
        while def != DefId::MODULE {
            if self.facts.def(def).kind.is_type() {
                return Some(def);
            }
            def = self.facts.def(def).parent;
        }
        None
    }

    pub(super) fn class(&mut self, node: Node<'t>, found: &Match<'t>, kind: DefKind) -> TermId {
        if found.has(Part::Declarator) {
            let whole = self.with_declarator(found).without(Part::Parameters);
            return self.class(node, &whole, kind);
        }
        let hint = self.hint.take();
        let is_value = found.role == Role::ClassValue;
        let own_name = found.one(Part::Name).map(|name| self.definition_name(name));
        let given = hint.map(|hint| hint.name);
        let name = if is_value { given.or(own_name) } else { own_name.or(given) };
        let name = name.unwrap_or_else(|| self.intern("<class>"));
        let def = self.define(node, found, kind, name, found.one(Part::Body));
        let value = self.add(Term::Def(def));
        let decorated = self.decorate(def, value);
        if own_name.is_some() && !is_value {
            let in_type = self.scope_of(self.scope).kind == ScopeKind::Type;
            self.bind_definition(name, decorated, in_type, found);
        }
        let mut bases = self.supertypes(found, Part::Base);
        if found.role == Role::Variant {
            bases.push(self.add(Term::Def(self.def)));
        }
        let interfaces = self.supertypes(found, Part::Implements);
        let declared = found.one(Part::Type).map(|declared| self.type_term(declared));
        let definition = &mut self.facts.defs[def.index()];
        (definition.bases, definition.interfaces, definition.declared) = (bases, interfaces, declared);
        definition.receiver = self.extension;
        let outer = (self.def, self.self_def, self.extension.take());
        let around = self.scope_of(self.scope).kind;
        (self.def, self.self_def) = (def, def);
        self.within(ScopeKind::Block, def, |this| {
            let scope = this.scope;
            // Members are hidden from the scopes of methods, but the type itself is not.
            let is_hidden = around == ScopeKind::Type && this.language.settings().scopes.implicit_members;
            if let Some(name) = own_name.filter(|_| is_value || is_hidden) {
                this.give(scope, name, value);
            }
            for parameters in found.all(Part::TypeParameters) {
                match this.role_of(parameters) {
                    Some(_) => drop(this.term(parameters)),
                    None => drop(this.children(parameters)),
                }
            }
            this.within(ScopeKind::Type, def, |this| this.class_inside(node, def, found));
        });
        (self.def, self.self_def, self.extension) = outer;
        decorated
    }

    fn class_inside(&mut self, node: Node<'t>, def: DefId, found: &Match<'t>) {
        self.parameters(def, found);
        self.made_bases(found);
        self.positional_fields(def, found);
        for body in found.all(Part::Body) {
            self.children(body);
        }
        self.rest(node, found);
    }

    pub(super) fn supertypes(&mut self, found: &Match<'t>, part: Part) -> Vec<TermId> {
        let mut terms = Vec::new();
        for node in found.all(part) {
            let inner = self.role_of(node);
            let is_argument = inner.as_ref().is_some_and(|found| found.role == Role::NamedArgument);
            let made = inner.filter(|found| found.role == Role::New).and_then(|found| found.one(Part::Callee));
            let term = self.type_term(made.unwrap_or(node));
            if !is_argument && !matches!(self.facts.term(term), Term::Unknown | Term::BuiltIn) {
                terms.push(term);
            }
        }
        terms
    }

    pub(super) fn namespace(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let Some(name_node) = found.one(Part::Name) else {
            self.rest(node, found);
            for body in found.all(Part::Body) {
                self.children(body);
            }
            return self.unknown();
        };
        let name = self.definition_name(name_node);
        let def = self.define(node, found, DefKind::Namespace, name, found.one(Part::Body));
        let value = self.add(Term::Def(def));
        let scope = self.declaring_scope();
        self.give(scope, name, value);
        let outer = (self.def, self.self_def);
        (self.def, self.self_def) = (def, def);
        self.within(ScopeKind::Namespace, def, |this| {
            for body in found.all(Part::Body) {
                this.children(body);
            }
            this.rest(node, found);
        });
        (self.def, self.self_def) = outer;
        value
    }

    pub(super) fn extension(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let Some(receiver) = found.one(Part::Receiver) else {
            self.children(node);
            return self.unknown();
        };
        self.decorated = None;
        self.decorators.clear();
        let of = self.receiver_type(receiver);
        let interfaces: Vec<TermId> = found.all(Part::Implements).map(|interface| self.type_term(interface)).collect();
        self.facts
            .implementations
            .extend(interfaces.iter().map(|interface| Implementation { of, interface: *interface }));
        let instance = self.add(Term::Instance(of));
        let outer = self.extension.replace(instance);
        let implemented = std::mem::replace(&mut self.implemented, interfaces);
        let def = self.def;
        self.within(ScopeKind::Type, def, |this| {
            for body in found.all(Part::Body) {
                this.children(body);
            }
            this.rest(node, found);
        });
        self.extension = outer;
        self.implemented = implemented;
        self.unknown()
    }

    /// Keeps decorators for the definition in this node.
    pub(super) fn decorated(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        self.decorators = found.all(Part::Decorator).collect();
        self.decorated = Some(node);
        let term = match found.one(Part::Value) {
            Some(value) => self.term(value),
            None => self.unknown(),
        };
        self.decorators.clear();
        self.decorated = None;
        term
    }

    /// Adds a definition, empty inside.
    pub(super) fn define(
        &mut self,
        node: Node<'t>,
        found: &Match<'t>,
        kind: DefKind,
        name: Name,
        body: Option<Node<'t>>,
    ) -> DefId {
        let id = DefId(index(self.facts.defs.len()));
        let whole = self.decorated.take().unwrap_or(node);
        let decorators: Vec<Node<'t>> = self.decorators.drain(..).chain(found.all(Part::Decorator)).collect();
        let mut def = Def::new(kind, name, self.def);
        def.start_line = line(whole);
        def.end_line = self.end_line(node).max(line(node));
        def.own_line = self.own_line(node, found);
        (def.start_byte, def.end_byte) = (byte(whole.start_byte()), byte(node.end_byte()));
        def.signature = self.signature(node, body);
        def.docstring = body.and_then(|body| self.documentation_in(body));
        let above = self.comment_above();
        if !self.language.settings().documentation.in_body {
            def.docstring = def.docstring.or(above);
        }
        def.modifiers = self.modifiers(found);
        self.facts.defs.push(def);
        for decorator in decorators {
            let term = self.term(decorator);
            let text = self.decorator_text(decorator);
            self.facts.defs[id.index()].decorators.push(Decorator { text, term });
        }
        id
    }

    /// The line of a definition below the decorators that it begins with.
    fn own_line(&self, node: Node<'t>, found: &Match<'t>) -> u32 {
        let last = found.all(Part::Decorator).last().map(|decorator| decorator.end_byte());
        let below = last.and_then(|end| self.forest.nodes_in(node).find(|child| child.start_byte() >= end));
        line(below.unwrap_or(node))
    }

    pub(super) fn modifiers(&self, found: &Match<'t>) -> Vec<String> {
        let mut modifiers: Vec<String> = Vec::new();
        for node in found.all(Part::Modifier) {
            self.add_modifiers(node, found, &mut modifiers);
        }
        let marks = &self.language.settings().receiver.type_with;
        let is_static = self.is_static_part || modifiers.iter().any(|modifier| marks.contains(modifier));
        if is_static && !modifiers.iter().any(|modifier| modifier == "static") {
            modifiers.retain(|modifier| !marks.contains(modifier));
            modifiers.push("static".to_owned());
        }
        modifiers
    }

    /// The words of a node; decorators may stand among them.
    fn add_modifiers(&self, node: Node<'t>, found: &Match<'t>, modifiers: &mut Vec<String>) {
        if found.all(Part::Decorator).any(|decorator| decorator == node) {
            return;
        }
        for child in self.forest.nodes_in(node) {
            self.add_modifiers(child, found, modifiers);
        }
        let word = match self.text(node) {
            _ if node.has_children() => "",
            "*" => GENERATOR,
            word => word,
        };
        let marks = &self.language.settings().receiver.type_with;
        let is_word = word.starts_with(char::is_alphabetic) || marks.iter().any(|mark| mark == word);
        if is_word && word.len() <= 20 && !modifiers.iter().any(|known| known == word) {
            modifiers.push(word.to_owned());
        }
    }

    fn decorator_text(&self, node: Node<'t>) -> String {
        let text = self.text(node).trim_start_matches('@');
        text.split('(').next().unwrap_or(text).trim().to_owned()
    }

    /// The value that the name of a definition stands for, once its decorators have been applied.
    fn decorate(&mut self, def: DefId, value: TermId) -> TermId {
        if self.language.settings().decorators == Decorators::Note || self.facts.def(def).decorators.is_empty() {
            return value;
        }
        let (caller, first) = (self.facts.def(def).parent, self.facts.def(def).start_line);
        let decorators = self.facts.def(def).decorators.clone();
        let mut value = value;
        for (applied, Decorator { term: callee, .. }) in (0..).zip(decorators.into_iter().rev()) {
            let arguments = vec![Argument { name: None, value, is_spread: false }];
            let line = first + index(self.facts.def(def).decorators.len()) - 1 - applied;
            self.facts.calls.push(Call { caller, callee, line, kind: CallKind::Decorator, arguments });
            value = self.add(Term::Decorated(def, applied + 1));
        }
        value
    }

    /// Decorators of what is no definition: they are called all the same.
    pub(super) fn note_decorators(&mut self, found: &Match<'t>) {
        for decorator in found.all(Part::Decorator) {
            let callee = self.value_term(decorator);
            if self.language.settings().decorators == Decorators::Call {
                let call = Call {
                    caller: self.def,
                    callee,
                    line: line(decorator),
                    kind: CallKind::Decorator,
                    arguments: Vec::new(),
                };
                self.facts.calls.push(call);
            }
        }
    }

    /// Makes a definition known under its name where it stands.
    pub(super) fn bind_definition(&mut self, name: Name, value: TermId, in_type: bool, found: &Match<'t>) {
        let scope = if self.language.settings().scopes.blocks { self.block_scope() } else { self.declaring_scope() };
        let outside = found.has(Part::Receiver) || (in_type && self.extension.is_some());
        if outside {
            return;
        }
        let has_body = found.has(Part::Body) || found.has(Part::Value);
        if self.is_repeated(scope, name, value, has_body) {
            return;
        }
        let sent = self.scope_of(scope).outer.contains(&name);
        if sent {
            self.assign_name(name, value);
        } else if !(in_type && self.is_own_constructor(name)) {
            let variable = self.give(scope, name, value);
            self.note_function(variable, value);
        }
        if in_type {
            self.give_around(name, value);
            let owner = self.scope_of(self.scope).def;
            let is_static =
                found.role == Role::Variant || self.modifiers(found).iter().any(|modifier| modifier == "static");
            self.facts.defs[owner.index()].members.push(Member { name, value, is_static, is_type: false });
        }
    }

    /// Whether a method of this name makes the type it is in, so that the bare name still means the type.
    fn is_own_constructor(&self, name: Name) -> bool {
        let owner = self.scope_of(self.scope).def;
        self.facts.def(owner).name == name && self.language.settings().constructors.iter().any(|known| known == "=")
    }

    /// The name of a definition; quotes and brackets around it are not part of it.
    pub(super) fn definition_name(&mut self, node: Node<'t>) -> Name {
        let text = self.text(node);
        let computed = self.forest.first_named_in(node).filter(|_| text.starts_with('['));
        if let Some(constant) = computed.and_then(|(inner, _)| self.constant(inner)) {
            return constant;
        }
        let inner = text.strip_prefix('[').and_then(|inner| inner.strip_suffix(']'));
        let text = inner.filter(|inner| !inner.is_empty()).unwrap_or(text).trim();
        let is_quoted = text.starts_with(['"', '\'', '`', ':']);
        self.intern(if is_quoted { unquoted(text) } else { text })
    }
}
