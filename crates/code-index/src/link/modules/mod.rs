//! What a name in an import means: files, packages, and the names they hold.

mod cargo;
mod coming;
mod go;
mod node;
mod python;

use languages::facts::{DefId, DefKind, Export, ImportKind, VariableId};
use languages::settings::Modules;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::SourceFile;
use super::program::{Program, Symbol, Unit, number};
use super::value::{Kind, Value};

pub(super) use coming::Arrivals;

/// Something that a package holds under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    Variable(u32),
    Package(u32),
}

/// A name that a file gives to others: what it stands for is a variable or a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Named {
    Global(Symbol, u32),
    /// In a package.
    Held(u32, Symbol, u32),
    /// `None` is what it hands out without a name.
    Export(Option<Symbol>, u32),
}

impl Named {
    fn symbol(self) -> Option<Symbol> {
        match self {
            Self::Global(symbol, _) | Self::Held(_, symbol, _) => Some(symbol),
            Self::Export(symbol, _) => symbol,
        }
    }
}

/// What a unit had given to others.
#[derive(Debug)]
pub(super) struct Removed {
    names: Vec<Named>,
    packages: Vec<String>,
    imports: Imports,
}

/// What is different for others after a unit was replaced.
#[derive(Debug)]
pub(super) struct Replaced {
    /// Names that stand for something else; `None` is what a module hands out without a name.
    pub(super) names: FxHashSet<Option<Symbol>>,
    pub(super) are_imports_same: bool,
}

/// The package of a unit that has gone.
const NO_PACKAGE: u32 = u32::MAX;

/// What the module of each import of a file is; empty for what is outside.
pub(super) type Imports = Box<[SmallVec<[Value; 1]>]>;

/// Where everything is.
#[derive(Debug)]
pub(super) struct ModuleMap {
    /// Unit by path.
    units: FxHashMap<String, u32>,
    folders: FxHashSet<String>,
    packages: FxHashMap<String, u32>,
    package_names: Vec<String>,
    held: FxHashMap<(u32, Symbol), SmallVec<[Held; 2]>>,
    /// The package of each unit, and that of each namespace definition.
    unit_packages: Vec<u32>,
    namespace_packages: FxHashMap<u32, u32>,
    /// What each unit's module hands out by name.
    exports: FxHashMap<(u32, Symbol), SmallVec<[u32; 1]>>,
    /// The default export, or what the module as a whole is.
    defaults: FxHashMap<u32, SmallVec<[u32; 1]>>,
    globals: FxHashMap<(u32, Symbol), u32>,
    /// Of each unit.
    imports: Vec<Imports>,
    python: python::Layout,
    node: node::Layout,
    go: go::Layout,
    cargo: cargo::Layout,
}

