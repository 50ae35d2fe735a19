//! Which methods stand behind a method of an interface or base type.

use languages::facts::{DefKind, OVERLOAD};
use languages::settings::Modules;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::evaluate::Evaluator;
use super::program::{Symbol, number};

/// More implementations than this are not listed at a call.
const MOST: usize = 30;

#[derive(Debug, Default)]
pub(super) struct Dispatch {
    /// Method to the methods that override it, at any distance.
    implementations: FxHashMap<u32, SmallVec<[u32; 2]>>,
    /// Method to the nearest one that it overrides in each base.
    pub(super) overrides: Vec<(u32, u32)>,
    /// Type to supertype, where the language needs no word for it.
    pub(super) structural: Vec<(u32, u32)>,
}

impl Dispatch {
    pub(super) fn new(evaluator: &mut Evaluator<'_, '_>) -> Self {
        let mut dispatch = Self::default();
        let methods = methods_by_type(evaluator);
        dispatch.satisfied_interfaces(evaluator, &methods);
        let types: Vec<u32> =
            (0..evaluator.program.counts.defs).filter(|def| evaluator.program.def(*def).kind.is_type()).collect();
        for of in types {
            let reader = evaluator.result_node(of);
            let ancestors: Vec<u32> = evaluator.lineage(of, reader).iter().copied().skip(1).collect();
            let own = methods.get(&of).map_or(&[][..], Vec::as_slice);
            for (name, method) in own {
                dispatch.override_nearest(&methods, &ancestors, *name, *method);
            }
            dispatch.implement(evaluator, &methods, own, &ancestors);
        }
        let pairs = dispatch.structural.clone();
        for (of, interface) in pairs {
            dispatch.satisfy(evaluator, &methods, of, interface);
        }
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

    fn override_nearest(
        &mut self,
        methods: &FxHashMap<u32, Vec<(Symbol, u32)>>,
        ancestors: &[u32],
        name: Symbol,
        method: u32,
    ) {
        let overridden =
            ancestors.iter().find_map(|ancestor| methods.get(ancestor).and_then(|found| find(found, name)));
        self.overrides
            .extend(overridden.filter(|overridden| *overridden != method).map(|overridden| (method, overridden)));
    }

    /// What a type has or inherits stands behind the methods of the same name further up.
    fn implement(
        &mut self,
        evaluator: &Evaluator<'_, '_>,
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
    fn satisfied_interfaces(
        &mut self,
        evaluator: &mut Evaluator<'_, '_>,
        methods: &FxHashMap<u32, Vec<(Symbol, u32)>>,
    ) {
        let is_go = |def: u32| evaluator.program.settings_of_def(def).modules == Modules::Go;
        let mut types: Vec<u32> = methods.keys().copied().filter(|def| is_go(*def)).collect();
        types.sort_unstable();
        let mut all: FxHashMap<u32, FxHashSet<Symbol>> = FxHashMap::default();
        let mut by_name: FxHashMap<Symbol, Vec<u32>> = FxHashMap::default();
        for of in all_types(evaluator, Modules::Go) {
            let reader = evaluator.result_node(of);
            let lineage = evaluator.lineage(of, reader);
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
                    self.structural.push((*of, interface));
                }
            }
        }
    }

    fn satisfy(
        &mut self,
        evaluator: &mut Evaluator<'_, '_>,
        methods: &FxHashMap<u32, Vec<(Symbol, u32)>>,
        of: u32,
        interface: u32,
    ) {
        let reader = evaluator.result_node(of);
        let own = evaluator.lineage(of, reader);
        let above = evaluator.lineage(interface, reader);
        for declaring in above.iter() {
            for (name, declared) in methods.get(declaring).map_or(&[][..], Vec::as_slice) {
                let method = own.iter().find_map(|owner| methods.get(owner).and_then(|found| find(found, *name)));
                if let Some(method) = method.filter(|method| method != declared) {
                    self.overrides.push((method, *declared));
                    self.implementations.entry(*declared).or_default().push(method);
                }
            }
        }
    }
}

fn find(methods: &[(Symbol, u32)], name: Symbol) -> Option<u32> {
    methods.iter().find(|(known, _)| *known == name).map(|(_, method)| *method)
}

fn all_types(evaluator: &Evaluator<'_, '_>, modules: Modules) -> Vec<u32> {
    let program = evaluator.program;
    let types = (0..program.counts.defs).filter(|def| program.def(*def).kind.is_type());
    types.filter(|def| program.settings_of_def(*def).modules == modules).collect()
}

/// The methods of each type, in the order in which they are written.
fn methods_by_type(evaluator: &Evaluator<'_, '_>) -> FxHashMap<u32, Vec<(Symbol, u32)>> {
    let program = evaluator.program;
    let mut methods: FxHashMap<u32, Vec<(Symbol, u32)>> = FxHashMap::default();
    for def in 0..number(program.counts.defs as usize) {
        let found = program.def(def);
        if found.kind != DefKind::Method || found.has_modifier(OVERLOAD) {
            continue;
        }
        let parent = program.parent(def);
        let owner =
            if program.def(parent).kind.is_type() { Some(parent) } else { evaluator.members.owner(program, def) };
        if let Some(owner) = owner {
            methods.entry(owner).or_default().push((program.def_symbol(def), def));
        }
    }
    methods
}

/// Whether a call of this method is meant for what overrides it: always in languages with declared types, else only when
/// the method itself does nothing.
fn is_open(evaluator: &Evaluator<'_, '_>, method: u32) -> bool {
    let program = evaluator.program;
    let found = program.def(method);
    let settings = program.settings_of_def(method);
    let declares_types =
        matches!(settings.modules, Modules::Jvm | Modules::Namespaces | Modules::Include | Modules::Rust | Modules::Go);
    let owner = evaluator.members.owner(program, method);
    let in_interface = owner.is_some_and(|owner| program.def(owner).kind == DefKind::Interface);
    let is_abstract = found.has_modifier("abstract")
        || found.decorators.iter().any(|decorator| decorator.text.ends_with("abstractmethod"));
    in_interface || is_abstract || declares_types && !found.has_modifier("static") && !found.has_modifier("private")
}
