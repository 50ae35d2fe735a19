//! Finding files by their words: what a search asks of whoever keeps a project.
//!
//! Files have small numbers here, which say nothing outside of one reading.

use graph::{Direction, Edge, Node, NodeId};
use search::FileKind;
use search::file_words::Weight;

use crate::{FoundNode, Result};

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
}
