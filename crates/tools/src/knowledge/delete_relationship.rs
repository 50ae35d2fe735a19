//! `neo4j_delete_relationship`: remove a relationship.

use schemars::JsonSchema;
use serde::Deserialize;
use store::RelationshipId;

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
}

pub(super) struct DeleteRelationship;

impl TypedTool for DeleteRelationship {
    type Params = Params;
    type Output = Json<Deleted>;

    const INFO: ToolInfo = ToolInfo {
        name: "neo4j_delete_relationship",
        title: "Delete relationship",
        summary: "Remove a relationship for good.",
        effect: Effect::DESTRUCTIVE,
        deadline: DEADLINE,
        records: None,
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Json<Deleted>, ToolError> {
        let id: RelationshipId = params.id.parse()?;
        context.knowledge().delete_relationship(id).await?;
        Ok(Json(Deleted { deleted: true }))
    }
}
