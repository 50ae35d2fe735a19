//! From what terms stand for to the edges of the graph.

use graph::{Confidence, Edge, NodeId, Relation, Resolution};
use languages::facts::{Call, CallKind, DefKind, ParameterKind, Term, TermId};
use languages::settings::Modules;

use super::dispatch::Dispatch;
use super::evaluate::Evaluator;
use super::names::Names;
use super::value::{Kind, Value};

/// Everything that edges are made from, once the program has settled.
pub(super) struct Edges<'e, 'p> {
    pub(super) evaluator: &'e mut Evaluator<'p>,
    pub(super) names: &'e Names,
    pub(super) dispatch: &'e Dispatch,
    /// The definitions that edges have led to.
    pub(super) targets: Vec<u32>,
}

impl Edges<'_, '_> {
    /// The edges that start in a unit.
    pub(super) fn of_unit(&mut self, unit: u32) -> Vec<Edge> {
        let mut edges = Vec::new();
        let base = self.evaluator.program.unit(unit);
        self.evaluator.reader = base.edges();
        let facts = &base.facts;
        for call in &facts.calls {
            self.call(unit, call, &mut edges);
        }
        for found in &facts.uses {
            let user = base.def(found.user);
            for value in self.evaluator.read(base.term(found.value)).iter() {
                let is_written = |target: &u32| !self.evaluator.program.def(*target).is_signature();
                if let Some(target) = callable(value).filter(|target| *target != user).filter(is_written) {
                    let resolution = self.resolution(unit, found.value, value);
                    edges.push(self.edge(user, Relation::References, target, found.line, resolution));
                }
            }
        }
        self.definitions(unit, &mut edges);
        edges
    }

    fn call(&mut self, unit: u32, call: &Call, edges: &mut Vec<Edge>) {
        let base = self.evaluator.program.unit(unit);
        let caller = self.caller(base.def(call.caller));
        let callees = self.evaluator.read(base.term(call.callee));
        if callees.is_foreign() && call.kind == CallKind::Call {
            for function in self.evaluator.called_by_outside(unit, call) {
                edges.push(self.edge(caller, Relation::Calls, function, call.line, Resolution::Flow));
            }
        }
        // A function that is called under another name takes its arguments in another way.
        let program = self.evaluator.program;
        let name = self.evaluator.written_name(unit, call.callee);
        let is_named = |def: u32| name == Some(program.symbols.text(program.def_symbol(def)));
        let fits = |value: Value| callable(value).is_none_or(|def| !is_named(def) || self.takes(def, call));
        let overloaded = callees.iter().any(fits) && !callees.iter().all(fits);
        let is_written = |value: &Value| callable(*value).is_none_or(|def| !program.def(def).is_signature());
        let meant: Vec<Value> = callees.iter().filter(is_written).filter(|value| !overloaded || fits(*value)).collect();
        let is_c = program.unit(unit).settings.modules == Modules::Include;
        let is_declared =
            |value: &Value| is_c && callable(*value).is_some_and(|def| program.def(def).has_modifier("declaration"));
        let is_defined = meant.iter().any(|value| callable(*value).is_some() && !is_declared(value));
        for value in meant.into_iter().filter(|value| !is_defined || !is_declared(value)) {
            let resolution = self.resolution(unit, call.callee, value);
            match call.kind {
                CallKind::Get | CallKind::Set => self.property(caller, call, value, resolution, edges),
                CallKind::Call | CallKind::New | CallKind::Decorator => {
                    self.called(caller, call, value, resolution, edges);
                    if self.may_dispatch(unit, call.callee) {
                        self.dispatched(caller, call, value, edges);
                    }
                }
            }
        }
    }

