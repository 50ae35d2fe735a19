//! What was found.

use graph::{Label, NodeId};

/// The best of a project for a query.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Retrieved {
    /// Definitions, and files where nothing in them is better, best first.
    pub hits: Vec<Hit>,
    /// Files, best first.
    pub files: Vec<FileHit>,
    /// How many candidates there were before the limit, and how many of them came in each way.
    pub candidates: usize,
    pub by_meaning: usize,
    pub by_graph: usize,
    /// The depth that was really used: 0 where the graph added nothing to look at.
    pub depth: u8,
}

/// A definition, or a file as a whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub node: NodeId,
    pub label: Label,
    /// The qualified name of a definition; the path of a file.
    pub symbol: String,
    /// The name of a definition with those it is in, as far as they are in the same file.
    pub local_name: String,
    pub file: String,
    /// First and last line, counted from 1.
    pub start_line: u32,
    pub end_line: u32,
    pub source: Source,
    /// How many relationships lead to it from what was found by words or meaning.
    pub distance: u8,
    /// Between 0 and 1.
    pub relevance: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct FileHit {
    pub path: String,
    pub relevance: f64,
}

/// How something was found first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Keyword,
    Embedding,
    Graph,
}
