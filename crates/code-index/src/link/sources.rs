//! What flows out of calls and writes: into parameters, receivers and written members.

use languages::facts::{Argument, Call, CallKind, DefKind, Implementation, ParameterKind, Term, Write};

use super::evaluate::{Evaluator, Key};
use super::program::{Source, Symbol, number};
use super::value::{Kind, Set, Value};

/// Stands for one argument that is no parameter, and a second that holds the others: `f.apply(this, list)`.
const APPLIED: usize = usize::MAX;

/// The member that holds what an object inherits from, where objects take any member.
const PROTOTYPE: &str = "__proto__";

/// What arrives where, in the order of where.
pub(super) fn outflow(evaluator: &mut Evaluator<'_>, unit: u32, source: Source) -> Vec<(u32, Set)> {
    let mut flow = Flow::default();
    let base = evaluator.program.unit(unit);
    match source {
        Source::Call(call) => flow.called(evaluator, unit, &base.facts.calls[call as usize]),
        Source::Write(write) => flow.written(evaluator, unit, base.facts.writes[write as usize]),
        Source::Method(def) => flow.attached(evaluator, base.def(def)),
        Source::Implementation(found) => {
            flow.implemented(evaluator, unit, base.facts.implementations[found as usize]);
        }
    }
    let mut arriving = flow.arriving;
    arriving.sort_by_key(|(node, _)| *node);
    arriving.dedup_by(|next, first| {
        let is_same = next.0 == first.0;
        if is_same {
            first.1.extend(&next.1);
        }
        is_same
    });
    arriving
}

#[derive(Debug, Default)]
struct Flow {
    arriving: Vec<(u32, Set)>,
}

impl Flow {
    /// A method that stands outside of its type is held by it.
    fn attached(&mut self, evaluator: &mut Evaluator<'_>, method: u32) {
        let name = Key::Method(evaluator.program.def_symbol(method));
        for owner in evaluator.owners_outside(method) {
            let node = evaluator.written_node(Value::new(Kind::Type, owner), name);
            self.add(evaluator, node, &Set::one(Value::new(Kind::Function, method)));
        }
    }

    /// `impl Trait for Type`.
    fn implemented(&mut self, evaluator: &mut Evaluator<'_>, unit: u32, implementation: Implementation) {
        let interfaces = evaluator.read_term(unit, implementation.interface);
        for of in evaluator.read_term(unit, implementation.of).iter().filter(|value| value.kind() == Kind::Type) {
            let node = evaluator.written_node(of, Key::Supertype);
            // What is outside counts too: who has a base from outside may have any member.
            let interfaces = if interfaces.is_foreign() { Set::one(Value::EXTERNAL) } else { interfaces.clone() };
            self.arriving.push((node, interfaces));
        }
    }

    fn called(&mut self, evaluator: &mut Evaluator<'_>, unit: u32, call: &Call) {
        if call.kind == CallKind::Get {
            return;
        }
        let callee = evaluator.program.unit(unit).term(call.callee);
        let callees = evaluator.read(callee);
        for value in callees.iter() {
            self.call(evaluator, unit, call, value);
        }
        if callees.is_foreign() {
            self.handed_to_outside(evaluator, unit, call);
            self.collection(evaluator, unit, call);
        }
    }

    fn call(&mut self, evaluator: &mut Evaluator<'_>, unit: u32, call: &Call, callee: Value) {
        match callee.kind() {
            Kind::Function => {
                let skipped = self.skipped(evaluator, unit, call);
                if skipped == 0 {
                    self.receiver(evaluator, unit, call, callee.id());
                } else if let Some(first) = call.arguments.first() {
                    let receivers = evaluator.read(evaluator.program.unit(unit).term(first.value));
                    self.add_receivers(evaluator, callee.id(), &receivers);
                }
                self.arguments(evaluator, unit, &call.arguments, callee.id(), skipped);
            }
            Kind::Unbound => {
                if let Some(first) = call.arguments.first() {
                    let node = evaluator.program.unit(unit).term(first.value);
                    let receivers = evaluator.read(node);
                    self.add_receivers(evaluator, callee.id(), &receivers);
                }
                self.arguments(evaluator, unit, &call.arguments, callee.id(), 1);
            }
            Kind::Type | Kind::Prototype | Kind::Super => {
                for constructor in evaluator.constructors(callee) {
                    if callee.kind() == Kind::Type {
                        let instance = Set::one(Value::new(Kind::Instance, callee.id()));
                        self.add_receivers(evaluator, constructor, &instance);
                    }
                    self.arguments(evaluator, unit, &call.arguments, constructor, 0);
                }
            }
            Kind::Instance => {
                for method in evaluator.call_methods(callee) {
                    self.arguments(evaluator, unit, &call.arguments, method, 0);
                }
            }
            _ => {}
        }
    }

