//! In which order nodes are looked at.
//!
//! A node sees what those before it have come to in the same sweep, and what those behind it came to in the sweep before. So any
//! order gives one result, and an order in which little is read from behind gives it soon. It follows from what is written
//! down alone: from the facts of a file within it, and from imports between files.

use languages::facts::{DefId, FileFacts, Term, TermId};

use rustc_hash::{FxHashMap, FxHashSet};

use super::modules::ModuleMap;
use super::program::{Place, Program, Unit, number};
use super::value::Kind;

/// The rank of every place of a file but of those that values flow into, which have none.
pub(super) fn within(unit: &Unit) -> Box<[u32]> {
    let places = unit.layout.end as usize;
    let mut walk = Walk { unit, ranks: vec![UNKNOWN; places], next: 0, waiting: Vec::new(), below: Vec::new() };
    let facts = &*unit.facts;
    for (local, def) in (0..).zip(&facts.defs) {
        if def.kind.is_type() {
            walk.root(unit.lineage_place(DefId(local)));
        }
    }
    facts.defs.iter().flat_map(|def| &def.members).for_each(|member| walk.root(member.value.0));
    facts.exports.iter().for_each(|export| walk.root(export.value.0));
    for (local, variable) in (0..).zip(&facts.variables) {
        if variable.is_global {
            walk.root(unit.variable_place(languages::facts::VariableId(local)));
        }
    }
    (0..number(facts.defs.len())).for_each(|local| walk.root(unit.def_place(DefId(local))));
    (0..number(facts.terms.len())).for_each(|term| walk.root(term));
    // Sources, which nothing reads, come last.
    (0..unit.layout.end).filter(|place| !unit.layout.is_given(*place)).for_each(|place| walk.root(place));
    walk.ranks.into_boxed_slice()
}

/// Also the rank of what has none.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// Has been met, and what it needs is looked at first.
const MET: u32 = u32::MAX - 1;

struct Walk<'u> {
    unit: &'u Unit,
    ranks: Vec<u32>,
    next: u32,
    waiting: Vec<u32>,
    below: Vec<u32>,
}

impl Walk<'_> {
    /// Ranks a place behind what it is likely to read, as far as that does not go in circles.
    fn root(&mut self, place: u32) {
        self.waiting.push(place);
        while let Some(place) = self.waiting.last().copied() {
            match self.ranks[place as usize] {
                UNKNOWN => {
                    self.ranks[place as usize] = MET;
                    self.needs(place);
                    let ranks = &self.ranks;
                    self.waiting.extend(self.below.drain(..).rev().filter(|place| ranks[*place as usize] == UNKNOWN));
                }
                MET => {
                    self.ranks[place as usize] = self.next;
                    self.next += 1;
                    self.waiting.pop();
                }
                _ => drop(self.waiting.pop()),
            }
        }
    }

    /// Puts what a place is likely to read into `below`.
    fn needs(&mut self, place: u32) {
        let (unit, facts) = (self.unit, &*self.unit.facts);
        let below = &mut self.below;
        let mut terms = |terms: &[TermId]| below.extend(terms.iter().map(|term| term.0));
        match unit.what_at(place) {
            Place::Term(term) => self.needs_of_term(facts.terms[term as usize]),
            Place::Variable(variable) => {
                let variable = &facts.variables[variable as usize];
                terms(variable.declared.as_slice());
                terms(&variable.values);
            }
            Place::Def(def) => {
                let def = &facts.defs[def as usize];
                terms(def.declared.as_slice());
                terms(&def.returns);
            }
            Place::Lineage(def) => {
                let def = &facts.defs[def as usize];
                terms(&def.bases);
                terms(&def.interfaces);
            }
            Place::Literal(_) | Place::Receiver(_) | Place::Parameter(_) | Place::Source(_) | Place::Edges => {}
        }
    }

    fn needs_of_term(&mut self, term: Term) {
        let (unit, facts) = (self.unit, &*self.unit.facts);
        match term {
            Term::Unknown | Term::BuiltIn | Term::Def(_) | Term::Free(..) | Term::Import(_) | Term::Super(_) => {}
            Term::Variable(variable) => self.below.push(unit.variable_place(variable)),
            Term::Parameter(def, position) => {
                let parameter = facts.def(def).parameters[position as usize];
                let terms = [parameter.declared, parameter.default, facts.def(def).expected];
                self.below.extend(terms.into_iter().flatten().map(|term| term.0));
            }
            Term::Receiver(def) => self.below.extend(facts.def(def).receiver.map(|term| term.0)),
            Term::Result(callee) => {
                self.below.push(callee.0);
                self.below.extend(called(facts, callee).map(|def| unit.def_place(def)));
            }
            Term::Member(of, _)
            | Term::New(of)
            | Term::Instance(of)
            | Term::Element(of)
            | Term::Item(of, _)
            | Term::Awaited(of)
            | Term::Taken(of, _) => self.below.push(of.0),
            Term::Literal(literal) => {
                let literal = &facts.literals[literal.index()];
                self.below.extend(literal.items.iter().map(|item| item.value.0));
                self.below.extend(literal.spreads.iter().map(|term| term.0));
            }
            Term::Union(list) => self.below.extend(facts.lists[list as usize].iter().map(|term| term.0)),
            Term::Generic(of, list) => {
                self.below.push(of.0);
                self.below.extend(facts.lists[list as usize].iter().map(|term| term.0));
            }
            Term::Decorated(def, _) => {
                self.below.extend(facts.def(def).decorators.iter().map(|decorator| decorator.term.0));
            }
        }
    }
}

