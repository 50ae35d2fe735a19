//! Relationships with SQL. A stored one has no number of its own, so a reader numbers those it meets.

use graph::{Direction, EdgeKey, NodeKey, RelationKey, Step};
use rusqlite::Connection;
use rustc_hash::FxHashMap;

use super::relations::Relations;
use crate::job::Outcome;

macro_rules! outgoing {
    ($what:literal, $type:literal) => {
        // The store does not promise that the far end of an edge is a node.
        concat!(
            "SELECT ",
            $what,
            " FROM edge WHERE src = ?1",
            $type,
            " AND EXISTS (SELECT 1 FROM node WHERE node.id = edge.dst)"
        )
    };
}

macro_rules! incoming {
    ($what:literal, $type:literal) => {
        concat!("SELECT ", $what, " FROM edge INDEXED BY edge_in WHERE dst = ?1", $type)
    };
}

/// The keys of relationships met through SQL have this bit, so that they differ from those of a snapshot.
pub(super) const MET: u64 = 1 << 63;

/// What tells one relationship from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct StoredEdge {
    pub(super) from: u64,
    pub(super) relation: u8,
    pub(super) to: u64,
    pub(super) line: u32,
}

/// The relationships that a reader has met through SQL, numbered in the order in which it met them.
#[derive(Debug, Default)]
pub(super) struct EdgeNumbers {
    met: Vec<StoredEdge>,
    numbers: FxHashMap<StoredEdge, u32>,
}

impl EdgeNumbers {
    pub(super) fn get(&self, key: EdgeKey) -> Option<StoredEdge> {
        let number = key.0.checked_sub(MET)?;
        self.met.get(usize::try_from(number).ok()?).copied()
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (EdgeKey, &StoredEdge)> {
        (MET..).map(EdgeKey).zip(&self.met)
    }

    fn number(&mut self, edge: StoredEdge) -> EdgeKey {
        let next = u32::try_from(self.met.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(edge).or_insert(next);
        if number == next {
            self.met.push(edge);
        }
        EdgeKey(MET | u64::from(number))
    }
}

pub(super) fn expand(
    connection: &Connection,
    numbers: &mut EdgeNumbers,
    node: NodeKey,
    direction: Direction,
    relations: Relations,
    steps: &mut Vec<Step>,
) -> Outcome<()> {
    if direction != Direction::Incoming {
        each(
            connection,
            [outgoing!("type, dst, line", ""), outgoing!("type, dst, line", " AND type = ?2")],
            node,
            relations,
            |relation, to, line| {
                let edge = numbers.number(StoredEdge { from: node.0, relation, to, line });
                steps.push(Step { edge, relation: RelationKey(relation.into()), far: NodeKey(to), outgoing: true });
            },
        )?;
    }
    if direction != Direction::Outgoing {
        let is_either = direction == Direction::Either;
        each(
            connection,
            [incoming!("type, src, line", ""), incoming!("type, src, line", " AND type = ?2")],
            node,
            relations,
            |relation, from, line| {
                if is_either && from == node.0 {
                    return;
                }
                let edge = numbers.number(StoredEdge { from, relation, to: node.0, line });
                steps.push(Step { edge, relation: RelationKey(relation.into()), far: NodeKey(from), outgoing: false });
            },
        )?;
    }
    Ok(())
}

/// Calls back with type, far end and line of each; the statements are that for all types and that for one.
fn each(
    connection: &Connection,
    [all, one]: [&str; 2],
    node: NodeKey,
    relations: Relations,
    mut found: impl FnMut(u8, u64, u32),
) -> Outcome<()> {
    let mut run = |sql: &str, relation: Option<u8>| -> Outcome<()> {
        let mut statement = connection.prepare_cached(sql)?;
        statement.raw_bind_parameter(1, node.0)?;
        if let Some(relation) = relation {
            statement.raw_bind_parameter(2, relation)?;
        }
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next()? {
            found(row.get(0)?, row.get(1)?, row.get(2)?);
        }
        Ok(())
    };
    match relations.is_all() {
        true => run(all, None),
        false => relations.codes().try_for_each(|code| run(one, Some(code))),
    }
}

pub(super) fn degree(
    connection: &Connection,
    node: NodeKey,
    direction: Direction,
    relations: Relations,
) -> Outcome<u64> {
    let mut degree = 0;
    if direction != Direction::Incoming {
        degree +=
            count(connection, [outgoing!("count(*)", ""), outgoing!("count(*)", " AND type = ?2")], node, relations)?;
    }
    if direction == Direction::Incoming {
        degree +=
            count(connection, [incoming!("count(*)", ""), incoming!("count(*)", " AND type = ?2")], node, relations)?;
    }
    if direction == Direction::Either {
        let statements =
            [incoming!("count(*)", " AND src <> ?1"), incoming!("count(*)", " AND src <> ?1 AND type = ?2")];
        degree += count(connection, statements, node, relations)?;
    }
    Ok(degree)
}

fn count(connection: &Connection, [all, one]: [&str; 2], node: NodeKey, relations: Relations) -> Outcome<u64> {
    if relations.is_all() {
        return Ok(connection.prepare_cached(all)?.query_row([node.0], |row| row.get(0))?);
    }
    let mut statement = connection.prepare_cached(one)?;
    let mut sum = 0;
    for code in relations.codes() {
        sum += statement.query_row((node.0, code), |row| row.get::<_, u64>(0))?;
    }
    Ok(sum)
}
