//! What of a file is still there after it was read again?
//!
//! Everything in a file has a key that says what it is, as far as others see it: a function with its parameters, a type with what it
//! extends, a value as it is written. What has the same key before and after keeps its number. Whatever others can find out
//! about it without reading its value is part of the key, so that a changed signature makes another function of it.

use std::hash::{DefaultHasher, Hash, Hasher};

use languages::facts::{Def, DefId, FileFacts, GENERATOR, ImportKind, Literal, Term, TermId};
use rustc_hash::FxHashMap;

use super::program::{Place, Source, Unit};

/// The numbers for the nodes of `new`: those of `old` where they are the same things, and new ones from `next` on.
pub(super) fn numbers(old: &Unit, new: &Unit, next: u32) -> Box<[u32]> {
    let mut known: FxHashMap<u64, u32> = keys(old).into_iter().zip(old.nodes()).collect();
    let mut next = next;
    let number = |key: u64| {
        known.remove(&key).unwrap_or_else(|| {
            next += 1;
            next - 1
        })
    };
    keys(new).into_iter().map(number).collect()
}

/// The key of every place; no two are the same.
fn keys(unit: &Unit) -> Vec<u64> {
    let facts = &*unit.facts;
    let mut keys = Keys::new(facts);
    // What a value is made of is written before it, so that none nests deeply here.
    (0..).zip(&facts.terms).for_each(|(term, _)| _ = keys.term(TermId(term)));
    let defs = keys.defs();
    let parameters: Vec<u64> = facts
        .defs
        .iter()
        .zip(&defs)
        .flat_map(|(def, key)| (0..def.parameters.len()).map(move |position| hash((key, position))))
        .collect();
    let mut key = |place: u32| match unit.what_at(place) {
        Place::Term(term) => hash((1, keys.term(TermId(term)))),
        Place::Variable(variable) => hash((2, keys.variables[variable as usize])),
        Place::Literal(literal) => hash((3, keys.literal(&facts.literals[literal as usize]))),
        Place::Def(def) => hash((4, defs[def as usize])),
        Place::Receiver(def) => hash((5, defs[def as usize])),
        Place::Lineage(def) => hash((6, defs[def as usize])),
        Place::Parameter(parameter) => hash((7, parameters[parameter as usize])),
        // What values flow out of is looked at again in any case, and nothing names it.
        Place::Source(Source::Call(call)) => hash((8, call)),
        Place::Source(Source::Write(write)) => hash((9, write)),
        Place::Source(Source::Method(def)) => hash((10, defs[def.index()])),
        Place::Source(Source::Implementation(implementation)) => hash((11, implementation)),
        Place::Edges => hash(12),
    };
    let keys: Vec<u64> = (0..unit.layout.end).map(&mut key).collect();
    distinct(keys)
}

struct Keys<'f> {
    facts: &'f FileFacts,
    /// Where each definition stands, whatever it is.
    places: Vec<u64>,
    variables: Vec<u64>,
    terms: Vec<Option<u64>>,
}

impl<'f> Keys<'f> {
    fn new(facts: &'f FileFacts) -> Self {
        let mut met: FxHashMap<u64, u32> = FxHashMap::default();
        let mut places: Vec<u64> = Vec::with_capacity(facts.defs.len());
        for def in &facts.defs {
            let above = places.get(def.parent.index()).copied().unwrap_or_default();
            let key = hash((above, def.kind, facts.text(def.name)));
            let count = met.entry(key).or_default();
            *count += 1;
            places.push(hash((key, *count)));
        }
        let variables = facts.variables.iter();
        let variables =
            variables.map(|variable| hash((places[variable.owner.index()], facts.text(variable.name)))).collect();
        Self { facts, places, variables: distinct(variables), terms: vec![None; facts.terms.len()] }
    }

    /// The key of each definition: where it stands, what others see of it, and that of what is around it.
    fn defs(&mut self) -> Vec<u64> {
        let mut keys: Vec<u64> = Vec::with_capacity(self.places.len());
        for (def, place) in self.facts.defs.iter().zip(self.places.clone()) {
            let above = keys.get(def.parent.index()).copied().unwrap_or_default();
            let seen = self.seen_of(def);
            keys.push(hash((above, place, seen)));
        }
        keys
    }

