//! `neo4j_find_neighbors`: what a node is connected with.

use schemars::JsonSchema;
use serde::Deserialize;
use store::NodeId;
use store::knowledge::NeighborSearch;

use super::DEADLINE;
use super::wire::{Node, Piece, Relationship};
use crate::budget::json_length;
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::Measured;
use crate::tool::{Effect, ToolInfo, TypedTool};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    #[schemars(length(min = 1, max = 200))]
    id: String,
    /// The most relationships between the node and a neighbour.
    #[serde(default = "default_depth")]
    #[schemars(range(min = 1, max = 3))]
    depth: usize,
    /// Follow only these types.
    types: Option<Vec<String>>,
}

fn default_depth() -> usize {
    1
}

/// How many nodes a search may visit. All of them are in the answer, so that it has the length that a model can read.
const BUDGET: usize = 200;

/// An answer holds its data twice, once as text, where quotes and line ends take more room.
const COPIES: usize = 4;

pub(super) struct FindNeighbors;

impl TypedTool for FindNeighbors {
    type Params = Params;
    type Output = Measured<Piece>;

    const INFO: ToolInfo = ToolInfo {
        name: "neo4j_find_neighbors",
        title: "Find neighbours",
        summary: "List the nodes near a node, nearest first, and the relationships between them.",
        effect: Effect::READ,
        deadline: DEADLINE,
        records: None,
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Measured<Piece>, ToolError> {
        let types = context.vocabulary().kinds("types", params.types)?;
        let id: NodeId = params.id.parse()?;
        let search = NeighborSearch { id, depth: params.depth, types, budget: BUDGET };
        let found = context.knowledge().neighbors(search).await?;
        let nodes: Vec<Node> = found.nodes.into_iter().map(Into::into).collect();
        let relationships = found.relationships.into_iter().map(Into::into).collect();
        let total = nodes.len();
        let data = fitting(&id.to_string(), nodes, relationships, context.answer_bytes() / COPIES);
        let left_out = total - data.nodes.len();
        let mut notes = Vec::new();
        if left_out > 0 {
            notes.push(format!("Only the first {} of {total} nodes fit into one answer. {REST}", data.nodes.len()));
        } else if found.truncated {
            notes.push(format!("The search ended after {} nodes; there are more. {REST}", found.visited));
        }
        Ok(Measured { data, visited: found.visited, truncated: found.truncated || left_out > 0, notes })
    }
}

const REST: &str = "Ask for fewer types or a smaller depth, or go on from one of these nodes.";

/// As many nodes as fit, and the relationships between them.
fn fitting(start: &str, mut nodes: Vec<Node>, mut relationships: Vec<Relationship>, room: usize) -> Piece {
    let mut known = vec![start.to_owned()];
    let mut length = 0;
    let mut kept = 0;
    for node in &nodes {
        known.push(node.id.clone());
        let is_new = |relationship: &&Relationship| {
            (relationship.from_id == node.id && known.contains(&relationship.to_id))
                || (relationship.to_id == node.id && known.contains(&relationship.from_id))
        };
        length += json_length(node) + relationships.iter().filter(is_new).map(json_length).sum::<usize>();
        if kept > 0 && length > room {
            break;
        }
        kept += 1;
    }
    nodes.truncate(kept);
    known.truncate(kept + 1);
    relationships.retain(|found| known.contains(&found.from_id) && known.contains(&found.to_id));
    Piece { nodes, relationships }
}