    fn called(&mut self, caller: u32, call: &Call, value: Value, resolution: Resolution, edges: &mut Vec<Edge>) {
        let def = value.id();
        match value.kind() {
            Kind::Function | Kind::Unbound => {
                edges.push(self.edge(caller, Relation::Calls, def, call.line, resolution));
            }
            Kind::Type => {
                edges.push(self.edge(caller, Relation::Instantiates, def, call.line, resolution));
                self.constructed(caller, call, value, resolution, edges);
            }
            Kind::Prototype if self.is_type(def) => {
                self.called(caller, call, Value::new(Kind::Type, def), Resolution::Type, edges);
            }
            Kind::Super => self.constructed(caller, call, value, Resolution::Inheritance, edges),
            Kind::Instance if self.is_own_constructor(caller, value) => {
                self.constructed(caller, call, value, resolution, edges)
            }
            Kind::Instance => {
                for method in self.evaluator.call_methods(value) {
                    edges.push(self.edge(caller, Relation::Calls, method, call.line, Resolution::Type));
                }
            }
            _ => {}
        }
    }

    fn constructed(&mut self, caller: u32, call: &Call, value: Value, resolution: Resolution, edges: &mut Vec<Edge>) {
        let constructors = self.evaluator.constructors(value);
        let overloaded = constructors.iter().any(|constructor| self.takes(*constructor, call));
        for constructor in constructors {
            if constructor != value.id() && (!overloaded || self.takes(constructor, call)) {
                edges.push(self.edge(caller, Relation::Calls, constructor, call.line, resolution));
            }
        }
    }

    /// Whether a function can be called with so many arguments, where the language has overloads.
    fn takes(&self, def: u32, call: &Call) -> bool {
        let program = self.evaluator.program;
        let has_overloads =
            matches!(program.settings_of_def(def).modules, Modules::Jvm | Modules::Namespaces | Modules::Include);
        let found = program.def(def);
        if !has_overloads || !found.kind.is_callable() || call.arguments.iter().any(|argument| argument.is_spread) {
            return true;
        }
        let given = call.arguments.len();
        let has_rest = found.parameters.iter().any(|parameter| parameter.kind != ParameterKind::One);
        let needed = found
            .parameters
            .iter()
            .filter(|parameter| parameter.kind == ParameterKind::One && parameter.default.is_none());
        given >= needed.count() && (has_rest || given <= found.parameters.len())
    }

    /// `this(…)` in a constructor calls another one.
    fn is_own_constructor(&self, caller: u32, value: Value) -> bool {
        let names = &self.evaluator.program.settings_of_def(value.id()).constructors;
        let is_constructor =
            names.iter().any(|name| name == "=") && self.evaluator.program.def(value.id()).kind.is_type();
        is_constructor && self.evaluator.program.def_symbol(caller) == self.evaluator.program.def_symbol(value.id())
    }

    /// A property that is read or written runs its getter or setter, if it has one.
    fn property(&mut self, caller: u32, call: &Call, value: Value, resolution: Resolution, edges: &mut Vec<Edge>) {
        let Some(def) = value.as_kind(Kind::Function) else { return };
        let runs = match call.kind {
            CallKind::Get => self.evaluator.is_getter(def),
            _ => self.evaluator.is_setter(def),
        };
        if runs && def != caller {
            edges.push(self.edge(caller, Relation::Calls, def, call.line, resolution));
        }
    }

    /// Those that may be meant by a method of an interface or base type.
    fn dispatched(&mut self, caller: u32, call: &Call, value: Value, edges: &mut Vec<Edge>) {
        let Some(def) = value.as_kind(Kind::Function) else { return };
        for target in self.dispatch.implementations(def) {
            edges.push(self.edge(caller, Relation::Calls, *target, call.line, Resolution::Dispatch));
        }
    }

    /// Whether the receiver may be of a subtype: not when it was just made, nor for `super`.
    fn may_dispatch(&self, unit: u32, callee: TermId) -> bool {
        let facts = &self.evaluator.program.unit(unit).facts;
        let is_made = |term: TermId| matches!(facts.term(term), Term::New(_));
        match facts.term(callee) {
            Term::Member(object, _) => match facts.term(object) {
                Term::Super(_) | Term::New(_) => false,
                Term::Variable(variable) => {
                    let variable = &facts.variables[variable.index()];
                    let is_fresh = variable.declared.is_none() && !variable.values.is_empty();
                    !is_fresh || !variable.values.iter().all(|value| is_made(*value))
                }
                _ => true,
            },
            Term::Free(..) => true,
            _ => false,
        }
    }

