//! A code graph in the formats that other programs read.
//!
//! In: a [`Source`] that goes through the nodes and then the relationships of one project, each in a fixed order. Out: JSON,
//! GraphML or a Cypher script, written as it comes, so that the size of a graph does not matter. Which properties there are
//! is said once, in `properties.rs`, for every format and for graph servers too. This crate knows no storage and no network.

pub mod cypher;
mod format;
mod graphml;
mod json;
mod paths;
mod properties;
#[cfg(test)]
mod sample;
mod source;

pub use format::{FORMATS, Format};
pub use paths::FilePaths;
pub use properties::{CONFIDENCE, EDGE_KEYS, LINE, NODE_KEYS, RESOLUTION, Value, ValueKind, of_edge, of_node};
pub use source::{NodeRecord, Source, id_text};
