//! The qualified name and the id of every definition and module.

use std::hash::{DefaultHasher, Hash, Hasher};

use graph::{Label, NodeId};
use languages::facts::{Def, DefId, DefKind, OVERLOAD};
use languages::settings::Modules;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::evaluate::Evaluator;
use super::program::{Program, Unit};

#[derive(Debug, Default)]
pub(super) struct Names {
    units: Vec<UnitNames>,
    /// Who would like to have each name, in the order in which they get it.
    claims: FxHashMap<Claim, SmallVec<[Claimant; 1]>>,
}

/// Of each definition of a unit; that of the first is the module's.
#[derive(Debug, Default)]
struct UnitNames {
    qualified: Vec<String>,
    labels: Vec<Label>,
    ids: Vec<NodeId>,
    claims: Vec<(Claim, Claimant)>,
}

impl UnitNames {
    /// The names of its types.
    fn types(&self) -> impl Iterator<Item = &str> {
        let named = self.qualified.iter().zip(&self.labels).filter(|(_, label)| is_type(**label));
        named.map(|(name, _)| name.as_str())
    }
}

/// A label and a name, as one number.
type Claim = u64;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Claimant {
    is_outside: bool,
    unit: u32,
}

impl Claimant {
    /// Methods that stand outside of their type are named last, since they are named after it. Then the order of files counts.
    fn order(self, program: &Program) -> (bool, usize) {
        (self.is_outside, program.unit(self.unit).position)
    }
}

impl Names {
    pub(super) fn new(evaluator: &mut Evaluator<'_>) -> Self {
        let mut names = Self::default();
        let program = evaluator.program;
        names.grow(program.units.len());
        let mut all: Vec<Naming> = program.in_order().map(|(unit, _)| Naming::new(evaluator, unit)).collect();
        for is_outside in [false, true] {
            all.iter_mut().for_each(|naming| naming.name(&mut names, evaluator, is_outside));
        }
        names
    }

    /// Makes room for so many units.
    pub(super) fn grow(&mut self, units: usize) {
        self.units.resize_with(units, UnitNames::default);
    }

    /// Forgets the names of a unit, which is still among those of the program. Whether others would like to have them.
    pub(super) fn remove(&mut self, program: &Program, unit: u32) -> bool {
        let UnitNames { claims, .. } = self.take(unit);
        claims.iter().any(|claim| self.is_wanted(program, claim))
    }

    fn take(&mut self, unit: u32) -> UnitNames {
        let names = std::mem::take(&mut self.units[unit as usize]);
        for (claim, claimant) in &names.claims {
            if let Some(claimants) = self.claims.get_mut(claim) {
                claimants.retain(|known| known != claimant);
            }
        }
        names
    }

    /// Whether somebody behind would get a name that this one has.
    fn is_wanted(&self, program: &Program, (claim, claimant): &(Claim, Claimant)) -> bool {
        let order = claimant.order(program);
        self.claims.get(claim).is_some_and(|claimants| claimants.iter().any(|other| other.order(program) > order))
    }

    /// Names the definitions of some units anew, in the order of their files. False if that takes names from others, or leaves some
    /// to them: then everything has to be named anew.
    pub(super) fn update(&mut self, evaluator: &mut Evaluator<'_>, units: &[u32]) -> bool {
        let before: Vec<UnitNames> = units.iter().map(|unit| self.take(*unit)).collect();
        let mut namings: Vec<Naming> = units.iter().map(|unit| Naming::new(evaluator, *unit)).collect();
        for is_outside in [false, true] {
            namings.iter_mut().for_each(|naming| naming.name(self, evaluator, is_outside));
        }
        let program = evaluator.program;
        let has_methods_outside = program.units.iter().any(|unit| unit.outside_methods().next().is_some());
        units.iter().zip(before).all(|(unit, before)| {
            let after = &self.units[*unit as usize];
            let old: FxHashSet<_> = before.claims.iter().copied().collect();
            let new: FxHashSet<_> = after.claims.iter().copied().collect();
            (before.types().eq(after.types()) || !has_methods_outside)
                && !old.symmetric_difference(&new).any(|claim| self.is_wanted(program, claim))
        })
    }

    pub(super) fn id(&self, program: &Program, def: u32) -> NodeId {
        let unit = program.unit_of(def);
        self.units[unit as usize].ids[program.unit(unit).local_def(def) as usize]
    }

    pub(super) fn module_id(&self, unit: u32) -> NodeId {
        self.units[unit as usize].ids[0]
    }

    pub(super) fn ids(&self, unit: u32) -> &[NodeId] {
        &self.units[unit as usize].ids
    }

    /// Without signatures that another definition stands for.
    pub(super) fn ids_in_graph<'n>(&'n self, base: &'n Unit, unit: u32) -> impl Iterator<Item = NodeId> + 'n {
        let defs = self.ids(unit).iter().zip(&base.facts.defs);
        defs.filter(|(_, def)| !def.has_modifier(OVERLOAD)).map(|(id, _)| *id)
    }

    pub(super) fn labels(&self, unit: u32) -> &[Label] {
        &self.units[unit as usize].labels
    }

    pub(super) fn qualified(&self, unit: u32) -> &[String] {
        &self.units[unit as usize].qualified
    }

    /// Whether this one gets the name.
    fn claim(&mut self, program: &Program, claim: Claim, claimant: Claimant) -> bool {
        let claimants = self.claims.entry(claim).or_default();
        let order = claimant.order(program);
        let at = claimants.partition_point(|known| known.order(program) < order);
        if claimants.get(at) == Some(&claimant) {
            return false;
        }
        claimants.insert(at, claimant);
        self.units[claimant.unit as usize].claims.push((claim, claimant));
        at == 0
    }
}

