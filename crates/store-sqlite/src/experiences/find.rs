//! Finding experiences by id and by age.

use rusqlite::{Connection, OptionalExtension as _, Params};
use store::{Experience, ExperienceId, ExperiencePage, StoreError};

use super::row::{self, COLUMNS};
use crate::job::Outcome;
use crate::rows::sql_limit;

pub(super) fn get(connection: &Connection, id: ExperienceId) -> Outcome<Experience> {
    let sql = format!("SELECT {COLUMNS} FROM experience JOIN experience_text USING (key) WHERE experience.id = ?");
    let found = experiences(connection, &sql, [id.as_uuid().as_bytes()])?.pop();
    Ok(found.ok_or_else(|| StoreError::not_found("experience", id))?)
}

/// The experience with this key, which the index found.
pub(super) fn by_key(connection: &Connection, key: u64) -> Outcome<Option<Experience>> {
    let sql = format!("SELECT {COLUMNS} FROM experience JOIN experience_text USING (key) WHERE experience.key = ?");
    Ok(experiences(connection, &sql, [key])?.pop())
}

pub(super) fn newest(connection: &Connection, page: ExperiencePage) -> Outcome<Vec<Experience>> {
    let ExperiencePage { limit, after, deleted } = page;
    let (created_at, id) = match after {
        Some(after) => (created_at(connection, after)?, *after.as_uuid().as_bytes()),
        None => (i64::MAX, [u8::MAX; 16]),
    };
    let state = if deleted { "NOT NULL" } else { "NULL" };
    let sql = format!(
        "SELECT {COLUMNS} FROM experience JOIN experience_text USING (key)
         WHERE (created_at, experience.id) < (?, ?) AND deleted_at IS {state}
         ORDER BY created_at DESC, experience.id DESC LIMIT ?"
    );
    experiences(connection, &sql, (created_at, id, sql_limit(limit)))
}

pub(super) fn in_order(connection: &Connection, after: Option<ExperienceId>, limit: usize) -> Outcome<Vec<Experience>> {
    // Every id is greater than no bytes at all.
    let after = after.map_or(Vec::new(), |id| id.as_uuid().as_bytes().to_vec());
    let sql = format!(
        "SELECT {COLUMNS} FROM experience JOIN experience_text USING (key)
         WHERE experience.id > ? ORDER BY experience.id LIMIT ?"
    );
    experiences(connection, &sql, (after, sql_limit(limit)))
}

pub(super) fn size(connection: &Connection) -> Outcome<u64> {
    Ok(connection.query_row("SELECT count(*) FROM experience", (), |row| row.get(0))?)
}

/// The row that this experience has in every table.
pub(super) fn key(connection: &Connection, id: ExperienceId) -> Outcome<Option<u64>> {
    let mut statement = connection.prepare_cached("SELECT key FROM experience WHERE id = ?")?;
    Ok(statement.query_row([id.as_uuid().as_bytes()], |row| row.get(0)).optional()?)
}

fn created_at(connection: &Connection, id: ExperienceId) -> Outcome<i64> {
    let mut statement = connection.prepare_cached("SELECT created_at FROM experience WHERE id = ?")?;
    let created_at = statement.query_row([id.as_uuid().as_bytes()], |row| row.get(0)).optional()?;
    Ok(created_at.ok_or_else(|| StoreError::not_found("experience", id))?)
}

fn experiences(connection: &Connection, sql: &str, parameters: impl Params) -> Outcome<Vec<Experience>> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(parameters)?;
    let mut experiences = Vec::new();
    while let Some(row) = rows.next()? {
        experiences.push(row::experience(row)?);
    }
    Ok(experiences)
}
