//! `neo4j_find_relationship`: one relationship.

use schemars::JsonSchema;
use serde::Deserialize;
use store::RelationshipId;

use super::DEADLINE;
use super::wire::Relationship;
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

pub(super) struct FindRelationship;

impl TypedTool for FindRelationship {
    type Params = Params;
    type Output = Json<Relationship>;

    const INFO: ToolInfo = ToolInfo {
        name: "neo4j_find_relationship",
        title: "Read relationship",
        summary: "Read one relationship with its ends and properties.",
        effect: Effect::READ,
        deadline: DEADLINE,
        records: None,
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Json<Relationship>, ToolError> {
        let id: RelationshipId = params.id.parse()?;
        Ok(Json(context.knowledge().relationship(id).await?.into()))
    }
}
