//! Nodes, and the edges that follow from where things stand: files, folders, packages, definitions, imports, inheritance.

use graph::{Edge, Label, Node, NodeId, Relation, Resolution};
use languages::facts::{DefId, DefKind, Import, ImportKind, OVERLOAD, TermId};
use languages::settings::Modules;
use rustc_hash::{FxHashMap, FxHashSet};
use store::Part;

use super::SourceFile;
use super::edges::{Edges, edge};
use super::evaluate::Evaluator;
use super::names::Names;
use super::program::{Unit, folder_of};
use super::value::Kind;

/// The modifier of a function that an object which is written out holds.
const IN_OBJECT: &str = "in_object";

impl Edges<'_, '_> {
    /// What a unit's definitions hold, inherit and override, and what the unit imports.
    pub(super) fn definitions(&mut self, unit: u32, edges: &mut Vec<Edge>) {
        let base = self.evaluator.program.unit(unit);
        let file = NodeId::of(Label::File, &base.path);
        edges.push(edge(file, Relation::Defines, self.names.module_id(unit), 0, Resolution::Syntax));
        for (local, def) in (1..).zip(&base.facts.defs[1..]) {
            if def.has_modifier(OVERLOAD) {
                continue;
            }
            let own = base.def(DefId(local));
            let relation = if def.kind == DefKind::Method { Relation::DefinesMethod } else { Relation::Defines };
            let holder = self.holder(own);
            let relation = if self.is_type(holder) { relation } else { Relation::Defines };
            // An edge belongs to the file it starts in, so a method in another file than its type hangs on its own module.
            let is_here = self.evaluator.program.unit_of(holder) == unit;
            let holder = if is_here { holder } else { base.def(def.parent) };
            edges.push(self.edge(holder, relation, own, 0, Resolution::Syntax));
            if def.kind.is_type() {
                self.inheritance(own, edges);
            }
        }
        for import in 0..base.facts.imports.len() {
            self.import(unit, super::program::number(import), edges);
        }
    }

    pub(super) fn is_type(&self, def: u32) -> bool {
        self.evaluator.program.def(def).kind.is_type()
    }

    fn holder(&mut self, def: u32) -> u32 {
        let program = self.evaluator.program;
        let outside = program.def(def).receiver.is_some();
        let owner = if outside { self.evaluator.owner(def) } else { None };
        owner.unwrap_or_else(|| program.parent(def))
    }

    fn inheritance(&mut self, def: u32, edges: &mut Vec<Edge>) {
        let kind = self.evaluator.program.def(def).kind;
        for base in self.evaluator.bases(def, &mut false) {
            let is_interface = self.evaluator.program.def(base).kind == DefKind::Interface;
            let implements = is_interface && kind != DefKind::Interface;
            let relation = if implements { Relation::Implements } else { Relation::Inherits };
            edges.push(self.edge(def, relation, base, 0, Resolution::Import));
        }
    }

    fn import(&mut self, unit: u32, index: u32, edges: &mut Vec<Edge>) {
        let base = self.evaluator.program.unit(unit);
        let own = self.names.module_id(unit);
        let import = base.facts.imports[index as usize];
        let mut targets: Vec<NodeId> = Vec::new();
        for module in self.evaluator.modules.import(unit, index) {
            match module.kind() {
                Kind::Module => targets.extend(self.imported_module(module.id(), &import, base)),
                _ => targets.extend(self.imported_from_package(unit, module.id(), &import)),
            }
        }
        if targets.is_empty() && self.evaluator.modules.import(unit, index).is_empty() {
            let package = external_package(base, &import);
            let inside = self.imported_type(unit, index);
            if let Some(inside) = inside {
                targets.push(inside);
            } else if !package.is_empty() {
                targets.push(NodeId::of(Label::ExternalPackage, &package));
            }
        }
        targets.sort_unstable();
        targets.dedup();
        let found = targets.into_iter().filter(|target| *target != own);
        edges.extend(found.map(|target| edge(own, Relation::Imports, target, import.line, Resolution::Import)));
    }

    /// `from package import module` imports the module, and the file of the package before it.
    fn imported_module(&mut self, target: u32, import: &Import, base: &Unit) -> impl Iterator<Item = NodeId> {
        let program = self.evaluator.program;
        let below = match import.kind {
            ImportKind::Symbol(name) => {
                let unit = program.unit(target);
                self.evaluator.look_for(base.symbol(name));
                let hidden = self.evaluator.modules.global(target, base.symbol(name)).is_some();
                (!hidden).then(|| self.evaluator.modules.submodule(unit, base.facts.text(name))).flatten()
            }
            ImportKind::Module | ImportKind::Default | ImportKind::Wildcard => None,
        };
        let below = below.and_then(|value| value.as_kind(Kind::Module));
        let units = [Some(target), below].into_iter().flatten();
        units.map(|unit| self.names.module_id(unit))
    }

