//! Nodes: kept, read, changed, removed. Ids are ours, so that what is sent twice is kept once.

use jiff::Timestamp;
use neo4rs::{BoltType, Query};
use store::knowledge::{NewNode, Node, NodeId, Patch, no_node, still_related};

use crate::connection::Session;
use crate::dialect::NODE;
use crate::failure::Outcome;
use crate::row::{self, NODE_COLUMNS};

pub(crate) fn new(node: NewNode) -> Node {
    let NewNode { label, properties } = node;
    let now = Timestamp::now();
    Node { id: NodeId::generate(), label, properties, created_at: now, updated_at: now }
}

pub(crate) async fn create(session: &mut Session, node: &Node, again: bool) -> Outcome<()> {
    let label = &node.label;
    let statement = if again {
        format!("MERGE (n:{NODE}:`{label}` {{_id: $id}}) ON CREATE SET n += $properties")
    } else {
        format!("CREATE (n:{NODE}:`{label}` {{_id: $id}}) SET n += $properties")
    };
    let properties = BoltType::Map(row::of_node(node));
    session.done(Query::new(statement).param("id", node.id.to_string()).param("properties", properties)).await
}

pub(crate) async fn get(session: &mut Session, id: NodeId) -> Outcome<Node> {
    let statement = format!("MATCH (n:{NODE} {{_id: $id}}) RETURN {NODE_COLUMNS}");
    let rows = session.rows(Query::new(statement).param("id", id.to_string())).await?;
    row::node(rows.first().ok_or_else(|| no_node(id))?)
}

/// Takes the node for itself before it reads what it changes, so that nothing that others write meanwhile is lost.
pub(crate) async fn update(session: &mut Session, id: NodeId, patch: &Patch) -> Outcome<()> {
    let node = hold(session, id).await?;
    let after = patch.apply(&node.properties)?;
    let mut changes = row::changes(&node.properties, &after, later(node.updated_at));
    changes.put("_keys".into(), row::keys(&after));
    let statement = format!("MATCH (n:{NODE} {{_id: $id}}) SET n += $changes REMOVE n._held");
    let changes = BoltType::Map(changes);
    session.done(Query::new(statement).param("id", id.to_string()).param("changes", changes)).await
}

pub(crate) async fn delete(session: &mut Session, id: NodeId, detach: bool, again: bool) -> Outcome<()> {
    match hold(session, id).await {
        // The earlier try may have removed it.
        Err(_) if again && !exists(session, id).await? => return Ok(()),
        held => held?,
    };
    let detach = if detach {
        "DETACH"
    } else {
        let statement = format!("MATCH (n:{NODE} {{_id: $id}})-[r]-() RETURN count(DISTINCT r) AS number");
        let relationships = session.number(Query::new(statement).param("id", id.to_string())).await?;
        if relationships > 0 {
            return Err(still_related(id, relationships).into());
        }
        ""
    };
    let statement = format!("MATCH (n:{NODE} {{_id: $id}}) {detach} DELETE n");
    session.done(Query::new(statement).param("id", id.to_string())).await
}

pub(crate) async fn in_order(session: &mut Session, after: Option<NodeId>, limit: usize) -> Outcome<Vec<Node>> {
    let statement =
        format!("MATCH (n:{NODE}) WHERE n._id > $after RETURN {NODE_COLUMNS} ORDER BY n._id LIMIT {}", at_most(limit));
    let after = after.map(|after| after.to_string()).unwrap_or_default();
    let rows = session.rows(Query::new(statement).param("after", after)).await?;
    rows.iter().map(row::node).collect()
}

/// A later time than this one; the clock may have been set back.
pub(crate) fn later(time: Timestamp) -> Timestamp {
    let next = Timestamp::from_microsecond(time.as_microsecond() + 1).unwrap_or(time);
    Timestamp::now().max(next)
}

/// A limit that every server can read.
pub(crate) fn at_most(limit: usize) -> i32 {
    i32::try_from(limit).unwrap_or(i32::MAX)
}

async fn exists(session: &mut Session, id: NodeId) -> Outcome<bool> {
    let statement = format!("MATCH (n:{NODE} {{_id: $id}}) RETURN count(n) AS number");
    Ok(session.number(Query::new(statement).param("id", id.to_string())).await? > 0)
}

async fn hold(session: &mut Session, id: NodeId) -> Outcome<Node> {
    let statement = format!("MATCH (n:{NODE} {{_id: $id}}) SET n._held = true RETURN {NODE_COLUMNS}");
    let rows = session.rows(Query::new(statement).param("id", id.to_string())).await?;
    row::node(rows.first().ok_or_else(|| no_node(id))?)
}
