//! All files of a project under common numbers.
//!
//! Everything that can have a value, and everything that values flow out of, is a node with a number of its own. The nodes of a
//! file follow each other in a fixed layout. A file that is read again keeps the numbers of what is still there
//! (`identity.rs`), so that values that name it stay what they were.

use std::sync::Arc;

use languages::Languages;
use languages::facts::{Argument, Call, Def, DefId, FileFacts, ImportKind, LiteralId, Name, Term, TermId, VariableId};
use languages::settings::Settings;
use rustc_hash::FxHashMap;

use super::SourceFile;
use super::ranks;

/// A text that several files share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Symbol(pub(super) u32);

#[derive(Debug, Default)]
pub(super) struct Symbols {
    ids: FxHashMap<Arc<str>, Symbol>,
    texts: Vec<Arc<str>>,
}

impl Symbols {
    pub(super) fn intern(&mut self, text: &str) -> Symbol {
        if let Some(known) = self.ids.get(text) {
            return *known;
        }
        let symbol = Symbol(number(self.texts.len()));
        let text: Arc<str> = text.into();
        self.texts.push(Arc::clone(&text));
        self.ids.insert(text, symbol);
        symbol
    }

    pub(super) fn get(&self, text: &str) -> Option<Symbol> {
        self.ids.get(text).copied()
    }

    pub(super) fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.0 as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }
}

/// What a node is, with its number in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Term(u32),
    Variable(u32),
    /// A collection that is written out; it has no value of its own.
    Literal(u32),
    /// A definition, and what calling it gives.
    Def(u32),
    /// What a method is called on.
    Receiver(u32),
    /// What a type inherits.
    Lineage(u32),
    /// What is handed to a parameter, over all definitions of the file.
    Parameter(u32),
    Source(Source),
    /// The edges of the graph that start in the file.
    Edges,
}

/// What values flow out of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Call(u32),
    Write(u32),
    /// A method that stands outside of its type.
    Method(DefId),
    Implementation(u32),
}

/// Where the nodes of each kind begin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    variables: u32,
    literals: u32,
    defs: u32,
    receivers: u32,
    lineages: u32,
    parameters: u32,
    calls: u32,
    writes: u32,
    methods: u32,
    implementations: u32,
    edges: u32,
    pub(super) end: u32,
}

impl Layout {
    fn new(facts: &FileFacts, parameters: u32, methods: usize) -> Self {
        let defs = number(facts.defs.len());
        let variables = number(facts.terms.len());
        let literals = variables + number(facts.variables.len());
        let results = literals + number(facts.literals.len());
        let receivers = results + defs;
        let lineages = receivers + defs;
        let first_parameter = lineages + defs;
        let calls = first_parameter + parameters;
        let writes = calls + number(facts.calls.len());
        let first_method = writes + number(facts.writes.len());
        let implementations = first_method + number(methods);
        let edges = implementations + number(facts.implementations.len());
        Self {
            variables,
            literals,
            defs: results,
            receivers,
            lineages,
            parameters: first_parameter,
            calls,
            writes,
            methods: first_method,
            implementations,
            edges,
            end: edges + 1,
        }
    }
}

impl Layout {
    /// Whether values flow into this place: it is not computed from what it reads.
    pub(super) fn is_given(&self, place: u32) -> bool {
        (self.receivers..self.lineages).contains(&place) || (self.parameters..self.calls).contains(&place)
    }
}

/// The numbers of nodes that do not follow each other.
#[derive(Debug)]
pub(super) struct Scattered {
    /// By place.
    pub(super) nodes: Box<[u32]>,
    places: FxHashMap<u32, u32>,
}

impl Scattered {
    pub(super) fn new(nodes: Box<[u32]>) -> Self {
        let places = (0..).zip(&nodes).map(|(place, node)| (*node, place)).collect();
        Self { nodes, places }
    }
}

/// One file.
#[derive(Debug)]
pub(super) struct Unit {
    pub(super) path: Arc<str>,
    pub(super) settings: &'static Settings,
    pub(super) facts: Arc<FileFacts>,
    /// Its place in the list that was given.
    pub(super) position: usize,
    pub(super) layout: Layout,
    /// The number of its first node, where they follow each other.
    pub(super) first: u32,
    pub(super) scattered: Option<Scattered>,
    /// The order in which its nodes are looked at, by place.
    pub(super) ranks: Box<[u32]>,
    symbols: Vec<Symbol>,
    /// The first parameter of each definition, among all of the file.
    first_parameters: Box<[u32]>,
    methods: Box<[DefId]>,
    /// Of methods that are called with one name and nothing else: the callee, and that name.
    pub(super) only_names: FxHashMap<TermId, TermId>,
}

