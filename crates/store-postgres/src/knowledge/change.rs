//! Changing nodes and relationships, and with a node what it is found by.

use deadpool_postgres::{Client, GenericClient, Transaction};
use jiff::{SignedDuration, Timestamp};
use store::knowledge::{
    NewNode, NewRelationship, Node, NodeId, Patch, Relationship, RelationshipId, no_node, no_relationship,
    still_related,
};
use uuid::Uuid;

use super::index::Index;
use super::row::{self, NODE, RELATIONSHIP};
use super::{find, json};
use crate::error::Outcome;

const INSERT_NODE: &str = "
    INSERT INTO knowledge_node (id, label, created_at, updated_at, properties) VALUES ($1, $2, $3, $4, $5)";

const INSERT_RELATIONSHIP: &str = "
    INSERT INTO knowledge_relationship (id, from_id, to_id, type, created_at, updated_at, properties)
    VALUES ($1, $2, $3, $4, $5, $6, $7)";

const INSERT_INDEX: &str = "
    WITH keys AS (
        INSERT INTO knowledge_word_key (key, word) SELECT key, word FROM unnest($4::bigint[], $5::bigint[]) AS new (key, word)
        ON CONFLICT DO NOTHING
    ), words AS (
        INSERT INTO knowledge_word_node (word, node) SELECT word, $1 FROM unnest($3::bigint[]) AS word
    )
    INSERT INTO knowledge_value (hash, node) SELECT hash, $1 FROM unnest($2::bigint[]) AS hash";

const DELETE_INDEX: &str = "
    WITH words AS (DELETE FROM knowledge_word_node WHERE node = $1) DELETE FROM knowledge_value WHERE node = $1";

pub(super) async fn create_node(client: &mut Client, node: NewNode) -> Outcome<NodeId> {
    let NewNode { label, properties } = node;
    let (id, now) = (NodeId::generate(), Timestamp::now());
    let transaction = client.transaction().await?;
    insert_node(&transaction, &Node { id, label, properties, created_at: now, updated_at: now }).await?;
    transaction.commit().await?;
    Ok(id)
}

pub(super) async fn insert_node(transaction: &Transaction<'_>, node: &Node) -> Outcome<()> {
    let Node { id, label, properties, created_at, updated_at } = node;
    let column = json::column(properties)?;
    let insert = transaction.prepare_cached(INSERT_NODE).await?;
    let label_text = label.as_str();
    transaction.execute(&insert, &[id.as_uuid(), &label_text, created_at, updated_at, &column]).await?;
    insert_index(transaction, *id, &Index::of(label, properties)).await
}

pub(super) async fn update_node(client: &mut Client, id: NodeId, patch: &Patch) -> Outcome<()> {
    let transaction = client.transaction().await?;
    let sql = format!("SELECT {NODE} FROM knowledge_node WHERE id = $1 FOR NO KEY UPDATE");
    let select = transaction.prepare_cached(&sql).await?;
    let found = transaction.query_opt(&select, &[id.as_uuid()]).await?;
    let node = row::node(&found.ok_or_else(|| no_node(id))?)?;
    let properties = patch.apply(&node.properties)?;
    let sql = "UPDATE knowledge_node SET properties = $2, updated_at = $3 WHERE id = $1";
    let update = transaction.prepare_cached(sql).await?;
    let now = after(node.updated_at);
    transaction.execute(&update, &[id.as_uuid(), &json::column(&properties)?, &now]).await?;
    delete_index(&transaction, id).await?;
    insert_index(&transaction, id, &Index::of(&node.label, &properties)).await?;
    Ok(transaction.commit().await?)
}

pub(super) async fn delete_node(client: &mut Client, id: NodeId, detach: bool) -> Outcome<()> {
    let transaction = client.transaction().await?;
    // Whoever wants to relate to it waits, and then finds it gone.
    let lock = transaction.prepare_cached("SELECT 1 FROM knowledge_node WHERE id = $1 FOR UPDATE").await?;
    transaction.query_opt(&lock, &[id.as_uuid()]).await?.ok_or_else(|| no_node(id))?;
    if detach {
        let sql = "DELETE FROM knowledge_relationship WHERE from_id = $1 OR to_id = $1";
        let delete = transaction.prepare_cached(sql).await?;
        transaction.execute(&delete, &[id.as_uuid()]).await?;
    } else {
        let sql = "SELECT count(*) FROM knowledge_relationship WHERE from_id = $1 OR to_id = $1";
        let select = transaction.prepare_cached(sql).await?;
        let related: i64 = transaction.query_one(&select, &[id.as_uuid()]).await?.try_get(0)?;
        if related > 0 {
            return Err(still_related(id, u64::try_from(related).unwrap_or(0)).into());
        }
    }
    delete_index(&transaction, id).await?;
    let delete = transaction.prepare_cached("DELETE FROM knowledge_node WHERE id = $1").await?;
    transaction.execute(&delete, &[id.as_uuid()]).await?;
    Ok(transaction.commit().await?)
}