/// The definition of the file that a callee seems to name.
fn called(facts: &FileFacts, callee: TermId) -> Option<DefId> {
    let defined = |term: TermId| match facts.term(term) {
        Term::Def(def) | Term::Decorated(def, _) => Some(def),
        _ => None,
    };
    match facts.term(callee) {
        Term::Variable(variable) => facts.variables[variable.index()].values.iter().copied().find_map(defined),
        _ => defined(callee),
    }
}

/// The rank of each file: behind those that it imports, as far as they do not import each other.
pub(super) fn between(program: &Program, modules: &ModuleMap) -> Vec<u32> {
    let units = program.units.len();
    let mut ranks = vec![UNKNOWN; units];
    let mut next = 0;
    let mut waiting: Vec<u32> = Vec::new();
    let mut imported = Imported { modules, units: modules.units_by_package(program), met: FxHashSet::default() };
    for (root, _) in program.in_order() {
        waiting.push(root);
        while let Some(unit) = waiting.last().copied() {
            match ranks[unit as usize] {
                UNKNOWN => {
                    ranks[unit as usize] = MET;
                    let below = imported.by(unit);
                    waiting.extend(below.into_iter().rev().filter(|unit| ranks[*unit as usize] == UNKNOWN));
                }
                MET => {
                    ranks[unit as usize] = next;
                    next += 1;
                    waiting.pop();
                }
                _ => drop(waiting.pop()),
            }
        }
    }
    ranks
}

/// Which files a file imports.
struct Imported<'m> {
    modules: &'m ModuleMap,
    units: FxHashMap<u32, Vec<u32>>,
    /// Packages whose files were given already.
    met: FxHashSet<u32>,
}

impl Imported<'_> {
    fn by(&mut self, unit: u32) -> Vec<u32> {
        let mut below = Vec::new();
        for module in self.modules.imports_of(unit).iter().flatten() {
            if module.kind() == Kind::Module {
                below.push(module.id());
            } else if self.met.insert(module.id()) {
                below.extend(self.units.get(&module.id()).into_iter().flatten());
            }
        }
        below
    }
}

/// Files that stand elsewhere among the others than before: all but the most that have kept their order. Those that have come or gone
/// are left out.
pub(super) fn moved(before: &[u32], after: &[u32]) -> Vec<u32> {
    let was_there = |unit: &u32| before[*unit as usize] != UNKNOWN && after[*unit as usize] != UNKNOWN;
    let mut units: Vec<u32> = (0..number(before.len())).filter(was_there).collect();
    units.sort_unstable_by_key(|unit| before[*unit as usize]);
    let mut has_moved = vec![false; before.len()];
    units.iter().for_each(|unit| has_moved[*unit as usize] = true);
    // The ends of the best rising sequences of each length, and for each unit the one before it in its sequence.
    let mut ends: Vec<u32> = Vec::new();
    let mut earlier: Vec<Option<u32>> = vec![None; before.len()];
    for unit in units {
        let length = ends.partition_point(|end| after[*end as usize] < after[unit as usize]);
        earlier[unit as usize] = length.checked_sub(1).map(|last| ends[last]);
        match ends.get_mut(length) {
            Some(end) => *end = unit,
            None => ends.push(unit),
        }
    }
    let mut next = ends.last().copied();
    while let Some(unit) = next {
        has_moved[unit as usize] = false;
        next = earlier[unit as usize];
    }
    (0..).zip(has_moved).filter(|(_, has_moved)| *has_moved).map(|(unit, _)| unit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_kept_their_order_have_not_moved() {
        assert!(moved(&[0, 1, 2, 3], &[0, 1, 2, 3]).is_empty());
        assert_eq!(moved(&[0, 1, 2, 3], &[3, 0, 1, 2]), [0]);
        assert_eq!(moved(&[3, 2, 1, 0], &[3, 0, 2, 1]), [1]);
        assert!(moved(&[0, 1, 2], &[1, UNKNOWN, 2, 0]).is_empty());
    }
}
