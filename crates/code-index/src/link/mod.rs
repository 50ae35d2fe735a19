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
mod history;
mod identity;
mod inheritance;
mod lineages;
mod linker;
mod listing;
mod lookup;
mod members;
mod modules;
mod names;
mod outflow;
mod program;
mod ranks;
mod results;
mod sources;
mod sparse;
mod structure;
mod sweeps;
mod update;
mod value;

use std::sync::Arc;

use languages::FileFacts;
use store::Part;

pub use linker::Linker;

use history::Kept;

/// One file as the linker sees it.
#[derive(Debug, Clone, Copy)]
pub struct SourceFile<'a> {
    /// From the root, `/` between parts.
    pub path: &'a str,
    pub language: Option<&'a str>,
    pub facts: Option<&'a Arc<FileFacts>>,
    pub lines: u32,
    /// The text of a file that says how modules are laid out.
    pub manifest: Option<&'a str>,
}

/// The graph of a project, split by the file that each part belongs to.
#[derive(Debug, Default)]
pub struct Linked {
    /// One for each file, in the same order; `None` where it is what the linker gave the last time.
    pub parts: Vec<Option<Part>>,
    /// What belongs to no file.
    pub structure: Option<Part>,
}

/// The part of a file that is nothing but a file: no facts are known of it.
pub fn bare_part(file: &SourceFile<'_>) -> Part {
    Part { nodes: vec![structure::file_node(file)], edges: Vec::new() }
}

/// Links the files of a project, once.
pub fn link(project: &str, files: &[SourceFile<'_>]) -> Linked {
    Linker::new(project, files, Kept::No).1
}

/// Links the files of a project, from nothing or, where that gives the same with less work, from what is known of them.
pub fn link_again(known: Option<Linker>, project: &str, files: &[SourceFile<'_>]) -> (Linker, Linked) {
    let updated = known.filter(|known| known.is_of(project)).and_then(|known| known.updated(files));
    updated.unwrap_or_else(|| Linker::new(project, files, Kept::Yes))
}
