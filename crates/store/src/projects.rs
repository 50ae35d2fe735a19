//! Code graphs: one project for each indexed repository, each kept apart from the others.
//!
//! These promises block: call them off the runtime.

use std::any::Any;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use graph::{Edge, GraphRead, Label, Node, NodeId, Relation};
use jiff::Timestamp;

use search::FileWords;
use search::file_words::PartVector;

use crate::Result;
use crate::words::WordRead;

/// All projects that are kept.
pub trait ProjectCatalog: Send + Sync + fmt::Debug {
    /// Every project, by name. One that cannot be read is left out and reported in the log.
    fn list(&self) -> Result<Vec<ProjectInfo>>;

    fn find(&self, name: &str) -> Result<Option<Arc<dyn ProjectGraph>>>;

    /// The project of this root, if it was ever indexed.
    fn find_root(&self, root: &str) -> Result<Option<Arc<dyn ProjectGraph>>>;

    /// Takes the right to index the project with this name. It ends with the guard or with the process.
    fn reserve(&self, name: &str) -> Result<Reservation>;

    /// The project, made empty if it is new. Only the holder of its reservation may write to it.
    fn create(&self, name: &str, root: &str) -> Result<Arc<dyn ProjectGraph>>;

    /// Whether there was one.
    fn delete(&self, name: &str) -> Result<bool>;
}

/// Whether this process may index.
#[derive(Debug)]
pub enum Reservation {
    /// Until this is dropped.
    Granted(Box<dyn Any + Send>),
    /// Another process has it; its process id, where known.
    HeldBy(Option<u32>),
}

/// What a project is and how much there is of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ProjectInfo {
    pub name: String,
    pub root: PathBuf,
    pub files: u64,
    pub nodes: u64,
    pub relationships: u64,
    /// Names of languages with the number of their files, most first.
    pub languages: Vec<(String, u64)>,
    pub indexed_at: Option<Timestamp>,
    /// Changes with every change of the graph, in any process.
    pub epoch: u64,
}

/// One code graph. Each call sees one whole state of it.
pub trait ProjectGraph: Send + Sync + fmt::Debug {
    fn info(&self) -> Result<ProjectInfo>;

    /// What is known of each file, by path.
    fn files(&self) -> Result<Vec<FileRecord>>;

    /// Calls back with the path and the facts of each file that has some.
    fn facts(&self, each: &mut dyn FnMut(&str, &[u8])) -> Result<()>;

    /// Changes everything in one step: after a crash there is the old graph or the new one.
    fn apply(&self, update: &GraphUpdate) -> Result<()>;

    /// One unchanging state of the graph, to ask many things of, under the names that labels, relationships and properties have
    /// in queries. It holds up the clearing of what later changes leave behind and takes up a connection, so it is for the
    /// length of one answer: not to be kept.
    fn reader(&self) -> Result<Box<dyn GraphRead + Send + '_>>;

    /// What nearness in meaning is known by.
    fn meaning(&self) -> Result<Meaning>;

    /// One unchanging state of the words and of the graph around what they find. For the length of one answer, like `reader`.
    fn words(&self) -> Result<Box<dyn WordRead + '_>>;

    /// The definitions, modules and packages with exactly this qualified name.
    fn find_qualified(&self, qualified_name: &str) -> Result<Vec<FoundNode>>;

    /// Those with this last part of a name, at most `limit`, by qualified name.
    fn find_named(&self, name: &str, limit: usize) -> Result<Vec<FoundNode>>;

    /// Calls back with every node, by id, until it returns false.
    fn nodes(&self, each: &mut dyn FnMut(&Node) -> bool) -> Result<()>;

    /// Calls back with every edge of these types (all of them when empty), by first node, until it returns false.
    fn edges(&self, relations: &[Relation], each: &mut dyn FnMut(&Edge) -> bool) -> Result<()>;
}

/// A node and the path of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundNode {
    pub node: Node,
    pub path: Option<String>,
}

/// What is known of one file on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRecord {
    /// From the root, `/` between parts.
    pub path: String,
    pub language: Option<String>,
    pub size: u64,
    /// Nanoseconds since 1970.
    pub modified: i64,
    /// Of the bytes; empty when the file was not read.
    pub content_hash: Vec<u8>,
    /// Of the stored nodes and edges that belong to the file.
    pub graph_hash: Vec<u8>,
    pub lines: u32,
    /// Why it is not, or not wholly, in the graph.
    pub problem: Option<String>,
}

/// What changes in one step.
#[derive(Debug, Default)]
pub struct GraphUpdate {
    pub files: Vec<FileUpdate>,
    /// Paths of files that have gone, with all that belongs to them.
    pub removed: Vec<String>,
    /// The nodes and edges of no file (project, folders, packages, external packages); `None` leaves them.
    pub structure: Option<Part>,
    pub indexed_at: Option<Timestamp>,
    /// What nearness in meaning is known by from now on; `None` leaves it. Vectors of anything else go.
    pub meaning: Option<Meaning>,
    /// Vectors that an embedder made, of files that are stored or come with this step.
    pub vectors: Vec<FileVectors>,
}

/// The vectors of the parts of one file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileVectors {
    pub path: String,
    pub parts: Vec<PartVector>,
}

/// What nearness in meaning is known by.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Meaning {
    #[default]
    Nothing,
    /// A model that the store learns from the words of the project, and keeps with it.
    Learned,
    /// Vectors that are given for each file, from the embedder with this fingerprint.
    Given(String),
}

/// What changes for one file.
#[derive(Debug)]
pub struct FileUpdate {
    pub record: FileRecord,
    /// New facts; `None` leaves them.
    pub facts: Option<Vec<u8>>,
    /// New nodes and edges instead of the old ones; `None` leaves them.
    pub part: Option<Part>,
    /// New words to be found by, or none at all; `None` leaves them.
    pub words: Option<Option<FileWords>>,
}

/// Nodes, and the edges that start at them.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Part {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

/// The id under which everything of the file at this path is kept.
pub fn file_id(path: &str) -> NodeId {
    NodeId::of(Label::File, path)
}