fn is_type(label: Label) -> bool {
    matches!(label, Label::Class | Label::Interface | Label::Enum | Label::Type)
}

/// The definitions of one unit while they are named.
struct Naming {
    unit: u32,
    /// What each definition is named after: one of the unit by its number there, or a type elsewhere.
    above: Vec<Above>,
    /// What stands before the names of its members, where that is not its name: files of one package share it.
    prefixes: FxHashMap<u32, String>,
    /// How often each name with a place was met.
    placed: FxHashMap<String, u32>,
}

#[derive(Debug, Clone, Copy)]
enum Above {
    Here(u32),
    Elsewhere(u32),
}

impl Naming {
    fn new(evaluator: &mut Evaluator<'_>, unit: u32) -> Self {
        let base = evaluator.program.unit(unit);
        evaluator.reader = base.edges();
        let mut above: Vec<Above> = base.facts.defs.iter().map(|def| Above::Here(def.parent.0)).collect();
        for method in base.outside_methods() {
            let def = base.def(method);
            if let Some(owner) = evaluator.owner(def).filter(|owner| *owner != def) {
                above[method.index()] = Above::Elsewhere(owner);
            }
        }
        Self { unit, above, prefixes: FxHashMap::default(), placed: FxHashMap::default() }
    }

    /// Whether a definition stands outside of its type, or below one that does.
    fn is_outside(&self, mut local: u32) -> bool {
        while local != DefId::MODULE.0 {
            match self.above[local as usize] {
                Above::Elsewhere(_) => return true,
                Above::Here(parent) => local = parent,
            }
        }
        false
    }

    /// Names those of its definitions that are, or are not, outside of their type.
    fn name(&mut self, names: &mut Names, evaluator: &Evaluator<'_>, is_outside: bool) {
        let base = evaluator.program.unit(self.unit);
        let own = &mut names.units[self.unit as usize];
        own.qualified.resize(base.facts.defs.len(), String::new());
        own.labels = base.facts.defs.iter().map(|def| label(def.kind)).collect();
        own.ids.resize(base.facts.defs.len(), NodeId(0));
        for (local, def) in (0..).zip(&base.facts.defs) {
            if self.is_outside(local) != is_outside {
                continue;
            }
            let mut name = match local {
                0 => module_name(evaluator, self.unit),
                _ => self.below(names, evaluator.program, local, def),
            };
            if def.has_modifier(OVERLOAD) {
                name = format!("{name}@{OVERLOAD}:{}", def.own_line);
            }
            let label = label(def.kind);
            // A file whose names are everybody's has none of its own.
            let wanted = if name.is_empty() { base.path.to_string() } else { name.clone() };
            let claimant = Claimant { is_outside, unit: self.unit };
            let qualified = match names.claim(evaluator.program, claim(label, &wanted), claimant) {
                true => wanted,
                false => self.placed(&wanted, &base.path, def.own_line),
            };
            if label == Label::Module && qualified != name {
                self.prefixes.insert(local, name);
            }
            let own = &mut names.units[self.unit as usize];
            own.ids[local as usize] = NodeId::of(label, &qualified);
            own.qualified[local as usize] = qualified;
        }
    }

    /// The first keeps the name; the others say where they are.
    fn placed(&mut self, name: &str, path: &str, line: u32) -> String {
        let placed = format!("{name}@{path}:{line}");
        let count = self.placed.entry(placed.clone()).or_default();
        *count += 1;
        if *count == 1 { placed } else { format!("{placed}.{count}") }
    }

    fn below(&self, names: &Names, program: &Program, local: u32, def: &Def) -> String {
        let base = program.unit(self.unit);
        let name = match def.kind {
            DefKind::Lambda => format!("<lambda:{}>", def.own_line),
            _ => base.facts.text(def.name).to_owned(),
        };
        let (kind, prefix) = match self.above[local as usize] {
            Above::Here(parent) => {
                let qualified = &names.qualified(self.unit)[parent as usize];
                (base.facts.def(DefId(parent)).kind, self.prefixes.get(&parent).unwrap_or(qualified))
            }
            Above::Elsewhere(owner) => {
                let unit = program.unit_of(owner);
                let local = program.unit(unit).local_def(owner);
                (program.def(owner).kind, &names.qualified(unit)[local as usize])
            }
        };
        format!("{prefix}{}{name}", separator(base, kind, prefix))
    }
}

fn claim(label: Label, name: &str) -> Claim {
    let mut hasher = DefaultHasher::new();
    (label.code(), name).hash(&mut hasher);
    hasher.finish()
}

fn separator<'s>(base: &'s Unit, around: DefKind, prefix: &str) -> &'s str {
    let is_path = matches!(base.settings.modules, Modules::Node | Modules::File);
    match around {
        _ if prefix.is_empty() => "",
        DefKind::Module if is_path => "#",
        DefKind::Class | DefKind::Interface | DefKind::Enum if base.settings.separator == "\\" => "::",
        _ => &base.settings.separator,
    }
}

/// What a module is called in its language; `path` where it has no name of its own.
pub(super) fn module_name(evaluator: &Evaluator<'_>, unit: u32) -> String {
    let base = evaluator.program.unit(unit);
    match base.settings.modules {
        Modules::Python => evaluator.modules.python_name(&base.path),
        Modules::Node | Modules::File => base.path.to_string(),
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
