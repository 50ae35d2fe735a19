//! Nodes and relationships as rows.

use rusqlite::Row;
use rustc_hash::FxHashMap;
use store::knowledge::Name;
use store::{Node, NodeId, Relationship};

use super::json;
use crate::job::Outcome;
use crate::rows;

/// The columns of [`node`], to be followed by conditions.
pub(super) const NODES: &str = "
    SELECT node.id AS id, name.name AS label, node.created_at AS created_at, node.updated_at AS updated_at,
           node.properties AS properties, node.key AS key
    FROM knowledge_node AS node JOIN knowledge_name AS name ON name.key = node.label";

/// The columns of [`relationship`], to be followed by conditions.
pub(super) const RELATIONSHIPS: &str = "
    SELECT relationship.id AS id, name.name AS type, start.id AS start_id, finish.id AS finish_id,
           relationship.created_at AS created_at, relationship.updated_at AS updated_at,
           relationship.properties AS properties, relationship.key AS key
    FROM knowledge_relationship AS relationship
         JOIN knowledge_name AS name ON name.key = relationship.type
         JOIN knowledge_node AS start ON start.key = relationship.start
         JOIN knowledge_node AS finish ON finish.key = relationship.finish";

/// The columns of [`relationship_between`], to be followed by conditions.
pub(super) const BARE_RELATIONSHIPS: &str = "
    SELECT relationship.id AS id, name.name AS type, relationship.start AS start, relationship.finish AS finish,
           relationship.created_at AS created_at, relationship.updated_at AS updated_at,
           relationship.properties AS properties
    FROM knowledge_relationship AS relationship JOIN knowledge_name AS name ON name.key = relationship.type";

pub(super) fn node(row: &Row<'_>) -> Outcome<Node> {
    Ok(Node {
        id: rows::uuid(row, "id")?.into(),
        label: name(row, "label")?,
        properties: json::properties(row.get_ref("properties")?.as_str().map_err(rusqlite::Error::from)?)?,
        created_at: rows::time(row, "created_at")?,
        updated_at: rows::time(row, "updated_at")?,
    })
}

pub(super) fn relationship(row: &Row<'_>) -> Outcome<Relationship> {
    Ok(Relationship {
        id: rows::uuid(row, "id")?.into(),
        from: rows::uuid(row, "start_id")?.into(),
        to: rows::uuid(row, "finish_id")?.into(),
        kind: name(row, "type")?,
        properties: json::properties(row.get_ref("properties")?.as_str().map_err(rusqlite::Error::from)?)?,
        created_at: rows::time(row, "created_at")?,
        updated_at: rows::time(row, "updated_at")?,
    })
}

/// A relationship between nodes whose ids are known by their keys.
pub(super) fn relationship_between(row: &Row<'_>, ids: &FxHashMap<i64, NodeId>) -> Outcome<Relationship> {
    let end = |column: &str| -> Outcome<NodeId> {
        let key: i64 = row.get(column)?;
        Ok(*ids.get(&key).ok_or(rusqlite::Error::QueryReturnedNoRows)?)
    };
    Ok(Relationship {
        id: rows::uuid(row, "id")?.into(),
        from: end("start")?,
        to: end("finish")?,
        kind: name(row, "type")?,
        properties: json::properties(row.get_ref("properties")?.as_str().map_err(rusqlite::Error::from)?)?,
        created_at: rows::time(row, "created_at")?,
        updated_at: rows::time(row, "updated_at")?,
    })
}

fn name(row: &Row<'_>, column: &str) -> Outcome<Name> {
    let text: String = row.get(column)?;
    Ok(Name::parse(&text)?)
}
