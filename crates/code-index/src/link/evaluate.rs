//! What each node may stand for, computed from what others stand for.
//!
//! Every term, variable, function result, parameter and receiver is a node. What a node comes to is a function of the facts of its
//! file and of what it reads from others; in which order they are looked at, and how often, is in `sweeps.rs`.

use languages::Languages;
use languages::facts::{DefId, DefKind, GENERATOR, ImportKind, Term, TermId, Variable};
use rustc_hash::FxHashSet;

use super::history::History;
use super::members::Members;
use super::modules::ModuleMap;
use super::program::{Place, Program, Symbol, Symbols, Unit, number};
use super::sweeps::Agenda;
use super::value::{Kind, Set, Value};

/// How deep computing one node may nest.
const DEEPEST: u32 = 120;

pub(super) struct Evaluator<'p> {
    pub(super) program: &'p Program,
    pub(super) modules: &'p ModuleMap,
    pub(super) members: &'p Members,
    pub(super) known: &'p Known,
    /// The rank of each unit.
    pub(super) ranks: &'p [u32],
    pub(super) history: &'p mut History,
    pub(super) agenda: Agenda,
    /// The node that is being computed, which reads the others.
    pub(super) reader: u32,
    depth: u32,
}

/// What is written to, or held otherwise than by what is written in the type itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Named(Symbol),
    /// Any element.
    Any,
    /// Objects whose members count as its own.
    Inherited,
    /// Objects whose members say what its own are: `{f: {value: g}}`.
    Described,
    /// Methods that stand outside of their type.
    Method(Symbol),
    /// Types that others say it extends or implements.
    Supertype,
}

impl Key {
    pub(super) fn name(self) -> Option<Symbol> {
        match self {
            Self::Named(name) | Self::Method(name) => Some(name),
            Self::Any | Self::Inherited | Self::Described | Self::Supertype => None,
        }
    }
}

/// Names with a meaning in their language.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) call: Symbol,
    pub(super) iterate: Symbol,
    pub(super) next: Symbol,
    pub(super) get_item: Symbol,
    pub(super) prototype: Symbol,
    pub(super) bind: Symbol,
    pub(super) call_method: Symbol,
    pub(super) apply: Symbol,
    pub(super) invoke: Symbol,
    pub(super) invoke_delegate: Symbol,
    pub(super) call_operator: Symbol,
    pub(super) crate_root: Symbol,
    pub(super) own_module: Symbol,
    pub(super) module_above: Symbol,
    pub(super) value: Symbol,
    pub(super) get: Symbol,
    /// Stands for what a module hands out without a name.
    pub(super) default: Symbol,
    /// Methods of built-in collections, where what is written under a computed key may be any other member.
    pub(super) collection_methods: FxHashSet<Symbol>,
}

impl Known {
    pub(super) fn new(symbols: &mut Symbols) -> Self {
        let mut collection_methods = FxHashSet::default();
        for settings in Languages::builtin().all().iter().map(|language| language.settings()) {
            settings.constructors.iter().for_each(|name| _ = symbols.intern(name));
            if settings.calls.index_is_member {
                let known = &settings.collections;
                let names = [&known.add, &known.take, &known.same, &known.map, &settings.calls.higher_order];
                collection_methods.extend(names.into_iter().flatten().map(|name| symbols.intern(name)));
            }
        }
        let mut named = |text| symbols.intern(text);
        Self {
            call: named("__call__"),
            iterate: named("__iter__"),
            next: named("__next__"),
            get_item: named("__getitem__"),
            prototype: named("prototype"),
            bind: named("bind"),
            call_method: named("call"),
            apply: named("apply"),
            invoke: named("invoke"),
            invoke_delegate: named("Invoke"),
            call_operator: named("operator()"),
            crate_root: named("crate"),
            own_module: named("self"),
            module_above: named("super"),
            value: named("value"),
            get: named("get"),
            default: named("\0default"),
            collection_methods,
        }
    }
}

impl<'p> Evaluator<'p> {
    pub(super) fn new(
        program: &'p Program,
        modules: &'p ModuleMap,
        members: &'p Members,
        known: &'p Known,
        ranks: &'p [u32],
        history: &'p mut History,
    ) -> Self {
        history.grow(program.nodes(), program.symbols.len());
        Self { program, modules, members, known, ranks, history, agenda: Agenda::default(), reader: 0, depth: 0 }
    }

    /// What was found so far, without being read.
    pub(super) fn found(&self, node: u32) -> Set {
        self.history.pool.get(self.history.current(node))
    }

