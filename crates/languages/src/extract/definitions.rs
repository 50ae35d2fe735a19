//! Definitions: functions, types, namespaces, extensions, parameters.

use tree_sitter::Node;

use super::scopes::ScopeKind;
use super::text::unquoted;
use super::{Extractor, byte, index, line};
use crate::facts::{
    Argument, Call, CallKind, Decorator, Def, DefId, DefKind, Implementation, Member, Name, Parameter, ParameterKind, Term,
    TermId,
};
use crate::pattern::Match;
use crate::roles::{Part, Role};
use crate::settings::Decorators;
use crate::tree::children_of;

impl<'t> Extractor<'_, 't> {
    pub(super) fn function(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let hint = self.hint.take();
        let own_name = found.one(Part::Name).map(|name| self.definition_name(name));
        let is_value = matches!(found.role, Role::Lambda | Role::FunctionValue);
        let in_type = self.scope_of(self.scope).kind == ScopeKind::Type && !is_value;
        let is_method =
            in_type || found.role == Role::Method || found.has(Part::Receiver) || hint.is_some_and(|hint| hint.is_method);
        let kind = match (own_name.or(hint.map(|hint| hint.name)), is_method) {
            (None, _) => DefKind::Lambda,
            (Some(_), true) => DefKind::Method,
            (Some(_), false) => DefKind::Function,
        };
        let name = if is_value { hint.map(|hint| hint.name).or(own_name) } else { own_name.or(hint.map(|hint| hint.name)) };
        let name = name.unwrap_or_else(|| self.intern("<lambda>"));
        let body = found.one(Part::Body).or_else(|| found.one(Part::Value));
        let def = self.define(node, found, kind, name, body);
        self.function_receiver(def, found, in_type, hint.and_then(|hint| hint.receiver));
        let value = self.add(Term::Def(def));
        let decorated = self.decorate(def, value);
        if own_name.is_some() && !is_value {
            self.bind_definition(name, decorated, in_type, found);
        }
        self.function_inside(node, def, found, own_name.filter(|_| is_value).map(|name| (name, value)));
        decorated
    }

    /// What the receiver is when no enclosing type says so.
    fn function_receiver(&mut self, def: DefId, found: &Match<'t>, in_type: bool, given: Option<TermId>) {
        let receiver = match found.one(Part::Receiver) {
            Some(receiver) => {
                let declared = self.type_term(receiver);
                Some(self.instance_of(declared))
            }
            None if in_type => self.extension,
            None => given,
        };
        self.facts.defs[def.index()].receiver = receiver;
    }

    fn function_inside(&mut self, node: Node<'t>, def: DefId, found: &Match<'t>, own: Option<(Name, TermId)>) {
        let outer = (self.def, self.self_def, self.extension.take());
        self.def = def;
        if found.role != Role::Lambda {
            self.self_def = def;
        }
        self.within(ScopeKind::Function, def, |this| {
            let scope = this.scope;
            if let Some((name, value)) = own {
                this.give(scope, name, value);
            }
            if let Some(receiver) = found.one(Part::ReceiverName) {
                let (name, value) = (this.name_of(receiver), this.add(Term::Receiver(def)));
                this.give(scope, name, value);
            }
            this.parameters(def, found);
            if let Some(declared) = found.one(Part::Type) {
                this.facts.defs[def.index()].declared = Some(this.type_term(declared));
            }
            this.body(def, found);
            this.rest(node, found);
        });
        (self.def, self.self_def, self.extension) = outer;
    }

    fn body(&mut self, def: DefId, found: &Match<'t>) {
        if let Some(value) = found.one(Part::Value) {
            let term = self.value_term(value);
            self.note_use(value, term);
            self.facts.defs[def.index()].returns.push(term);
        }
        for body in found.all(Part::Body) {
            let last = self.value_term(body);
            if self.language.settings().scopes.implicit_results && self.facts.term(last) != Term::Unknown {
                self.facts.defs[def.index()].returns.push(last);
            }
        }
    }

    /// The parameters, without the one that is the receiver.
    fn parameters(&mut self, def: DefId, found: &Match<'t>) {
        let lists: Vec<Node<'t>> = found.all(Part::Parameters).collect();
        let mut first = self.takes_receiver(def);
        for list in lists {
            // A lone parameter may stand without brackets.
            let nodes = match self.role_of(list) {
                Some(_) => vec![list],
                None => children_of(list).iter().map(|child| child.node).filter(|node| node.is_named()).collect(),
            };
            for node in nodes.into_iter().filter(|node| !node.is_extra()) {
                if std::mem::take(&mut first) {
                    self.receiver_parameter(def, node);
                } else {
                    self.parameter(def, node);
                }
            }
        }
    }

    fn takes_receiver(&self, def: DefId) -> bool {
        let settings = &self.language.settings().receiver;
        settings.first_parameter && self.facts.def(def).kind == DefKind::Method && !self.is_marked(def, &settings.none_with)
    }

    /// Whether a definition has one of these as a modifier or decorator.
    fn is_marked(&self, def: DefId, marks: &[String]) -> bool {
        let def = self.facts.def(def);
        let is_mark = |text: &str| marks.iter().any(|mark| mark == text);
        def.modifiers.iter().any(|modifier| is_mark(modifier)) || def.decorators.iter().any(|found| is_mark(&found.text))
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
            self.term(node);
            return;
        };
        let kind = match found.role {
            Role::Parameter | Role::Name | Role::List | Role::Map | Role::Assign => ParameterKind::One,
            Role::RestParameter => ParameterKind::Rest,
            Role::KeywordsParameter => ParameterKind::Keywords,
            Role::Skip | Role::Comment => return,
            _ => {
                self.term(node);
                return;
            }
        };
        let is_plain = matches!(found.role, Role::Name | Role::List | Role::Map);
        let declared = if is_plain { None } else { found.one(Part::Type).map(|declared| self.type_term(declared)) };
        let default = if is_plain { None } else { found.one(Part::Default).or_else(|| found.one(Part::Value)) };
        let default = default.map(|default| self.used_term(default));
        let targets: Vec<Node<'t>> = if is_plain {
            vec![node]
        } else {
            found.all(Part::Name).chain(found.all(Part::Target)).collect()
        };
        for target in targets {
            let parameter = self.parameter_of(def, target, declared, default, kind);
            let is_field = found.has(Part::Modifier);
            self.bind(target, parameter, declared, true);
            if is_field {
                let name = self.name_of(target);
                self.field_from_parameter(def, name, parameter, declared);
            }
        }
        if !is_plain {
            self.rest(node, &found);
        }
    }

    fn parameter_of(
        &mut self,
        def: DefId,
        target: Node<'t>,
        declared: Option<TermId>,
        default: Option<TermId>,
        kind: ParameterKind,
    ) -> TermId {
        let name = self.name_of(target);
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
        let hint = self.hint.take();
        let is_value = found.role == Role::ClassValue;
        let own_name = found.one(Part::Name).map(|name| self.definition_name(name));
        let name = if is_value { hint.map(|hint| hint.name).or(own_name) } else { own_name };
        let name = name.unwrap_or_else(|| self.intern("<class>"));
        let def = self.define(node, found, kind, name, found.one(Part::Body));
        let value = self.add(Term::Def(def));
        let decorated = self.decorate(def, value);
        if own_name.is_some() && !is_value {
            let in_type = self.scope_of(self.scope).kind == ScopeKind::Type;
            self.bind_definition(name, decorated, in_type, found);
        }
        let bases = self.supertypes(found, Part::Base);
        let interfaces = self.supertypes(found, Part::Implements);
        let declared = found.one(Part::Type).map(|declared| self.type_term(declared));
        let definition = &mut self.facts.defs[def.index()];
        (definition.bases, definition.interfaces, definition.declared) = (bases, interfaces, declared);
        let outer = (self.def, self.self_def, self.extension.take());
        (self.def, self.self_def) = (def, def);
        self.within(ScopeKind::Type, def, |this| {
            if is_value && own_name.is_some() {
                let scope = this.scope;
                this.give(scope, name, value);
            }
            this.parameters(def, found);
            for body in found.all(Part::Body) {
                this.children(body);
            }
            this.rest(node, found);
        });
        (self.def, self.self_def, self.extension) = outer;
        decorated
    }

    fn supertypes(&mut self, found: &Match<'t>, part: Part) -> Vec<TermId> {
        let mut terms = Vec::new();
        for node in found.all(part) {
            let is_argument = self.role_of(node).is_some_and(|found| found.role == Role::NamedArgument);
            let term = self.type_term(node);
            if !is_argument {
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
        let of = self.type_term(receiver);
        for interface in found.all(Part::Implements) {
            let interface = self.type_term(interface);
            self.facts.implementations.push(Implementation { of, interface });
        }
        let instance = self.add(Term::Instance(of));
        let outer = self.extension.replace(instance);
        let def = self.def;
        self.within(ScopeKind::Type, def, |this| {
            for body in found.all(Part::Body) {
                this.children(body);
            }
            this.rest(node, found);
        });
        self.extension = outer;
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
    fn define(&mut self, node: Node<'t>, found: &Match<'t>, kind: DefKind, name: Name, body: Option<Node<'t>>) -> DefId {
        let id = DefId(index(self.facts.defs.len()));
        let whole = self.decorated.take().unwrap_or(node);
        let decorators: Vec<Node<'t>> = self.decorators.drain(..).chain(found.all(Part::Decorator)).collect();
        let mut def = Def::new(kind, name, self.def);
        def.start_line = line(whole);
        def.end_line = super::index(node.end_position().row + usize::from(node.end_position().column > 0)).max(line(node));
        def.own_line = line(node);
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

    fn modifiers(&self, found: &Match<'t>) -> Vec<String> {
        let mut modifiers: Vec<String> = Vec::new();
        for node in found.all(Part::Modifier) {
            for word in self.text(node).split_whitespace().filter(|word| word.len() <= 20) {
                if !modifiers.iter().any(|known| known == word) {
                    modifiers.push(word.to_owned());
                }
            }
        }
        modifiers
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
        for (position, Decorator { term: callee, .. }) in self.facts.def(def).decorators.clone().into_iter().enumerate() {
            let arguments = vec![Argument { name: None, value, is_spread: false }];
            let line = first + index(position);
            self.facts.calls.push(Call { caller, callee, line, kind: CallKind::Decorator, arguments });
        }
        self.add(Term::Decorated(def))
    }

    /// Makes a definition known under its name where it stands.
    fn bind_definition(&mut self, name: Name, value: TermId, in_type: bool, found: &Match<'t>) {
        let scope = if self.language.settings().scopes.blocks { self.scope } else { self.declaring_scope() };
        let outside = found.has(Part::Receiver) || (in_type && self.extension.is_some());
        if outside {
            return;
        }
        let sent = self.scope_of(scope).outer.contains(&name);
        if sent {
            self.assign_name(name, value);
        } else {
            self.give(scope, name, value);
        }
        if in_type {
            let owner = self.scope_of(self.scope).def;
            let is_static = self.modifiers(found).iter().any(|modifier| modifier == "static");
            self.facts.defs[owner.index()].members.push(Member { name, value, is_static, is_type: false });
        }
    }

    /// The name of a definition; quotes and brackets around it are not part of it.
    pub(super) fn definition_name(&mut self, node: Node<'t>) -> Name {
        let text = self.text(node);
        let text = text.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).unwrap_or(text);
        self.intern(unquoted(text.trim()))
    }
}
