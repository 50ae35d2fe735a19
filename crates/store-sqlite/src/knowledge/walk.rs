//! Paths and neighbours: what the walks of `store::knowledge` ask for, on one snapshot.

use rusqlite::{CachedStatement, Connection};
use rustc_hash::FxHashMap;
use store::knowledge::{
    Expansion, FoundNeighbors, FoundPath, NeighborFinder, NeighborSearch, Neighborhood, Path, PathFinder, PathSearch,
    Step,
};
use uuid::Uuid;

use super::{find, names};
use crate::job::Outcome;

pub(super) fn shortest_path(connection: &Connection, search: &PathSearch) -> Outcome<FoundPath> {
    let PathSearch { from, to, max_depth, types, budget } = search;
    let (start, end) = (find::key(connection, *from)?, find::key(connection, *to)?);
    let mut ends = Ends::prepare(connection, names::numbers(connection, types)?)?;
    let mut finder = PathFinder::new(start, end, *max_depth, *budget);
    while let Some(expansion) = finder.next() {
        finder.take(ends.of(&expansion)?);
    }
    let found = finder.finish();
    let id = |table: &str, key: i64| -> Outcome<Uuid> {
        let mut statement = connection.prepare_cached(&format!("SELECT id FROM {table} WHERE key = ?"))?;
        Ok(Uuid::from_bytes(statement.query_row([key], |row| row.get(0))?))
    };
    let steps = found.lowest(start, |key| id("knowledge_node", key), |key| id("knowledge_relationship", key))?;
    let path = steps.map(|steps| path(connection, start, &steps)).transpose()?;
    Ok(FoundPath { path, visited: found.visited, truncated: found.truncated })
}

fn path(connection: &Connection, start: i64, steps: &[Step<i64, i64>]) -> Outcome<Path> {
    let nodes = std::iter::once(start).chain(steps.iter().map(|step| step.to));
    let relationships = steps.iter().map(|step| step.relationship);
    Ok(Path {
        nodes: nodes.map(|key| find::node_by_key(connection, key)).collect::<Outcome<_>>()?,
        relationships: relationships.map(|key| find::relationship_by_key(connection, key)).collect::<Outcome<_>>()?,
    })
}

pub(super) fn neighbors(connection: &Connection, search: &NeighborSearch) -> Outcome<Neighborhood> {
    let NeighborSearch { id, depth, types, budget } = search;
    let start = find::key(connection, *id)?;
    let mut ends = Ends::prepare(connection, names::numbers(connection, types)?)?;
    let mut finder = NeighborFinder::new(start, *depth, *budget);
    while let Some(expansion) = finder.next() {
        finder.take(ends.of(&expansion)?);
    }
    let FoundNeighbors { nodes, relationships, visited, truncated } = finder.finish();
    let mut ids = FxHashMap::from_iter([(start, *id)]);
    let mut near = Vec::with_capacity(nodes.len());
    for (key, distance) in nodes {
        let node = find::node_by_key(connection, key)?;
        ids.insert(key, node.id);
        near.push((distance, node));
    }
    let mut nodes = near;
    nodes.sort_by_key(|(distance, node)| (*distance, node.id));
    let between = |key: i64| find::relationship_between(connection, key, &ids);
    let mut relationships = relationships.into_iter().map(between).collect::<Outcome<Vec<_>>>()?;
    relationships.sort_by_key(|relationship| relationship.id);
    let nodes = nodes.into_iter().map(|(_, node)| node).collect();
    Ok(Neighborhood { nodes, relationships, visited, truncated })
}

/// The relationships of nodes, as far as they have one of these types.
struct Ends<'connection> {
    statement: CachedStatement<'connection>,
    types: Option<Vec<i64>>,
}

impl<'connection> Ends<'connection> {
    fn prepare(connection: &'connection Connection, types: Option<Vec<i64>>) -> Outcome<Self> {
        let sql = "SELECT relationship, type, other FROM knowledge_end WHERE node = ? ORDER BY relationship";
        Ok(Self { statement: connection.prepare_cached(sql)?, types })
    }

    fn of(&mut self, expansion: &Expansion<i64>) -> Outcome<Vec<Step<i64, i64>>> {
        let mut steps = Vec::new();
        for &from in &expansion.nodes {
            let mut rows = self.statement.query([from])?;
            while let Some(row) = rows.next()? {
                if steps.len() == expansion.most {
                    return Ok(steps);
                }
                let kind: i64 = row.get(1)?;
                if self.types.as_ref().is_none_or(|types| types.contains(&kind)) {
                    steps.push(Step { from, relationship: row.get(0)?, to: row.get(2)? });
                }
            }
        }
        Ok(steps)
    }
}
