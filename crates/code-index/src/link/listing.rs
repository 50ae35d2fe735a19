//! Which files have come, gone or changed since they were linked, and what those that have come or gone change for the others.

use std::sync::Arc;

use graph::{Label, NodeId};
use rustc_hash::FxHashSet;

use super::SourceFile;
use super::evaluate::Key;
use super::linker::{LinkedFile, Linker};
use super::members::written_in;
use super::modules::Arrivals;
use super::program::{Unit, code_of, number};
use super::update::{Changed, methods_in};

/// With more changed files than one in so many, all are linked anew.
pub(super) const FEW: usize = 16;

/// How a list of files differs from the one before.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// Of files that are in both lists: where each was, and where it is.
    kept: Vec<(usize, usize)>,
    /// Where those of them are that say something else.
    pub(super) changed: Vec<usize>,
    /// Where files were that have gone.
    gone: Vec<usize>,
    /// Where files are that were not there.
    pub(super) added: Vec<usize>,
}

impl Listing {
    /// `None` where the lists are not in the order of paths.
    pub(super) fn of(before: &[LinkedFile], files: &[SourceFile<'_>]) -> Option<Self> {
        if !files.is_sorted_by(|one, next| one.path < next.path) {
            return None;
        }
        let mut listing = Self::default();
        let (mut old, mut new) = (0, 0);
        loop {
            match (before.get(old), files.get(new)) {
                (None, None) => return Some(listing),
                (Some(known), Some(file)) if known.path == file.path => {
                    listing.compare((old, known), (new, file));
                    (old, new) = (old + 1, new + 1);
                }
                (known, Some(file)) if known.is_none_or(|known| known.path.as_str() > file.path) => {
                    listing.added.push(new);
                    new += 1;
                }
                _ => {
                    listing.gone.push(old);
                    old += 1;
                }
            }
        }
    }

    /// A file that has become code, or code of another language, has gone and come.
    fn compare(&mut self, (old, known): (usize, &LinkedFile), (new, file): (usize, &SourceFile<'_>)) {
        let is_code = (code_of(&known.as_source()).is_some(), code_of(file).is_some());
        if known.language.as_deref() != file.language || is_code.0 != is_code.1 {
            self.gone.push(old);
            self.added.push(new);
            return;
        }
        self.kept.push((old, new));
        let is_same = match (file.facts, &known.facts) {
            (Some(new), Some(old)) => Arc::ptr_eq(new, old) || new == old,
            (None, None) => true,
            _ => false,
        };
        if !is_same || file.lines != known.lines || file.manifest != known.manifest.as_deref() {
            self.changed.push(new);
        }
    }

    /// Whether so little is different that it pays to look at that alone.
    pub(super) fn is_small(&self, files: usize) -> bool {
        let different = self.changed.len() + self.gone.len().max(self.added.len());
        different <= 1 || different * FEW <= files
    }

    fn is_same_list(&self) -> bool {
        self.gone.is_empty() && self.added.is_empty()
    }
}

impl Linker {
    /// Takes away the files that have gone, and adds those that have come. `None` where that may change anything.
    pub(super) fn list_anew(
        &mut self,
        listing: &Listing,
        files: &[SourceFile<'_>],
        changed: &mut Changed,
    ) -> Option<()> {
        if listing.is_same_list() {
            return Some(());
        }
        let gone = listing.gone.iter().map(|position| self.files[*position].as_source());
        let mut others = gone.chain(listing.added.iter().map(|position| files[*position]));
        let kept = || listing.kept.iter().map(|(_, position)| &files[*position]);
        if others.any(|other| other.manifest.is_some() || kept().any(|file| is_laid_out_by(file, &other))) {
            return None;
        }
        let mut arrivals = Arrivals::default();
        for position in &listing.gone {
            self.remove(*position, changed, &mut arrivals)?;
        }
        self.move_files(listing, files);
        for position in &listing.added {
            self.add(*position, &files[*position], changed, &mut arrivals)?;
        }
        if !self.modules.has_same_roots() {
            return None;
        }
        changed.names.extend(arrivals.names);
        changed.imports = self.modules.resolve_again(&self.program);
        changed.imports.retain(|unit| !changed.units.contains(unit));
        changed.imports.extend(self.leading_through(&arrivals.packages, changed));
        changed.has_other_packages = true;
        self.history.grow(self.history.nodes(), self.program.symbols.len());
        Some(())
    }

    /// Puts the files that stay where they are in the new list.
    fn move_files(&mut self, listing: &Listing, files: &[SourceFile<'_>]) {
        let mut before: Vec<Option<LinkedFile>> = std::mem::take(&mut self.files).into_iter().map(Some).collect();
        let mut moved: Vec<Option<LinkedFile>> = files.iter().map(|_| None).collect();
        for (old, new) in &listing.kept {
            moved[*new] = before[*old].take();
        }
        for (new, file) in moved.iter_mut().enumerate() {
            let file = file.get_or_insert_with(|| LinkedFile::of(&files[new]));
            if let Some(unit) = self.modules.unit_at(&file.path) {
                self.program.units[unit as usize].position = new;
            }
        }
        self.files = moved.into_iter().flatten().collect();
    }

    fn remove(&mut self, position: usize, changed: &mut Changed, arrivals: &mut Arrivals) -> Option<()> {
        let file = &self.files[position];
        self.file_ids.remove(&NodeId::of(Label::File, &file.path));
        let Some(index) = self.modules.unit_at(&file.path) else { return Some(()) };
        self.names.ids(index).iter().for_each(|id| _ = self.file_ids.remove(id));
        changed.must_name_anew |= self.names.remove(&self.program, index);
        let unit = self.program.vacate(index);
        changed.gone.extend(unit.nodes());
        changed.gone_sources.extend(unit.source_places().map(|place| unit.node(place)));
        self.members.remove(&unit);
        changed.has_other_methods |= !methods_in(&unit).is_empty();
        changed.gone_units.push(index);
        self.targets[index as usize] = Box::default();
        self.imported[index as usize] = Box::default();
        self.modules.withdraw_unit(&mut self.program, &unit, index, arrivals)
    }

    fn add(
        &mut self,
        position: usize,
        file: &SourceFile<'_>,
        changed: &mut Changed,
        arrivals: &mut Arrivals,
    ) -> Option<()> {
        self.file_ids.insert(NodeId::of(Label::File, file.path));
        let Some((settings, facts)) = code_of(file) else { return Some(()) };
        let unit = self.program.unit_of_file(position, file.path, settings, facts);
        let first = number(self.history.nodes());
        let next = first + unit.layout.end;
        let index = self.program.insert(unit, (first..next).collect());
        self.history.grow(next as usize, self.program.symbols.len());
        self.names.grow(self.program.units.len());
        self.targets.push(Box::default());
        self.imported.push(Box::default());
        self.modules.insert_unit(&mut self.program, index, arrivals)?;
        let unit = self.program.unit(index);
        // Nobody has read a member to which nothing was written.
        let first_written = written_in(unit).filter(|key| !self.members.is_written(*key));
        changed.names.extend(first_written.filter_map(Key::name));
        self.members.add(unit);
        changed.has_other_methods |= !methods_in(unit).is_empty();
        changed.units.push(index);
        Some(())
    }

    /// Units with an import that leads outside, or through a type, along a path with one of these parts.
    fn leading_through(&self, packages: &FxHashSet<String>, changed: &Changed) -> Vec<u32> {
        if packages.is_empty() {
            return Vec::new();
        }
        let leads = |(index, unit): &(u32, &Unit)| {
            let separator = unit.settings.imports.separator.as_str();
            let imports = unit.facts.imports.iter().zip(self.modules.imports_of(*index));
            let mut unresolved = imports.filter(|(_, found)| found.is_empty());
            !separator.is_empty()
                && unresolved.any(|(import, _)| {
                    unit.facts.text(import.module).split(separator).any(|part| packages.contains(part))
                })
        };
        let is_known = |unit: &u32| changed.units.contains(unit) || changed.imports.contains(unit);
        let units = self.program.in_order().filter(leads).map(|(index, _)| index);
        units.filter(|unit| !is_known(unit)).collect()
    }
}

/// Whether another file says how a file is to be imported: it makes a package of its folder.
fn is_laid_out_by(file: &SourceFile<'_>, other: &SourceFile<'_>) -> bool {
    let folder = other.path.strip_suffix("__init__.py");
    folder.is_some_and(|folder| code_of(file).is_some() && file.path.starts_with(folder))
}