    pub(super) fn unit_of_def(&self, def: u32) -> &'p Unit {
        self.program.unit(self.program.unit_of(def))
    }

    pub(super) fn parameter_node(&self, def: u32, position: u32) -> u32 {
        self.unit_of_def(def).parameter_of(def, position)
    }

    pub(super) fn receiver_node(&self, def: u32) -> u32 {
        self.unit_of_def(def).receiver_of(def)
    }

    pub(super) fn written_node(&mut self, owner: Value, name: Key) -> u32 {
        if let Some(node) = self.history.written.get(&(owner, name)) {
            return *node;
        }
        let node = number(self.history.nodes());
        self.history.grow(node as usize + 1, 0);
        self.history.written.insert((owner, name), node);
        node
    }

    pub(super) fn read_term(&mut self, unit: u32, term: TermId) -> Set {
        let node = self.program.unit(unit).term(term);
        self.read(node)
    }

    /// Notes that something so named was looked for.
    pub(super) fn look_for(&mut self, name: Symbol) {
        self.history.note_name_reader(name, self.reader);
    }

    /// Whether one more step inwards is allowed; `leave` ends it.
    pub(super) fn enter(&mut self) -> bool {
        self.depth += 1;
        if self.depth > DEEPEST {
            self.depth -= 1;
            return false;
        }
        true
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    pub(super) fn compute(&mut self, unit: u32, what: Place) -> Set {
        let facts = &self.program.unit(unit).facts;
        match what {
            Place::Term(term) => self.term(unit, facts.terms[term as usize]),
            Place::Variable(variable) => self.variable(unit, &facts.variables[variable as usize]),
            Place::Def(def) => self.result_of_def(unit, DefId(def)),
            _ => Set::default(),
        }
    }

    fn variable(&mut self, unit: u32, variable: &Variable) -> Set {
        let mut set = Set::default();
        if let Some(declared) = variable.declared {
            let types = self.read_term(unit, declared);
            self.instances(&types, &mut set);
        }
        // A declared type says more than what flows in, but not which function is meant; one from outside says nothing.
        let is_vague = self.says_little(&set);
        for value in &variable.values {
            let values = self.read_term(unit, *value);
            set.extend(&if is_vague { values } else { values.callables() });
        }
        set
    }

    fn result_of_def(&mut self, unit: u32, def: DefId) -> Set {
        let base = self.program.unit(unit);
        let found = base.facts.def(def);
        if !found.yields.is_empty() || found.has_modifier(GENERATOR) {
            return Set::one(Value::new(Kind::Generator, base.def(def)));
        }
        let mut set = Set::default();
        if let Some(declared) = found.declared {
            let types = self.read_term(unit, declared);
            self.instances(&types, &mut set);
        }
        if set.is_vague() || found.kind == DefKind::Lambda {
            for value in &found.returns {
                set.extend(&self.read_term(unit, *value));
            }
        }
        set
    }

    fn term(&mut self, unit: u32, term: Term) -> Set {
        let base = self.program.unit(unit);
        match term {
            Term::Unknown => Set::default(),
            Term::BuiltIn => Set::one(Value::EXTERNAL),
            Term::Def(def) => Set::one(self.definition(base.def(def))),
            Term::Variable(variable) => self.read(base.variable(variable)),
            Term::Free(name, def) => self.free(unit, base.symbol(name), base.def(def)),
            Term::Import(import) => self.import(unit, import.0),
            Term::Parameter(def, position) => self.parameter(unit, base.def(def), position),
            Term::Receiver(def) => self.receiver(base.def(def)),
            Term::Super(def) => self.above(unit, base.def(def)),
            Term::Member(object, name) => {
                let objects = self.read_term(unit, object);
                let mut set = Set::default();
                for object in objects.iter() {
                    self.member(object, base.symbol(name), &mut set);
                }
                set
            }
            Term::Result(callee) => self.result(unit, callee),
            Term::New(callee) => self.made(unit, callee),
            Term::Instance(of) => {
                let types = self.read_term(unit, of);
                let mut set = Set::default();
                self.instances(&types, &mut set);
                set
            }
            Term::Element(of) => self.elements(unit, of, None),
            Term::Item(of, key) => self.elements(unit, of, Some(base.symbol(key))),
            Term::Literal(literal) => Set::one(Value::new(Kind::Object, base.literal(literal))),
            Term::Union(list) => {
                let mut set = Set::default();
                for term in &base.facts.lists[list as usize] {
                    set.extend(&self.read_term(unit, *term));
                }
                set
            }
            Term::Generic(of, list) => self.generic(unit, of, list),
            Term::Decorated(def, applied) => self.decorated(unit, base.def(def), applied),
            Term::Awaited(of) => self.awaited(unit, of),
            Term::Taken(callee, position) => self.taken(unit, callee, position),
        }
    }

    /// What the name of a definition stands for.
    pub(super) fn definition(&self, def: u32) -> Value {
        match self.program.def(def).kind {
            DefKind::Function | DefKind::Method | DefKind::Lambda => Value::new(Kind::Function, def),
            DefKind::Module => Value::new(Kind::Module, self.program.unit_of(def)),
            DefKind::Namespace => match self.modules.package_of_namespace(def) {
                Some(package) => Value::new(Kind::Package, package),
                None => Value::EXTERNAL,
            },
            DefKind::Class | DefKind::Interface | DefKind::Enum | DefKind::Type => Value::new(Kind::Type, def),
        }
    }

    /// Instances of these types.
    pub(super) fn instances(&mut self, types: &Set, out: &mut Set) {
        for value in types.iter() {
            match value.kind() {
                Kind::Type => self.instance(value.id(), out),
                Kind::Package | Kind::Module => {}
                _ => out.insert(value),
            }
        }
    }

    /// An instance of a type; an alias stands for instances of what it names.
    fn instance(&mut self, def: u32, out: &mut Set) {
        let found = self.program.def(def);
        match found.declared {
            Some(declared) if found.kind == DefKind::Type => {
                let unit = self.program.unit_of(def);
                let types = self.read_term(unit, declared);
                let types: Set = types.iter().filter(|value| *value != Value::new(Kind::Type, def)).collect();
                if self.enter() {
                    self.instances(&types, out);
                    self.leave();
                }
                if found.members.is_empty() && !types.is_foreign() {
                    return;
                }
                out.insert(Value::new(Kind::Instance, def));
            }
            _ => out.insert(Value::new(Kind::Instance, def)),
        }
    }

    fn import(&mut self, unit: u32, import: u32) -> Set {
        let base = self.program.unit(unit);
        let kind = base.facts.imports[import as usize].kind;
        let mut set = Set::default();
        let modules = self.modules.import(unit, import);
        for module in modules {
            match kind {
                ImportKind::Module => self.whole_module(*module, &mut set),
                ImportKind::Symbol(name) => self.member(*module, base.symbol(name), &mut set),
                ImportKind::Default => self.default_export(*module, &mut set),
                ImportKind::Wildcard => set.insert(*module),
            }
        }
        if modules.is_empty() {
            self.outside(unit, import, &mut set);
        }
        set
    }

    /// An import whose module is none: the path may lead through a type, or outside.
    fn outside(&mut self, unit: u32, import: u32, set: &mut Set) {
        let base = self.program.unit(unit);
        let import = base.facts.imports[import as usize];
        let separator = base.settings.imports.separator.as_str();
        if let (ImportKind::Symbol(name), false) = (import.kind, separator.is_empty()) {
            let types = self.type_at(unit, base.facts.text(import.module), separator);
            for found in types.iter() {
                self.member(found, base.symbol(name), set);
            }
        }
        if set.is_empty() {
            set.insert(Value::EXTERNAL);
        }
    }

    /// The type that a path names: `com.example.Outer`.
    pub(super) fn type_at(&mut self, unit: u32, path: &str, separator: &str) -> Set {
        let parts = path.rsplit_once(separator).filter(|_| !separator.is_empty());
        let Some((module, name)) = parts else { return Set::default() };
        let Some(name) = self.program.symbols.get(name) else { return Set::default() };
        let mut set = Set::default();
        match self.modules.named(self.program.unit(unit), module) {
            Some(package) => self.member(package, name, &mut set),
            None => {
                for found in self.type_at(unit, module, separator).iter() {
                    self.member(found, name, &mut set);
                }
            }
        }
        set
    }

    /// A module as a value: with CommonJS, what it exports as a whole.
    fn whole_module(&mut self, module: Value, set: &mut Set) {
        set.insert(module);
        let Some(unit) = module.as_kind(Kind::Module) else { return };
        if self.program.unit(unit).settings.imports.commonjs {
            self.look_for(self.known.default);
            for term in self.modules.defaults(unit) {
                set.extend(&self.read(*term));
            }
        }
    }

    fn default_export(&mut self, module: Value, set: &mut Set) {
        let Some(unit) = module.as_kind(Kind::Module) else { return };
        self.look_for(self.known.default);
        for term in self.modules.defaults(unit) {
            set.extend(&self.read(*term));
        }
        if set.is_empty() {
            set.insert(module);
        }
    }
}