    fn seen_of(&mut self, def: &Def) -> u64 {
        let facts = self.facts;
        let mut hasher = DefaultHasher::new();
        for parameter in &def.parameters {
            (facts.text(parameter.name), parameter.kind, parameter.default.is_some()).hash(&mut hasher);
        }
        def.modifiers.hash(&mut hasher);
        def.decorators.iter().for_each(|decorator| decorator.text.hash(&mut hasher));
        let mut terms: Vec<TermId> = def.receiver.into_iter().collect();
        terms.extend(def.parameters.iter().filter_map(|parameter| parameter.declared));
        if def.kind.is_type() {
            (def.bases.len(), def.interfaces.len(), def.members.is_empty()).hash(&mut hasher);
            terms.extend(def.bases.iter().chain(&def.interfaces).chain(&def.declared));
        }
        if !def.yields.is_empty() || def.has_modifier(GENERATOR) {
            def.yields.len().hash(&mut hasher);
            terms.extend(def.yields.iter().chain(&def.returns));
        }
        terms.into_iter().for_each(|term| self.term(term).hash(&mut hasher));
        hasher.finish()
    }

    /// The key of a value as it is written.
    fn term(&mut self, term: TermId) -> u64 {
        if let Some(known) = self.terms[term.index()] {
            return known;
        }
        let facts = self.facts;
        let place = |def: DefId| def.index();
        let key = match facts.term(term) {
            Term::Unknown => hash(1),
            Term::BuiltIn => hash(2),
            Term::Def(def) => hash((3, self.places[place(def)])),
            Term::Variable(variable) => hash((4, self.variables[variable.index()])),
            Term::Free(name, def) => hash((5, facts.text(name), self.places[place(def)])),
            Term::Import(import) => {
                let import = facts.imports[import.index()];
                hash((6, facts.text(import.module), import_name(facts, import.kind)))
            }
            Term::Parameter(def, position) => hash((7, self.places[place(def)], position)),
            Term::Receiver(def) => hash((8, self.places[place(def)])),
            Term::Super(def) => hash((9, self.places[place(def)])),
            Term::Member(of, name) => hash((10, self.term(of), facts.text(name))),
            Term::Result(of) => hash((11, self.term(of))),
            Term::New(of) => hash((12, self.term(of))),
            Term::Instance(of) => hash((13, self.term(of))),
            Term::Element(of) => hash((14, self.term(of))),
            Term::Item(of, key) => hash((15, self.term(of), facts.text(key))),
            Term::Literal(literal) => hash((16, self.literal(&facts.literals[literal.index()]))),
            Term::Union(list) => hash((17, self.list(list))),
            Term::Generic(of, list) => hash((18, self.term(of), self.list(list))),
            Term::Decorated(def, applied) => hash((19, self.places[place(def)], applied)),
            Term::Awaited(of) => hash((20, self.term(of))),
            Term::Taken(of, position) => hash((21, self.term(of), position)),
        };
        self.terms[term.index()] = Some(key);
        key
    }

    fn list(&mut self, list: u32) -> Vec<u64> {
        self.facts.lists[list as usize].iter().map(|term| self.term(*term)).collect()
    }

    fn literal(&mut self, literal: &Literal) -> u64 {
        let items = literal.items.iter();
        let items: Vec<_> =
            items.map(|item| (item.key.map(|key| self.facts.text(key)), self.term(item.value))).collect();
        let spreads: Vec<u64> = literal.spreads.iter().map(|term| self.term(*term)).collect();
        hash((items, spreads))
    }
}

fn import_name(facts: &FileFacts, kind: ImportKind) -> Option<&str> {
    match kind {
        ImportKind::Symbol(name) => Some(facts.text(name)),
        ImportKind::Module => Some("\0module"),
        ImportKind::Default => Some("\0default"),
        ImportKind::Wildcard => None,
    }
}

/// Keys that are the same are told apart by their order.
fn distinct(keys: Vec<u64>) -> Vec<u64> {
    let mut met: FxHashMap<u64, u32> = FxHashMap::default();
    let mut distinct = |key: u64| {
        let count = met.entry(key).or_default();
        *count += 1;
        hash((key, *count))
    };
    keys.into_iter().map(&mut distinct).collect()
}

fn hash(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}
