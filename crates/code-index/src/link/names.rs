//! The qualified name and the id of every definition, module and package.

use std::fmt;

use graph::{Label, NodeId};
use languages::facts::{DefKind, OVERLOAD};
use languages::settings::Modules;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::evaluate::Evaluator;
use super::program::{Unit, number};

#[derive(Debug)]
pub(super) struct Names {
    /// Of each definition; that of a unit's first is the module's.
    pub(super) qualified: Vec<String>,
    pub(super) labels: Vec<Label>,
    pub(super) ids: Vec<NodeId>,
}

impl Names {
    pub(super) fn new(evaluator: &Evaluator<'_, '_>) -> Self {
        let count = evaluator.program.counts.defs as usize;
        let mut naming = Naming {
            evaluator,
            names: vec![None; count],
            taken: FxHashMap::with_capacity_and_hasher(count, FxBuildHasher),
        };
        for def in 0..number(count) {
            naming.name(def);
        }
        let labels: Vec<Label> = (0..number(count)).map(|def| label(evaluator.program.def(def).kind)).collect();
        let qualified: Vec<String> = naming.names.into_iter().flatten().map(|name| name.qualified).collect();
        let ids = labels.iter().zip(&qualified).map(|(label, name)| NodeId::of(*label, name)).collect();
        Self { qualified, labels, ids }
    }
}

#[derive(Debug, Clone)]
struct Name {
    qualified: String,
    /// What stands before the names of its members: files of one package share it.
    prefix: Option<String>,
}

struct Naming<'e, 'p, 'a> {
    evaluator: &'e Evaluator<'p, 'a>,
    names: Vec<Option<Name>>,
    /// How often each name was met.
    taken: FxHashMap<(Label, String), u32>,
}

impl Naming<'_, '_, '_> {
    /// Names a definition, and before it the one that it is named after.
    fn name(&mut self, def: u32) {
        if self.names[def as usize].is_some() {
            return;
        }
        let program = self.evaluator.program;
        let unit = program.unit_of_def(def);
        let base = program.unit(unit);
        let found = program.def(def);
        let mut name = if def == base.defs {
            module_name(self.evaluator, unit)
        } else {
            let above = self.above(def);
            self.name(above);
            self.below(base, def, above)
        };
        if found.has_modifier(OVERLOAD) {
            name = format!("{name}@{OVERLOAD}:{}", found.own_line);
        }
        let label = label(found.kind);
        // A file whose names are everybody's has none of its own.
        let own = if name.is_empty() { base.path } else { &name };
        let qualified = self.distinct(label, own, &format_args!("{}:{}", base.path, found.own_line));
        let prefix = (label == Label::Module && qualified != name).then_some(name);
        self.names[def as usize] = Some(Name { qualified, prefix });
    }

    /// The first keeps the name; the others say where they are.
    fn distinct(&mut self, label: Label, name: &str, place: &dyn fmt::Display) -> String {
        if self.count(label, name) == 1 {
            return name.to_owned();
        }
        let placed = format!("{name}@{place}");
        match self.count(label, &placed) {
            1 => placed,
            again => format!("{placed}.{again}"),
        }
    }

    fn count(&mut self, label: Label, name: &str) -> u32 {
        let count = self.taken.entry((label, name.to_owned())).or_default();
        *count += 1;
        *count
    }

    /// Methods that stand outside of their type are named after it.
    fn above(&self, def: u32) -> u32 {
        let program = self.evaluator.program;
        let has_receiver = program.def(def).receiver.is_some();
        let owner = self.evaluator.members.owner(program, def).filter(|owner| has_receiver && *owner != def);
        owner.unwrap_or_else(|| program.parent(def))
    }

    fn below(&self, base: &Unit<'_>, def: u32, above: u32) -> String {
        let program = self.evaluator.program;
        let found = program.def(def);
        let name = match found.kind {
            DefKind::Lambda => format!("<lambda:{}>", found.own_line),
            _ => base.facts.text(found.name).to_owned(),
        };
        let prefix = self.names[above as usize].as_ref();
        let prefix = prefix.map_or("", |name| name.prefix.as_deref().unwrap_or(&name.qualified));
        format!("{prefix}{}{name}", separator(base, program.def(above).kind, prefix))
    }
}

fn separator<'s>(base: &'s Unit<'_>, around: DefKind, prefix: &str) -> &'s str {
    let is_path = matches!(base.settings.modules, Modules::Node | Modules::File);
    match around {
        _ if prefix.is_empty() => "",
        DefKind::Module if is_path => "#",
        DefKind::Class | DefKind::Interface | DefKind::Enum if base.settings.separator == "\\" => "::",
        _ => &base.settings.separator,
    }
}

/// What a module is called in its language; `path` where it has no name of its own.
pub(super) fn module_name(evaluator: &Evaluator<'_, '_>, unit: u32) -> String {
    let base = evaluator.program.unit(unit);
    match base.settings.modules {
        Modules::Python => evaluator.modules.python_name(base.path),
        Modules::Node | Modules::File => base.path.to_owned(),
        Modules::Go => evaluator.modules.go_name(base.folder(), base.facts.package.map(|name| base.facts.text(name))),
        Modules::Jvm | Modules::Namespaces | Modules::Rust => {
            evaluator.modules.package_name(evaluator.modules.package_of(unit)).to_owned()
        }
        Modules::Include | Modules::Global => String::new(),
    }
}

fn label(kind: DefKind) -> Label {
    match kind {
        DefKind::Module | DefKind::Namespace => Label::Module,
        DefKind::Class => Label::Class,
        DefKind::Interface => Label::Interface,
        DefKind::Enum => Label::Enum,
        DefKind::Type => Label::Type,
        DefKind::Function | DefKind::Lambda => Label::Function,
        DefKind::Method => Label::Method,
    }
}