pub(super) async fn create_relationship(client: &mut Client, relationship: NewRelationship) -> Outcome<RelationshipId> {
    let NewRelationship { from, to, kind, properties } = relationship;
    let transaction = client.transaction().await?;
    hold_ends(&transaction, &[from, to]).await?;
    let (id, now) = (RelationshipId::generate(), Timestamp::now());
    let new = Relationship { id, from, to, kind, properties, created_at: now, updated_at: now };
    insert_relationship(&transaction, &new).await?;
    transaction.commit().await?;
    Ok(id)
}

/// Keeps others from removing these nodes until the transaction ends, or says which of them is not there.
pub(super) async fn hold_ends(transaction: &Transaction<'_>, ends: &[NodeId]) -> Outcome<()> {
    let ids: Vec<Uuid> = ends.iter().map(|id| *id.as_uuid()).collect();
    let sql = "SELECT id FROM knowledge_node WHERE id = ANY($1) ORDER BY id FOR KEY SHARE";
    let lock = transaction.prepare_cached(sql).await?;
    let rows = transaction.query(&lock, &[&ids]).await?;
    let found = rows.iter().map(|row| row.try_get(0)).collect::<Result<std::collections::HashSet<Uuid>, _>>()?;
    match ends.iter().find(|end| !found.contains(end.as_uuid())) {
        Some(missing) => Err(no_node(*missing).into()),
        None => Ok(()),
    }
}

pub(super) async fn insert_relationship(transaction: &Transaction<'_>, new: &Relationship) -> Outcome<()> {
    let Relationship { id, from, to, kind, properties, created_at, updated_at } = new;
    let insert = transaction.prepare_cached(INSERT_RELATIONSHIP).await?;
    let (kind, column) = (kind.as_str(), json::column(properties)?);
    let values: [&(dyn tokio_postgres::types::ToSql + Sync); 7] =
        [id.as_uuid(), from.as_uuid(), to.as_uuid(), &kind, created_at, updated_at, &column];
    transaction.execute(&insert, &values).await?;
    Ok(())
}

pub(super) async fn update_relationship(client: &mut Client, id: RelationshipId, patch: &Patch) -> Outcome<()> {
    let transaction = client.transaction().await?;
    let sql = format!("SELECT {RELATIONSHIP} FROM knowledge_relationship WHERE id = $1 FOR NO KEY UPDATE");
    let found = find::relationships(&transaction, &sql, &[id.as_uuid()]).await?.pop();
    let found = found.ok_or_else(|| no_relationship(id))?;
    let column = json::column(&patch.apply(&found.properties)?)?;
    let sql = "UPDATE knowledge_relationship SET properties = $2, updated_at = $3 WHERE id = $1";
    let update = transaction.prepare_cached(sql).await?;
    transaction.execute(&update, &[id.as_uuid(), &column, &after(found.updated_at)]).await?;
    Ok(transaction.commit().await?)
}

pub(super) async fn delete_relationship(client: &Client, id: RelationshipId) -> Outcome<()> {
    let delete = client.prepare_cached("DELETE FROM knowledge_relationship WHERE id = $1").await?;
    if client.execute(&delete, &[id.as_uuid()]).await? == 0 {
        return Err(no_relationship(id).into());
    }
    Ok(())
}

async fn insert_index(transaction: &Transaction<'_>, id: NodeId, index: &Index) -> Outcome<()> {
    let (keys, words): (Vec<i64>, Vec<i64>) = index.word_keys.iter().copied().unzip();
    let insert = transaction.prepare_cached(INSERT_INDEX).await?;
    transaction.execute(&insert, &[id.as_uuid(), &index.values, &index.words, &keys, &words]).await?;
    Ok(())
}

async fn delete_index(transaction: &Transaction<'_>, id: NodeId) -> Outcome<()> {
    let delete = transaction.prepare_cached(DELETE_INDEX).await?;
    transaction.execute(&delete, &[id.as_uuid()]).await?;
    Ok(())
}

/// Now, or a moment after the last change if the clock was set back.
fn after(updated_at: Timestamp) -> Timestamp {
    Timestamp::now().max(updated_at + SignedDuration::from_micros(1))
}
