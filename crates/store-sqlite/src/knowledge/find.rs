//! Finding nodes and relationships: by id, by property, in order.

use std::sync::LazyLock;

use rusqlite::{Connection, OptionalExtension as _, Params, Row};
use rustc_hash::FxHashMap;
use store::knowledge::{GraphSize, PropertyMatch, no_node, no_relationship};
use store::{ErrorKind, Node, NodeId, Relationship, RelationshipId, StoreError};
use uuid::Uuid;

use super::row::{self, BARE_RELATIONSHIPS, NODES, RELATIONSHIPS};
use super::value_index;
use crate::job::Outcome;
use crate::rows::sql_limit;

static NODE: LazyLock<String> = LazyLock::new(|| format!("{NODES} WHERE node.id = ?"));
static NODE_BY_KEY: LazyLock<String> = LazyLock::new(|| format!("{NODES} WHERE node.key = ?"));
static NODES_AFTER: LazyLock<String> = LazyLock::new(|| format!("{NODES} WHERE node.id > ? ORDER BY node.id LIMIT ?"));
static RELATIONSHIP: LazyLock<String> = LazyLock::new(|| format!("{RELATIONSHIPS} WHERE relationship.id = ?"));
static RELATIONSHIP_BY_KEY: LazyLock<String> = LazyLock::new(|| format!("{RELATIONSHIPS} WHERE relationship.key = ?"));
static RELATIONSHIP_BETWEEN: LazyLock<String> =
    LazyLock::new(|| format!("{BARE_RELATIONSHIPS} WHERE relationship.key = ?"));
static RELATIONSHIPS_AFTER: LazyLock<String> =
    LazyLock::new(|| format!("{RELATIONSHIPS} WHERE relationship.id > ? ORDER BY relationship.id LIMIT ?"));

pub(super) fn node(connection: &Connection, id: NodeId) -> Outcome<Node> {
    let found = all(connection, &NODE, [id.as_uuid().as_bytes()], row::node)?.pop();
    Ok(found.ok_or_else(|| no_node(id))?)
}

pub(super) fn relationship(connection: &Connection, id: RelationshipId) -> Outcome<Relationship> {
    let found = all(connection, &RELATIONSHIP, [id.as_uuid().as_bytes()], row::relationship)?.pop();
    Ok(found.ok_or_else(|| no_relationship(id))?)
}

/// The node in a row that is known to be there.
pub(super) fn node_by_key(connection: &Connection, key: i64) -> Outcome<Node> {
    Ok(all(connection, &NODE_BY_KEY, [key], row::node)?.pop().ok_or(rusqlite::Error::QueryReturnedNoRows)?)
}

/// The relationship in a row that is known to be there.
pub(super) fn relationship_by_key(connection: &Connection, key: i64) -> Outcome<Relationship> {
    let found = all(connection, &RELATIONSHIP_BY_KEY, [key], row::relationship)?.pop();
    Ok(found.ok_or(rusqlite::Error::QueryReturnedNoRows)?)
}

/// The same between nodes whose ids are known by their keys, so that they are not looked up again.
pub(super) fn relationship_between(
    connection: &Connection,
    key: i64,
    ids: &FxHashMap<i64, NodeId>,
) -> Outcome<Relationship> {
    let read = |row: &Row<'_>| row::relationship_between(row, ids);
    Ok(all(connection, &RELATIONSHIP_BETWEEN, [key], read)?.pop().ok_or(rusqlite::Error::QueryReturnedNoRows)?)
}

/// The first node in the order of ids that has this label and this value.
pub(super) fn by_property(connection: &Connection, wanted: &PropertyMatch) -> Outcome<Node> {
    let PropertyMatch { label, property, value } = wanted;
    let mut statement = connection.prepare_cached("SELECT id FROM knowledge_value WHERE hash = ? ORDER BY id")?;
    let mut rows = statement.query([value_index::hash(label, property, value)])?;
    while let Some(row) = rows.next()? {
        let found = node(connection, Uuid::from_bytes(row.get(0)?).into())?;
        // Two values can have one hash.
        let has_value = found.properties.get(property.as_str()).is_some_and(|found| found.equals(value));
        if found.label == *label && has_value {
            return Ok(found);
        }
    }
    let message = format!("no node with label `{label}` has this value of `{property}`");
    Err(StoreError::new(ErrorKind::NotFound, message).into())
}

pub(super) fn nodes_in_order(connection: &Connection, after: Option<NodeId>, limit: usize) -> Outcome<Vec<Node>> {
    let after = after.map_or(Vec::new(), |id| id.as_uuid().as_bytes().to_vec());
    all(connection, &NODES_AFTER, (after, sql_limit(limit)), row::node)
}

pub(super) fn relationships_in_order(
    connection: &Connection,
    after: Option<RelationshipId>,
    limit: usize,
) -> Outcome<Vec<Relationship>> {
    let after = after.map_or(Vec::new(), |id| id.as_uuid().as_bytes().to_vec());
    all(connection, &RELATIONSHIPS_AFTER, (after, sql_limit(limit)), row::relationship)
}

pub(super) fn size(connection: &Connection) -> Outcome<GraphSize> {
    let count = |table: &str| connection.query_row(&format!("SELECT count(*) FROM {table}"), (), |row| row.get(0));
    Ok(GraphSize { nodes: count("knowledge_node")?, relationships: count("knowledge_relationship")? })
}

/// The row of a node, if it is there.
pub(super) fn known_key(connection: &Connection, id: NodeId) -> Outcome<Option<i64>> {
    let mut statement = connection.prepare_cached("SELECT key FROM knowledge_node WHERE id = ?")?;
    Ok(statement.query_row([id.as_uuid().as_bytes()], |row| row.get(0)).optional()?)
}

/// The row of a node, or `NotFound`.
pub(super) fn key(connection: &Connection, id: NodeId) -> Outcome<i64> {
    Ok(known_key(connection, id)?.ok_or_else(|| no_node(id))?)
}

fn all<T>(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
    read: impl Fn(&Row<'_>) -> Outcome<T>,
) -> Outcome<Vec<T>> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(parameters)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}
