//! Keeping many nodes and relationships at once, as they are.

use std::collections::HashSet;

use deadpool_postgres::{Client, Transaction};
use store::knowledge::{Node, NodeId, Relationship};
use uuid::Uuid;

use super::change;
use crate::error::Outcome;
use crate::pool::bulk_limits;

pub(super) async fn import_nodes(client: &mut Client, nodes: &[Node]) -> Outcome<usize> {
    let transaction = client.transaction().await?;
    transaction.batch_execute(&bulk_limits()).await?;
    let ids = nodes.iter().map(|node| *node.id.as_uuid()).collect();
    let mut known = known(&transaction, "knowledge_node", ids).await?;
    let new: Vec<&Node> = nodes.iter().filter(|node| known.insert(*node.id.as_uuid())).collect();
    all_at_once(&new, |node| change::insert_node(&transaction, node)).await?;
    transaction.commit().await?;
    Ok(new.len())
}

pub(super) async fn import_relationships(client: &mut Client, relationships: &[Relationship]) -> Outcome<usize> {
    let transaction = client.transaction().await?;
    transaction.batch_execute(&bulk_limits()).await?;
    let ids = relationships.iter().map(|relationship| *relationship.id.as_uuid()).collect();
    let mut known = known(&transaction, "knowledge_relationship", ids).await?;
    let new: Vec<&Relationship> =
        relationships.iter().filter(|relationship| known.insert(*relationship.id.as_uuid())).collect();
    let ends: Vec<NodeId> = new.iter().flat_map(|relationship| [relationship.from, relationship.to]).collect();
    change::hold_ends(&transaction, &ends).await?;
    all_at_once(&new, |relationship| change::insert_relationship(&transaction, relationship)).await?;
    transaction.commit().await?;
    Ok(new.len())
}

/// Sends all before the first is answered, except for the first itself, which has the statements prepared.
async fn all_at_once<'a, T, F: Future<Output = Outcome<()>>>(
    all: &[&'a T],
    insert: impl Fn(&'a T) -> F,
) -> Outcome<()> {
    let Some((first, others)) = all.split_first() else { return Ok(()) };
    insert(first).await?;
    futures::future::try_join_all(others.iter().map(|one| insert(one))).await?;
    Ok(())
}

async fn known(transaction: &Transaction<'_>, table: &str, ids: Vec<Uuid>) -> Outcome<HashSet<Uuid>> {
    let rows = transaction.query(&format!("SELECT id FROM {table} WHERE id = ANY($1)"), &[&ids]).await?;
    rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
}
