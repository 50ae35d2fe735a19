//! `neo4j_fuzzy_search`: nodes by names that are near.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;
use serde_json::{Map, Value};
use store::ScoredNode;

use super::{DEADLINE, properties};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::Json;
use crate::tool::{Effect, Records, ToolInfo, TypedTool};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// A name in any language: misspelt, incomplete or in another order.
    #[schemars(length(max = 200), regex(pattern = r"\S"))]
    query: String,
    /// Only nodes with these labels.
    labels: Option<Vec<String>>,
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 20))]
    limit: usize,
}

fn default_limit() -> usize {
    10
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Items {
    items: Vec<Item>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Item {
    id: String,
    label: String,
    properties: Map<String, Value>,
    /// From 0 to 1.
    score: f64,
}

impl From<ScoredNode> for Item {
    fn from(found: ScoredNode) -> Self {
        let store::Node { id, label, properties, .. } = found.node;
        let properties = properties::to_json(properties);
        Self { id: id.to_string(), label: label.to_string(), properties, score: found.score }
    }
}

pub(super) struct FuzzySearch;

impl TypedTool for FuzzySearch {
    type Params = Params;
    type Output = Json<Items>;

    const INFO: ToolInfo = ToolInfo {
        name: "neo4j_fuzzy_search",
        title: "Search nodes",
        summary: "Find nodes by a name or alias that may be misspelt or incomplete; each with a score from 0 to 1.",
        effect: Effect::READ,
        deadline: DEADLINE,
        records: Some(Records { pointer: "/items", rest: "Use a more exact name or a smaller limit." }),
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Json<Items>, ToolError> {
        let labels = context.vocabulary().labels("labels", params.labels)?;
        let search = store::knowledge::FuzzySearch { query: params.query, labels, limit: params.limit };
        let found = context.knowledge().fuzzy_search(search).await?;
        Ok(Json(Items { items: found.into_iter().map(Item::from).collect() }))
    }
}
