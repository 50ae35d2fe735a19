//! Walking over the graph: the walk itself is the same for every backend, here it is told what it asks for.

use std::collections::BTreeMap;

use neo4rs::{BoltType, Query};
use store::knowledge::{
    Expansion, FoundPath, Name, NeighborFinder, NeighborSearch, Neighborhood, NodeId, Path, PathFinder, PathSearch,
    Relationship, RelationshipId, Step, no_node,
};

use crate::connection::Session;
use crate::dialect::NODE;
use crate::failure::{Outcome, unreadable};
use crate::row::{self, RELATIONSHIP_COLUMNS};
use crate::{find, nodes, relationships, value};

/// A relationship with the node that it begins at, by which it is found again.
type Found = (RelationshipId, NodeId);

pub(crate) async fn shortest_path(session: &mut Session, search: &PathSearch) -> Outcome<FoundPath> {
    if let Some(missing) = relationships::missing_end(session, [search.from, search.to]).await? {
        return Err(no_node(missing).into());
    }
    let mut finder = PathFinder::new(search.from, search.to, search.max_depth, search.budget);
    while let Some(expansion) = finder.next() {
        finder.take(expand(session, &expansion, &search.types).await?);
    }
    let found = finder.finish();
    let same = |node: NodeId| -> Outcome<NodeId> { Ok(node) };
    let steps = found.lowest(search.from, same, |relationship: Found| -> Outcome<Found> { Ok(relationship) })?;
    let path = match steps {
        Some(steps) => Some(path(session, search.from, &steps).await?),
        None => None,
    };
    Ok(FoundPath { path, visited: found.visited, truncated: found.truncated })
}

pub(crate) async fn neighbors(session: &mut Session, search: &NeighborSearch) -> Outcome<Neighborhood> {
    nodes::get(session, search.id).await?;
    let mut finder = NeighborFinder::new(search.id, search.depth, search.budget);
    while let Some(expansion) = finder.next() {
        finder.take(expand(session, &expansion, &search.types).await?);
    }
    let found = finder.finish();
    let mut order = found.nodes;
    order.sort_by_key(|(node, distance)| (*distance, *node));
    let mut nodes = find::by_ids(session, order.iter().map(|(node, _)| *node)).await?;
    let relationships = by_ids(session, &found.relationships).await?;
    Ok(Neighborhood {
        nodes: order.iter().filter_map(|(node, _)| nodes.remove(node)).collect(),
        relationships: relationships.into_values().collect(),
        visited: found.visited,
        truncated: found.truncated,
    })
}

/// The relationships of these nodes, in their order and each node's from the oldest to the youngest.
async fn expand(
    session: &mut Session,
    expansion: &Expansion<NodeId>,
    types: &[Name],
) -> Outcome<Vec<Step<NodeId, Found>>> {
    let ids = value::texts(expansion.nodes.iter().map(NodeId::to_string));
    let types = types.iter().map(|kind| format!("`{kind}`")).collect::<Vec<_>>().join("|");
    let types = if types.is_empty() { types } else { format!(":{types}") };
    let statement = format!(
        "UNWIND range(0, size($ids) - 1) AS at MATCH (a:{NODE} {{_id: $ids[at]}})-[r{types}]-(b:{NODE}) \
         WHERE r._id IS NOT NULL \
         RETURN DISTINCT at, r._id AS id, startNode(r)._id AS begin, b._id AS other ORDER BY at, id LIMIT {}",
        nodes::at_most(expansion.most)
    );
    let rows = session.rows(Query::new(statement).param("ids", ids)).await?;
    rows.iter()
        .map(|row| {
            let at = usize::try_from(row.get::<i64>("at")?).map_err(unreadable)?;
            let from = *expansion.nodes.get(at).ok_or_else(|| unreadable("an answer to another question"))?;
            let text = |column: &str| -> Outcome<String> { Ok(row.get::<String>(column)?) };
            let relationship = (text("id")?.parse()?, text("begin")?.parse()?);
            Ok(Step { from, relationship, to: text("other")?.parse()? })
        })
        .collect()
}

async fn path(session: &mut Session, start: NodeId, steps: &[Step<NodeId, Found>]) -> Outcome<Path> {
    let ids: Vec<NodeId> = [start].into_iter().chain(steps.iter().map(|step| step.to)).collect();
    let nodes = find::by_ids(session, ids.iter().copied()).await?;
    let used: Vec<Found> = steps.iter().map(|step| step.relationship).collect();
    let relationships = by_ids(session, &used).await?;
    let node = |id: &NodeId| nodes.get(id).cloned().ok_or_else(|| no_node(*id));
    let relationship =
        |found: &Found| relationships.get(&found.0).cloned().ok_or_else(|| store::knowledge::no_relationship(found.0));
    Ok(Path {
        nodes: ids.iter().map(node).collect::<Result<_, _>>()?,
        relationships: used.iter().map(relationship).collect::<Result<_, _>>()?,
    })
}

async fn by_ids(session: &mut Session, found: &[Found]) -> Outcome<BTreeMap<RelationshipId, Relationship>> {
    let rows: Vec<BoltType> = found
        .iter()
        .map(|(id, begin)| {
            let entries = [("id".to_owned(), id.to_string().into()), ("begin".to_owned(), begin.to_string().into())];
            BoltType::Map(value::map(entries))
        })
        .collect();
    let statement = format!(
        "UNWIND $rows AS row MATCH (a:{NODE} {{_id: row.begin}})-[r]->(b:{NODE}) WHERE r._id = row.id \
         RETURN {RELATIONSHIP_COLUMNS}"
    );
    let rows = session.rows(Query::new(statement).param("rows", BoltType::List(rows.into()))).await?;
    rows.iter().map(|row| row::relationship(row).map(|found| (found.id, found))).collect()
}
