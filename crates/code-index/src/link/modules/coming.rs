//! What is where after files have come or gone.

use rustc_hash::FxHashSet;

use super::{Below, Held, ModuleMap, NO_PACKAGE, Named, below, is_below, is_by_path, python, separator_of};
use crate::link::program::{Program, Symbol, Unit, folder_of, number};

/// What files that have come or gone have changed for others.
#[derive(Debug, Default)]
pub(in crate::link) struct Arrivals {
    /// What may now be found by those who have looked for it, or no longer. Who found something in a file that has gone has read that,
    /// and a file that is new is not known to anybody, so only what is found without either counts.
    pub(in crate::link) names: FxHashSet<Symbol>,
    /// The last parts of packages that are new or have gone, where paths lead through them.
    pub(in crate::link) packages: FxHashSet<String>,
}

impl ModuleMap {
    /// Adds a unit. `None` if so much may mean something else that all modules have to be looked at anew.
    pub(in crate::link) fn insert_unit(
        &mut self,
        program: &mut Program,
        index: u32,
        arrivals: &mut Arrivals,
    ) -> Option<()> {
        let path = program.unit(index).path.to_string();
        let known = number(self.package_names.len());
        self.units.insert(path.clone(), index);
        for folder in folders_above(&path) {
            if self.folders.insert(folder.to_owned()) {
                self.package("py", folder);
                arrivals.names.insert(program.symbols.intern(last_part(folder)));
            }
        }
        self.imports.push(Box::default());
        self.add_unit(program, index);
        self.hold_subpackages(program, known);
        for package in known..number(self.package_names.len()) {
            note(&self.package_names[package as usize], arrivals)?;
        }
        let held = self.names_of(program.unit(index), index).into_iter().filter_map(|name| match name {
            Named::Held(package, symbol, _) if package < known => Some(symbol),
            Named::Held(..) | Named::Global(..) | Named::Export(..) => None,
        });
        arrivals.names.extend(held);
        note_module(program, &path, arrivals);
        Some(())
    }

    /// Takes a unit away that is no longer among those of the program. `None` as above.
    pub(in crate::link) fn withdraw_unit(
        &mut self,
        program: &mut Program,
        unit: &Unit,
        index: u32,
        arrivals: &mut Arrivals,
    ) -> Option<()> {
        let removed = self.remove_unit(unit, index);
        self.units.remove(&*unit.path);
        self.unit_packages[index as usize] = NO_PACKAGE;
        for package in removed.packages {
            self.retire(program, &package, arrivals)?;
        }
        for folder in folders_above(&unit.path) {
            let is_there = program.in_order().any(|(_, unit)| is_below(&unit.path, folder));
            if !is_there && self.folders.remove(folder) {
                self.packages.remove(&format!("py:{folder}"));
                arrivals.names.insert(program.symbols.intern(last_part(folder)));
            }
        }
        note_module(program, &unit.path, arrivals);
        Some(())
    }

    /// Whether absolute imports of Python start where they did.
    pub(in crate::link) fn has_same_roots(&self) -> bool {
        python::Layout::new(&self.units, &self.folders) == self.python
    }

    /// Finds out anew what every import means, and gives back the units in which one means something else.
    pub(in crate::link) fn resolve_again(&mut self, program: &Program) -> Vec<u32> {
        let mut others = Vec::new();
        for (index, unit) in program.in_order() {
            let imports = self.resolve_all(unit);
            if self.imports[index as usize] != imports {
                self.imports[index as usize] = imports;
                others.push(index);
            }
        }
        others
    }

    /// Takes a package away, and those around it, if nothing is in it any more.
    fn retire(&mut self, program: &mut Program, full: &str, arrivals: &mut Arrivals) -> Option<()> {
        let Some(package) = self.packages.get(full).copied() else { return Some(()) };
        let (kind, _) = full.split_once(':')?;
        let inside = format!("{full}{}", separator_of(kind));
        let is_used = self.unit_packages.contains(&package)
            || self.namespace_packages.values().any(|used| *used == package)
            || !is_by_path(kind) && self.packages.keys().any(|other| other.starts_with(&inside));
        if is_used {
            return Some(());
        }
        note(full, arrivals)?;
        self.packages.remove(full);
        let Some(Below { kind, above, last }) = below(full) else { return Some(()) };
        let last = program.symbols.intern(last);
        if let Some(held) = self.find_package(kind, above).and_then(|above| self.held.get_mut(&(above, last))) {
            held.retain(|held| *held != Held::Package(package));
        }
        self.retire(program, &format!("{kind}:{above}"), arrivals)
    }
}

/// Notes that a package has come or gone. `None` where it may let others be seen that are not named after it.
fn note(full: &str, arrivals: &mut Arrivals) -> Option<()> {
    let (kind, name) = full.split_once(':')?;
    if kind == "js" || name.is_empty() && !is_by_path(kind) {
        return None;
    }
    if let Some(Below { last, .. }) = below(full) {
        arrivals.packages.insert(last.to_owned());
    }
    Some(())
}

/// A module can be found by the name of its file, and a package by its own, without being read.
fn note_module(program: &mut Program, path: &str, arrivals: &mut Arrivals) {
    let Arrivals { names, packages } = arrivals;
    names.extend(packages.iter().map(|last| program.symbols.intern(last)));
    if path.ends_with(".py") || path.ends_with(".pyi") {
        let stem = last_part(path).split('.').next().unwrap_or(path);
        names.insert(program.symbols.intern(stem));
    }
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The folders that a file is in, the innermost first, and the root.
fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder_of(path)), |folder| (!folder.is_empty()).then(|| folder_of(folder)))
}
