//! The knowledge graph: the eleven `neo4j_*` tools (S2 §2). The names come from the specification; the store behind them is
//! whichever one is configured. No tool runs a query of the caller's.

mod create_node;
mod create_relationship;
mod delete_node;
mod delete_relationship;
mod find_neighbors;
mod find_node;
mod find_path;
mod find_relationship;
mod fuzzy_search;
mod properties;
#[cfg(test)]
pub(crate) mod stub_graph;
mod update_node;
mod update_relationship;
mod vocabulary;
mod wire;

use std::time::Duration;

use crate::registry::{Advice, Family};
use crate::styles::Style;
use crate::tool::{Erased, Tool};

pub use vocabulary::Vocabulary;

/// How long a call to the knowledge graph may take.
const DEADLINE: Option<Duration> = Some(Duration::from_secs(5));

pub(crate) const FAMILY: Family = Family {
    name: "knowledge",
    title: "Knowledge graph",
    purpose: "Things and how they belong together: nodes and relationships with properties, paths, neighbours, fuzzy names.",
    advice: &[
        Advice {
            needs: &["neo4j_fuzzy_search", "neo4j_create_node"],
            text: "Before you add to the knowledge graph, call neo4j_fuzzy_search: one thing is one node, with a `name` and other names \
                   as `aliases`.",
        },
        Advice {
            needs: &["neo4j_find_path", "neo4j_find_neighbors"],
            text: "neo4j_find_neighbors and neo4j_find_path show what something has to do with something else.",
        },
    ],
    style: Style::Knowledge,
    tools: TOOLS,
};

const TOOLS: &[&dyn Tool] = &[
    &Erased::<create_node::CreateNode>::new(),
    &Erased::<find_node::FindNode>::new(),
    &Erased::<update_node::UpdateNode>::new(),
    &Erased::<delete_node::DeleteNode>::new(),
    &Erased::<create_relationship::CreateRelationship>::new(),
    &Erased::<find_relationship::FindRelationship>::new(),
    &Erased::<update_relationship::UpdateRelationship>::new(),
    &Erased::<delete_relationship::DeleteRelationship>::new(),
    &Erased::<find_path::FindPath>::new(),
    &Erased::<find_neighbors::FindNeighbors>::new(),
    &Erased::<fuzzy_search::FuzzySearch>::new(),
];