    /// A function that `map`, `forEach` and the like call is given the elements of the collection.
    fn handed_to_outside(&mut self, evaluator: &mut Evaluator<'_>, unit: u32, call: &Call) {
        let called = evaluator.called_by_outside(unit, call);
        if called.is_empty() {
            return;
        }
        let base = evaluator.program.unit(unit);
        let collection = match base.facts.term(call.callee) {
            Term::Member(object, _) => Some(object),
            _ => call.arguments.iter().map(|argument| argument.value).next(),
        };
        let Some(collection) = collection else { return };
        let elements = evaluator.elements(unit, collection, None);
        for function in called {
            // The element comes first, or second after what was made of those before it.
            for position in 0..evaluator.program.def(function).parameters.len().min(2) {
                self.add(evaluator, evaluator.parameter_node(function, number(position)), &elements);
            }
        }
    }

    /// What methods of built-in collections do to them.
    fn collection(&mut self, evaluator: &mut Evaluator<'_>, unit: u32, call: &Call) {
        let base = evaluator.program.unit(unit);
        let Term::Member(object, name) = base.facts.term(call.callee) else { return };
        let (text, known) = (base.facts.text(name), &base.settings.collections);
        let is_one_of = |names: &[String]| names.iter().any(|known| known == text);
        if is_one_of(&known.add) {
            let collections = evaluator.read(base.term(object));
            for argument in &call.arguments {
                let values = evaluator.read(base.term(argument.value));
                self.write(evaluator, &collections, Key::Any, &values);
            }
        }
        if is_one_of(&known.map) {
            let made = Set::one(Value::new(Kind::Typed, base.term(call.callee)));
            for function in evaluator.called_by_outside(unit, call) {
                let values = evaluator.read(function);
                self.write(evaluator, &made, Key::Any, &values);
            }
        }
        if is_one_of(&known.copy) {
            self.copied(evaluator, unit, call);
        }
        if is_one_of(&known.derive) || is_one_of(&known.describe) {
            self.described(evaluator, unit, call, is_one_of(&known.describe));
        }
        if is_one_of(&known.from) || is_one_of(&known.of) {
            self.gathered(evaluator, unit, call, is_one_of(&known.from));
        }
        if is_one_of(&known.then)
            && let Some(first) = call.arguments.first()
        {
            let promised = evaluator.read(base.term(object));
            let functions = evaluator.read(base.term(first.value));
            for function in functions.iter().filter_map(|value| value.as_kind(Kind::Function)) {
                if !evaluator.program.def(function).parameters.is_empty() {
                    self.add(evaluator, evaluator.parameter_node(function, 0), &promised);
                }
            }
        }
    }

    /// A collection of what the arguments are, or of their elements.
    fn gathered(&mut self, evaluator: &mut Evaluator<'_>, unit: u32, call: &Call, of_elements: bool) {
        let base = evaluator.program.unit(unit);
        let made = Set::one(Value::new(Kind::Typed, base.term(call.callee)));
        for argument in &call.arguments {
            let values = evaluator.read(base.term(argument.value));
            let values = match of_elements {
                true => evaluator.elements(unit, argument.value, None),
                false => values,
            };
            self.write(evaluator, &made, Key::Any, &values);
        }
    }

    /// An object that has what the first argument has and what the second describes; or the first is that object.
    fn described(&mut self, evaluator: &mut Evaluator<'_>, unit: u32, call: &Call, in_place: bool) {
        let base = evaluator.program.unit(unit);
        let mut objects = Set::one(Value::new(Kind::Typed, base.term(call.callee)));
        for (position, argument) in call.arguments.iter().take(2).enumerate() {
            let values = evaluator.read(base.term(argument.value));
            let key = if position == 0 { Key::Inherited } else { Key::Described };
            self.write(evaluator, &objects, key, &values);
            if position == 0 && in_place {
                objects.extend(&values);
            }
        }
    }