    /// Code in the body of a type runs with what is around the type.
    fn caller(&self, def: u32) -> u32 {
        let program = self.evaluator.program;
        let mut def = def;
        while program.def(def).kind == DefKind::Namespace {
            def = program.parent(def);
        }
        def
    }

    /// How a callee was found, from the way it is written.
    fn resolution(&mut self, unit: u32, term: TermId, value: Value) -> Resolution {
        let facts = &self.evaluator.program.unit(unit).facts;
        match facts.term(term) {
            Term::Def(_) | Term::Receiver(_) => Resolution::Scope,
            Term::Import(_) => Resolution::Import,
            Term::Super(_) => Resolution::Inheritance,
            Term::Free(..) => self.resolution_of_free(unit, value),
            Term::Variable(variable) => {
                let values = &facts.variables[variable.index()].values;
                let is = |fits: fn(Term) -> bool| values.iter().any(|value| fits(facts.term(*value)));
                if is(|term| matches!(term, Term::Import(_))) {
                    Resolution::Import
                } else if is(|term| matches!(term, Term::Def(_) | Term::Decorated(..) | Term::Receiver(_))) {
                    Resolution::Scope
                } else {
                    Resolution::Flow
                }
            }
            Term::Member(object, _) => self.resolution_of_member(unit, object),
            _ => Resolution::Flow,
        }
    }

    fn resolution_of_free(&mut self, unit: u32, value: Value) -> Resolution {
        let program = self.evaluator.program;
        let in_type = callable(value).and_then(|def| self.evaluator.owner(def));
        match in_type {
            Some(_) => Resolution::Inheritance,
            None if callable(value).is_some_and(|def| program.unit_of(def) == unit) => Resolution::Scope,
            None => Resolution::Import,
        }
    }

    fn resolution_of_member(&self, unit: u32, object: TermId) -> Resolution {
        let base = self.evaluator.program.unit(unit);
        let is_receiver = |term: Term| matches!(term, Term::Receiver(_) | Term::Super(_));
        let term = base.facts.term(object);
        let variable_is_receiver = match term {
            Term::Variable(variable) => {
                let values = &base.facts.variables[variable.index()].values;
                !values.is_empty() && values.iter().all(|value| is_receiver(base.facts.term(*value)))
            }
            _ => false,
        };
        if is_receiver(term) || variable_is_receiver {
            return Resolution::Inheritance;
        }
        let objects = self.evaluator.found(base.term(object));
        if objects.iter().any(|value| matches!(value.kind(), Kind::Instance)) {
            Resolution::Type
        } else if objects.iter().any(|value| matches!(value.kind(), Kind::Module | Kind::Package | Kind::Type)) {
            Resolution::Import
        } else {
            Resolution::Flow
        }
    }

    pub(super) fn edge(&mut self, from: u32, relation: Relation, to: u32, line: u32, resolution: Resolution) -> Edge {
        self.targets.push(to);
        let id = |def: u32| self.names.id(self.evaluator.program, def);
        edge(id(from), relation, id(to), line, resolution)
    }
}

pub(super) fn edge(from: NodeId, relation: Relation, to: NodeId, line: u32, resolution: Resolution) -> Edge {
    let confidence = Confidence(match resolution {
        Resolution::Syntax | Resolution::Scope | Resolution::Import => 100,
        Resolution::Inheritance => 95,
        Resolution::Type => 90,
        Resolution::Flow => 80,
        Resolution::Dispatch => 60,
        Resolution::UniqueName => 50,
    });
    Edge { from, relation, to, line, resolution, confidence }
}

/// The definition behind a value that can be called.
pub(super) fn callable(value: Value) -> Option<u32> {
    matches!(value.kind(), Kind::Function | Kind::Unbound | Kind::Type).then(|| value.id())
}
