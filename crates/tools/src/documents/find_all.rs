//! `mongo_find_all`: the newest documents.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{DEADLINE, Items};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::Json;
use crate::tool::{Effect, Records, ToolInfo, TypedTool};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 50))]
    limit: usize,
}

fn default_limit() -> usize {
    20
}

pub(super) struct FindAll;

impl TypedTool for FindAll {
    type Params = Params;
    type Output = Json<Items>;

    const INFO: ToolInfo = ToolInfo {
        name: "mongo_find_all",
        title: "List documents",
        summary: "List the newest kept documents.",
        effect: Effect::READ,
        deadline: DEADLINE,
        records: Some(Records { pointer: "/items", rest: "Search with mongo_find_by_topic, or use a smaller limit." }),
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Json<Items>, ToolError> {
        Ok(Json(context.documents().newest(params.limit, None).await?.into()))
    }
}
