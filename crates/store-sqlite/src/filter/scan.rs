//! Running a filter.

use graph::{NodeFilter, NodeKey};
use rusqlite::{Connection, Statement};

use super::{Layout, Parameter, Where};
use crate::job::Outcome;
use crate::rows::sql_limit;

/// `?1` is the key after which a scan begins, `?2` how many nodes it gives.
pub(super) const OWN_PARAMETERS: usize = 2;

/// The nodes that may fit, by key, beginning after this one.
pub(crate) fn scan(
    connection: &Connection,
    layout: &impl Layout,
    filter: &NodeFilter,
    after: Option<NodeKey>,
    limit: usize,
    nodes: &mut Vec<NodeKey>,
) -> Outcome<()> {
    let Where { sql, parameters } = Where::of(layout, filter);
    let sql = format!("SELECT node.id FROM node WHERE node.id > ?1{sql} ORDER BY node.id LIMIT ?2");
    let mut statement = connection.prepare_cached(&sql)?;
    // Keys are never negative.
    let after = after.map_or(-1, |key| i64::try_from(key.0).unwrap_or(i64::MAX));
    statement.raw_bind_parameter(1, after)?;
    statement.raw_bind_parameter(2, sql_limit(limit))?;
    bind(&mut statement, &parameters)?;
    let mut rows = statement.raw_query();
    while let Some(row) = rows.next()? {
        nodes.push(NodeKey(row.get(0)?));
    }
    Ok(())
}

/// How many nodes fit, counted up to a limit.
pub(crate) fn count(connection: &Connection, found: &Where, limit: u64) -> Outcome<u64> {
    let sql = format!("SELECT count(*) FROM (SELECT 1 FROM node WHERE TRUE{} LIMIT ?2)", found.sql);
    let mut statement = connection.prepare_cached(&sql)?;
    statement.raw_bind_parameter(2, limit)?;
    bind(&mut statement, &found.parameters)?;
    let mut rows = statement.raw_query();
    Ok(rows.next()?.map_or(Ok(0), |row| row.get(0))?)
}

/// A condition that never holds may have left its values unnamed.
fn bind(statement: &mut Statement<'_>, parameters: &[Parameter]) -> rusqlite::Result<()> {
    let named = OWN_PARAMETERS + 1..=statement.parameter_count();
    named.zip(parameters).try_for_each(|(number, value)| statement.raw_bind_parameter(number, value))
}
