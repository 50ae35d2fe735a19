//! What do the facts of all files say together?
//!
//! In: the facts of every file, and the manifests that say how modules are laid out. Out: the graph, split by file. Names are
//! found by scope, import, receiver type and inheritance, and followed through assignments, arguments, results and
//! containers; what comes from outside gives no edge. The same facts always give the same graph.

#![expect(clippy::wildcard_enum_match_arm, reason = "few of the many kinds of values matter to any one function")]

mod ancestry;
mod around;
mod dispatch;
mod edges;
mod elements;
mod evaluate;
mod flow;
mod lookup;
mod members;
mod modules;
mod names;
mod program;
mod results;
mod sparse;
mod structure;
mod value;

use languages::FileFacts;
use store::Part;

use dispatch::Dispatch;
use edges::Edges;
use evaluate::Evaluator;
use graph::{NodeId, Relation};
use modules::ModuleMap;
use names::Names;
use program::Program;
use rustc_hash::FxHashSet;

/// One file as the linker sees it.
#[derive(Debug, Clone, Copy)]
pub struct SourceFile<'a> {
    /// From the root, `/` between parts.
    pub path: &'a str,
    pub language: Option<&'a str>,
    pub facts: Option<&'a FileFacts>,
    pub lines: u32,
    /// The text of a file that says how modules are laid out.
    pub manifest: Option<&'a str>,
}

/// The graph of a project, split by the file that each part belongs to.
#[derive(Debug, Default)]
pub struct Linked {
    /// One for each file, in the same order.
    pub parts: Vec<Part>,
    /// What belongs to no file.
    pub structure: Part,
}

/// The part of a file that is nothing but a file: no facts are known of it.
pub fn bare_part(file: &SourceFile<'_>) -> Part {
    Part { nodes: vec![structure::file_node(file)], edges: Vec::new() }
}

pub fn link(project: &str, files: &[SourceFile<'_>]) -> Linked {
    let program = Program::new(files);
    let modules = ModuleMap::new(&program, files);
    let mut evaluator = Evaluator::new(&program, &modules);
    flow::run(&mut evaluator);
    let dispatch = Dispatch::new(&mut evaluator);
    let names = Names::new(&evaluator);
    let mut edges = Edges { evaluator: &mut evaluator, names: &names, dispatch: &dispatch };
    let mut parts: Vec<Part> = files.iter().map(bare_part).collect();
    for (unit, base) in (0..).zip(&program.units) {
        let part = &mut parts[base.position];
        part.nodes.extend(edges.nodes(unit));
        part.edges = edges.of_unit(unit);
    }
    for (method, overridden) in &dispatch.overrides {
        let unit = program.unit(program.unit_of_def(*method));
        let edge = edges.edge(*method, Relation::Overrides, *overridden, 0, graph::Resolution::Inheritance);
        parts[unit.position].edges.push(edge);
    }
    for (of, interface) in &dispatch.structural {
        let unit = program.unit(program.unit_of_def(*of));
        let edge = edges.edge(*of, Relation::Implements, *interface, 0, graph::Resolution::Type);
        parts[unit.position].edges.push(edge);
    }
    for part in &mut parts {
        part.edges.sort_unstable();
        part.edges.dedup_by_key(|edge| (edge.from, edge.relation, edge.to, edge.line));
    }
    let structure = structure::outline(project, files, &edges);
    let known: FxHashSet<NodeId> =
        parts.iter().chain([&structure]).flat_map(|part| &part.nodes).map(|node| node.id).collect();
    for part in &mut parts {
        part.edges.retain(|edge| known.contains(&edge.to));
    }
    Linked { structure, parts }
}
