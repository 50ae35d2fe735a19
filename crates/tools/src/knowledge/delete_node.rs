//! `neo4j_delete_node`: remove a node.

use schemars::JsonSchema;
use serde::Deserialize;
use store::NodeId;

use super::DEADLINE;
use super::wire::Deleted;
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::Json;
use crate::tool::{Effect, ToolInfo, TypedTool};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    #[schemars(length(min = 1, max = 200))]
    id: String,
    /// Remove its relationships too; without this, a node that has some stays.
    #[serde(default)]
    detach: bool,
}

pub(super) struct DeleteNode;

impl TypedTool for DeleteNode {
    type Params = Params;
    type Output = Json<Deleted>;

    const INFO: ToolInfo = ToolInfo {
        name: "neo4j_delete_node",
        title: "Delete node",
        summary: "Remove a node for good.",
        effect: Effect::DESTRUCTIVE,
        deadline: DEADLINE,
        records: None,
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Json<Deleted>, ToolError> {
        let id: NodeId = params.id.parse()?;
        context.knowledge().delete_node(id, params.detach).await.map_err(|error| match error.kind() {
            store::ErrorKind::Conflict => {
                let message = format!("{error}; with detach = true they are removed with it");
                ToolError::forbidden(message).with_detail("field", "detach")
            }
            store::ErrorKind::NotFound
            | store::ErrorKind::Unsupported
            | store::ErrorKind::InvalidInput
            | store::ErrorKind::Unavailable
            | store::ErrorKind::Corrupt
            | store::ErrorKind::Unexpected => error.into(),
        })?;
        Ok(Json(Deleted { deleted: true }))
    }
}