#[derive(Debug, Default)]
pub(super) struct Program {
    /// A file that has gone leaves a vacant one, so that the numbers of the others stay what they are.
    pub(super) units: Vec<Unit>,
    /// The units that are there, in the order of their files.
    order: Vec<u32>,
    pub(super) symbols: Symbols,
    /// The unit of each node.
    node_units: Vec<u32>,
}

/// The unit of nodes that no file has: members that are written to, and what is there no more.
const NOWHERE: u32 = u32::MAX;

impl Program {
    pub(super) fn new(files: &[SourceFile<'_>]) -> Self {
        let mut program = Self::default();
        for (position, file) in files.iter().enumerate() {
            if let Some((settings, facts)) = code_of(file) {
                let unit = program.unit_of_file(position, file.path, settings, facts);
                program.add(unit);
            }
        }
        program
    }

    /// A unit whose nodes follow each other, behind all that there are.
    pub(super) fn unit_of_file(
        &mut self,
        position: usize,
        path: &str,
        settings: &'static Settings,
        facts: &Arc<FileFacts>,
    ) -> Unit {
        let symbols = facts.names.iter().map(|name| self.symbols.intern(name)).collect();
        let separator = settings.imports.separator.as_str();
        if !separator.is_empty() {
            for import in &facts.imports {
                facts.text(import.module).split(separator).for_each(|part| _ = self.symbols.intern(part));
            }
        }
        let mut parameters = 0;
        let first_parameters = facts.defs.iter().map(|def| {
            parameters += number(def.parameters.len());
            parameters - number(def.parameters.len())
        });
        let first_parameters = first_parameters.collect();
        let methods: Box<[DefId]> = outside_methods(facts).collect();
        let layout = Layout::new(facts, parameters, methods.len());
        let mut unit = Unit {
            path: path.into(),
            settings,
            facts: Arc::clone(facts),
            position,
            layout,
            first: number(self.node_units.len()),
            scattered: None,
            ranks: Box::default(),
            symbols,
            first_parameters,
            methods,
            only_names: only_names(facts),
        };
        unit.ranks = ranks::within(&unit);
        unit
    }

    fn add(&mut self, unit: Unit) {
        let index = number(self.units.len());
        self.node_units.resize(self.node_units.len() + unit.layout.end as usize, index);
        self.units.push(unit);
        self.order.push(index);
    }

    /// Adds a unit whose nodes have these numbers, at the place of its file among the others.
    pub(super) fn insert(&mut self, mut unit: Unit, numbers: Box<[u32]>) -> u32 {
        let index = number(self.units.len());
        numbers.iter().for_each(|node| self.place_node(*node, index));
        unit.scattered = Some(Scattered::new(numbers));
        let at = self.order.partition_point(|known| self.units[*known as usize].position < unit.position);
        self.units.push(unit);
        self.order.insert(at, index);
        index
    }

    /// Takes a unit away, and its nodes with it.
    pub(super) fn vacate(&mut self, index: u32) -> Unit {
        let vacant = self.units[index as usize].vacant();
        let unit = std::mem::replace(&mut self.units[index as usize], vacant);
        unit.nodes().for_each(|node| self.remove_node(node));
        self.order.retain(|known| *known != index);
        unit
    }

    /// The units that are there, with their numbers, in the order of their files.
    pub(super) fn in_order(&self) -> impl Iterator<Item = (u32, &Unit)> {
        self.order.iter().map(|index| (*index, &self.units[*index as usize]))
    }

    /// Gives a node to a unit.
    pub(super) fn place_node(&mut self, node: u32, unit: u32) {
        self.node_units.resize(self.node_units.len().max(node as usize + 1), NOWHERE);
        self.node_units[node as usize] = unit;
    }

    /// The node stands for nothing any more.
    pub(super) fn remove_node(&mut self, node: u32) {
        self.node_units[node as usize] = NOWHERE;
    }

    pub(super) fn nodes(&self) -> usize {
        self.node_units.len()
    }

    pub(super) fn unit(&self, unit: u32) -> &Unit {
        &self.units[unit as usize]
    }

    pub(super) fn unit_of(&self, node: u32) -> u32 {
        self.node_units.get(node as usize).copied().unwrap_or(NOWHERE)
    }

    /// The unit of a node that a file has.
    pub(super) fn home(&self, node: u32) -> Option<(u32, &Unit)> {
        let unit = *self.node_units.get(node as usize)?;
        self.units.get(unit as usize).map(|found| (unit, found))
    }

    pub(super) fn term(&self, node: u32) -> (u32, Term) {
        let unit = self.unit_of(node);
        let found = self.unit(unit);
        (unit, found.facts.terms[found.place(node) as usize])
    }

    pub(super) fn def(&self, def: u32) -> &Def {
        let unit = self.unit(self.unit_of(def));
        &unit.facts.defs[unit.local_def(def) as usize]
    }

    pub(super) fn settings_of_def(&self, def: u32) -> &'static Settings {
        self.unit(self.unit_of(def)).settings
    }

