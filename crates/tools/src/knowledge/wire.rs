//! Nodes and relationships as callers see them.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use store::NodeId;
use store::knowledge::{Name, Properties};

use super::properties;

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct Node {
    pub(super) id: String,
    label: String,
    properties: Map<String, Value>,
}

impl Node {
    pub(super) fn new(id: NodeId, label: &Name, properties: Properties) -> Self {
        Self { id: id.to_string(), label: label.to_string(), properties: properties::to_json(properties) }
    }
}

impl From<store::Node> for Node {
    fn from(node: store::Node) -> Self {
        let store::Node { id, label, properties, .. } = node;
        Self::new(id, &label, properties)
    }
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Relationship {
    id: String,
    r#type: String,
    pub(super) from_id: String,
    pub(super) to_id: String,
    properties: Map<String, Value>,
}

impl From<store::Relationship> for Relationship {
    fn from(relationship: store::Relationship) -> Self {
        let store::Relationship { id, from, to, kind, properties, .. } = relationship;
        Self {
            id: id.to_string(),
            r#type: kind.to_string(),
            from_id: from.to_string(),
            to_id: to.to_string(),
            properties: properties::to_json(properties),
        }
    }
}

/// A piece of the graph.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Piece {
    pub(super) nodes: Vec<Node>,
    pub(super) relationships: Vec<Relationship>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Made {
    pub(super) id: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Updated {
    pub(super) updated: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Deleted {
    pub(super) deleted: bool,
}
