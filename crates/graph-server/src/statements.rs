//! What is said to the server besides putting nodes and relationships.

use graph::Relation;
use graph_export::cypher::NODE;

/// What is removed in one transaction.
const AT_ONCE: usize = 1_000;

/// Nodes of the project that this import did not put, a batch of them.
pub(crate) fn remove_nodes() -> String {
    format!(
        "MATCH (n:{NODE}) WHERE n.project = $project AND coalesce(n.epoch, 0) <> $epoch \
         WITH n LIMIT {AT_ONCE} DETACH DELETE n RETURN count(*) AS number"
    )
}

/// Relationships of the project that this import did not put, a batch of them. Those of other types than ours are not ours.
pub(crate) fn remove_relationships() -> String {
    format!(
        "MATCH (a:{NODE})-[r:{}]->(:{NODE}) WHERE a.project = $project AND coalesce(r.epoch, 0) <> $epoch \
         WITH r LIMIT {AT_ONCE} DELETE r RETURN count(*) AS number",
        types()
    )
}

pub(crate) fn count_nodes() -> String {
    format!("MATCH (n:{NODE}) WHERE n.project = $project RETURN count(n) AS number")
}

pub(crate) fn count_relationships() -> String {
    format!("MATCH (a:{NODE})-[r:{}]->(:{NODE}) WHERE a.project = $project RETURN count(r) AS number", types())
}

fn types() -> String {
    Relation::ALL.iter().map(|relation| relation.name()).collect::<Vec<_>>().join("|")
}