impl ModuleMap {
    pub(super) fn new(program: &mut Program, files: &[SourceFile<'_>]) -> Self {
        let mut map = Self {
            units: (0..).zip(&program.units).map(|(index, unit)| (unit.path.to_string(), index)).collect(),
            folders: folders(program),
            packages: FxHashMap::default(),
            package_names: Vec::new(),
            held: FxHashMap::default(),
            unit_packages: Vec::new(),
            namespace_packages: FxHashMap::default(),
            exports: FxHashMap::default(),
            defaults: FxHashMap::default(),
            globals: FxHashMap::default(),
            imports: Vec::new(),
            python: python::Layout::default(),
            node: node::Layout::new(files),
            go: go::Layout::new(files),
            cargo: cargo::Layout::new(files),
        };
        map.python = python::Layout::new(&map.units, &map.folders);
        let mut folders: Vec<String> = map.folders.iter().cloned().collect();
        folders.sort_unstable();
        for folder in &folders {
            map.package("py", folder);
        }
        for index in 0..number(program.units.len()) {
            map.add_unit(program, index);
        }
        map.hold_subpackages(program, 0);
        map.imports = program.units.iter().map(|unit| map.resolve_all(unit)).collect();
        map
    }

    /// The module or package that an import names; nothing for what is outside.
    pub(super) fn import(&self, unit: u32, import: u32) -> &[Value] {
        &self.imports[unit as usize][import as usize]
    }

    pub(super) fn imports_of(&self, unit: u32) -> &Imports {
        &self.imports[unit as usize]
    }

    /// The units whose names each package holds.
    pub(super) fn units_by_package(&self, program: &Program) -> FxHashMap<u32, Vec<u32>> {
        let mut units: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (unit, _) in program.in_order() {
            units.entry(self.package_of(unit)).or_default().push(unit);
        }
        units
    }

    fn resolve_all(&self, unit: &Unit) -> Imports {
        let imports = unit.facts.imports.iter();
        imports.map(|import| self.resolve(unit, unit.facts.text(import.module), import.kind)).collect()
    }

    pub(super) fn package_of(&self, unit: u32) -> u32 {
        self.unit_packages[unit as usize]
    }

    pub(super) fn package_of_namespace(&self, def: u32) -> Option<u32> {
        self.namespace_packages.get(&def).copied()
    }

    pub(super) fn package_name(&self, package: u32) -> &str {
        self.package_names[package as usize].split_once(':').map_or("", |(_, name)| name)
    }

    pub(super) fn find_package(&self, kind: &str, name: &str) -> Option<u32> {
        self.packages.get(&format!("{kind}:{name}")).copied()
    }

    pub(super) fn held(&self, package: u32, name: Symbol) -> &[Held] {
        self.held.get(&(package, name)).map_or(&[], SmallVec::as_slice)
    }

    pub(super) fn exports(&self, unit: u32, name: Symbol) -> &[u32] {
        self.exports.get(&(unit, name)).map_or(&[], SmallVec::as_slice)
    }

    pub(super) fn defaults(&self, unit: u32) -> &[u32] {
        self.defaults.get(&unit).map_or(&[], SmallVec::as_slice)
    }

    pub(super) fn global(&self, unit: u32, name: Symbol) -> Option<u32> {
        self.globals.get(&(unit, name)).copied()
    }

    /// `package.module` of a Python file.
    pub(super) fn python_name(&self, path: &str) -> String {
        python::name(self, path)
    }

    /// The import path of a Go package, or its name where no `go.mod` gives one.
    pub(super) fn go_name(&self, folder: &str, package: Option<&str>) -> String {
        let path = self.go.import_path(folder);
        path.unwrap_or_else(|| package.map_or(folder, |package| package).trim().to_owned())
    }

    /// The package that a path names in the language of this unit.
    pub(super) fn named(&self, unit: &Unit, path: &str) -> Option<Value> {
        match unit.settings.modules {
            Modules::Jvm => self.declared("jvm", path),
            Modules::Rust => self.rust(unit, path),
            Modules::Namespaces if unit.settings.separator == "\\" => {
                self.declared("php", path.trim_start_matches('\\'))
            }
            Modules::Namespaces => self.declared("net", path),
            Modules::Include => self.declared("cc", path),
            Modules::Python | Modules::Node | Modules::Go | Modules::Global | Modules::File => None,
        }
    }

    /// The module below a Python package.
    pub(super) fn submodule(&self, unit: &Unit, name: &str) -> Option<Value> {
        if unit.settings.modules != Modules::Python || !unit.path.ends_with("__init__.py") {
            return None;
        }
        python::below(self, unit.folder(), name)
    }

    pub(super) fn package_below(&self, package: u32, name: &str) -> Option<Value> {
        let full = &self.package_names[package as usize];
        if let Some(folder) = full.strip_prefix("py:") {
            return python::below(self, folder, name);
        }
        None
    }

    /// The package around another.
    pub(super) fn package_above(&self, package: u32) -> Option<u32> {
        let full = &self.package_names[package as usize];
        let (kind, name) = full.split_once(':')?;
        let separator = separator_of(kind);
        if name.is_empty() {
            return None;
        }
        let above = name.rfind(separator).map_or("", |at| &name[..at]);
        self.packages.get(&format!("{kind}:{above}")).copied()
    }

    /// The root of the crate that a Rust unit belongs to.
    pub(super) fn crate_root(&self, unit: &Unit) -> Option<u32> {
        self.find_package("rs", &self.cargo.crate_of(&unit.path))
    }

    pub(super) fn unit_at(&self, path: &str) -> Option<u32> {
        self.units.get(path).copied()
    }

    pub(super) fn has_folder(&self, folder: &str) -> bool {
        self.folders.contains(folder)
    }

    fn package(&mut self, kind: &str, name: &str) -> u32 {
        let full = format!("{kind}:{name}");
        if let Some(id) = self.packages.get(&full) {
            return *id;
        }
        // A package is found below the one around it.
        let separator = separator_of(kind);
        if !name.is_empty() && !is_by_path(kind) {
            let above = name.rfind(separator).map_or("", |at| &name[..at]);
            self.package(kind, above);
        }
        let id = number(self.package_names.len());
        self.packages.insert(full.clone(), id);
        self.package_names.push(full);
        id
    }

    fn add_unit(&mut self, program: &Program, index: u32) {
        let unit = program.unit(index);
        let (kind, name) = self.package_key(unit);
        let package = self.package(kind, &name);
        self.unit_packages.push(package);
        self.add_namespaces(unit, kind, &name);
        self.add_names(unit, index);
    }

    /// What a unit's module and packages hold, and what it hands out.
    fn add_names(&mut self, unit: &Unit, index: u32) {
        for name in self.names_of(unit, index) {
            match name {
                Named::Global(symbol, variable) => drop(self.globals.insert((index, symbol), variable)),
                Named::Held(package, symbol, variable) => {
                    self.held.entry((package, symbol)).or_default().push(Held::Variable(variable));
                }
                Named::Export(Some(symbol), term) => self.exports.entry((index, symbol)).or_default().push(term),
                Named::Export(None, term) => self.defaults.entry(index).or_default().push(term),
            }
        }
    }

    /// Takes a unit's names away and gives back what they were.
    pub(super) fn remove_unit(&mut self, unit: &Unit, index: u32) -> Removed {
        let names = self.names_of(unit, index);
        for name in &names {
            match *name {
                Named::Global(symbol, _) => drop(self.globals.remove(&(index, symbol))),
                Named::Held(package, symbol, variable) => {
                    if let Some(held) = self.held.get_mut(&(package, symbol)) {
                        held.retain(|held| *held != Held::Variable(variable));
                    }
                }
                Named::Export(Some(symbol), _) => drop(self.exports.remove(&(index, symbol))),
                Named::Export(None, _) => drop(self.defaults.remove(&index)),
            }
        }
        let (kind, name) = self.package_key(unit);
        let mut packages = vec![format!("{kind}:{name}")];
        for def in unit.defs() {
            if let Some(package) = self.namespace_packages.remove(&def) {
                packages.push(self.package_names[package as usize].clone());
            }
        }
        packages.sort_unstable();
        Removed { names, packages, imports: std::mem::take(&mut self.imports[index as usize]) }
    }

    /// Puts a unit in the place of one that was removed. `None` if it makes or needs other packages than that, so that all
    /// modules have to be looked at anew.
    pub(super) fn replace_unit(&mut self, unit: &Unit, index: u32, removed: Removed) -> Option<Replaced> {
        let (kind, name) = self.package_key(unit);
        let known = self.package_names.len();
        let package = self.package(kind, &name);
        self.unit_packages[index as usize] = package;
        self.add_namespaces(unit, kind, &name);
        let mut packages = vec![format!("{kind}:{name}")];
        let namespaces = unit.defs().filter_map(|def| self.package_of_namespace(def));
        packages.extend(namespaces.map(|package| self.package_names[package as usize].clone()));
        packages.sort_unstable();
        if packages != removed.packages || known != self.package_names.len() {
            return None;
        }
        self.add_names(unit, index);
        let before: FxHashSet<Named> = removed.names.into_iter().collect();
        let after: FxHashSet<Named> = self.names_of(unit, index).into_iter().collect();
        let names = before.symmetric_difference(&after).map(|named| named.symbol()).collect();
        let imports = self.resolve_all(unit);
        let are_imports_same = imports == removed.imports;
        self.imports[index as usize] = imports;
        Some(Replaced { names, are_imports_same })
    }

    fn names_of(&self, unit: &Unit, index: u32) -> Vec<Named> {
        let package = self.unit_packages[index as usize];
        let mut names = Vec::new();
        for (local, variable) in (0..).zip(&unit.facts.variables) {
            if !variable.is_global {
                continue;
            }
            let (symbol, node) = (unit.symbol(variable.name), unit.variable(VariableId(local)));
            if variable.owner == DefId::MODULE {
                names.extend([Named::Global(symbol, node), Named::Held(package, symbol, node)]);
            } else if let Some(namespace) = self.package_of_namespace(unit.def(variable.owner)) {
                names.push(Named::Held(namespace, symbol, node));
            }
        }
        let export =
            |export: &Export| Named::Export(export.name.map(|name| unit.symbol(name)), unit.term(export.value));
        names.extend(unit.facts.exports.iter().map(export));
        names
    }

    /// The package that a file's names belong to.
    fn package_key(&self, unit: &Unit) -> (&'static str, String) {
        let declared = || unit.facts.package.map_or(String::new(), |name| unit.facts.text(name).trim().to_owned());
        match unit.settings.modules {
            Modules::Node if is_script(unit) => ("js", unit.folder().to_owned()),
            Modules::Python | Modules::Node | Modules::File => ("file", unit.path.to_string()),
            Modules::Go if declared().ends_with("_test") => ("go", format!("{} (test)", unit.folder())),
            Modules::Go => ("go", unit.folder().to_owned()),
            Modules::Jvm => ("jvm", declared()),
            Modules::Rust => ("rs", self.cargo.module_of(&unit.path)),
            Modules::Namespaces if unit.settings.separator == "\\" => ("php", declared()),
            Modules::Namespaces => ("net", declared()),
            Modules::Include => ("cc", String::new()),
            Modules::Global => ("rb", String::new()),
        }
    }

    fn add_namespaces(&mut self, unit: &Unit, kind: &'static str, name: &str) {
        let separator = separator_of(kind);
        for (local, def) in (0..).zip(&unit.facts.defs) {
            if def.kind != DefKind::Namespace {
                continue;
            }
            let around = match def.parent {
                DefId::MODULE => name.to_owned(),
                parent => match self.package_of_namespace(unit.def(parent)) {
                    Some(package) => self.package_name(package).to_owned(),
                    None => name.to_owned(),
                },
            };
            let own = unit.facts.text(def.name).replace("::", separator);
            let full = if around.is_empty() { own } else { format!("{around}{separator}{own}") };
            let package = self.package(kind, &full);
            self.namespace_packages.insert(unit.def(DefId(local)), package);
        }
    }

    /// Every package from this one on is held by the one around it.
    fn hold_subpackages(&mut self, program: &mut Program, first: u32) {
        for package in first..number(self.package_names.len()) {
            let Some(Below { kind, above, last }) = below(&self.package_names[package as usize]) else { continue };
            let Some(above) = self.find_package(kind, above) else { continue };
            let last = program.symbols.intern(last);
            self.held.entry((above, last)).or_default().push(Held::Package(package));
        }
    }

    fn resolve(&self, unit: &Unit, module: &str, kind: ImportKind) -> SmallVec<[Value; 1]> {
        let found = match unit.settings.modules {
            Modules::Python => python::resolve(self, unit, module),
            Modules::Node => node::resolve(self, unit, module).map(|unit| Value::new(Kind::Module, unit)),
            Modules::Go => {
                self.go.folder_of(module).and_then(|folder| self.find_package("go", &folder)).map(package_value)
            }
            Modules::Jvm => self.declared("jvm", module),
            Modules::Rust => self.rust(unit, module),
            Modules::Namespaces if unit.settings.separator == "\\" => {
                self.declared("php", module.trim_start_matches('\\'))
            }
            Modules::Namespaces => self.declared("net", module),
            Modules::Include if kind == ImportKind::Wildcard => self.include(unit, module),
            Modules::Include => self.declared("cc", module),
            Modules::Global => self.required(unit, module),
            Modules::File => self.include(unit, module),
        };
        found.into_iter().collect()
    }

    fn declared(&self, kind: &str, name: &str) -> Option<Value> {
        self.find_package(kind, name).map(package_value)
    }

    /// A file that is included by its path from here, or by the end of its path.
    fn include(&self, unit: &Unit, path: &str) -> Option<Value> {
        if let Some(namespace) = self.declared("cc", path).filter(|_| !path.is_empty()) {
            return Some(namespace);
        }
        let path = path.trim_matches(['<', '>', '"']);
        let here = join(unit.folder(), path)?;
        let found = self
            .unit_at(&here)
            .or_else(|| ["", "include", "src", "lib"].iter().find_map(|root| self.unit_at(&join(root, path)?)));
        found.map(|unit| Value::new(Kind::Module, unit))
    }

    fn required(&self, unit: &Unit, path: &str) -> Option<Value> {
        let file = if path.ends_with(".rb") { path.to_owned() } else { format!("{path}.rb") };
        let here = [unit.folder(), "", "lib", "app"].into_iter();
        here.filter_map(|root| self.unit_at(&join(root, &file)?)).next().map(|unit| Value::new(Kind::Module, unit))
    }

    /// `crate::a`, `self::a`, `super::a`, `other_crate::a`, `a`.
    fn rust(&self, unit: &Unit, path: &str) -> Option<Value> {
        let own = self.cargo.module_of(&unit.path);
        let mut parts = path.split("::").filter(|part| !part.is_empty()).peekable();
        let mut module = match parts.peek().copied() {
            Some("crate") => self.cargo.crate_of(&unit.path),
            Some("self") => own,
            Some("super") => own.rsplit_once("::").map_or(own.clone(), |(above, _)| above.to_owned()),
            Some(first) if self.find_package("rs", &format!("{own}::{first}")).is_some() => format!("{own}::{first}"),
            Some(first) => first.to_owned(),
            None => return self.declared("rs", &own),
        };
        parts.next();
        for part in parts {
            module = if part == "super" {
                module.rsplit_once("::").map_or(String::new(), |(above, _)| above.to_owned())
            } else {
                format!("{module}::{part}")
            };
        }
        self.declared("rs", &module)
    }
}

/// Whether a file is no module: what it declares is seen by other scripts.
fn is_script(unit: &Unit) -> bool {
    unit.facts.imports.is_empty() && unit.facts.exports.is_empty()
}

fn package_value(package: u32) -> Value {
    Value::new(Kind::Package, package)
}

/// A package that is found in the one around it by the last part of its name.
struct Below<'n> {
    kind: &'n str,
    above: &'n str,
    last: &'n str,
}

/// `None` for a root, and for what is found by the path of its folder or file.
fn below(full: &str) -> Option<Below<'_>> {
    let (kind, name) = full.split_once(':')?;
    if is_by_path(kind) || name.is_empty() {
        return None;
    }
    let separator = separator_of(kind);
    let (above, last) = name.rfind(separator).map_or(("", name), |at| (&name[..at], &name[at + separator.len()..]));
    Some(Below { kind, above, last })
}

fn is_by_path(kind: &str) -> bool {
    matches!(kind, "go" | "py" | "file" | "js")
}

fn separator_of(kind: &str) -> &'static str {
    match kind {
        "rs" | "cc" | "rb" => "::",
        "php" => "\\",
        "go" | "py" | "file" | "js" => "/",
        _ => ".",
    }
}

fn folders(program: &Program) -> FxHashSet<String> {
    let mut folders = FxHashSet::default();
    for unit in &program.units {
        let mut folder = unit.folder();
        while !folders.contains(folder) {
            folders.insert(folder.to_owned());
            folder = super::program::folder_of(folder);
        }
    }
    folders
}

/// Whether a file is in a folder, at any depth.
fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// A path from a folder, with `.` and `..` taken away; nothing when it leaves the root.
pub(super) fn join(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
