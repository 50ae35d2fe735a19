//! What a changed file changes.

use graph::NodeId;
use languages::facts::{DefId, DefKind};
use rustc_hash::{FxHashMap, FxHashSet};
use store::Part;

use super::dispatch::Dispatch;
use super::evaluate::{Evaluator, Key};
use super::linker::{LinkedFile, Linker};
use super::listing::{FEW, Listing};
use super::members::{Held, held_in, written_in};
use super::names::Names;
use super::program::{Place, Scattered, Symbol, Unit, code_of, number};
use super::{Linked, SourceFile, bare_part, identity, ranks};

/// What is no longer as it was, before anything is looked at again.
#[derive(Debug, Default)]
pub(super) struct Changed {
    /// Those that are new or others.
    pub(super) units: Vec<u32>,
    pub(super) gone_units: Vec<u32>,
    /// Whose imports mean something else.
    pub(super) imports: Vec<u32>,
    pub(super) names: FxHashSet<Symbol>,
    /// Nodes that are there no more, and those of them that values flowed out of.
    pub(super) gone: Vec<u32>,
    pub(super) gone_sources: Vec<u32>,
    /// Units whose methods are others.
    pub(super) has_other_methods: bool,
    /// What the definitions of the units were called.
    pub(super) ids: FxHashMap<u32, NodeId>,
    pub(super) has_other_packages: bool,
    /// Whether names have become free that others would like to have.
    pub(super) must_name_anew: bool,
}