    /// `Object.assign(target, source)`: the target has what the source has.
    fn copied(&mut self, evaluator: &mut Evaluator<'_>, unit: u32, call: &Call) {
        let base = evaluator.program.unit(unit);
        let made = Set::one(Value::new(Kind::Typed, base.term(call.callee)));
        let mut targets = made;
        for (position, argument) in call.arguments.iter().enumerate() {
            let values = evaluator.read(base.term(argument.value));
            self.write(evaluator, &targets, Key::Inherited, &values);
            if position == 0 {
                targets.extend(&values);
            }
        }
    }

    fn write(&mut self, evaluator: &mut Evaluator<'_>, objects: &Set, key: Key, values: &Set) {
        for object in objects.iter() {
            if !matches!(object.kind(), Kind::External | Kind::Many) {
                let node = evaluator.written_node(object, key);
                self.add(evaluator, node, values);
            }
        }
    }

    /// `f.call(this, a)` has one argument that is no parameter.
    fn skipped(&self, evaluator: &mut Evaluator<'_>, unit: u32, call: &Call) -> usize {
        let base = evaluator.program.unit(unit);
        let known = evaluator.known;
        match base.facts.term(call.callee) {
            Term::Member(object, name) => {
                let name = base.symbol(name);
                let mut on_function = || {
                    let objects = evaluator.read(base.term(object));
                    objects.iter().any(|value| matches!(value.kind(), Kind::Function | Kind::Unbound))
                };
                let passes_receiver = name == known.call_method || name == known.bind || name == known.apply;
                match passes_receiver && base.settings.receiver.in_functions && on_function() {
                    true if name == known.apply => APPLIED,
                    passes => usize::from(passes),
                }
            }
            _ => 0,
        }
    }

    /// What a method is called on becomes its receiver.
    fn receiver(&mut self, evaluator: &mut Evaluator<'_>, unit: u32, call: &Call, callee: u32) {
        let base = evaluator.program.unit(unit);
        let Term::Member(object, _) = base.facts.term(call.callee) else { return };
        let objects = match base.facts.term(object) {
            // What an object inherits is called on that object.
            Term::Super(def) if evaluator.owner(base.def(def)).is_none() => evaluator.receiver(base.def(def)),
            _ => evaluator.read(base.term(object)),
        };
        let receivers = objects.iter().map(|value| match value.kind() {
            // `super.x()` is called on the instance at hand.
            Kind::Super => Value::new(Kind::Instance, value.id()),
            _ => value,
        });
        let receivers: Set = receivers.collect();
        let receivers = own_receivers(evaluator, callee, receivers);
        self.add_receivers(evaluator, callee, &receivers);
    }

    fn add_receivers(&mut self, evaluator: &mut Evaluator<'_>, method: u32, receivers: &Set) {
        let owner = evaluator.owner(method);
        let own = owner.map(|owner| Value::new(Kind::Instance, owner));
        let can_be = |value: &Value| matches!(value.kind(), Kind::Instance | Kind::Object | Kind::Function);
        let new: Vec<Value> = receivers.iter().filter(|value| can_be(value) && Some(*value) != own).collect();
        if evaluator.program.def(method).kind == DefKind::Lambda || new.is_empty() {
            return;
        }
        self.arriving.push((evaluator.receiver_node(method), new.into_iter().collect()));
    }

    fn arguments(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        unit: u32,
        arguments: &[Argument],
        callee: u32,
        skipped: usize,
    ) {
        let parameters = &evaluator.program.def(callee).parameters;
        if parameters.is_empty() {
            return;
        }
        let mut position = 0;
        let is_apply = skipped == APPLIED;
        for argument in arguments.iter().skip(skipped.min(1)) {
            let base = evaluator.program.unit(unit);
            let values = evaluator.read(base.term(argument.value));
            if argument.is_spread || is_apply {
                self.spread(evaluator, callee, position, &values);
                continue;
            }
            let target = match argument.name {
                Some(name) => named_parameter(evaluator, callee, base.symbol(name)),
                None => {
                    position += 1;
                    positional_parameter(evaluator, callee, position - 1)
                }
            };
            if let Some(target) = target {
                self.add(evaluator, evaluator.parameter_node(callee, target), &values);
            }
        }
    }

