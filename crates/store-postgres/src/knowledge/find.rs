//! Finding nodes and relationships: by id, by a property, in order.

use deadpool_postgres::{Client, GenericClient};
use store::knowledge::{
    GraphSize, Node, NodeId, PropertyMatch, Relationship, RelationshipId, no_node, no_relationship,
};
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::index::value_hash;
use super::row::{self, NODE, RELATIONSHIP};
use crate::error::Outcome;
use crate::text::sql_limit;

/// Different values may have the same hash; more of them than this are looked at page by page.
const PAGE: i64 = 16;

pub(super) async fn node(client: &impl GenericClient, id: NodeId) -> Outcome<Node> {
    let sql = format!("SELECT {NODE} FROM knowledge_node WHERE id = $1");
    let found = nodes(client, &sql, &[id.as_uuid()]).await?.pop();
    Ok(found.ok_or_else(|| no_node(id))?)
}

pub(super) async fn relationship(client: &impl GenericClient, id: RelationshipId) -> Outcome<Relationship> {
    let sql = format!("SELECT {RELATIONSHIP} FROM knowledge_relationship WHERE id = $1");
    let found = relationships(client, &sql, &[id.as_uuid()]).await?.pop();
    Ok(found.ok_or_else(|| no_relationship(id))?)
}

/// The one with the lowest id.
pub(super) async fn by_property(client: &Client, wanted: &PropertyMatch) -> Outcome<Node> {
    let PropertyMatch { label, property, value } = wanted;
    let hash = value_hash(label, property, value);
    let sql = format!(
        "SELECT {NODE} FROM knowledge_value JOIN knowledge_node ON knowledge_node.id = knowledge_value.node
         WHERE hash = $1 AND node > $2 ORDER BY node LIMIT $3"
    );
    let mut after = Uuid::nil();
    loop {
        let page = nodes(client, &sql, &[&hash, &after, &PAGE]).await?;
        let fits = |node: &Node| {
            node.label == *label && node.properties.get(property.as_str()).is_some_and(|found| found.equals(value))
        };
        let Some(last) = page.last().map(|node| *node.id.as_uuid()) else {
            let message = format!("no {label} whose `{property}` has this value");
            return Err(store::StoreError::new(store::ErrorKind::NotFound, message).into());
        };
        if let Some(found) = page.into_iter().find(fits) {
            return Ok(found);
        }
        after = last;
    }
}

pub(super) async fn nodes_in_order(client: &Client, after: Option<NodeId>, limit: usize) -> Outcome<Vec<Node>> {
    let limit = sql_limit(limit);
    let Some(after) = after else {
        return nodes(client, &format!("SELECT {NODE} FROM knowledge_node ORDER BY id LIMIT $1"), &[&limit]).await;
    };
    let sql = format!("SELECT {NODE} FROM knowledge_node WHERE id > $1 ORDER BY id LIMIT $2");
    nodes(client, &sql, &[after.as_uuid(), &limit]).await
}

pub(super) async fn relationships_in_order(
    client: &Client,
    after: Option<RelationshipId>,
    limit: usize,
) -> Outcome<Vec<Relationship>> {
    let limit = sql_limit(limit);
    let Some(after) = after else {
        let sql = format!("SELECT {RELATIONSHIP} FROM knowledge_relationship ORDER BY id LIMIT $1");
        return relationships(client, &sql, &[&limit]).await;
    };
    let sql = format!("SELECT {RELATIONSHIP} FROM knowledge_relationship WHERE id > $1 ORDER BY id LIMIT $2");
    relationships(client, &sql, &[after.as_uuid(), &limit]).await
}

pub(super) async fn size(client: &Client) -> Outcome<GraphSize> {
    let sql = "SELECT (SELECT count(*) FROM knowledge_node), (SELECT count(*) FROM knowledge_relationship)";
    let row = client.query_one(sql, &[]).await?;
    let count = |at: usize| -> Outcome<u64> { Ok(u64::try_from(row.try_get::<_, i64>(at)?).unwrap_or(0)) };
    Ok(GraphSize { nodes: count(0)?, relationships: count(1)? })
}

pub(super) async fn nodes(
    client: &impl GenericClient,
    sql: &str,
    parameters: &[&(dyn ToSql + Sync)],
) -> Outcome<Vec<Node>> {
    let select = client.prepare_cached(sql).await?;
    client.query(&select, parameters).await?.iter().map(row::node).collect()
}

pub(super) async fn relationships(
    client: &impl GenericClient,
    sql: &str,
    parameters: &[&(dyn ToSql + Sync)],
) -> Outcome<Vec<Relationship>> {
    let select = client.prepare_cached(sql).await?;
    client.query(&select, parameters).await?.iter().map(row::relationship).collect()
}
