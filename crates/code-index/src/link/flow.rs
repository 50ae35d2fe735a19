//! What flows into parameters, receivers and written members, round by round until nothing new arrives.

use languages::facts::{Argument, Call, CallKind, DefKind, ParameterKind, Term, Write};
use rustc_hash::{FxHashMap, FxHashSet};

use super::evaluate::{Evaluator, Key};
use super::program::{Symbol, number};
use super::value::{Kind, Set, Value};

/// Values pass through this many calls at most.
const MOST_ROUNDS: usize = 8;

/// Stands for one argument that is no parameter, and a second that holds the others: `f.apply(this, list)`.
const APPLIED: usize = usize::MAX;

/// The member that holds what an object inherits from, where objects take any member.
const PROTOTYPE: &str = "__proto__";

/// With more kinds of receivers than this, a method is taken as it is declared.
const MOST_RECEIVERS: usize = 4;

/// Runs until the program has settled.
pub(super) fn run(evaluator: &mut Evaluator<'_, '_>) {
    attach_methods(evaluator);
    let mut flows: Vec<Flow> = (0..number(evaluator.program.units.len())).map(Flow::new).collect();
    let mut before: FxHashMap<u32, Set> = FxHashMap::default();
    let mut crowded: FxHashSet<u32> = FxHashSet::default();
    for _ in 0..MOST_ROUNDS {
        flows.iter_mut().for_each(|flow| flow.refresh(evaluator));
        let given = joined(evaluator, &flows, &mut crowded);
        let mut changed: Vec<(u32, Set)> = Vec::new();
        for (node, set) in &given {
            if before.get(node) != Some(set) {
                changed.push((*node, set.clone()));
            }
        }
        changed.extend(before.keys().filter(|node| !given.contains_key(node)).map(|node| (*node, Set::default())));
        if changed.is_empty() {
            return;
        }
        changed.sort_unstable_by_key(|(node, _)| *node);
        evaluator.give(changed);
        before = given;
    }
}

/// What all files together give.
fn joined(evaluator: &Evaluator<'_, '_>, flows: &[Flow], crowded: &mut FxHashSet<u32>) -> FxHashMap<u32, Set> {
    let mut given: FxHashMap<u32, Set> = FxHashMap::default();
    for (node, set) in flows.iter().flat_map(|flow| &flow.given) {
        given.entry(*node).or_default().extend(set);
    }
    // What was crowded once stays so, or the rounds would swing between two answers.
    crowded.extend(
        given
            .iter()
            .filter(|(node, set)| evaluator.is_receiver_node(**node) && set.len() > MOST_RECEIVERS)
            .map(|(node, _)| *node),
    );
    given.retain(|node, _| !crowded.contains(node));
    given
}

/// Finds the types of methods that stand outside of them.
fn attach_methods(evaluator: &mut Evaluator<'_, '_>) {
    let program = evaluator.program;
    for unit in &program.units {
        for (local, def) in (0..).zip(&unit.facts.defs) {
            let Some(receiver) = def.receiver else { continue };
            let Term::Instance(of) = unit.facts.term(receiver) else { continue };
            for value in evaluator.settled(unit.term(of)).iter() {
                if let Some(owner) = value.as_kind(Kind::Type) {
                    evaluator.members.attach(program, unit.defs + local, owner);
                }
            }
        }
        for implementation in &unit.facts.implementations {
            for value in evaluator.settled(unit.term(implementation.of)).iter() {
                if let Some(of) = value.as_kind(Kind::Type) {
                    evaluator.members.add_supertype(of, unit.term(implementation.interface));
                }
            }
        }
    }
    evaluator.forget();
    evaluator.fix_lineages();
}

/// What one file gives.
struct Flow {
    unit: u32,
    /// New values of parameters, receivers and written members, from all of the file.
    given: FxHashMap<u32, Set>,
    /// The same from each of its calls and then its writes.
    by_source: Vec<Box<[(u32, Set)]>>,
}

impl Flow {
    fn new(unit: u32) -> Self {
        Self { unit, given: FxHashMap::default(), by_source: Vec::new() }
    }

