//! `mongo_find_by_topic`: documents about a topic.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{DEADLINE, Items, LONGEST_TOPIC};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::Json;
use crate::tool::{Effect, Records, ToolInfo, TypedTool};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// A topic or words of it, in any language.
    #[schemars(length(max = LONGEST_TOPIC), regex(pattern = r"\S"))]
    topic: String,
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 20))]
    limit: usize,
}

fn default_limit() -> usize {
    5
}

pub(super) struct FindByTopic;

impl TypedTool for FindByTopic {
    type Params = Params;
    type Output = Json<Items>;

    const INFO: ToolInfo = ToolInfo {
        name: "mongo_find_by_topic",
        title: "Find documents by topic",
        summary: "Find kept documents: exact topic first, then full text over topic, tags and content.",
        effect: Effect::READ,
        deadline: DEADLINE,
        records: Some(Records { pointer: "/items", rest: "Use more exact words or a smaller limit." }),
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Json<Items>, ToolError> {
        let documents = context.documents().find_by_topic(&params.topic, params.limit).await?;
        Ok(Json(documents.into()))
    }
}
