//! Relationships with SQL. A stored one has no number of its own, so a reader numbers those it meets.

use graph::{Direction, EdgeKey, NodeKey, RelationKey, Step};
use rusqlite::Connection;
use rustc_hash::FxHashMap;

use super::relations::Relations;
use crate::job::Outcome;

/// The statements that read, or count, all relationships of a node and those of one type.
type Statements = [&'static str; 2];

macro_rules! statements {
    ($what:literal, $of_node:literal) => {
        [
            concat!("SELECT ", $what, " FROM edge ", $of_node),
            concat!("SELECT ", $what, " FROM edge ", $of_node, " AND type = ?2"),
        ]
    };
}

/// Where edges may end at no node; looking that up costs five times as much as the rest.
macro_rules! loose_statements {
    ($what:literal, $of_node:literal) => {
        [
            concat!("SELECT ", $what, " FROM edge CROSS JOIN node ON node.id = edge.dst ", $of_node),
            concat!("SELECT ", $what, " FROM edge CROSS JOIN node ON node.id = edge.dst ", $of_node, " AND type = ?2"),
        ]
    };
}

const OUTGOING: Statements = statements!("type, dst, line", "WHERE src = ?1");
const OUTGOING_LOOSE: Statements = loose_statements!("type, dst, line", "WHERE src = ?1");
const INCOMING: Statements = statements!("type, src, line", "INDEXED BY edge_in WHERE dst = ?1");
const COUNT_OUTGOING: Statements = statements!("count(*)", "WHERE src = ?1");
const COUNT_OUTGOING_LOOSE: Statements = loose_statements!("count(*)", "WHERE src = ?1");
const COUNT_INCOMING: Statements = statements!("count(*)", "INDEXED BY edge_in WHERE dst = ?1");
const COUNT_FROM_OTHERS: Statements = statements!("count(*)", "INDEXED BY edge_in WHERE dst = ?1 AND src <> ?1");
const COUNT_LOOSE: &str = "SELECT count(*) FROM edge CROSS JOIN node ON node.id = edge.dst WHERE type = ?";

/// Where the stored edges are read from.
#[derive(Debug, Clone, Copy)]
pub(super) struct StoredEdges<'a> {
    pub(super) connection: &'a Connection,
    /// Whether they may end at no node; those that do are left out.
    pub(super) may_be_loose: bool,
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

impl StoredEdges<'_> {
    pub(super) fn expand(
        self,
        numbers: &mut EdgeNumbers,
        node: NodeKey,
        direction: Direction,
        relations: Relations,
        steps: &mut Vec<Step>,
    ) -> Outcome<()> {
        if direction != Direction::Incoming {
            let statements = if self.may_be_loose { OUTGOING_LOOSE } else { OUTGOING };
            self.each(statements, node, relations, |relation, to, line| {
                let edge = numbers.number(StoredEdge { from: node.0, relation, to, line });
                steps.push(Step { edge, relation: RelationKey(relation.into()), far: NodeKey(to), outgoing: true });
            })?;
        }
        if direction != Direction::Outgoing {
            let is_either = direction == Direction::Either;
            self.each(INCOMING, node, relations, |relation, from, line| {
                if is_either && from == node.0 {
                    return;
                }
                let edge = numbers.number(StoredEdge { from, relation, to: node.0, line });
                steps.push(Step { edge, relation: RelationKey(relation.into()), far: NodeKey(from), outgoing: false });
            })?;
        }
        Ok(())
    }

    pub(super) fn degree(self, node: NodeKey, direction: Direction, relations: Relations) -> Outcome<u64> {
        let outgoing = if self.may_be_loose { COUNT_OUTGOING_LOOSE } else { COUNT_OUTGOING };
        match direction {
            Direction::Outgoing => self.count(outgoing, node, relations),
            Direction::Incoming => self.count(COUNT_INCOMING, node, relations),
            Direction::Either => {
                Ok(self.count(outgoing, node, relations)? + self.count(COUNT_FROM_OTHERS, node, relations)?)
            }
        }
    }

    /// How many there are that end at a node.
    pub(super) fn count_all(self, relations: Relations) -> Outcome<u64> {
        let mut statement = self.connection.prepare_cached(COUNT_LOOSE)?;
        relations.codes().try_fold(0, |sum, code| Ok(sum + statement.query_row([code], |row| row.get::<_, u64>(0))?))
    }

    /// Calls back with type, far end and line of each.
    fn each(
        self,
        [all, one]: Statements,
        node: NodeKey,
        relations: Relations,
        mut found: impl FnMut(u8, u64, u32),
    ) -> Outcome<()> {
        let mut run = |sql: &str, relation: Option<u8>| -> Outcome<()> {
            let mut statement = self.connection.prepare_cached(sql)?;
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

    fn count(self, [all, one]: Statements, node: NodeKey, relations: Relations) -> Outcome<u64> {
        if relations.is_all() {
            return Ok(self.connection.prepare_cached(all)?.query_row([node.0], |row| row.get(0))?);
        }
        let mut statement = self.connection.prepare_cached(one)?;
        let mut of_type = |code: u8| statement.query_row((node.0, code), |row| row.get::<_, u64>(0));
        relations.codes().try_fold(0, |sum, code| Ok(sum + of_type(code)?))
    }
}
