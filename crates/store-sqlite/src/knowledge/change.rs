//! Changing nodes and relationships, and with them what they are found by.

use jiff::Timestamp;
use rusqlite::{Connection, named_params};
use store::knowledge::{Patch, no_relationship, still_related};
use store::{NewNode, NewRelationship, Node, NodeId, Relationship, RelationshipId};

use super::{find, json, names, value_index, word_index};
use crate::job::Outcome;

const INSERT_NODE: &str = "
    INSERT INTO knowledge_node (id, label, created_at, updated_at, properties)
    VALUES (:id, :label, :created_at, :updated_at, :properties)";

const INSERT_RELATIONSHIP: &str = "
    INSERT INTO knowledge_relationship (id, start, finish, type, created_at, updated_at, properties)
    VALUES (:id, :start, :finish, :type, :created_at, :updated_at, :properties)";

const INSERT_END: &str = "
    INSERT INTO knowledge_end (node, relationship, type, other) VALUES (?, ?, ?, ?)";

pub(super) fn create_node(connection: &Connection, node: NewNode) -> Outcome<NodeId> {
    let (id, now) = (NodeId::generate(), Timestamp::now());
    let NewNode { label, properties } = node;
    insert_node(connection, &Node { id, label, properties, created_at: now, updated_at: now })?;
    Ok(id)
}

pub(super) fn import_nodes(connection: &Connection, nodes: &[Node]) -> Outcome<usize> {
    let mut new = 0;
    for node in nodes {
        if find::known_key(connection, node.id)?.is_none() {
            insert_node(connection, node)?;
            new += 1;
        }
    }
    Ok(new)
}

fn insert_node(connection: &Connection, node: &Node) -> Outcome<()> {
    let Node { id, label, properties, created_at, updated_at } = node;
    let number = names::number(connection, label)?;
    connection.prepare_cached(INSERT_NODE)?.execute(named_params! {
        ":id": id.as_uuid().as_bytes(),
        ":label": number,
        ":created_at": created_at.as_microsecond(),
        ":updated_at": updated_at.as_microsecond(),
        ":properties": json::column(properties),
    })?;
    let key = connection.last_insert_rowid();
    value_index::add(connection, *id, label, properties)?;
    word_index::add(connection, key, *id, number, properties)
}

pub(super) fn update_node(connection: &Connection, id: NodeId, patch: &Patch) -> Outcome<()> {
    let key = find::key(connection, id)?;
    let Node { label, properties: before, updated_at, .. } = find::node(connection, id)?;
    let after = patch.apply(&before)?;
    connection.prepare_cached("UPDATE knowledge_node SET properties = ?, updated_at = ? WHERE key = ?")?.execute((
        json::column(&after),
        later_than(updated_at),
        key,
    ))?;
    value_index::remove(connection, id, &label, &before)?;
    value_index::add(connection, id, &label, &after)?;
    if !before.names().eq(after.names()) {
        word_index::remove(connection, key, &before)?;
        word_index::add(connection, key, id, names::number(connection, &label)?, &after)?;
    }
    Ok(())
}

pub(super) fn delete_node(connection: &Connection, id: NodeId, detach: bool) -> Outcome<()> {
    let key = find::key(connection, id)?;
    let relationships = relationships_of(connection, key)?;
    if !detach && !relationships.is_empty() {
        return Err(still_related(id, relationships.len() as u64).into());
    }
    for relationship in relationships {
        remove_relationship(connection, relationship)?;
    }
    let Node { label, properties, .. } = find::node(connection, id)?;
    value_index::remove(connection, id, &label, &properties)?;
    word_index::remove(connection, key, &properties)?;
    connection.prepare_cached("DELETE FROM knowledge_node WHERE key = ?")?.execute([key])?;
    Ok(())
}

pub(super) fn create_relationship(connection: &Connection, new: NewRelationship) -> Outcome<RelationshipId> {
    let (id, now) = (RelationshipId::generate(), Timestamp::now());
    let NewRelationship { from, to, kind, properties } = new;
    insert_relationship(
        connection,
        &Relationship { id, from, to, kind, properties, created_at: now, updated_at: now },
    )?;
    Ok(id)
}

pub(super) fn import_relationships(connection: &Connection, relationships: &[Relationship]) -> Outcome<usize> {
    let mut new = 0;
    for relationship in relationships {
        let mut known = connection.prepare_cached("SELECT 1 FROM knowledge_relationship WHERE id = ?")?;
        if !known.exists([relationship.id.as_uuid().as_bytes()])? {
            insert_relationship(connection, relationship)?;
            new += 1;
        }
    }
    Ok(new)
}

fn insert_relationship(connection: &Connection, relationship: &Relationship) -> Outcome<()> {
    let Relationship { id, from, to, kind, properties, created_at, updated_at } = relationship;
    let (start, finish) = (find::key(connection, *from)?, find::key(connection, *to)?);
    let kind = names::number(connection, kind)?;
    connection.prepare_cached(INSERT_RELATIONSHIP)?.execute(named_params! {
        ":id": id.as_uuid().as_bytes(),
        ":start": start,
        ":finish": finish,
        ":type": kind,
        ":created_at": created_at.as_microsecond(),
        ":updated_at": updated_at.as_microsecond(),
        ":properties": json::column(properties),
    })?;
    let key = connection.last_insert_rowid();
    connection.prepare_cached(INSERT_END)?.execute((start, key, kind, finish))?;
    if start != finish {
        connection.prepare_cached(INSERT_END)?.execute((finish, key, kind, start))?;
    }
    Ok(())
}

pub(super) fn update_relationship(connection: &Connection, id: RelationshipId, patch: &Patch) -> Outcome<()> {
    let Relationship { properties, updated_at, .. } = find::relationship(connection, id)?;
    let after = json::column(&patch.apply(&properties)?);
    connection
        .prepare_cached("UPDATE knowledge_relationship SET properties = ?, updated_at = ? WHERE id = ?")?
        .execute((after, later_than(updated_at), id.as_uuid().as_bytes()))?;
    Ok(())
}

pub(super) fn delete_relationship(connection: &Connection, id: RelationshipId) -> Outcome<()> {
    let mut statement = connection.prepare_cached("SELECT key FROM knowledge_relationship WHERE id = ?")?;
    let mut rows = statement.query([id.as_uuid().as_bytes()])?;
    let key = rows.next()?.ok_or_else(|| no_relationship(id))?.get(0)?;
    drop(rows);
    remove_relationship(connection, key)
}

fn remove_relationship(connection: &Connection, key: i64) -> Outcome<()> {
    let ends: (i64, i64) = connection
        .prepare_cached("DELETE FROM knowledge_relationship WHERE key = ? RETURNING start, finish")?
        .query_row([key], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut statement = connection.prepare_cached("DELETE FROM knowledge_end WHERE node = ? AND relationship = ?")?;
    statement.execute((ends.0, key))?;
    statement.execute((ends.1, key))?;
    Ok(())
}

fn relationships_of(connection: &Connection, node: i64) -> Outcome<Vec<i64>> {
    let mut statement = connection.prepare_cached("SELECT relationship FROM knowledge_end WHERE node = ?")?;
    Ok(statement.query_map([node], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

/// The time of a change. The clock may have been set back.
fn later_than(before: Timestamp) -> i64 {
    Timestamp::now().as_microsecond().max(before.as_microsecond() + 1)
}