    /// Looks again at the calls and writes that have read something that has changed.
    fn refresh(&mut self, evaluator: &mut Evaluator<'_, '_>) {
        let (unit, program) = (self.unit, evaluator.program);
        let base = program.unit(unit);
        let calls = base.facts.calls.len();
        self.by_source.resize(calls + base.facts.writes.len(), Box::default());
        let given = std::mem::take(&mut self.given);
        let mut is_changed = false;
        for (local, source) in (base.sources..).take(self.by_source.len()).enumerate() {
            if !evaluator.take_stale(source) {
                continue;
            }
            match base.facts.calls.get(local) {
                Some(call) => self.called(evaluator, unit, call),
                None => self.written(evaluator, unit, base.facts.writes[local - calls]),
            }
            is_changed = true;
            self.by_source[local] = self.given.drain().collect();
        }
        self.given = given;
        if is_changed {
            self.given.clear();
            for (node, set) in self.by_source.iter().flatten() {
                self.given.entry(*node).or_default().extend(set);
            }
        }
    }

    fn called(&mut self, evaluator: &mut Evaluator<'_, '_>, unit: u32, call: &Call) {
        if call.kind == CallKind::Get {
            return;
        }
        let callee = evaluator.program.unit(unit).term(call.callee);
        let callees = evaluator.settled_here(callee);
        for value in callees.iter() {
            self.call(evaluator, unit, call, value);
        }
        if callees.is_foreign() {
            self.handed_to_outside(evaluator, unit, call);
            self.collection(evaluator, unit, call);
        }
    }

    fn call(&mut self, evaluator: &mut Evaluator<'_, '_>, unit: u32, call: &Call, callee: Value) {
        match callee.kind() {
            Kind::Function => {
                let skipped = self.skipped(evaluator, unit, call);
                if skipped == 0 {
                    self.receiver(evaluator, unit, call, callee.id());
                } else if let Some(first) = call.arguments.first() {
                    let receivers = evaluator.settled_here(evaluator.program.unit(unit).term(first.value));
                    self.add_receivers(evaluator, callee.id(), &receivers);
                }
                self.arguments(evaluator, unit, &call.arguments, callee.id(), skipped);
            }
            Kind::Unbound => {
                if let Some(first) = call.arguments.first() {
                    let node = evaluator.program.unit(unit).term(first.value);
                    let receivers = evaluator.settled_here(node);
                    self.add_receivers(evaluator, callee.id(), &receivers);
                }
                self.arguments(evaluator, unit, &call.arguments, callee.id(), 1);
            }
            Kind::Type | Kind::Super => {
                for constructor in evaluator.constructors(callee, evaluator.source_node()) {
                    if callee.kind() == Kind::Type {
                        let instance = Set::one(Value::new(Kind::Instance, callee.id()));
                        self.add_receivers(evaluator, constructor, &instance);
                    }
                    self.arguments(evaluator, unit, &call.arguments, constructor, 0);
                }
            }
            Kind::Instance => {
                for method in evaluator.call_methods(callee, evaluator.source_node()) {
                    self.arguments(evaluator, unit, &call.arguments, method, 0);
                }
            }
            _ => {}
        }
    }

    /// A function that `map`, `forEach` and the like call is given the elements of the collection.
    fn handed_to_outside(&mut self, evaluator: &mut Evaluator<'_, '_>, unit: u32, call: &Call) {
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
        let elements = evaluator.elements(unit, collection, None, evaluator.source_node());
        for function in called {
            // The element comes first, or second after what was made of those before it.
            for position in 0..evaluator.program.def(function).parameters.len().min(2) {
                self.add(evaluator.parameter_node(function, number(position)), &elements);
            }
        }
    }

