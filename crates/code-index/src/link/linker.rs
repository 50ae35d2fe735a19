//! Everything that is known of a linked project, so that a changed file costs little (`update.rs`).

use std::sync::Arc;

use graph::{Label, NodeId, Relation, Resolution};
use languages::FileFacts;
use rustc_hash::FxHashSet;
use store::Part;

use super::dispatch::Dispatch;
use super::edges::Edges;
use super::evaluate::{Evaluator, Known};
use super::history::{History, Kept};
use super::members::Members;
use super::modules::ModuleMap;
use super::names::Names;
use super::program::{Program, number};
use super::{Linked, SourceFile, bare_part, ranks, structure};

/// The linked files of a project.
#[derive(Debug)]
pub struct Linker {
    pub(super) project: String,
    pub(super) files: Vec<LinkedFile>,
    pub(super) program: Program,
    pub(super) known: Known,
    pub(super) modules: ModuleMap,
    pub(super) members: Members,
    pub(super) ranks: Vec<u32>,
    pub(super) history: History,
    pub(super) names: Names,
    pub(super) dispatch: Dispatch,
    /// Definitions elsewhere to which the edges of each unit lead, sorted.
    pub(super) targets: Vec<Box<[u32]>>,
    /// What the imports of each unit lead to, whether it is in the graph or not, sorted.
    pub(super) imported: Vec<Box<[NodeId]>>,
    /// The nodes of all files, and those of none.
    pub(super) file_ids: FxHashSet<NodeId>,
    pub(super) structure_ids: FxHashSet<NodeId>,
    /// How many numbers there were at first.
    pub(super) nodes_at_first: usize,
}

/// A file as it was when it was linked.
#[derive(Debug)]
pub(super) struct LinkedFile {
    pub(super) path: String,
    pub(super) language: Option<String>,
    pub(super) facts: Option<Arc<FileFacts>>,
    pub(super) lines: u32,
    pub(super) manifest: Option<String>,
}

impl LinkedFile {
    pub(super) fn of(file: &SourceFile<'_>) -> Self {
        Self {
            path: file.path.to_owned(),
            language: file.language.map(str::to_owned),
            facts: file.facts.cloned(),
            lines: file.lines,
            manifest: file.manifest.map(str::to_owned),
        }
    }

    pub(super) fn as_source(&self) -> SourceFile<'_> {
        SourceFile {
            path: &self.path,
            language: self.language.as_deref(),
            facts: self.facts.as_ref(),
            lines: self.lines,
            manifest: self.manifest.as_deref(),
        }
    }
}

impl Linker {
    pub(super) fn new(project: &str, files: &[SourceFile<'_>], kept: Kept) -> (Self, Linked) {
        let mut program = Program::new(files);
        let known = Known::new(&mut program.symbols);
        let modules = ModuleMap::new(&mut program, files);
        let members = Members::new(&program);
        let ranks = ranks::between(&program, &modules);
        let mut history = History::new(kept);
        let mut evaluator = Evaluator::new(&program, &modules, &members, &known, &ranks, &mut history);
        evaluator.settle();
        evaluator.history.end_sweeps();
        let dispatch = Dispatch::new(&mut evaluator);
        let names = Names::new(&mut evaluator);
        let mut linker = Self {
            project: project.to_owned(),
            files: files.iter().map(LinkedFile::of).collect(),
            targets: program.units.iter().map(|_| Box::default()).collect(),
            imported: program.units.iter().map(|_| Box::default()).collect(),
            file_ids: files.iter().map(|file| NodeId::of(Label::File, file.path)).collect(),
            structure_ids: FxHashSet::default(),
            nodes_at_first: program.nodes(),
            program,
            known,
            modules,
            members,
            ranks,
            history,
            names,
            dispatch,
        };
        let units = number(linker.program.units.len());
        for unit in 0..units {
            linker.file_ids.extend(linker.names.ids_in_graph(linker.program.unit(unit), unit));
        }
        let structure = linker.outline();
        let mut parts: Vec<Option<Part>> = files.iter().map(|file| Some(bare_part(file))).collect();
        for (position, part) in linker.parts_of_units(0..units) {
            parts[position] = Some(part);
        }
        (linker, Linked { parts, structure: Some(structure) })
    }

    pub(super) fn is_of(&self, project: &str) -> bool {
        self.project == project
    }

    /// The part of a file, by its place in the list.
    pub(crate) fn part(&mut self, position: usize) -> Part {
        let unit = self.modules.unit_at(&self.files[position].path);
        let parts = self.parts_of_units(unit.into_iter());
        parts.into_iter().next().map_or_else(|| bare_part(&self.files[position].as_source()), |(_, part)| part)
    }

    /// Project, folders and packages.
    pub(crate) fn outline(&mut self) -> Part {
        let files: Vec<SourceFile<'_>> = self.files.iter().map(LinkedFile::as_source).collect();
        let evaluator =
            Evaluator::new(&self.program, &self.modules, &self.members, &self.known, &self.ranks, &mut self.history);
        let outline = structure::outline(&self.project, &files, &evaluator, &self.names);
        self.structure_ids = outline.nodes.iter().map(|node| node.id).collect();
        outline
    }

    /// The nodes and edges of some units, by the place of their files.
    pub(super) fn parts_of_units(&mut self, units: impl Iterator<Item = u32>) -> Vec<(usize, Part)> {
        let Self { program, modules, members, known, ranks, history, names, dispatch, .. } = self;
        let mut evaluator = Evaluator::new(program, modules, members, known, ranks, history).settled();
        let mut edges = Edges { evaluator: &mut evaluator, names, dispatch, targets: Vec::new() };
        let mut parts = Vec::new();
        for unit in units {
            let base = program.unit(unit);
            let mut part = bare_part(&self.files[base.position].as_source());
            part.nodes.extend(edges.nodes(unit));
            part.edges = edges.of_unit(unit);
            for (method, overridden) in dispatch.overrides_in(unit) {
                part.edges.push(edges.edge(*method, Relation::Overrides, *overridden, 0, Resolution::Inheritance));
            }
            for (of, interface) in dispatch.structural_in(unit) {
                part.edges.push(edges.edge(*of, Relation::Implements, *interface, 0, Resolution::Type));
            }
            let imports = part.edges.iter().filter(|edge| edge.relation == Relation::Imports);
            let mut imported: Vec<NodeId> = imports.map(|edge| edge.to).collect();
            imported.sort_unstable();
            imported.dedup();
            self.imported[unit as usize] = imported.into();
            part.edges.sort_unstable();
            part.edges.dedup_by_key(|edge| (edge.from, edge.relation, edge.to, edge.line));
            part.edges.retain(|edge| self.file_ids.contains(&edge.to) || self.structure_ids.contains(&edge.to));
            let is_elsewhere = |def: &u32| program.unit_of(*def) != unit;
            let mut targets: Vec<u32> = edges.targets.drain(..).filter(is_elsewhere).collect();
            targets.sort_unstable();
            targets.dedup();
            self.targets[unit as usize] = targets.into();
            parts.push((base.position, part));
        }
        parts
    }
}
