//! What calling, making, awaiting and decorating give.

use languages::facts::{Call, DefKind, Term, TermId};

use super::evaluate::Evaluator;
use super::members::Held;
use super::value::{Kind, Set, Value};

impl<'p> Evaluator<'p> {
    /// What calling gives.
    pub(super) fn result(&mut self, unit: u32, callee: TermId) -> Set {
        let callees = self.read_term(unit, callee);
        let mut out = Set::default();
        for value in callees.iter() {
            self.result_of(value, &mut out);
        }
        self.result_of_method(unit, callee, &mut out);
        if callees.iter().any(|value| value == Value::EXTERNAL) {
            self.asked_for(unit, callee, &mut out);
        }
        out
    }

    /// `container.get(Service)`: a method from outside that is given a type and nothing else often hands out one of its instances.
    fn asked_for(&mut self, unit: u32, callee: TermId, out: &mut Set) {
        let Some(name) = self.program.unit(unit).only_names.get(&callee).copied() else { return };
        let types: Set = self.read_term(unit, name).iter().filter(|value| value.kind() == Kind::Type).collect();
        self.instances(&types, out);
    }

    fn result_of(&mut self, callee: Value, out: &mut Set) {
        match callee.kind() {
            Kind::Function | Kind::Unbound => {
                out.extend(&self.read(callee.id()));
            }
            Kind::Type | Kind::Prototype => {
                let settings = self.program.settings_of_def(callee.id());
                if settings.calls.make_instances || !settings.calls.makers.is_empty() {
                    self.instances(&Set::one(Value::new(Kind::Type, callee.id())), out);
                }
            }
            Kind::Instance => {
                for method in self.call_methods(callee) {
                    out.extend(&self.read(method));
                }
            }
            Kind::External | Kind::Typed => out.insert(Value::EXTERNAL),
            Kind::Generator => out.insert(callee),
            _ => {}
        }
    }

    /// Methods from outside whose result follows from what they are called on.
    fn result_of_method(&mut self, unit: u32, callee: TermId, out: &mut Set) {
        let base = self.program.unit(unit);
        let Term::Member(object, name) = base.facts.term(callee) else { return };
        let is_bind = base.symbol(name) == self.known.bind;
        let (text, known) = (base.facts.text(name), &base.settings.collections);
        let is_one_of = |names: &[String]| names.iter().any(|known| known == text);
        for value in self.read_term(unit, object).iter() {
            match value.kind() {
                // Whatever a generic container hands out is the container or what it contains.
                Kind::Typed => {
                    out.insert(value);
                    self.elements_of(value, None, out);
                }
                Kind::Object | Kind::Rest | Kind::Generator if is_one_of(&known.take) => {
                    self.elements_of(value, None, out)
                }
                Kind::Object | Kind::Rest | Kind::Generator if is_one_of(&known.same) => out.insert(value),
                Kind::Type if is_one_of(&known.same) => out.insert(value),
                Kind::Function if is_bind => out.insert(value),
                _ => {}
            }
        }
        let makers = [&known.map, &known.copy, &known.from, &known.of, &known.derive, &known.describe];
        if makers.into_iter().any(|names| is_one_of(names)) {
            out.insert(Value::new(Kind::Typed, base.term(callee)));
        }
    }

