//! Labels and types as numbers.

use rusqlite::{Connection, OptionalExtension as _};
use store::knowledge::Name;

use crate::job::Outcome;

/// The number of a name, if it was ever used.
pub(super) fn known(connection: &Connection, name: &Name) -> Outcome<Option<i64>> {
    let mut statement = connection.prepare_cached("SELECT key FROM knowledge_name WHERE name = ?")?;
    Ok(statement.query_row([name.as_str()], |row| row.get(0)).optional()?)
}

/// The number of a name, which it gets if it has none.
pub(super) fn number(connection: &Connection, name: &Name) -> Outcome<i64> {
    if let Some(known) = known(connection, name)? {
        return Ok(known);
    }
    connection.prepare_cached("INSERT INTO knowledge_name (name) VALUES (?)")?.execute([name.as_str()])?;
    Ok(connection.last_insert_rowid())
}

/// The numbers of those that were ever used; `None` when there are no names, which means all.
pub(super) fn numbers(connection: &Connection, names: &[Name]) -> Outcome<Option<Vec<i64>>> {
    if names.is_empty() {
        return Ok(None);
    }
    let known = names.iter().map(|name| known(connection, name)).collect::<Outcome<Vec<_>>>()?;
    Ok(Some(known.into_iter().flatten().collect()))
}
