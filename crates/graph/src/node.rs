//! One thing in the graph, and the id that follows from its name.

use crate::Label;

/// Names a node. It is made from the label and the name alone, so the same thing has the same id in every index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct NodeId(pub i64);

impl NodeId {
    /// The id of the node with this label and qualified name.
    pub fn of(label: Label, qualified_name: &str) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&[label.code()]);
        hasher.update(qualified_name.as_bytes());
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
        Self(i64::from_le_bytes(bytes) & i64::MAX)
    }
}

/// A node as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Node {
    pub id: NodeId,
    pub label: Label,
    /// The last part of the name.
    pub name: String,
    /// Unique among the nodes with this label. Folders and files have their path from the root here, `/` between parts.
    pub qualified_name: String,
    /// The `File` node it is written in; `None` for what spans files.
    pub file: Option<NodeId>,
    /// First and last line, counted from 1; 0 for what has no lines.
    pub start_line: u32,
    pub end_line: u32,
    /// Where the definition itself begins, which decorators may push below the first line.
    pub own_line: u32,
    /// The declaration without its body, on one line.
    pub signature: Option<String>,
    pub docstring: Option<String>,
    pub decorators: Vec<String>,
    /// `async`, `static`, `abstract`, `public`, `exported`, `getter`, `anonymous`, …
    pub modifiers: Vec<String>,
}