    /// The methods that run when an instance of a type is made, or when its `super` is called.
    pub(super) fn constructors(&mut self, of: Value) -> Vec<u32> {
        let def = of.id();
        let skipped = usize::from(of.kind() == Kind::Super);
        let lineage = self.inherited(def).lineage;
        for owner in lineage.iter().copied().skip(skipped) {
            let found = self.own_constructors(owner);
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    fn own_constructors(&mut self, owner: u32) -> Vec<u32> {
        let program = self.program;
        let found = program.def(owner);
        if found.kind.is_callable() {
            return vec![owner];
        }
        let names = &program.settings_of_def(owner).constructors;
        let mut constructors = Vec::new();
        for name in names {
            let symbol = if name == "=" { Some(program.def_symbol(owner)) } else { program.symbols.get(name) };
            let Some(symbol) = symbol else { continue };
            self.look_for(symbol);
            let held = self.members.held(owner, symbol).iter();
            constructors.extend(held.filter_map(|held| self.method_in(*held)));
            constructors.extend(self.methods_outside(owner, symbol));
        }
        // A primary constructor is written with the type itself.
        if constructors.is_empty() && !found.parameters.is_empty() {
            constructors.push(owner);
        }
        constructors
    }

    /// The method that a type holds, decorated or not.
    pub(super) fn method_in(&self, held: Held) -> Option<u32> {
        match held {
            Held::Method(def) => Some(def),
            Held::Value(term) => match self.program.term(term) {
                (unit, Term::Def(def) | Term::Decorated(def, _)) => {
                    let def = self.program.unit(unit).def(def);
                    self.program.def(def).kind.is_callable().then_some(def)
                }
                _ => None,
            },
            Held::InstanceOf(_) => None,
        }
    }

    /// The methods that calling an instance runs.
    pub(super) fn call_methods(&mut self, instance: Value) -> Vec<u32> {
        let mut methods = Vec::new();
        for name in [self.known.call, self.known.invoke, self.known.call_operator] {
            let mut found = Set::default();
            self.member(instance, name, &mut found);
            methods.extend(found.iter().filter_map(|value| value.as_kind(Kind::Function)));
        }
        methods
    }

    /// The functions that something from outside is given and is known to call.
    pub(super) fn called_by_outside(&mut self, unit: u32, call: &Call) -> Vec<u32> {
        let names = &self.program.unit(unit).settings.calls.higher_order;
        let name = self.written_name(unit, call.callee);
        let mut functions = Vec::new();
        if name.is_some_and(|name| names.iter().any(|known| known == name)) {
            for argument in &call.arguments {
                functions.extend(
                    self.read_term(unit, argument.value).iter().filter_map(|value| value.as_kind(Kind::Function)),
                );
            }
        }
        functions
    }

    /// What `new` gives.
    pub(super) fn made(&mut self, unit: u32, callee: TermId) -> Set {
        let mut out = Set::default();
        for value in self.read_term(unit, callee).iter() {
            match value.kind() {
                Kind::Type => {
                    self.instances(&Set::one(value), &mut out);
                    let lineage = self.inherited(value.id()).lineage;
                    let constructors: Vec<u32> =
                        lineage.iter().flat_map(|owner| self.own_constructors(*owner)).collect();
                    for constructor in constructors {
                        self.returned_objects(constructor, &mut out);
                    }
                }
                Kind::Function => {
                    out.insert(Value::new(Kind::Instance, value.id()));
                    self.returned_objects(value.id(), &mut out);
                }
                // An object from outside, told apart by where it is made.
                Kind::External => out.insert(Value::new(Kind::Typed, self.reader)),
                Kind::Typed | Kind::Instance => out.insert(value),
                _ => {}
            }
        }
        out
    }

    /// A constructor may return another object than the one it was called for.
    fn returned_objects(&mut self, constructor: u32, out: &mut Set) {
        let returned = self.read(constructor);
        let is_object = |value: &Value| matches!(value.kind(), Kind::Object | Kind::Instance | Kind::Function);
        returned.iter().filter(is_object).for_each(|value| out.insert(value));
    }

    /// A type with arguments. Some from outside are nothing but their arguments, of others the arguments say nothing.
    pub(super) fn generic(&mut self, unit: u32, of: TermId, list: u32) -> Set {
        let mut out = Set::default();
        let base = self.program.unit(unit);
        let name = self.written_name(unit, of);
        let is_one_of = |names: &[String]| name.is_some_and(|name| names.iter().any(|known| known == name));
        for value in self.read_term(unit, of).iter() {
            if value != Value::EXTERNAL || is_one_of(&base.settings.types.opaque) {
                out.insert(value);
            } else if is_one_of(&base.settings.types.of_types) {
                self.any_type_below(unit, list, &mut out);
            } else if is_one_of(&base.settings.types.transparent) {
                for argument in &base.facts.lists[list as usize] {
                    out.extend(&self.read_term(unit, *argument));
                }
            } else {
                out.insert(Value::new(Kind::Typed, self.reader));
            }
        }
        out
    }

    /// `type[Base]`: a type that is the argument or one below it, and no instance of it.
    fn any_type_below(&mut self, unit: u32, list: u32, out: &mut Set) {
        for argument in &self.program.unit(unit).facts.lists[list as usize] {
            for value in self.read_term(unit, *argument).iter() {
                out.insert(value.as_kind(Kind::Type).map_or(value, |of| Value::new(Kind::Prototype, of)));
            }
        }
        if out.is_empty() {
            out.insert(Value::EXTERNAL);
        }
    }

    /// The last name in what a term says.
    pub(super) fn written_name(&self, unit: u32, term: TermId) -> Option<&'p str> {
        let facts = &self.program.unit(unit).facts;
        match facts.term(term) {
            Term::Free(name, _) | Term::Member(_, name) => Some(facts.text(name)),
            Term::Variable(variable) => Some(facts.text(facts.variables[variable.index()].name)),
            _ => None,
        }
    }

    pub(super) fn awaited(&mut self, unit: u32, of: TermId) -> Set {
        let mut out = Set::default();
        for value in self.read_term(unit, of).iter() {
            match value.kind() {
                Kind::Typed => self.arguments_of(value.id(), &mut out),
                Kind::Generator => self.returned(value.id(), &mut out),
                _ => {}
            }
            out.insert(value);
        }
        out
    }

    /// A definition after its decorators: what they return takes its place, unless they are from outside or only wrap it.
    pub(super) fn decorated(&mut self, unit: u32, def: u32, applied: u32) -> Set {
        let own = Value::new(if self.program.def(def).kind.is_type() { Kind::Type } else { Kind::Function }, def);
        let mut current = Set::one(own);
        for decorator in self.program.def(def).decorators.iter().rev().take(applied as usize) {
            let mut next = Set::default();
            for value in self.read_term(unit, decorator.term).iter() {
                match value.kind() {
                    Kind::Function | Kind::Unbound => self.decorated_by(value.id(), &current, &mut next),
                    Kind::Type => next.insert(Value::new(Kind::Instance, value.id())),
                    _ => {}
                }
            }
            if !next.is_empty() {
                current = next;
            }
        }
        current
    }

    fn decorated_by(&mut self, decorator: u32, current: &Set, out: &mut Set) {
        let results = self.read(decorator);
        for value in results.iter() {
            match value.as_kind(Kind::Function) {
                Some(wrapper) if self.stands_for_another(wrapper) => out.extend(current),
                _ if value == Value::EXTERNAL => out.extend(current),
                _ => out.insert(value),
            }
        }
    }

    /// Whether a function says that it stands for the one it wraps: `@functools.wraps(f)`.
    fn stands_for_another(&self, def: u32) -> bool {
        let found = self.program.def(def);
        let is_wraps = |text: &str| matches!(text.rsplit('.').next(), Some("wraps" | "update_wrapper"));
        found.kind != DefKind::Lambda && found.decorators.iter().any(|decorator| is_wraps(&decorator.text))
    }
}
