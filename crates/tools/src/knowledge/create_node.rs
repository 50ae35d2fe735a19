//! `neo4j_create_node`: keep a new node.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use store::NewNode;

use super::wire::Node;
use super::{DEADLINE, properties};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::Json;
use crate::tool::{Effect, ToolInfo, TypedTool};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// An allowed label, such as Entity or Document.
    label: String,
    /// Strings, numbers, booleans, or lists of one of these; `name` and `aliases` are searched.
    properties: Map<String, Value>,
}

pub(super) struct CreateNode;

impl TypedTool for CreateNode {
    type Params = Params;
    type Output = Json<Node>;

    const INFO: ToolInfo = ToolInfo {
        name: "neo4j_create_node",
        title: "Create node",
        summary: "Add a node to the knowledge graph.",
        effect: Effect::WRITE,
        deadline: DEADLINE,
        records: None,
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Json<Node>, ToolError> {
        let label = context.vocabulary().label("label", &params.label)?;
        let properties = properties::new("properties", params.properties, properties::OF_A_NODE)?;
        let id =
            context.knowledge().create_node(NewNode { label: label.clone(), properties: properties.clone() }).await?;
        Ok(Json(Node::new(id, &label, properties)))
    }
}
