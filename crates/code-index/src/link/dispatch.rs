//! Which methods stand behind a method of an interface or base type.

use languages::facts::{DefKind, OVERLOAD};
use languages::settings::Modules;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::evaluate::Evaluator;
use super::program::{Program, Symbol};

/// More implementations than this are not listed at a call.
const MOST: usize = 30;

#[derive(Debug, Default)]
pub(super) struct Dispatch {
    /// Method to the methods that override it, at any distance.
    implementations: FxHashMap<u32, SmallVec<[u32; 2]>>,
    /// Method to the nearest one that it overrides in each base, by the unit of the method.
    overrides: FxHashMap<u32, Vec<(u32, u32)>>,
    /// Type to supertype, where the language needs no word for it, by the unit of the type.
    structural: FxHashMap<u32, Vec<(u32, u32)>>,
}

impl Dispatch {
    pub(super) fn new(evaluator: &mut Evaluator<'_>) -> Self {
        let mut dispatch = Self::default();
        let methods = methods_by_type(evaluator);
        dispatch.satisfied_interfaces(evaluator, &methods);
        for of in all_types(evaluator.program) {
            let lineage = evaluator.lineage_found(of);
            let ancestors = &lineage[1..];
            let own = methods.get(&of).map_or(&[][..], Vec::as_slice);
            for (name, method) in own {
                dispatch.override_nearest(evaluator.program, &methods, ancestors, (*name, *method));
            }
            dispatch.implement(evaluator, &methods, own, ancestors);
        }
        let pairs: Vec<(u32, u32)> = dispatch.structural.values().flatten().copied().collect();
        for (of, interface) in pairs {
            dispatch.satisfy(evaluator, &methods, of, interface);
        }
        dispatch.overrides.values_mut().for_each(|pairs| pairs.sort_unstable());
        for found in dispatch.implementations.values_mut() {
            found.sort_unstable();
            found.dedup();
        }
        dispatch
    }

    /// What a call of this method may run instead; nothing where that would be anything.
    pub(super) fn implementations(&self, method: u32) -> &[u32] {
        let found = self.implementations.get(&method).map_or(&[][..], SmallVec::as_slice);
        if found.len() > MOST { &[] } else { found }
    }

    pub(super) fn overrides_in(&self, unit: u32) -> &[(u32, u32)] {
        self.overrides.get(&unit).map_or(&[], Vec::as_slice)
    }

    pub(super) fn structural_in(&self, unit: u32) -> &[(u32, u32)] {
        self.structural.get(&unit).map_or(&[], Vec::as_slice)
    }

    /// The units in which something else is overridden or implemented than in another, and the methods that something else
    /// stands behind.
    pub(super) fn differences(&self, other: &Self) -> (Vec<u32>, Vec<u32>) {
        let mut units: Vec<u32> = differing(&self.overrides, &other.overrides).collect();
        units.extend(differing(&self.structural, &other.structural));
        (units, differing(&self.implementations, &other.implementations).collect())
    }

    fn override_nearest(
        &mut self,
        program: &Program,
        methods: &FxHashMap<u32, Vec<(Symbol, u32)>>,
        ancestors: &[u32],
        (name, method): (Symbol, u32),
    ) {
        let overridden =
            ancestors.iter().find_map(|ancestor| methods.get(ancestor).and_then(|found| find(found, name)));
        if let Some(overridden) = overridden.filter(|overridden| *overridden != method) {
            self.overrides.entry(program.unit_of(method)).or_default().push((method, overridden));
        }
    }

    /// What a type has or inherits stands behind the methods of the same name further up.
    fn implement(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        methods: &FxHashMap<u32, Vec<(Symbol, u32)>>,
        own: &[(Symbol, u32)],
        ancestors: &[u32],
    ) {
        let mut nearest: FxHashMap<Symbol, u32> = FxHashMap::default();
        for (name, method) in own {
            nearest.entry(*name).or_insert(*method);
        }
        for ancestor in ancestors {
            for (name, method) in methods.get(ancestor).map_or(&[][..], Vec::as_slice) {
                let meant = *nearest.entry(*name).or_insert(*method);
                if meant != *method && is_open(evaluator, *method) {
                    self.implementations.entry(*method).or_default().push(meant);
                }
            }
        }
    }

