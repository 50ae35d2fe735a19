//! What each term may stand for: a set of values that grows until nothing changes.
//!
//! Every term, variable, function result, parameter and receiver is a node. A node is computed when it is first read, and again
//! when something it has read has grown. What flows into parameters, receivers and written members is not computed here but
//! given from outside, round by round (`flow.rs`), so that one round is a plain fixed point and always ends the same way.

use std::collections::VecDeque;
use std::rc::Rc;

use languages::facts::{DefKind, GENERATOR, ImportKind, Name, Term, TermId};
use languages::settings::Settings;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::members::Members;
use super::modules::ModuleMap;
use super::program::{Program, Symbol, number};
use super::sparse::Sparse;
use super::value::{Kind, Set, Value};

/// How deep computing may nest before it is put off.
const DEEPEST: u32 = 120;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Active,
    Done,
}

pub(super) struct Evaluator<'p, 'a> {
    pub(super) program: &'p Program<'a>,
    pub(super) modules: &'p ModuleMap,
    pub(super) members: Members,
    sets: Sparse<Set>,
    states: Vec<State>,
    dependents: Sparse<SmallVec<[u32; 2]>>,
    queue: VecDeque<u32>,
    queued: Vec<bool>,
    depth: u32,
    /// Members that are written from outside, by owner and name.
    written: FxHashMap<(Value, Key), u32>,
    /// Names that are written to anywhere.
    pub(super) written_names: FxHashSet<Key>,
    /// Methods of built-in collections, where what is written under a computed key may be any other member.
    pub(super) collection_methods: FxHashSet<Symbol>,
    /// Calls and writes of which something has changed that they had read.
    stale_sources: Vec<bool>,
    /// The call or write that is being looked at.
    source: u32,
    first: Firsts,
    pub(super) well_known: WellKnown,
    /// Of methods that are called with one name and nothing else: the callee, and that name.
    pub(super) only_names: FxHashMap<u32, u32>,
    /// What each type inherits, once all types are known.
    pub(super) lineages: FxHashMap<u32, Inherited>,
}

/// A type and all it inherits from, nearest first, and whether some of that is outside of the project.
#[derive(Debug, Clone)]
pub(super) struct Inherited {
    pub(super) lineage: Rc<[u32]>,
    pub(super) is_foreign: bool,
}

/// What is written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Named(Symbol),
    /// Any element.
    Any,
    /// Objects whose members count as its own.
    Inherited,
    /// Objects whose members say what its own are: `{f: {value: g}}`.
    Described,
}

/// The first node of each kind.
#[derive(Debug, Clone, Copy)]
struct Firsts {
    variables: u32,
    results: u32,
    parameters: u32,
    receivers: u32,
    sources: u32,
    written: u32,
}

/// Names with a meaning in their language.
#[derive(Debug, Clone, Copy)]
pub(super) struct WellKnown {
    pub(super) call: Option<Symbol>,
    pub(super) iterate: Option<Symbol>,
    pub(super) next: Option<Symbol>,
    pub(super) get_item: Option<Symbol>,
    pub(super) prototype: Option<Symbol>,
    pub(super) bind: Option<Symbol>,
    pub(super) call_method: Option<Symbol>,
    pub(super) apply: Option<Symbol>,
    pub(super) invoke: Option<Symbol>,
    pub(super) invoke_delegate: Option<Symbol>,
    pub(super) call_operator: Option<Symbol>,
    pub(super) crate_root: Option<Symbol>,
    pub(super) own_module: Option<Symbol>,
    pub(super) module_above: Option<Symbol>,
    pub(super) value: Option<Symbol>,
    pub(super) get: Option<Symbol>,
}

impl WellKnown {
    fn new(program: &Program<'_>) -> Self {
        let get = |text| program.symbols.get(text);
        Self {
            call: get("__call__"),
            iterate: get("__iter__"),
            next: get("__next__"),
            get_item: get("__getitem__"),
            prototype: get("prototype"),
            bind: get("bind"),
            call_method: get("call"),
            apply: get("apply"),
            invoke: get("invoke"),
            invoke_delegate: get("Invoke"),
            call_operator: get("operator()"),
            crate_root: get("crate"),
            own_module: get("self"),
            module_above: get("super"),
            value: get("value"),
            get: get("get"),
        }
    }
}

