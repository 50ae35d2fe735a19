//! What is kept about a project as a whole.

use std::path::PathBuf;

use jiff::Timestamp;
use rusqlite::types::FromSql;
use rusqlite::{Connection, OptionalExtension as _, ToSql};
use store::ProjectInfo;

use crate::error;
use crate::job::Outcome;

const GET: &str = "SELECT value FROM meta WHERE key = ?";
const SET: &str = "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
const LANGUAGES: &str = "
    SELECT language, count(*) AS files FROM file WHERE language IS NOT NULL GROUP BY language ORDER BY files DESC, language";

const EDGES_BY_TYPE: &str = "SELECT type, count(*) FROM edge GROUP BY type";

/// A number for each label or each type of relationship, in the place of its number.
pub(super) type ByCode = [i64; 16];

/// Fills a new file. A project made again has another epoch than the one before, because that begins with the time.
pub(super) fn begin(connection: &Connection, name: &str, root: &str) -> Outcome<()> {
    set(connection, "name", name)?;
    set(connection, "root", root)?;
    set(connection, "epoch", Timestamp::now().as_microsecond())?;
    set(connection, "languages", "[]")?;
    ["files", "nodes", "relationships"].into_iter().try_for_each(|key| set(connection, key, 0))
}

pub(super) fn read(connection: &Connection) -> Outcome<ProjectInfo> {
    let languages: String = get(connection, "languages")?;
    let root: String = get(connection, "root")?;
    Ok(ProjectInfo {
        name: get(connection, "name")?,
        root: PathBuf::from(root),
        files: get(connection, "files")?,
        nodes: get(connection, "nodes")?,
        relationships: get(connection, "relationships")?,
        languages: serde_json::from_str(&languages).map_err(|cause| error::unreadable("languages", cause))?,
        indexed_at: indexed_at(connection)?,
        epoch: get(connection, "epoch")?,
    })
}

/// Every change of the graph calls this in its transaction.
pub(super) fn advance_epoch(connection: &Connection) -> Outcome<()> {
    connection.execute("UPDATE meta SET value = value + 1 WHERE key = 'epoch'", ())?;
    Ok(())
}

pub(super) fn set_root(connection: &Connection, root: &str) -> Outcome<()> {
    set(connection, "root", root)?;
    advance_epoch(connection)
}

pub(super) fn set_indexed_at(connection: &Connection, time: Timestamp) -> Outcome<()> {
    set(connection, "indexed_at", time.as_microsecond())
}

/// Adds to the numbers of nodes, or takes away from them.
pub(super) fn add_nodes(connection: &Connection, changes: &ByCode) -> Outcome<()> {
    add(connection, ["nodes", "labels"], changes)
}

/// Adds to the numbers of edges, or takes away from them.
pub(super) fn add_edges(connection: &Connection, changes: &ByCode) -> Outcome<()> {
    add(connection, ["relationships", "relations"], changes)
}

/// Counts all edges again.
pub(super) fn count_edges(connection: &Connection) -> Outcome<()> {
    let mut counts = ByCode::default();
    let mut statement = connection.prepare(EDGES_BY_TYPE)?;
    let mut rows = statement.query(())?;
    while let Some(row) = rows.next()? {
        let code: usize = row.get(0)?;
        *counts.get_mut(code).ok_or_else(|| error::unreadable("relationship", code))? = row.get(1)?;
    }
    set_counts(connection, ["relationships", "relations"], &counts)
}

/// How many nodes there are of each label, or edges of each type.
pub(super) fn counts(connection: &Connection, key: &str) -> Outcome<ByCode> {
    let text: String = get(connection, key)?;
    let stored: Vec<i64> = serde_json::from_str(&text).map_err(|cause| error::unreadable("counts", cause))?;
    let mut counts = ByCode::default();
    counts.iter_mut().zip(stored).for_each(|(count, stored)| *count = stored);
    Ok(counts)
}

/// Whether edges may end at no node. Once they may, that is so until the graph was empty.
pub(super) fn has_loose_ends(connection: &Connection) -> Outcome<bool> {
    get(connection, "loose_ends")
}

pub(super) fn set_loose_ends(connection: &Connection, has_loose_ends: bool) -> Outcome<()> {
    set(connection, "loose_ends", has_loose_ends)
}

pub(super) fn epoch(connection: &Connection) -> Outcome<u64> {
    get(connection, "epoch")
}

fn add(connection: &Connection, keys: [&str; 2], changes: &ByCode) -> Outcome<()> {
    let mut counts = counts(connection, keys[1])?;
    counts.iter_mut().zip(changes).for_each(|(count, change)| *count += change);
    set_counts(connection, keys, &counts)
}

/// Under the first key the sum, under the second all of them.
fn set_counts(connection: &Connection, [sum, all]: [&str; 2], counts: &ByCode) -> Outcome<()> {
    set(connection, sum, counts.iter().sum::<i64>())?;
    let text = serde_json::to_string(counts).map_err(|cause| error::unreadable("counts", cause))?;
    set(connection, all, text)
}

/// Counts files and languages again.
pub(super) fn count_files(connection: &Connection) -> Outcome<()> {
    let files: u64 = connection.query_row("SELECT count(*) FROM file", (), |row| row.get(0))?;
    let mut statement = connection.prepare_cached(LANGUAGES)?;
    let languages = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
    let languages: Vec<(String, u64)> = languages.collect::<rusqlite::Result<_>>()?;
    let text = serde_json::to_string(&languages).map_err(|cause| error::unreadable("languages", cause))?;
    set(connection, "files", files)?;
    set(connection, "languages", text)
}

fn indexed_at(connection: &Connection) -> Outcome<Option<Timestamp>> {
    let mut statement = connection.prepare_cached(GET)?;
    let found: Option<i64> = statement.query_row(["indexed_at"], |row| row.get(0)).optional()?;
    let time = found.map(Timestamp::from_microsecond).transpose();
    Ok(time.map_err(|cause| error::unreadable("time", cause))?)
}

pub(super) fn get<T: FromSql>(connection: &Connection, key: &str) -> Outcome<T> {
    let found = connection.prepare_cached(GET)?.query_row([key], |row| row.get(0)).optional()?;
    Ok(found.ok_or_else(|| error::unreadable("project", format!("it has no {key}")))?)
}

pub(super) fn set(connection: &Connection, key: &str, value: impl ToSql) -> Outcome<()> {
    connection.prepare_cached(SET)?.execute((key, value))?;
    Ok(())
}