    pub(super) fn def_symbol(&self, def: u32) -> Symbol {
        let unit = self.unit(self.unit_of(def));
        unit.symbol(self.def(def).name)
    }

    pub(super) fn parent(&self, def: u32) -> u32 {
        let unit = self.unit(self.unit_of(def));
        unit.def(self.def(def).parent)
    }

    /// Sorts definitions the same way whatever their numbers are.
    pub(super) fn order_of_def(&self, def: u32) -> (usize, u32) {
        let unit = self.unit(self.unit_of(def));
        (unit.position, unit.local_def(def))
    }
}

impl Unit {
    /// One without anything in it.
    fn vacant(&self) -> Self {
        let facts = Arc::new(FileFacts::default());
        let layout = Layout { end: 0, ..Layout::new(&facts, 0, 0) };
        Self {
            path: "".into(),
            settings: self.settings,
            facts,
            position: usize::MAX,
            layout,
            first: 0,
            scattered: Some(Scattered::new(Box::default())),
            ranks: Box::default(),
            symbols: Vec::new(),
            first_parameters: Box::default(),
            methods: Box::default(),
            only_names: FxHashMap::default(),
        }
    }

    pub(super) fn is_vacant(&self) -> bool {
        self.layout.end == 0
    }

    pub(super) fn symbol(&self, name: Name) -> Symbol {
        self.symbols[name.0 as usize]
    }

    pub(super) fn node(&self, place: u32) -> u32 {
        match &self.scattered {
            None => self.first + place,
            Some(scattered) => scattered.nodes[place as usize],
        }
    }