impl Linker {
    /// Links the files again, where only some are other than before. `None` where everything has to be linked anew.
    pub(super) fn updated(mut self, files: &[SourceFile<'_>]) -> Option<(Self, Linked)> {
        let listing = Listing::of(&self.files, files)?;
        if !listing.is_small(files.len()) || self.history.nodes() > self.nodes_at_first * 3 / 2 {
            return None;
        }
        let had_supertypes = self.members.is_written(Key::Supertype);
        let mut parts: Vec<Option<Part>> = files.iter().map(|_| None).collect();
        let mut changed = Changed::default();
        self.list_anew(&listing, files, &mut changed)?;
        for position in listing.changed.iter().copied() {
            let file = &files[position];
            self.replace(position, file, &mut changed)?;
            self.files[position] = LinkedFile::of(file);
        }
        for position in listing.changed.iter().chain(&listing.added) {
            parts[*position] = Some(bare_part(&files[*position]));
        }
        if self.members.is_written(Key::Supertype) != had_supertypes {
            return None;
        }
        let mut due = self.due(&changed)?;
        let mut units = self.units_of_edges(&due);
        due.retain(|node| !self.is_edges(*node));
        let settled = self.settle_again(&changed, due);
        units.extend(settled.iter().map(|node| self.program.unit_of(*node)).filter(|unit| *unit != u32::MAX));
        units.extend(settled.iter().flat_map(|node| self.units_of_edges(self.history.readers.get(*node))));
        units.extend(&changed.units);
        self.name_again(&mut changed, &mut units);
        self.dispatch_again(&changed, &settled, &mut units);
        let packages = self.structure_ids.clone();
        let structure = changed.has_other_packages.then(|| self.outline());
        let others: FxHashSet<NodeId> = packages.symmetric_difference(&self.structure_ids).copied().collect();
        units.extend(self.units_importing(&others));
        let mut units: Vec<u32> = units.into_iter().filter(|unit| !self.program.unit(*unit).is_vacant()).collect();
        units.sort_unstable();
        for (position, part) in self.parts_of_units(units.into_iter()) {
            parts[position] = Some(part);
        }
        Some((self, Linked { parts, structure }))
    }

    /// Puts a file in the place of what it was.
    fn replace(&mut self, position: usize, file: &SourceFile<'_>, changed: &mut Changed) -> Option<()> {
        let old = &self.files[position];
        if old.manifest.as_deref() != file.manifest {
            return None;
        }
        let (settings, facts) = match (code_of(&old.as_source()), code_of(file)) {
            (None, None) => return Some(()),
            (Some(_), Some(new)) => new,
            _ => return None,
        };
        let index = self.modules.unit_at(file.path)?;
        let mut new = self.program.unit_of_file(position, file.path, settings, facts);
        let next = number(self.history.nodes());
        let numbers = identity::numbers(self.program.unit(index), &new, next);
        let kept: FxHashSet<u32> = numbers.iter().copied().collect();
        new.scattered = Some(Scattered::new(numbers));
        for (node, id) in self.program.unit(index).defs().zip(self.names.ids(index)) {
            changed.ids.insert(node, *id);
        }
        for id in self.names.ids(index) {
            self.file_ids.remove(id);
        }
        let before = self.program.unit(index);
        changed.gone.extend(before.nodes().filter(|node| !kept.contains(node)));
        let sources = before.source_places().map(|place| before.node(place));
        changed.gone_sources.extend(sources.filter(|node| !kept.contains(node)));
        changed.gone.iter().for_each(|node| self.program.remove_node(*node));
        kept.iter().for_each(|node| self.program.place_node(*node, index));
        let old = std::mem::replace(&mut self.program.units[index as usize], new);
        let removed = self.modules.remove_unit(&old, index);
        self.members.remove(&old);
        let new = self.program.unit(index);
        let replaced = self.modules.replace_unit(new, index, removed)?;
        self.members.add(new);
        changed.units.push(index);
        changed.names.extend(replaced.names.into_iter().map(|name| name.unwrap_or(self.known.default)));
        changed.names.extend(differences(held_in(&old), held_in(new)).map(|(_, name, _): (u32, Symbol, Held)| name));
        changed.names.extend(differences(written_in(&old), written_in(new)).filter_map(Key::name));
        if !replaced.are_imports_same || old.facts.imports != new.facts.imports || !imported(&old).eq(imported(new)) {
            changed.imports.push(index);
            changed.has_other_packages = true;
        }
        changed.has_other_packages |=
            old.facts.package.map(|name| old.facts.text(name)) != new.facts.package.map(|name| new.facts.text(name));
        changed.has_other_methods |= methods_in(&old) != methods_in(new);
        self.history.grow(kept.iter().copied().max().unwrap_or_default() as usize + 1, self.program.symbols.len());
        Some(())
    }

    /// The nodes that have to be looked at again, whatever the others come to.
    fn due(&mut self, changed: &Changed) -> Option<Vec<u32>> {
        let mut due: Vec<u32> = Vec::new();
        for unit in changed.units.iter().chain(&changed.imports) {
            due.extend(self.program.unit(*unit).nodes());
        }
        for name in &changed.names {
            due.extend(self.history.name_readers.get(name.0));
        }
        for node in &changed.gone {
            due.extend(self.history.readers.get(*node));
        }
        for unit in changed.imports.iter().chain(&changed.gone_units) {
            due.extend(self.history.wildcard_readers.get(unit).into_iter().flatten());
        }
        if !changed.imports.is_empty() || self.ranks.len() < self.program.units.len() || !changed.gone_units.is_empty()
        {
            let ranks = ranks::between(&self.program, &self.modules);
            let moved = ranks::moved(&self.ranks, &ranks);
            if moved.len() > 1 && moved.len() * FEW > ranks.len() {
                return None;
            }
            self.ranks = ranks;
            for node in moved.into_iter().flat_map(|unit| self.program.unit(unit).nodes()) {
                due.push(node);
                due.extend(self.history.readers.get(node));
            }
        }
        due.sort_unstable();
        due.dedup();
        Some(due)
    }

    fn settle_again(&mut self, changed: &Changed, due: Vec<u32>) -> Vec<u32> {
        let mut evaluator =
            Evaluator::new(&self.program, &self.modules, &self.members, &self.known, &self.ranks, &mut self.history);
        changed.gone_sources.iter().for_each(|source| evaluator.withdraw(*source));
        evaluator.settle_again(due.into_iter())
    }

    fn is_edges(&self, node: u32) -> bool {
        self.program.home(node).is_some_and(|(_, unit)| unit.what(node) == Place::Edges)
    }

    /// The units whose edges are among the readers.
    fn units_of_edges(&self, readers: &[u32]) -> FxHashSet<u32> {
        readers.iter().copied().filter(|node| self.is_edges(*node)).map(|node| self.program.unit_of(node)).collect()
    }

    fn name_again(&mut self, changed: &mut Changed, units: &mut FxHashSet<u32>) {
        let has_outside = |unit: &u32| self.program.unit(*unit).outside_methods().next().is_some();
        let mut named: Vec<u32> = units.iter().copied().filter(has_outside).collect();
        named.extend(&changed.units);
        named.sort_unstable_by_key(|unit| self.program.unit(*unit).position);
        named.dedup();
        for unit in named.iter().filter(|unit| !changed.units.contains(unit)) {
            self.names.ids(*unit).iter().for_each(|id| _ = self.file_ids.remove(id));
            changed.ids.extend(self.program.unit(*unit).defs().zip(self.names.ids(*unit).iter().copied()));
        }
        let mut evaluator =
            Evaluator::new(&self.program, &self.modules, &self.members, &self.known, &self.ranks, &mut self.history)
                .settled();
        if changed.must_name_anew || !self.names.update(&mut evaluator, &named) {
            let before = std::mem::replace(&mut self.names, Names::new(&mut evaluator));
            units.extend(&named);
            named = self.program.in_order().map(|(unit, _)| unit).collect();
            for unit in named.iter().filter(|unit| before.ids(**unit) != self.names.ids(**unit)) {
                units.insert(*unit);
                for (def, id) in self.program.unit(*unit).defs().zip(before.ids(*unit)) {
                    changed.ids.entry(def).or_insert(*id);
                }
            }
            self.file_ids = self.files.iter().map(|file| NodeId::of(graph::Label::File, &file.path)).collect();
        }
        for unit in named {
            self.file_ids.extend(self.names.ids_in_graph(self.program.unit(unit), unit));
        }
        // Definitions that are the same but called otherwise, because they stand on another line.
        let renamed = changed
            .ids
            .iter()
            .filter(|(def, id)| self.program.home(**def).is_some() && self.names.id(&self.program, **def) != **id);
        let (renamed, ids): (Vec<u32>, FxHashSet<NodeId>) = renamed.map(|(def, id)| (*def, *id)).unzip();
        units.extend(self.units_leading_to(&renamed));
        units.extend(self.units_importing(&ids));
    }

    fn units_importing(&self, ids: &FxHashSet<NodeId>) -> Vec<u32> {
        let imports = |imported: &[NodeId]| !ids.is_empty() && imported.iter().any(|id| ids.contains(id));
        (0..).zip(&self.imported).filter(|(_, imported)| imports(imported)).map(|(unit, _)| unit).collect()
    }

    fn units_leading_to(&self, defs: &[u32]) -> Vec<u32> {
        let leads = |targets: &[u32]| defs.iter().any(|def| targets.binary_search(def).is_ok());
        (0..).zip(&self.targets).filter(|(_, targets)| leads(targets)).map(|(unit, _)| unit).collect()
    }

    fn dispatch_again(&mut self, changed: &Changed, settled: &[u32], units: &mut FxHashSet<u32>) {
        let is_lineage = |node: &u32| {
            self.program.home(*node).is_some_and(|(_, unit)| matches!(unit.what(*node), Place::Lineage(_)))
        };
        let has_outside = |unit: &u32| self.program.unit(*unit).outside_methods().next().is_some();
        if !changed.has_other_methods && !settled.iter().any(is_lineage) && !units.iter().any(has_outside) {
            return;
        }
        let mut evaluator =
            Evaluator::new(&self.program, &self.modules, &self.members, &self.known, &self.ranks, &mut self.history)
                .settled();
        let dispatch = Dispatch::new(&mut evaluator);
        let (others, methods) = dispatch.differences(&self.dispatch);
        units.extend(others);
        self.dispatch = dispatch;
        units.extend(self.units_leading_to(&methods));
        let own = methods.into_iter().filter(|method| self.program.home(*method).is_some());
        units.extend(own.map(|method| self.program.unit_of(method)).collect::<Vec<_>>());
    }
}

/// Types and methods of a file, as far as others may inherit or override them.
pub(super) fn methods_in(unit: &Unit) -> Vec<(u32, u32)> {
    let defs = unit.defs().zip(&unit.facts.defs);
    let matters = |kind: DefKind| kind == DefKind::Method || kind.is_type();
    defs.filter(|(_, def)| matters(def.kind)).map(|(node, def)| (node, unit.def(DefId(def.parent.0)))).collect()
}

/// The modules that a unit imports, as they are written.
fn imported(unit: &Unit) -> impl Iterator<Item = &str> {
    unit.facts.imports.iter().map(|import| unit.facts.text(import.module))
}

/// What only one of two has, or one more often than the other.
fn differences<T: Eq + std::hash::Hash + Copy>(
    one: impl Iterator<Item = T>,
    other: impl Iterator<Item = T>,
) -> impl Iterator<Item = T> {
    let mut counts: FxHashMap<T, i64> = FxHashMap::default();
    one.for_each(|item| *counts.entry(item).or_default() += 1);
    other.for_each(|item| *counts.entry(item).or_default() -= 1);
    counts.into_iter().filter(|(_, count)| *count != 0).map(|(item, _)| item)
}