impl<'p, 'a> Evaluator<'p, 'a> {
    pub(super) fn new(program: &'p Program<'a>, modules: &'p ModuleMap) -> Self {
        let counts = program.counts;
        let variables = counts.terms;
        let results = variables + counts.variables;
        let parameters = results + counts.defs;
        let receivers = parameters + counts.parameters;
        let sources = receivers + counts.defs;
        let written = sources + counts.sources;
        let nodes = written as usize;
        let mut written_names = FxHashSet::from_iter([Key::Any, Key::Inherited, Key::Described]);
        for unit in &program.units {
            let key = |name: Option<Name>| name.map_or(Key::Any, |name| Key::Named(unit.symbol(name)));
            written_names.extend(unit.facts.writes.iter().map(|write| key(write.name)));
        }
        Self {
            program,
            modules,
            members: Members::new(program),
            sets: Sparse::new(nodes),
            states: vec![State::New; nodes],
            dependents: Sparse::new(nodes),
            queue: VecDeque::new(),
            queued: vec![false; nodes],
            depth: 0,
            written: FxHashMap::default(),
            written_names,
            collection_methods: collection_methods(program),
            stale_sources: vec![true; counts.sources as usize],
            source: 0,
            first: Firsts { variables, results, parameters, receivers, sources, written },
            well_known: WellKnown::new(program),
            only_names: super::results::only_names(program),
            lineages: FxHashMap::default(),
        }
    }

    /// What a term stands for, once everything has settled.
    pub(super) fn settled(&mut self, node: u32) -> Set {
        self.ensure(node);
        self.settle();
        self.sets.get(node).clone()
    }

    /// The same, for the call or write that is being looked at, which is stale when this changes.
    pub(super) fn settled_here(&mut self, node: u32) -> Set {
        let set = self.settled(node);
        self.read(node, self.source_node());
        set
    }

    /// Whether something has changed that a call or write has read, since this was last asked. From here on it is the one that
    /// is being looked at.
    pub(super) fn take_stale(&mut self, source: u32) -> bool {
        self.source = source;
        std::mem::take(&mut self.stale_sources[source as usize])
    }

    /// What was found so far.
    pub(super) fn found(&self, node: u32) -> &Set {
        self.sets.get(node)
    }

    pub(super) fn variable_node(&self, variable: u32) -> u32 {
        self.first.variables + variable
    }

    pub(super) fn result_node(&self, def: u32) -> u32 {
        self.first.results + def
    }

    pub(super) fn parameter_node(&self, def: u32, position: u32) -> u32 {
        self.first.parameters + self.program.parameter_bases[def as usize] + position
    }

    pub(super) fn receiver_node(&self, def: u32) -> u32 {
        self.first.receivers + def
    }

    /// Reads for the call or write that is being looked at.
    pub(super) fn source_node(&self) -> u32 {
        self.first.sources + self.source
    }

    pub(super) fn is_receiver_node(&self, node: u32) -> bool {
        (self.first.receivers..self.first.receivers + self.program.counts.defs).contains(&node)
    }

    pub(super) fn written_node(&mut self, owner: Value, name: Key) -> u32 {
        if let Some(node) = self.written.get(&(owner, name)) {
            return *node;
        }
        let node = number(self.sets.len());
        self.sets.push_unchanged();
        self.states.push(State::Done);
        self.dependents.push_unchanged();
        self.queued.push(false);
        self.written.insert((owner, name), node);
        node
    }

    /// Whether what flows into this node is given rather than computed.
    fn is_given(&self, node: u32) -> bool {
        node >= self.first.parameters
    }

