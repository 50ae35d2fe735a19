//! The path that belongs to a node.

use std::collections::HashMap;

use graph::{Label, Node, NodeId};

/// The paths of a project's files by the id of the file. It is the only part of a graph that is held in memory.
#[derive(Debug, Default)]
pub struct FilePaths(HashMap<NodeId, Box<str>>);

impl FilePaths {
    /// What belongs to this node: its own path for a file or folder, that of its file for what is written in one.
    pub fn of<'a>(&'a self, node: &'a Node) -> Option<&'a str> {
        match node.label {
            Label::File | Label::Folder => Some(&node.qualified_name),
            Label::Project
            | Label::Package
            | Label::Module
            | Label::Class
            | Label::Interface
            | Label::Enum
            | Label::Type
            | Label::Function
            | Label::Method
            | Label::ExternalPackage => self.0.get(&node.file?).map(AsRef::as_ref),
        }
    }
}

impl FromIterator<String> for FilePaths {
    fn from_iter<I: IntoIterator<Item = String>>(paths: I) -> Self {
        Self(paths.into_iter().map(|path| (NodeId::of(Label::File, &path), path.into_boxed_str())).collect())
    }
}