    /// A symbol of a package is imported from the file it is in; a whole package as such.
    fn imported_from_package(&mut self, unit: u32, package: u32, import: &Import) -> Vec<NodeId> {
        let base = self.evaluator.program.unit(unit);
        if let ImportKind::Symbol(name) = import.kind {
            let mut found = super::value::Set::default();
            let package = super::value::Value::new(Kind::Package, package);
            self.evaluator.member(package, base.symbol(name), &mut found);
            return found.iter().filter_map(|value| self.module_of_value(value)).collect();
        }
        let name = package_qualified(self.evaluator.modules.package_name(package), base, self.evaluator.modules);
        vec![NodeId::of(Label::Package, &name)]
    }

    fn imported_type(&mut self, unit: u32, index: u32) -> Option<NodeId> {
        let base = self.evaluator.program.unit(unit);
        let term = base
            .facts
            .terms
            .iter()
            .position(|term| matches!(term, languages::facts::Term::Import(import) if import.0 == index))?;
        let values = self.evaluator.read(base.term(TermId(super::program::number(term))));
        values.iter().find_map(|value| self.module_of_value(value))
    }

    fn module_of_value(&self, value: super::value::Value) -> Option<NodeId> {
        let program = self.evaluator.program;
        let unit = match value.kind() {
            Kind::Module => value.id(),
            Kind::Function | Kind::Unbound | Kind::Type | Kind::Instance => program.unit_of(value.id()),
            Kind::Object => program.unit_of(value.id()),
            _ => return None,
        };
        Some(self.names.module_id(unit))
    }

    /// The nodes of a unit's module and definitions.
    pub(super) fn nodes(&self, unit: u32) -> Vec<Node> {
        let base = self.evaluator.program.unit(unit);
        let file = NodeId::of(Label::File, &base.path);
        let qualified = self.names.qualified(unit);
        let mut nodes = Vec::with_capacity(base.facts.defs.len());
        for (local, def) in base.facts.defs.iter().enumerate() {
            if def.has_modifier(OVERLOAD) {
                continue;
            }
            let name = match def.kind {
                DefKind::Module => last_part(base, &qualified[local]).to_owned(),
                _ => base.facts.text(def.name).to_owned(),
            };
            let mut modifiers = def.modifiers.clone();
            if def.kind == DefKind::Lambda {
                modifiers.push("anonymous".to_owned());
            }
            let receiver = def.receiver.map(|receiver| base.facts.term(receiver));
            if matches!(receiver, Some(languages::facts::Term::Literal(_))) {
                modifiers.push(IN_OBJECT.to_owned());
            }
            nodes.push(Node {
                id: self.names.ids(unit)[local],
                label: self.names.labels(unit)[local],
                name,
                qualified_name: qualified[local].clone(),
                file: Some(file),
                start_line: def.start_line.max(1),
                end_line: def.end_line,
                own_line: def.own_line,
                signature: Some(def.signature.clone()).filter(|signature| !signature.is_empty()),
                docstring: def.docstring.clone(),
                decorators: def.decorators.iter().map(|decorator| decorator.text.clone()).collect(),
                modifiers,
            });
        }
        nodes
    }
}

fn last_part<'n>(base: &'n Unit, name: &'n str) -> &'n str {
    let path_name = || base.path.rsplit('/').next().unwrap_or(&base.path);
    match base.settings.modules {
        Modules::Node | Modules::File | Modules::Include | Modules::Global => path_name(),
        Modules::Go => name.rsplit('/').next().unwrap_or(name),
        Modules::Python | Modules::Jvm | Modules::Namespaces | Modules::Rust => {
            let last = name.rsplit(base.settings.separator.as_str()).next().unwrap_or(name);
            if last.is_empty() { path_name() } else { last }
        }
    }
}

fn package_qualified(name: &str, base: &Unit, modules: &super::modules::ModuleMap) -> String {
    match base.settings.modules {
        Modules::Go => modules.go_name(name, None),
        Modules::Python => name.replace('/', "."),
        _ => name.to_owned(),
    }
}

/// The name under which a package from outside is installed.
fn external_package(base: &Unit, import: &Import) -> String {
    let module = base.facts.text(import.module);
    match base.settings.modules {
        Modules::Python if module.starts_with('.') => String::new(),
        Modules::Python => module.split('.').next().unwrap_or(module).to_owned(),
        Modules::Node if module.starts_with('.') || module.starts_with('/') => String::new(),
        Modules::Node => {
            let parts = if module.starts_with('@') { 2 } else { 1 };
            module.split('/').take(parts).collect::<Vec<_>>().join("/")
        }
        Modules::Rust => {
            let first = module.split("::").find(|part| !part.is_empty()).unwrap_or(module);
            if matches!(first, "crate" | "self" | "super") { String::new() } else { first.to_owned() }
        }
        Modules::Namespaces => module.trim_start_matches('\\').split(['\\', '.']).next().unwrap_or(module).to_owned(),
        Modules::Go | Modules::Jvm | Modules::Include | Modules::Global | Modules::File => {
            module.trim_matches(['<', '>', '"']).to_owned()
        }
    }
}

