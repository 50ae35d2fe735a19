//! The property graph of a repository: what its nodes and relationships are, and how each is named.
//!
//! In: names. Out: typed nodes and edges whose ids follow from their names alone, so that two processes, or an update and a
//! clean index, give the same thing the same id. `GraphRead` is how a query engine reads any property graph. This crate knows no
//! storage, no query language and no parser.

mod edge;
mod label;
mod node;
mod property;
mod read;

pub use edge::{Confidence, Edge, Relation, Resolution};
pub use label::Label;
pub use node::{Node, NodeId};
pub use property::{NODE_PROPERTIES, PROPERTY_ALIASES, RELATIONSHIP_PROPERTIES};
pub use read::{
    Bound, Condition, Direction, EdgeEnds, EdgeKey, GraphRead, LabelKey, NodeFilter, NodeKey, PropertyKey, ReadError,
    ReadResult, RelationKey, Step, Test, TextRelation, Value,
};
