//! Where the nodes and relationships come from.

use std::io;

use graph::{Edge, Node, NodeId};

/// One project, gone through in order: nodes by id, then relationships by first node, type, second node and line.
pub trait Source: Send + Sync {
    fn project(&self) -> &str;

    /// Hands over every node; stops at the first error and gives it back.
    fn nodes(&self, each: &mut dyn FnMut(&NodeRecord<'_>) -> io::Result<()>) -> io::Result<()>;

    /// Hands over every relationship; stops at the first error and gives it back.
    fn edges(&self, each: &mut dyn FnMut(&Edge) -> io::Result<()>) -> io::Result<()>;
}

/// A node and the path of its file.
#[derive(Debug, Clone, Copy)]
pub struct NodeRecord<'a> {
    pub node: &'a Node,
    /// From the root, `/` between parts; `None` for what is in no single file or folder.
    pub path: Option<&'a str>,
}

/// An id as it is written outside. It is text, because many readers of JSON know no whole numbers above 2^53, and of one
/// length, so that text sorts as numbers do.
pub fn id_text(id: NodeId) -> String {
    format!("{:016x}", id.0)
}