/// The file itself, as every file has it.
pub(super) fn file_node(file: &SourceFile<'_>) -> Node {
    let id = NodeId::of(Label::File, file.path);
    Node {
        id,
        label: Label::File,
        name: file.path.rsplit('/').next().unwrap_or(file.path).to_owned(),
        qualified_name: file.path.to_owned(),
        file: Some(id),
        start_line: u32::from(file.lines > 0),
        end_line: file.lines,
        ..Node::default()
    }
}

/// Project, folders, packages and external packages, with what they contain.
pub(super) fn outline(project: &str, files: &[SourceFile<'_>], evaluator: &Evaluator<'_>, names: &Names) -> Part {
    let mut outline = Outline { part: Part::default(), seen: FxHashSet::default() };
    let root = outline.node(Label::Project, project, project);
    for file in files {
        let above = outline.folder(root, folder_of(file.path));
        outline.contain(above, NodeId::of(Label::File, file.path));
    }
    let packages = packages(evaluator, names);
    for (name, paths) in packages {
        let last = name.rsplit(['.', '/', '\\', ':']).next().unwrap_or(&name).to_owned();
        let package = outline.node(Label::Package, &name, &last);
        for path in paths {
            outline.contain(package, NodeId::of(Label::File, &path));
        }
    }
    for name in external_packages(evaluator) {
        let package = outline.node(Label::ExternalPackage, &name, &name);
        outline.part.edges.push(edge(root, Relation::DependsOn, package, 0, Resolution::Import));
    }
    outline.part
}

struct Outline {
    part: Part,
    seen: FxHashSet<NodeId>,
}

impl Outline {
    fn node(&mut self, label: Label, qualified_name: &str, name: &str) -> NodeId {
        let id = NodeId::of(label, qualified_name);
        if self.seen.insert(id) {
            let (name, qualified_name) = (name.to_owned(), qualified_name.to_owned());
            self.part.nodes.push(Node { id, label, name, qualified_name, ..Node::default() });
        }
        id
    }

    fn folder(&mut self, root: NodeId, path: &str) -> NodeId {
        if path.is_empty() {
            return root;
        }
        let id = NodeId::of(Label::Folder, path);
        if !self.seen.contains(&id) {
            let above = self.folder(root, folder_of(path));
            self.node(Label::Folder, path, path.rsplit('/').next().unwrap_or(path));
            self.contain(above, id);
        }
        id
    }

    fn contain(&mut self, above: NodeId, below: NodeId) {
        self.part.edges.push(edge(above, Relation::Contains, below, 0, Resolution::Syntax));
    }
}

/// Packages by name, with the paths of their files.
fn packages(evaluator: &Evaluator<'_>, names: &Names) -> Vec<(String, Vec<String>)> {
    let mut packages: FxHashMap<String, Vec<String>> = FxHashMap::default();
    let program = evaluator.program;
    for (index, unit) in program.in_order() {
        let name = match unit.settings.modules {
            Modules::Python => {
                let init = format!("{}/__init__.py", unit.folder());
                evaluator.modules.unit_at(init.trim_start_matches('/')).map(|unit| names.qualified(unit)[0].clone())
            }
            Modules::Go | Modules::Jvm | Modules::Namespaces | Modules::Rust => {
                Some(super::names::module_name(evaluator, index))
            }
            Modules::Node | Modules::Include | Modules::Global | Modules::File => None,
        };
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            packages.entry(name).or_default().push(unit.path.to_string());
        }
    }
    let mut packages: Vec<_> = packages.into_iter().collect();
    packages.sort_unstable();
    packages
}

fn external_packages(evaluator: &Evaluator<'_>) -> Vec<String> {
    let units = evaluator.program.in_order();
    let mut names: Vec<String> = units.flat_map(|(unit, _)| external_packages_of(evaluator, unit)).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The packages from outside that a unit imports.
pub(super) fn external_packages_of(evaluator: &Evaluator<'_>, index: u32) -> Vec<String> {
    let unit = evaluator.program.unit(index);
    let imports = unit.facts.imports.iter().zip(evaluator.modules.imports_of(index));
    let outside = imports.filter(|(_, found)| found.is_empty()).map(|(import, _)| external_package(unit, import));
    let mut names: Vec<String> = outside.filter(|name| !name.is_empty()).collect();
    names.sort_unstable();
    names.dedup();
    names
}