    /// A collection of arguments: its items in their order, where it is written out.
    fn spread(&mut self, evaluator: &mut Evaluator<'_>, callee: u32, from: usize, collections: &Set) {
        for collection in collections.iter() {
            match collection.kind() {
                Kind::Object => self.spread_literal(evaluator, callee, from, collection.id()),
                Kind::Rest => {
                    let values = evaluator.read(collection.id());
                    for target in from..evaluator.program.def(callee).parameters.len() {
                        let target = number(target);
                        self.add(evaluator, evaluator.parameter_node(callee, target), &values);
                    }
                }
                _ => {}
            }
        }
    }

    fn spread_literal(&mut self, evaluator: &mut Evaluator<'_>, callee: u32, from: usize, literal: u32) {
        let unit = evaluator.program.unit_of(literal);
        let base = evaluator.program.unit(unit);
        let items = &base.facts.literals[base.local_literal(literal) as usize].items;
        for item in items {
            let Some(key) = item.key else { continue };
            let values = evaluator.read(base.term(item.value));
            let target = match base.facts.text(key).parse::<usize>() {
                Ok(index) => positional_parameter(evaluator, callee, from + index),
                Err(_) => named_parameter(evaluator, callee, base.symbol(key)),
            };
            if let Some(target) = target {
                self.add(evaluator, evaluator.parameter_node(callee, target), &values);
            }
        }
    }

    fn written(&mut self, evaluator: &mut Evaluator<'_>, unit: u32, write: Write) {
        let base = evaluator.program.unit(unit);
        let name = match write.name {
            Some(name) if base.settings.calls.index_is_member && base.facts.text(name) == PROTOTYPE => Key::Inherited,
            Some(name) => Key::Named(base.symbol(name)),
            None => Key::Any,
        };
        let objects = evaluator.read(base.term(write.object));
        let values = evaluator.read(base.term(write.value));
        self.write(evaluator, &objects, name, &values);
    }

    fn add(&mut self, evaluator: &Evaluator<'_>, node: u32, values: &Set) {
        let flows = |value: &Value| match value.kind() {
            Kind::External | Kind::Many => false,
            Kind::Function => !evaluator.program.def(value.id()).is_signature(),
            _ => true,
        };
        let flowing: Set = values.iter().filter(flows).collect();
        if !flowing.is_empty() {
            self.arriving.push((node, flowing));
        }
    }
}

/// Of several receivers those that have the method from its type, if there are any.
fn own_receivers(evaluator: &mut Evaluator<'_>, method: u32, receivers: Set) -> Set {
    let Some(owner) = evaluator.owner(method).filter(|_| receivers.len() > 1) else { return receivers };
    let mut has_it = |value: &Value| match value.as_kind(Kind::Instance) {
        Some(of) => evaluator.inherited(of).lineage.contains(&owner),
        None => false,
    };
    let own: Set = receivers.iter().filter(&mut has_it).collect();
    if own.is_empty() { receivers } else { own }
}

fn positional_parameter(evaluator: &Evaluator<'_>, callee: u32, position: usize) -> Option<u32> {
    let parameters = &evaluator.program.def(callee).parameters;
    let rest = parameters.iter().position(|parameter| parameter.kind == ParameterKind::Rest);
    let target = match rest {
        Some(rest) if position >= rest => rest,
        _ => position,
    };
    let is_positional = parameters.get(target).is_some_and(|parameter| parameter.kind != ParameterKind::Keywords);
    is_positional.then(|| number(target))
}

fn named_parameter(evaluator: &Evaluator<'_>, callee: u32, name: Symbol) -> Option<u32> {
    let unit = evaluator.unit_of_def(callee);
    let parameters = &evaluator.program.def(callee).parameters;
    let by_name = parameters
        .iter()
        .position(|parameter| parameter.kind == ParameterKind::One && unit.symbol(parameter.name) == name);
    let keywords = || parameters.iter().position(|parameter| parameter.kind == ParameterKind::Keywords);
    by_name.or_else(keywords).map(super::program::number)
}
