//! The statements that make or change nodes and relationships, given where their rows come from.

use graph::{Label, NodeId, Relation};

use crate::{CONFIDENCE, LINE, RESOLUTION, id_text};

/// The label that every node of a code graph has on a graph server, beside its own.
pub const NODE: &str = "CodeNode";

/// Makes an id unique and quick to find, on servers that write it as Neo4j does.
pub const UNIQUE: &str = "CREATE CONSTRAINT trailmark_code_node IF NOT EXISTS FOR (n:CodeNode) REQUIRE n.id IS UNIQUE";

/// Makes an id quick to find, on servers that write it as Memgraph does.
pub const INDEX: &str = "CREATE INDEX ON :CodeNode(id)";

/// The id of a node on a server that holds many projects: the same path or name may be in several of them.
pub fn server_id(project: &str, id: NodeId) -> String {
    format!("{project}:{}", id_text(id))
}

/// Puts nodes with this label. A row is the properties of a node, its `id` among them; a property that is not in the row is
/// removed.
///
/// A plain MERGE of both labels would say the same, but ArcadeDB looks through all nodes of a label for it, and it cannot
/// add a label to a node whose id is unique.
pub fn put_nodes(label: Label, rows: &str) -> String {
    format!(
        "UNWIND {rows} AS row\n\
         OPTIONAL MATCH (present:{NODE} {{id: row.id}})\n\
         FOREACH (absent IN CASE WHEN present IS NULL THEN [1] ELSE [] END | CREATE (made:{NODE}:{label}) SET made = row)\n\
         SET present = row"
    )
}

/// Puts relationships of this type. A row has `from` and `to`, the ids of both ends, the three properties of a relationship,
/// and what is named in `more`.
pub fn put_edges(relation: Relation, rows: &str, more: &[&str]) -> String {
    let set = [RESOLUTION, CONFIDENCE].iter().chain(more).map(|key| format!("found.{key} = row.{key}"));
    let set = set.collect::<Vec<_>>().join(", ");
    format!(
        "UNWIND {rows} AS row\n\
         MATCH (source:{NODE} {{id: row.from}})\n\
         MATCH (target:{NODE} {{id: row.to}})\n\
         MERGE (source)-[found:{relation} {{{LINE}: row.{LINE}}}]->(target)\n\
         SET {set}"
    )
}