    /// Gives these nodes new values, and forgets everything that followed from the old ones.
    pub(super) fn give(&mut self, changed: Vec<(u32, Set)>) {
        let mut stale: Vec<u32> = Vec::new();
        for (node, set) in changed {
            *self.sets.get_mut(node) = set;
            self.states[node as usize] = State::Done;
            stale.push(node);
        }
        while let Some(node) = stale.pop() {
            for dependent in self.dependents.take(node) {
                if (self.first.sources..self.first.written).contains(&dependent) {
                    self.stale_sources[(dependent - self.first.sources) as usize] = true;
                } else if self.states[dependent as usize] != State::New && !self.is_given(dependent) {
                    self.states[dependent as usize] = State::New;
                    self.sets.take(dependent);
                    stale.push(dependent);
                }
            }
        }
    }

    /// Forgets everything that was computed.
    pub(super) fn forget(&mut self) {
        let computed = self.first.parameters as usize;
        self.sets.reset(computed);
        self.states[..computed].fill(State::New);
        self.dependents.reset(self.dependents.len());
    }

    /// Reads a node for another, which is computed again when it grows.
    pub(super) fn read(&mut self, node: u32, reader: u32) -> Set {
        self.ensure(node);
        let dependents = self.dependents.get_mut(node);
        if dependents.last() != Some(&reader) {
            dependents.push(reader);
            if dependents.len() >= 32 && dependents.len().is_power_of_two() {
                dependents.sort_unstable();
                dependents.dedup();
            }
        }
        self.sets.get(node).clone()
    }

    pub(super) fn read_term(&mut self, unit: u32, term: TermId, reader: u32) -> Set {
        let node = self.program.unit(unit).term(term);
        self.read(node, reader)
    }

