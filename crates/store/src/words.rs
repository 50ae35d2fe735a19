//! Finding files by their words: what a search asks of whoever keeps a project.
//!
//! Files have small numbers here, which say nothing outside of one reading.

use graph::{Direction, Edge, Node, NodeId};
use search::FileKind;
use search::embed::Vector;
use search::file_words::Weight;

use crate::{FoundNode, Meaning, Result};

/// What is known of every file before it is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FileClass {
    pub kind: FileKind,
    /// How many words are in it, roughly.
    pub length: f32,
}

/// A file that can be found by words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordFile {
    pub id: NodeId,
    pub path: String,
    pub lines: u32,
    /// For [`search::file_words::PartWords::read`].
    pub parts: Vec<u8>,
}

/// One unchanging state of the words of a project, and of the graph around what they find.
pub trait WordRead {
    /// The class of each file, in the place of its number; `None` where a number stands for no file.
    fn classes(&self) -> Result<Vec<Option<FileClass>>>;

    /// The numbers of the files with this word, and its weight in each, after what the list holds. The word is as
    /// [`search::FileWords`] has it.
    fn files_with(&self, word: &str, files: &mut Vec<(u32, Weight)>) -> Result<()>;

    fn file(&self, number: u32) -> Result<Option<WordFile>>;

    /// The definitions in a file, by their lines.
    fn definitions(&self, file: NodeId) -> Result<Vec<Node>>;

    fn node(&self, id: NodeId) -> Result<Option<FoundNode>>;

    /// The relationships that begin or end at a node.
    fn edges_of(&self, node: NodeId, direction: Direction) -> Result<Vec<Edge>>;

    /// What nearness in meaning is known by.
    fn meaning(&self) -> Result<Meaning>;

    /// The vector of these words with their weights, by the model that was learned from the project; `None` where there is no such
    /// model or it knows none of them.
    fn learned_vector(&self, words: &[(&str, f32)]) -> Result<Option<Vector>>;

    /// The files that have no vectors of this kind, in the order of their paths: all, where those that are kept are of another.
    fn without_vectors(&self, of: &Meaning) -> Result<Vec<u32>>;

    /// Calls back with every part of a file that has a vector, and how near it is.
    fn near(&self, to: &Vector, each: &mut dyn FnMut(NearPart)) -> Result<()>;
}

/// How much a part of a file is about what a text is about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearPart {
    /// Of the file.
    pub number: u32,
    pub start_line: u32,
    pub end_line: u32,
    /// The cosine of the angle between the two vectors.
    pub nearness: f32,
}