    /// Go: a type that has all methods of an interface satisfies it.
    fn satisfied_interfaces(&mut self, evaluator: &mut Evaluator<'_>, methods: &FxHashMap<u32, Vec<(Symbol, u32)>>) {
        let is_go = |def: u32| evaluator.program.settings_of_def(def).modules == Modules::Go;
        let mut types: Vec<u32> = methods.keys().copied().filter(|def| is_go(*def)).collect();
        types.sort_unstable();
        let mut all: FxHashMap<u32, FxHashSet<Symbol>> = FxHashMap::default();
        let mut by_name: FxHashMap<Symbol, Vec<u32>> = FxHashMap::default();
        for of in all_types(evaluator.program).filter(|of| is_go(*of)) {
            let lineage = evaluator.lineage_found(of);
            let names: FxHashSet<Symbol> =
                lineage.iter().filter_map(|owner| methods.get(owner)).flatten().map(|(name, _)| *name).collect();
            for name in &names {
                by_name.entry(*name).or_default().push(of);
            }
            all.insert(of, names);
        }
        let mut interfaces: Vec<u32> = all.keys().copied().collect();
        interfaces.retain(|def| evaluator.program.def(*def).kind == DefKind::Interface && !all[def].is_empty());
        interfaces.sort_unstable();
        for interface in interfaces {
            let wanted = &all[&interface];
            let Some(rarest) = wanted.iter().min_by_key(|name| (by_name[*name].len(), **name)) else { continue };
            for of in &by_name[rarest] {
                let is_other = *of != interface && evaluator.program.def(*of).kind != DefKind::Interface;
                if is_other && wanted.iter().all(|name| all[of].contains(name)) {
                    self.structural.entry(evaluator.program.unit_of(*of)).or_default().push((*of, interface));
                }
            }
        }
    }

    fn satisfy(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        methods: &FxHashMap<u32, Vec<(Symbol, u32)>>,
        of: u32,
        interface: u32,
    ) {
        let own = evaluator.lineage_found(of);
        let above = evaluator.lineage_found(interface);
        for declaring in above.iter() {
            for (name, declared) in methods.get(declaring).map_or(&[][..], Vec::as_slice) {
                let method = own.iter().find_map(|owner| methods.get(owner).and_then(|found| find(found, *name)));
                if let Some(method) = method.filter(|method| method != declared) {
                    self.overrides.entry(evaluator.program.unit_of(method)).or_default().push((method, *declared));
                    self.implementations.entry(*declared).or_default().push(method);
                }
            }
        }
    }
}

/// The keys under which two maps have something else.
fn differing<'m, T: PartialEq>(
    one: &'m FxHashMap<u32, T>,
    other: &'m FxHashMap<u32, T>,
) -> impl Iterator<Item = u32> + 'm {
    let changed = one.iter().filter(|(key, value)| other.get(key) != Some(value)).map(|(key, _)| *key);
    changed.chain(other.keys().filter(|key| !one.contains_key(key)).copied())
}

fn find(methods: &[(Symbol, u32)], name: Symbol) -> Option<u32> {
    methods.iter().find(|(known, _)| *known == name).map(|(_, method)| *method)
}

fn all_types(program: &Program) -> impl Iterator<Item = u32> + '_ {
    let defs = program.in_order().flat_map(|(_, unit)| unit.defs().zip(&unit.facts.defs));
    defs.filter(|(_, def)| def.kind.is_type()).map(|(node, _)| node)
}

/// The methods of each type, in the order in which they are written.
fn methods_by_type(evaluator: &mut Evaluator<'_>) -> FxHashMap<u32, Vec<(Symbol, u32)>> {
    let program = evaluator.program;
    let mut methods: FxHashMap<u32, Vec<(Symbol, u32)>> = FxHashMap::default();
    for (_, unit) in program.in_order() {
        evaluator.reader = unit.edges();
        for (def, found) in unit.defs().zip(&unit.facts.defs) {
            if found.kind != DefKind::Method || found.has_modifier(OVERLOAD) {
                continue;
            }
            let parent = program.parent(def);
            let owner = if program.def(parent).kind.is_type() { Some(parent) } else { evaluator.owner(def) };
            if let Some(owner) = owner {
                methods.entry(owner).or_default().push((program.def_symbol(def), def));
            }
        }
    }
    methods
}

/// Whether a call of this method is meant for what overrides it: always in languages with declared types, else only when
/// the method itself does nothing.
fn is_open(evaluator: &mut Evaluator<'_>, method: u32) -> bool {
    let program = evaluator.program;
    let found = program.def(method);
    let settings = program.settings_of_def(method);
    let declares_types =
        matches!(settings.modules, Modules::Jvm | Modules::Namespaces | Modules::Include | Modules::Rust | Modules::Go);
    let owner = evaluator.owner(method);
    let in_interface = owner.is_some_and(|owner| program.def(owner).kind == DefKind::Interface);
    let is_abstract = found.has_modifier("abstract")
        || found.decorators.iter().any(|decorator| decorator.text.ends_with("abstractmethod"));
    in_interface || is_abstract || declares_types && !found.has_modifier("static") && !found.has_modifier("private")
}