    /// Whether one more step inwards is allowed; `leave` ends it.
    pub(super) fn enter(&mut self) -> bool {
        self.depth += 1;
        if self.depth > DEEPEST + 40 {
            self.depth -= 1;
            return false;
        }
        true
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    fn ensure(&mut self, node: u32) {
        if self.states[node as usize] != State::New {
            return;
        }
        if self.is_given(node) {
            self.states[node as usize] = State::Done;
        } else if self.depth < DEEPEST {
            self.evaluate(node);
        } else {
            self.states[node as usize] = State::Done;
            self.enqueue(node);
        }
    }

    fn evaluate(&mut self, node: u32) {
        self.states[node as usize] = State::Active;
        self.depth += 1;
        let mut set = self.compute(node);
        self.depth -= 1;
        self.states[node as usize] = State::Done;
        let before = self.sets.get(node);
        set.extend(before);
        // Too many stays too many: nothing shrinks within a round.
        if set != *before && !before.is_too_many() {
            *self.sets.get_mut(node) = set;
            for dependent in self.dependents.get(node).clone() {
                self.enqueue(dependent);
            }
        }
    }

    fn enqueue(&mut self, node: u32) {
        if !std::mem::replace(&mut self.queued[node as usize], true) {
            self.queue.push_back(node);
        }
    }

    fn settle(&mut self) {
        while let Some(node) = self.queue.pop_front() {
            self.queued[node as usize] = false;
            if self.states[node as usize] == State::Done && !self.is_given(node) {
                self.evaluate(node);
            }
        }
    }

    fn compute(&mut self, node: u32) -> Set {
        let Firsts { variables, results, .. } = self.first;
        if node < variables {
            self.compute_term(node)
        } else if node < results {
            self.compute_variable(node)
        } else {
            self.compute_result(node)
        }
    }

    fn compute_variable(&mut self, node: u32) -> Set {
        let variable = node - self.first.variables;
        let unit = self.program.units.partition_point(|unit| unit.variables <= variable) - 1;
        let (unit, facts) = (number(unit), self.program.units[unit].facts);
        let variable = &facts.variables[(variable - self.program.unit(unit).variables) as usize];
        let mut set = Set::default();
        if let Some(declared) = variable.declared {
            let types = self.read_term(unit, declared, node);
            self.instances(&types, node, &mut set);
        }
        // A declared type says more than what flows in, but not which function is meant; one from outside says nothing.
        let is_vague = set.is_vague();
        for value in &variable.values {
            let values = self.read_term(unit, *value, node);
            set.extend(&if is_vague { values } else { values.callables() });
        }
        set
    }

    fn compute_result(&mut self, node: u32) -> Set {
        let def = node - self.first.results;
        let unit = self.program.unit_of_def(def);
        let found = self.program.def(def);
        if !found.yields.is_empty() || found.has_modifier(GENERATOR) {
            return Set::one(Value::new(Kind::Generator, def));
        }
        let mut set = Set::default();
        if let Some(declared) = found.declared {
            let types = self.read_term(unit, declared, node);
            self.instances(&types, node, &mut set);
        }
        if set.is_vague() || found.kind == DefKind::Lambda {
            for value in &found.returns {
                set.extend(&self.read_term(unit, *value, node));
            }
        }
        set
    }

    fn compute_term(&mut self, node: u32) -> Set {
        let (unit, term) = self.program.term(node);
        let base = self.program.unit(unit);
        match term {
            Term::Unknown => Set::default(),
            Term::BuiltIn => Set::one(Value::EXTERNAL),
            Term::Def(def) => Set::one(self.definition(base.def(def))),
            Term::Variable(variable) => self.read(self.variable_node(base.variable(variable)), node),
            Term::Free(name, def) => self.free(unit, base.symbol(name), base.def(def), node),
            Term::Import(import) => self.import(unit, import.0, node),
            Term::Parameter(def, position) => self.parameter(unit, base.def(def), position, node),
            Term::Receiver(def) => self.receiver(base.def(def), node),
            Term::Super(def) => self.above(unit, base.def(def), node),
            Term::Member(object, name) => {
                let objects = self.read_term(unit, object, node);
                let mut set = Set::default();
                for object in objects.iter() {
                    self.member(object, base.symbol(name), node, &mut set);
                }
                set
            }
            Term::Result(callee) => self.result(unit, callee, node),
            Term::New(callee) => self.made(unit, callee, node),
            Term::Instance(of) => {
                let types = self.read_term(unit, of, node);
                let mut set = Set::default();
                self.instances(&types, node, &mut set);
                set
            }
            Term::Element(of) => self.elements(unit, of, None, node),
            Term::Item(of, key) => self.elements(unit, of, Some(base.symbol(key)), node),
            Term::Literal(literal) => Set::one(Value::new(Kind::Object, base.literals + literal.0)),
            Term::Union(list) => {
                let mut set = Set::default();
                for term in &base.facts.lists[list as usize] {
                    set.extend(&self.read_term(unit, *term, node));
                }
                set
            }
            Term::Generic(of, list) => self.generic(unit, of, list, node),
            Term::Decorated(def, applied) => self.decorated(unit, base.def(def), applied, node),
            Term::Awaited(of) => self.awaited(unit, of, node),
        }
    }

    /// What the name of a definition stands for.
    pub(super) fn definition(&self, def: u32) -> Value {
        match self.program.def(def).kind {
            DefKind::Function | DefKind::Method | DefKind::Lambda => Value::new(Kind::Function, def),
            DefKind::Module => Value::new(Kind::Module, self.program.unit_of_def(def)),
            DefKind::Namespace => match self.modules.package_of_namespace(def) {
                Some(package) => Value::new(Kind::Package, package),
                None => Value::EXTERNAL,
            },
            DefKind::Class | DefKind::Interface | DefKind::Enum | DefKind::Type => Value::new(Kind::Type, def),
        }
    }

    /// Instances of these types.
    pub(super) fn instances(&mut self, types: &Set, reader: u32, out: &mut Set) {
        for value in types.iter() {
            match value.kind() {
                Kind::Type => self.instance(value.id(), reader, out),
                Kind::Package | Kind::Module => {}
                _ => out.insert(value),
            }
        }
    }

    /// An instance of a type; an alias stands for instances of what it names.
    fn instance(&mut self, def: u32, reader: u32, out: &mut Set) {
        let found = self.program.def(def);
        match found.declared {
            Some(declared) if found.kind == DefKind::Type => {
                let unit = self.program.unit_of_def(def);
                let types = self.read_term(unit, declared, reader);
                let types: Set = types.iter().filter(|value| *value != Value::new(Kind::Type, def)).collect();
                if self.depth < DEEPEST {
                    self.depth += 1;
                    self.instances(&types, reader, out);
                    self.depth -= 1;
                }
                if found.members.is_empty() && !types.is_foreign() {
                    return;
                }
                out.insert(Value::new(Kind::Instance, def));
            }
            _ => out.insert(Value::new(Kind::Instance, def)),
        }
    }

    fn import(&mut self, unit: u32, import: u32, node: u32) -> Set {
        let base = self.program.unit(unit);
        let kind = base.facts.imports[import as usize].kind;
        let mut set = Set::default();
        let modules = self.modules.import(base.imports + import);
        for module in modules {
            match kind {
                ImportKind::Module => self.whole_module(*module, node, &mut set),
                ImportKind::Symbol(name) => self.member(*module, base.symbol(name), node, &mut set),
                ImportKind::Default => self.default_export(*module, node, &mut set),
                ImportKind::Wildcard => set.insert(*module),
            }
        }
        if modules.is_empty() {
            self.outside(unit, import, node, &mut set);
        }
        set
    }

    /// An import whose module is none: the path may lead through a type, or outside.
    fn outside(&mut self, unit: u32, import: u32, node: u32, set: &mut Set) {
        let base = self.program.unit(unit);
        let import = base.facts.imports[import as usize];
        let separator = base.settings.imports.separator.as_str();
        if let (ImportKind::Symbol(name), false) = (import.kind, separator.is_empty()) {
            let types = self.type_at(unit, base.facts.text(import.module), separator, node);
            for found in types.iter() {
                self.member(found, base.symbol(name), node, set);
            }
        }
        if set.is_empty() {
            set.insert(Value::EXTERNAL);
        }
    }

    /// The type that a path names: `com.example.Outer`.
    pub(super) fn type_at(&mut self, unit: u32, path: &str, separator: &str, node: u32) -> Set {
        let parts = path.rsplit_once(separator).filter(|_| !separator.is_empty());
        let Some((module, name)) = parts else { return Set::default() };
        let Some(name) = self.program.symbols.get(name) else { return Set::default() };
        let mut set = Set::default();
        match self.modules.named(self.program.unit(unit), module) {
            Some(package) => self.member(package, name, node, &mut set),
            None => {
                for found in self.type_at(unit, module, separator, node).iter() {
                    self.member(found, name, node, &mut set);
                }
            }
        }
        set
    }

    /// A module as a value: with CommonJS, what it exports as a whole.
    fn whole_module(&mut self, module: Value, node: u32, set: &mut Set) {
        set.insert(module);
        let Some(unit) = module.as_kind(Kind::Module) else { return };
        if self.program.unit(unit).settings.imports.commonjs {
            for term in self.modules.defaults(unit) {
                set.extend(&self.read(*term, node));
            }
        }
    }

    fn default_export(&mut self, module: Value, node: u32, set: &mut Set) {
        let Some(unit) = module.as_kind(Kind::Module) else { return };
        for term in self.modules.defaults(unit) {
            set.extend(&self.read(*term, node));
        }
        if set.is_empty() {
            set.insert(module);
        }
    }
}

fn collection_methods(program: &Program<'_>) -> FxHashSet<Symbol> {
    let mut settings: Vec<&Settings> = program.units.iter().map(|unit| unit.settings).collect();
    settings.dedup_by(|one, other| std::ptr::eq(*one, *other));
    let dynamic = settings.into_iter().filter(|settings| settings.calls.index_is_member);
    let names = dynamic.flat_map(|settings| {
        let known = &settings.collections;
        [&known.add, &known.take, &known.same, &known.map, &settings.calls.higher_order]
    });
    names.flatten().filter_map(|name| program.symbols.get(name)).collect()
}

impl FromIterator<Value> for Set {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Self {
        let mut set = Self::default();
        for value in values {
            set.insert(value);
        }
        set
    }
}
