//! `neo4j_create_relationship`: keep a new relationship.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use store::{NewRelationship, NodeId};

use super::wire::Made;
use super::{DEADLINE, properties};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::Json;
use crate::tool::{Effect, ToolInfo, TypedTool};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Params {
    #[schemars(length(min = 1, max = 200))]
    from_id: String,
    #[schemars(length(min = 1, max = 200))]
    to_id: String,
    /// An allowed type, such as RELATED_TO or MENTIONS.
    r#type: String,
    /// Strings, numbers, booleans, or lists of one of these.
    properties: Option<Map<String, Value>>,
}

pub(super) struct CreateRelationship;

impl TypedTool for CreateRelationship {
    type Params = Params;
    type Output = Json<Made>;

    const INFO: ToolInfo = ToolInfo {
        name: "neo4j_create_relationship",
        title: "Create relationship",
        summary: "Relate one node to another.",
        effect: Effect::WRITE,
        deadline: DEADLINE,
        records: None,
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Json<Made>, ToolError> {
        let kind = context.vocabulary().kind("type", &params.r#type)?;
        let given = params.properties.unwrap_or_default();
        let properties = properties::new("properties", given, properties::OF_A_RELATIONSHIP)?;
        let (from, to): (NodeId, NodeId) = (params.from_id.parse()?, params.to_id.parse()?);
        let id = context.knowledge().create_relationship(NewRelationship { from, to, kind, properties }).await?;
        Ok(Json(Made { id: id.to_string() }))
    }
}