    /// What methods of built-in collections do to them.
    fn collection(&mut self, evaluator: &mut Evaluator<'_, '_>, unit: u32, call: &Call) {
        let base = evaluator.program.unit(unit);
        let Term::Member(object, name) = base.facts.term(call.callee) else { return };
        let (text, known) = (base.facts.text(name), &base.settings.collections);
        let is_one_of = |names: &[String]| names.iter().any(|known| known == text);
        if is_one_of(&known.add) {
            let collections = evaluator.settled_here(base.term(object));
            for argument in &call.arguments {
                let values = evaluator.settled_here(base.term(argument.value));
                self.write(evaluator, &collections, Key::Any, &values);
            }
        }
        if is_one_of(&known.map) {
            let made = Set::one(Value::new(Kind::Typed, base.term(call.callee)));
            for function in evaluator.called_by_outside(unit, call) {
                let values = evaluator.settled_here(evaluator.result_node(function));
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
            let promised = evaluator.settled_here(base.term(object));
            let functions = evaluator.settled_here(base.term(first.value));
            for function in functions.iter().filter_map(|value| value.as_kind(Kind::Function)) {
                if !evaluator.program.def(function).parameters.is_empty() {
                    self.add(evaluator.parameter_node(function, 0), &promised);
                }
            }
        }
    }

    /// A collection of what the arguments are, or of their elements.
    fn gathered(&mut self, evaluator: &mut Evaluator<'_, '_>, unit: u32, call: &Call, of_elements: bool) {
        let base = evaluator.program.unit(unit);
        let made = Set::one(Value::new(Kind::Typed, base.term(call.callee)));
        for argument in &call.arguments {
            let values = evaluator.settled_here(base.term(argument.value));
            let values = match of_elements {
                true => evaluator.elements(unit, argument.value, None, evaluator.source_node()),
                false => values,
            };
            self.write(evaluator, &made, Key::Any, &values);
        }
    }

    /// An object that has what the first argument has and what the second describes; or the first is that object.
    fn described(&mut self, evaluator: &mut Evaluator<'_, '_>, unit: u32, call: &Call, in_place: bool) {
        let base = evaluator.program.unit(unit);
        let mut objects = Set::one(Value::new(Kind::Typed, base.term(call.callee)));
        for (position, argument) in call.arguments.iter().take(2).enumerate() {
            let values = evaluator.settled_here(base.term(argument.value));
            let key = if position == 0 { Key::Inherited } else { Key::Described };
            self.write(evaluator, &objects, key, &values);
            if position == 0 && in_place {
                objects.extend(&values);
            }
        }
    }

    /// `Object.assign(target, source)`: the target has what the source has.
    fn copied(&mut self, evaluator: &mut Evaluator<'_, '_>, unit: u32, call: &Call) {
        let base = evaluator.program.unit(unit);
        let made = Set::one(Value::new(Kind::Typed, base.term(call.callee)));
        let mut targets = made;
        for (position, argument) in call.arguments.iter().enumerate() {
            let values = evaluator.settled_here(base.term(argument.value));
            self.write(evaluator, &targets, Key::Inherited, &values);
            if position == 0 {
                targets.extend(&values);
            }
        }
    }

    fn write(&mut self, evaluator: &mut Evaluator<'_, '_>, objects: &Set, key: Key, values: &Set) {
        for object in objects.iter() {
            if !matches!(object.kind(), Kind::External | Kind::Many) {
                let node = evaluator.written_node(object, key);
                self.add(node, values);
            }
        }
    }

    /// `f.call(this, a)` has one argument that is no parameter.
    fn skipped(&self, evaluator: &Evaluator<'_, '_>, unit: u32, call: &Call) -> usize {
        let base = evaluator.program.unit(unit);
        let known = evaluator.well_known;
        match base.facts.term(call.callee) {
            Term::Member(object, name) => {
                let name = Some(base.symbol(name));
                let on_function = || {
                    let objects = evaluator.found(base.term(object));
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
    fn receiver(&mut self, evaluator: &mut Evaluator<'_, '_>, unit: u32, call: &Call, callee: u32) {
        let base = evaluator.program.unit(unit);
        let Term::Member(object, _) = base.facts.term(call.callee) else { return };
        let objects = match base.facts.term(object) {
            // What an object inherits is called on that object.
            Term::Super(def) if evaluator.members.owner(evaluator.program, base.def(def)).is_none() => {
                evaluator.receiver(base.def(def), evaluator.source_node())
            }
            _ => evaluator.settled_here(base.term(object)),
        };
        let receivers = objects.iter().map(|value| match value.kind() {
            // `super.x()` is called on the instance at hand.
            Kind::Super => Value::new(Kind::Instance, value.id()),
            _ => value,
        });
        let receivers: Set = receivers.collect();
        self.add_receivers(evaluator, callee, &receivers);
    }

    fn add_receivers(&mut self, evaluator: &Evaluator<'_, '_>, method: u32, receivers: &Set) {
        let owner = evaluator.members.owner(evaluator.program, method);
        let own = owner.map(|owner| Value::new(Kind::Instance, owner));
        let can_be = |value: &Value| matches!(value.kind(), Kind::Instance | Kind::Object | Kind::Function);
        let new: Vec<Value> = receivers.iter().filter(|value| can_be(value) && Some(*value) != own).collect();
        if evaluator.program.def(method).kind == DefKind::Lambda || new.is_empty() {
            return;
        }
        let set = self.given.entry(evaluator.receiver_node(method)).or_default();
        new.into_iter().for_each(|value| set.insert(value));
    }

    fn arguments(
        &mut self,
        evaluator: &mut Evaluator<'_, '_>,
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
            let values = evaluator.settled_here(base.term(argument.value));
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
                self.add(evaluator.parameter_node(callee, target), &values);
            }
        }
    }

    /// A collection of arguments: its items in their order, where it is written out.
    fn spread(&mut self, evaluator: &mut Evaluator<'_, '_>, callee: u32, from: usize, collections: &Set) {
        for collection in collections.iter() {
            match collection.kind() {
                Kind::Object => self.spread_literal(evaluator, callee, from, collection.id()),
                Kind::Rest => {
                    let values = evaluator.settled_here(collection.id());
                    for target in from..evaluator.program.def(callee).parameters.len() {
                        let target = number(target);
                        self.add(evaluator.parameter_node(callee, target), &values);
                    }
                }
                _ => {}
            }
        }
    }

    fn spread_literal(&mut self, evaluator: &mut Evaluator<'_, '_>, callee: u32, from: usize, literal: u32) {
        let unit = evaluator.program.unit_of_literal(literal);
        let base = evaluator.program.unit(unit);
        let items = &base.facts.literals[(literal - base.literals) as usize].items;
        for item in items {
            let Some(key) = item.key else { continue };
            let values = evaluator.settled_here(base.term(item.value));
            let target = match base.facts.text(key).parse::<usize>() {
                Ok(index) => positional_parameter(evaluator, callee, from + index),
                Err(_) => named_parameter(evaluator, callee, base.symbol(key)),
            };
            if let Some(target) = target {
                self.add(evaluator.parameter_node(callee, target), &values);
            }
        }
    }

    fn written(&mut self, evaluator: &mut Evaluator<'_, '_>, unit: u32, write: Write) {
        let base = evaluator.program.unit(unit);
        let name = match write.name {
            Some(name) if base.settings.calls.index_is_member && base.facts.text(name) == PROTOTYPE => Key::Inherited,
            Some(name) => Key::Named(base.symbol(name)),
            None => Key::Any,
        };
        let objects = evaluator.settled_here(base.term(write.object));
        let values = evaluator.settled_here(base.term(write.value));
        self.write(evaluator, &objects, name, &values);
    }

    fn add(&mut self, node: u32, values: &Set) {
        let flows = |value: &Value| !matches!(value.kind(), Kind::External | Kind::Many);
        let mut flowing = values.iter().filter(flows).peekable();
        if flowing.peek().is_some() {
            let set = self.given.entry(node).or_default();
            flowing.for_each(|value| set.insert(value));
        }
    }
}

fn positional_parameter(evaluator: &Evaluator<'_, '_>, callee: u32, position: usize) -> Option<u32> {
    let parameters = &evaluator.program.def(callee).parameters;
    let rest = parameters.iter().position(|parameter| parameter.kind == ParameterKind::Rest);
    let target = match rest {
        Some(rest) if position >= rest => rest,
        _ => position,
    };
    let is_positional = parameters.get(target).is_some_and(|parameter| parameter.kind != ParameterKind::Keywords);
    is_positional.then(|| number(target))
}

fn named_parameter(evaluator: &Evaluator<'_, '_>, callee: u32, name: Symbol) -> Option<u32> {
    let unit = evaluator.program.unit(evaluator.program.unit_of_def(callee));
    let parameters = &evaluator.program.def(callee).parameters;
    let by_name = parameters
        .iter()
        .position(|parameter| parameter.kind == ParameterKind::One && unit.symbol(parameter.name) == name);
    let keywords = || parameters.iter().position(|parameter| parameter.kind == ParameterKind::Keywords);
    by_name.or_else(keywords).map(super::program::number)
}