    pub(super) fn nodes(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.layout.end).map(|place| self.node(place))
    }

    pub(super) fn place(&self, node: u32) -> u32 {
        match &self.scattered {
            None => node - self.first,
            Some(scattered) => scattered.places[&node],
        }
    }

    pub(super) fn what(&self, node: u32) -> Place {
        self.what_at(self.place(node))
    }

    pub(super) fn what_at(&self, place: u32) -> Place {
        let Layout { variables, literals, defs, receivers, lineages, parameters, calls, writes, methods, .. } =
            self.layout;
        let Layout { implementations, edges, .. } = self.layout;
        match place {
            _ if place < variables => Place::Term(place),
            _ if place < literals => Place::Variable(place - variables),
            _ if place < defs => Place::Literal(place - literals),
            _ if place < receivers => Place::Def(place - defs),
            _ if place < lineages => Place::Receiver(place - receivers),
            _ if place < parameters => Place::Lineage(place - lineages),
            _ if place < calls => Place::Parameter(place - parameters),
            _ if place < writes => Place::Source(Source::Call(place - calls)),
            _ if place < methods => Place::Source(Source::Write(place - writes)),
            _ if place < implementations => Place::Source(Source::Method(self.methods[(place - methods) as usize])),
            _ if place < edges => Place::Source(Source::Implementation(place - implementations)),
            _ => Place::Edges,
        }
    }

    pub(super) fn term(&self, term: TermId) -> u32 {
        self.node(term.0)
    }

    pub(super) fn variable(&self, variable: VariableId) -> u32 {
        self.node(self.variable_place(variable))
    }

    pub(super) fn variable_place(&self, variable: VariableId) -> u32 {
        self.layout.variables + variable.0
    }

    pub(super) fn literal(&self, literal: LiteralId) -> u32 {
        self.node(self.layout.literals + literal.0)
    }

    pub(super) fn local_literal(&self, literal: u32) -> u32 {
        self.place(literal) - self.layout.literals
    }

    pub(super) fn def(&self, def: DefId) -> u32 {
        self.node(self.def_place(def))
    }

    pub(super) fn def_place(&self, def: DefId) -> u32 {
        self.layout.defs + def.0
    }

    pub(super) fn local_def(&self, def: u32) -> u32 {
        self.place(def) - self.layout.defs
    }

    /// All definitions.
    pub(super) fn defs(&self) -> impl Iterator<Item = u32> + '_ {
        (0..number(self.facts.defs.len())).map(|local| self.def(DefId(local)))
    }

    /// Methods that stand outside of their type.
    pub(super) fn outside_methods(&self) -> impl Iterator<Item = DefId> + '_ {
        self.methods.iter().copied()
    }

    pub(super) fn receiver_of(&self, def: u32) -> u32 {
        self.node(self.layout.receivers + self.local_def(def))
    }

    pub(super) fn lineage_of(&self, def: u32) -> u32 {
        self.node(self.lineage_place(DefId(self.local_def(def))))
    }

    pub(super) fn lineage_place(&self, def: DefId) -> u32 {
        self.layout.lineages + def.0
    }

    pub(super) fn parameter_of(&self, def: u32, position: u32) -> u32 {
        self.node(self.layout.parameters + self.first_parameters[self.local_def(def) as usize] + position)
    }

    pub(super) fn edges(&self) -> u32 {
        self.node(self.layout.edges)
    }

    /// Those that values flow out of, which come before the last place.
    pub(super) fn source_places(&self) -> std::ops::Range<u32> {
        self.layout.calls..self.layout.edges
    }

    pub(super) fn folder(&self) -> &str {
        folder_of(&self.path)
    }

    /// Where names come from that are not written out.
    pub(super) fn wildcards(&self) -> impl Iterator<Item = usize> + '_ {
        let imports = self.facts.imports.iter().enumerate();
        imports.filter(|(_, import)| import.kind == ImportKind::Wildcard).map(|(index, _)| index)
    }
}

/// What is known of a file that is code in a language of ours.
pub(super) fn code_of<'f>(file: &SourceFile<'f>) -> Option<(&'static Settings, &'f Arc<FileFacts>)> {
    let language = file.language.and_then(|id| Languages::builtin().get(id))?;
    Some((language.settings(), file.facts?))
}

/// Methods that stand outside of their type.
fn outside_methods(facts: &FileFacts) -> impl Iterator<Item = DefId> + '_ {
    (0..).zip(&facts.defs).filter_map(|(local, def)| {
        let is_instance = |receiver: TermId| matches!(facts.term(receiver), Term::Instance(_));
        def.receiver.is_some_and(is_instance).then_some(DefId(local))
    })
}

/// The callee of each call of a method that is given one name and nothing else, and that name. Calls of a file that are written
/// alike share their callee and their result, so that all of them must be given the same.
fn only_names(facts: &FileFacts) -> FxHashMap<TermId, TermId> {
    let calls = || facts.calls.iter().filter(|call| matches!(facts.term(call.callee), Term::Member(..)));
    let only_name = |call: &Call| match call.arguments[..] {
        [Argument { value, name: None, is_spread: false }] => {
            let is_name = matches!(
                facts.term(value),
                Term::Variable(_) | Term::Free(..) | Term::Import(_) | Term::Def(_) | Term::Decorated(..)
            );
            is_name.then_some(value)
        }
        _ => None,
    };
    let mut found: FxHashMap<TermId, TermId> =
        calls().filter_map(|call| Some((call.callee, only_name(call)?))).collect();
    for call in calls() {
        if found.get(&call.callee).is_some_and(|name| only_name(call) != Some(*name)) {
            found.remove(&call.callee);
        }
    }
    found
}

pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

pub(super) fn number(length: usize) -> u32 {
    u32::try_from(length).expect("a project has fewer than four billion of anything")
}
