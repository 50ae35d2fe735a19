//! `neo4j_find_path`: how two nodes are connected.

use schemars::JsonSchema;
use serde::Deserialize;
use store::NodeId;
use store::knowledge::{FoundPath, PathSearch};

use super::DEADLINE;
use super::wire::Piece;
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::Measured;
use crate::tool::{Effect, ToolInfo, TypedTool};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Params {
    #[schemars(length(min = 1, max = 200))]
    from_id: String,
    #[schemars(length(min = 1, max = 200))]
    to_id: String,
    /// The most relationships of the path.
    #[serde(default = "default_depth")]
    #[schemars(range(min = 1, max = 8))]
    max_depth: usize,
    /// Follow only these types.
    types: Option<Vec<String>>,
}

fn default_depth() -> usize {
    4
}

/// How many nodes a search may visit: enough for any path in a graph of that size, and over long before the deadline.
const BUDGET: usize = 50_000;

pub(super) struct FindPath;

impl TypedTool for FindPath {
    type Params = Params;
    type Output = Measured<Piece>;

    const INFO: ToolInfo = ToolInfo {
        name: "neo4j_find_path",
        title: "Find path",
        summary: "Find a shortest path between two nodes, whichever way its relationships point.",
        effect: Effect::READ,
        deadline: DEADLINE,
        records: None,
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Measured<Piece>, ToolError> {
        let types = context.vocabulary().kinds("types", params.types)?;
        let (from, to): (NodeId, NodeId) = (params.from_id.parse()?, params.to_id.parse()?);
        let max_depth = params.max_depth;
        let search = PathSearch { from, to, max_depth, types, budget: BUDGET };
        let FoundPath { path, visited, truncated } = context.knowledge().shortest_path(search).await?;
        let Some(path) = path else { return Err(none(from, to, max_depth, visited, truncated)) };
        let nodes = path.nodes.into_iter().map(Into::into).collect();
        let relationships = path.relationships.into_iter().map(Into::into).collect();
        Ok(Measured { data: Piece { nodes, relationships }, visited, truncated, notes: Vec::new() })
    }
}

fn none(from: NodeId, to: NodeId, max_depth: usize, visited: usize, truncated: bool) -> ToolError {
    let plural = if max_depth == 1 { "" } else { "s" };
    let relationships = format!("{max_depth} relationship{plural}");
    let message = if truncated {
        format!(
            "no path from `{from}` to `{to}` was found among the {visited} nodes that a search may visit; there may be one of up to \
             {relationships}: name `types`, or lower `maxDepth`"
        )
    } else {
        format!("no path of up to {relationships} connects `{from}` and `{to}`")
    };
    ToolError::not_found(message).with_detail("visited", visited).with_detail("truncated", truncated)
}
