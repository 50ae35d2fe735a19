//! `neo4j_update_relationship`: change properties of a relationship.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use store::RelationshipId;

use super::wire::Updated;
use super::{DEADLINE, properties};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::Json;
use crate::tool::{Effect, ToolInfo, TypedTool};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    #[schemars(length(min = 1, max = 200))]
    id: String,
    /// Properties to set; null removes one, the others stay.
    #[schemars(extend("minProperties" = 1))]
    patch: Map<String, Value>,
}

pub(super) struct UpdateRelationship;

impl TypedTool for UpdateRelationship {
    type Params = Params;
    type Output = Json<Updated>;

    const INFO: ToolInfo = ToolInfo {
        name: "neo4j_update_relationship",
        title: "Update relationship",
        summary: "Change properties of a relationship.",
        effect: Effect::DESTRUCTIVE,
        deadline: DEADLINE,
        records: None,
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Json<Updated>, ToolError> {
        let patch = properties::patch("patch", params.patch, properties::OF_A_RELATIONSHIP)?;
        let id: RelationshipId = params.id.parse()?;
        context.knowledge().update_relationship(id, patch).await?;
        Ok(Json(Updated { updated: true }))
    }
}
