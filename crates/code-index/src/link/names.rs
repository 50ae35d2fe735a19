//! The qualified name and the id of every definition, module and package.

use graph::{Label, NodeId};
use languages::facts::{DefId, DefKind, OVERLOAD};
use languages::settings::Modules;
use rustc_hash::FxHashMap;

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
        let program = evaluator.program;
        let count = program.counts.defs as usize;
        let mut names = Self {
            qualified: Vec::with_capacity(count),
            labels: Vec::with_capacity(count),
            ids: Vec::with_capacity(count),
        };
        let mut taken: FxHashMap<(Label, String), u32> = FxHashMap::default();
        for unit in 0..number(program.units.len()) {
            for local in 0..number(program.unit(unit).facts.defs.len()) {
                names.add(evaluator, unit, local, &mut taken);
            }
        }
        names
    }

    fn add(
        &mut self,
        evaluator: &Evaluator<'_, '_>,
        unit: u32,
        local: u32,
        taken: &mut FxHashMap<(Label, String), u32>,
    ) {
        let base = evaluator.program.unit(unit);
        let def = &base.facts.defs[local as usize];
        let label = label(def.kind);
        let mut name =
            if local == 0 { module_name(evaluator, unit) } else { self.below(evaluator, base, DefId(local)) };
        if def.has_modifier(OVERLOAD) {
            name = format!("{name}@{OVERLOAD}:{}", def.own_line);
        }
        // The first keeps the name; the others say where they are.
        let count = taken.entry((label, name.clone())).or_default();
        *count += 1;
        if *count > 1 {
            name = format!("{name}@{}:{}", base.path, def.own_line);
            let again = taken.entry((label, name.clone())).or_default();
            *again += 1;
            if *again > 1 {
                name = format!("{name}.{again}");
            }
        }
        self.ids.push(NodeId::of(label, &name));
        self.labels.push(label);
        self.qualified.push(name);
    }

    fn below(&self, evaluator: &Evaluator<'_, '_>, base: &Unit<'_>, local: DefId) -> String {
        let def = base.facts.def(local);
        let name = match def.kind {
            DefKind::Lambda => format!("<lambda:{}>", def.own_line),
            _ => base.facts.text(def.name).to_owned(),
        };
        // Methods that stand outside of their type are named after it, once it has a name.
        let owner = evaluator.members.owner(evaluator.program, base.def(local)).filter(|_| def.receiver.is_some());
        let above = owner.filter(|owner| (*owner as usize) < self.qualified.len()).unwrap_or(base.def(def.parent));
        let prefix = &self.qualified[above as usize];
        let around = evaluator.program.def(above).kind;
        format!("{prefix}{}{name}", separator(base, around, prefix))
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
