//! Paths and neighbours: what the walks of `store::knowledge` ask for, a level at a time, on one snapshot.

use deadpool_postgres::{Client, Transaction};
use store::knowledge::{
    Expansion, FoundNeighbors, FoundPath, Name, NeighborFinder, NeighborSearch, Neighborhood, Node, Path, PathFinder,
    PathSearch, Relationship, Step,
};
use tokio_postgres::IsolationLevel;
use uuid::Uuid;

use super::find;
use super::row::{NODE, RELATIONSHIP};
use crate::error::{self, Outcome};
use crate::text::sql_limit;

/// The relationships of nodes, node by node in the order given, the oldest first.
const STEPS: &str = "
    SELECT wanted.node, step.id, step.other
    FROM unnest($1::uuid[]) WITH ORDINALITY AS wanted (node, place) CROSS JOIN LATERAL (
        SELECT id, to_id AS other FROM knowledge_relationship
        WHERE from_id = wanted.node AND ($2::text[] IS NULL OR type = ANY($2))
        UNION ALL
        SELECT id, from_id FROM knowledge_relationship
        WHERE to_id = wanted.node AND from_id <> to_id AND ($2::text[] IS NULL OR type = ANY($2))
        ORDER BY id LIMIT $3
    ) AS step ORDER BY wanted.place, step.id LIMIT $3";

pub(super) async fn shortest_path(client: &mut Client, search: &PathSearch) -> Outcome<FoundPath> {
    let PathSearch { from, to, max_depth, types, budget } = search;
    let snapshot = snapshot(client).await?;
    find::node(&snapshot, *from).await?;
    find::node(&snapshot, *to).await?;
    let mut finder = PathFinder::new(*from.as_uuid(), *to.as_uuid(), *max_depth, *budget);
    while let Some(expansion) = finder.next() {
        finder.take(steps(&snapshot, &expansion, types).await?);
    }
    let found = finder.finish();
    let steps = found.lowest(*from.as_uuid(), Ok::<_, error::Failure>, Ok)?;
    let path = match steps {
        Some(steps) => Some(path(&snapshot, *from.as_uuid(), &steps).await?),
        None => None,
    };
    snapshot.commit().await?;
    Ok(FoundPath { path, visited: found.visited, truncated: found.truncated })
}

async fn path(snapshot: &Transaction<'_>, start: Uuid, steps: &[Step<Uuid, Uuid>]) -> Outcome<Path> {
    let ids: Vec<Uuid> = std::iter::once(start).chain(steps.iter().map(|step| step.to)).collect();
    let mut nodes = nodes(snapshot, &ids).await?;
    nodes.sort_by_key(|node| ids.iter().position(|id| id == node.id.as_uuid()));
    let ids: Vec<Uuid> = steps.iter().map(|step| step.relationship).collect();
    let mut relationships = relationships(snapshot, &ids).await?;
    relationships.sort_by_key(|relationship| ids.iter().position(|id| id == relationship.id.as_uuid()));
    Ok(Path { nodes, relationships })
}

pub(super) async fn neighbors(client: &mut Client, search: &NeighborSearch) -> Outcome<Neighborhood> {
    let NeighborSearch { id, depth, types, budget } = search;
    let snapshot = snapshot(client).await?;
    find::node(&snapshot, *id).await?;
    let mut finder = NeighborFinder::new(*id.as_uuid(), *depth, *budget);
    while let Some(expansion) = finder.next() {
        finder.take(steps(&snapshot, &expansion, types).await?);
    }
    let FoundNeighbors { nodes: mut reached, relationships: met, visited, truncated } = finder.finish();
    reached.sort_by_key(|(id, distance)| (*distance, *id));
    let ids: Vec<Uuid> = reached.iter().map(|(id, _)| *id).collect();
    let mut found: std::collections::HashMap<Uuid, Node> =
        nodes(&snapshot, &ids).await?.into_iter().map(|node| (*node.id.as_uuid(), node)).collect();
    let nodes = ids.iter().filter_map(|id| found.remove(id)).collect();
    let mut relationships = relationships(&snapshot, &met).await?;
    relationships.sort_by_key(|relationship| relationship.id);
    snapshot.commit().await?;
    Ok(Neighborhood { nodes, relationships, visited, truncated })
}

async fn snapshot(client: &mut Client) -> Outcome<Transaction<'_>> {
    let begin = client.build_transaction().isolation_level(IsolationLevel::RepeatableRead).read_only(true);
    Ok(begin.start().await?)
}

async fn steps(
    snapshot: &Transaction<'_>,
    expansion: &Expansion<Uuid>,
    types: &[Name],
) -> Outcome<Vec<Step<Uuid, Uuid>>> {
    let types: Option<Vec<&str>> = (!types.is_empty()).then(|| types.iter().map(Name::as_str).collect());
    let select = snapshot.prepare_cached(STEPS).await?;
    let rows = snapshot.query(&select, &[&expansion.nodes, &types, &sql_limit(expansion.most)]).await?;
    let step = |row: &tokio_postgres::Row| {
        Ok(Step { from: row.try_get(0)?, relationship: row.try_get(1)?, to: row.try_get(2)? })
    };
    rows.iter().map(step).collect()
}

async fn nodes(snapshot: &Transaction<'_>, ids: &[Uuid]) -> Outcome<Vec<Node>> {
    find::nodes(snapshot, &format!("SELECT {NODE} FROM knowledge_node WHERE id = ANY($1)"), &[&ids]).await
}

async fn relationships(snapshot: &Transaction<'_>, ids: &[Uuid]) -> Outcome<Vec<Relationship>> {
    let sql = format!("SELECT {RELATIONSHIP} FROM knowledge_relationship WHERE id = ANY($1)");
    find::relationships(snapshot, &sql, &[&ids]).await
}
