//! Nodes and relationships as rows.

use store::knowledge::{Name, Node, Relationship};
use tokio_postgres::Row;
use uuid::Uuid;

use super::json;
use crate::error::Outcome;

/// What [`node`] reads.
pub(super) const NODE: &str = "id, label, created_at, updated_at, properties";

/// What [`relationship`] reads.
pub(super) const RELATIONSHIP: &str = "id, from_id, to_id, type, created_at, updated_at, properties";

pub(super) fn node(row: &Row) -> Outcome<Node> {
    Ok(Node {
        id: row.try_get::<_, Uuid>("id")?.into(),
        label: Name::parse(row.try_get("label")?)?,
        properties: json::properties(row.try_get("properties")?)?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}

pub(super) fn relationship(row: &Row) -> Outcome<Relationship> {
    Ok(Relationship {
        id: row.try_get::<_, Uuid>("id")?.into(),
        from: row.try_get::<_, Uuid>("from_id")?.into(),
        to: row.try_get::<_, Uuid>("to_id")?.into(),
        kind: Name::parse(row.try_get("type")?)?,
        properties: json::properties(row.try_get("properties")?)?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}
