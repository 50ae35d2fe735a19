//! Changing a graph in one transaction.

use graph::NodeId;
use rusqlite::{Connection, params};
use store::projects::file_id;
use store::{ErrorKind, FileRecord, FileUpdate, GraphUpdate, Part, StoreError};

use super::difference::{self, Stored};
use super::{meaning, meta, words};
use crate::job::Outcome;

const PUT_FILE: &str = "
    INSERT INTO file (id, path, language, size, modified, content_hash, graph_hash, lines, problem)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET
        language = excluded.language, size = excluded.size, modified = excluded.modified,
        content_hash = excluded.content_hash, graph_hash = excluded.graph_hash, lines = excluded.lines,
        problem = excluded.problem
    WHERE (file.language, file.size, file.modified, file.content_hash, file.graph_hash, file.lines, file.problem)
        IS NOT (excluded.language, excluded.size, excluded.modified, excluded.content_hash, excluded.graph_hash,
                excluded.lines, excluded.problem)";

const PUT_FACTS: &str = "
    INSERT INTO fact (file, facts) VALUES (?, ?)
    ON CONFLICT (file) DO UPDATE SET facts = excluded.facts WHERE fact.facts IS NOT excluded.facts";

/// What [`without_indexes`] takes away and brings back.
const INDEXES: &str =
    "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name IN ('node', 'edge') AND sql <> ''";

/// Makes the changes; the caller's transaction makes them one step. Everything is removed before anything is added, because
/// a node may move from one file to another.
pub(super) fn apply(connection: &Connection, update: &GraphUpdate) -> Outcome<()> {
    check(update)?;
    let before = meta::read(connection)?;
    let is_first = before.nodes == 0 && before.relationships == 0;
    let written = if is_first {
        without_indexes(connection, |connection| difference::write(connection, &Stored::default(), update))?
    } else {
        difference::write(connection, &Stored::read(connection, update)?, update)?
    };
    let is_removed = remove_files(connection, &update.removed)?;
    let is_put = put_files(connection, &update.files)?;
    let has_new_words = words::write(connection, update)?;
    let has_new_meaning = meaning::write(connection, update, has_new_words)?;

    if written.is_changed || is_removed || is_put || has_new_words || has_new_meaning {
        meta::add_nodes(connection, &written.labels)?;
        match written.must_count_relations {
            true => meta::count_edges(connection)?,
            false => meta::add_edges(connection, &written.relations)?,
        }
        if is_first || written.has_loose_ends {
            meta::set_loose_ends(connection, written.has_loose_ends)?;
        }
        meta::count_files(connection)?;
        meta::advance_epoch(connection)?;
    }
    update.indexed_at.map_or(Ok(()), |time| meta::set_indexed_at(connection, time))
}

/// Refuses what would never be removed again: a node that is not of the file it comes with, an edge that starts elsewhere.
fn check(update: &GraphUpdate) -> Result<(), StoreError> {
    for file in &update.files {
        let id = file_id(&file.record.path);
        file.part.as_ref().map_or(Ok(()), |part| check_part(part, Some(id), &file.record.path))?;
    }
    update.structure.as_ref().map_or(Ok(()), |part| check_part(part, None, "the structure"))
}

fn check_part(part: &Part, owner: Option<NodeId>, what: &str) -> Result<(), StoreError> {
    if let Some(node) = part.nodes.iter().find(|node| node.file != owner) {
        let message = format!("{} `{}` came with `{what}` but belongs elsewhere", node.label, node.qualified_name);
        return Err(StoreError::new(ErrorKind::InvalidInput, message));
    }
    let mut ids: Vec<_> = part.nodes.iter().map(|node| node.id).collect();
    ids.sort_unstable();
    match part.edges.iter().find(|edge| ids.binary_search(&edge.from).is_err()) {
        Some(edge) => {
            let message = format!("a {} relationship came with `{what}` but starts elsewhere", edge.relation);
            Err(StoreError::new(ErrorKind::InvalidInput, message))
        }
        None => Ok(()),
    }
}

/// Indexes made after the rows are in cost less than those kept row by row.
fn without_indexes<T>(connection: &Connection, work: impl FnOnce(&Connection) -> Outcome<T>) -> Outcome<T> {
    let indexes: Vec<(String, String)> =
        connection.prepare(INDEXES)?.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
    for (name, _) in &indexes {
        connection.execute_batch(&format!("DROP INDEX {name}"))?;
    }
    let result = work(connection)?;
    for (_, sql) in &indexes {
        connection.execute_batch(sql)?;
    }
    Ok(result)
}

fn remove_files(connection: &Connection, paths: &[String]) -> Outcome<bool> {
    let mut removed = 0;
    for path in paths {
        let id = file_id(path).0;
        removed += connection.prepare_cached("DELETE FROM file WHERE id = ?")?.execute([id])?;
        removed += connection.prepare_cached("DELETE FROM fact WHERE file = ?")?.execute([id])?;
    }
    Ok(removed > 0)
}

fn put_files(connection: &Connection, files: &[FileUpdate]) -> Outcome<bool> {
    let mut is_changed = false;
    for file in files {
        let id = file_id(&file.record.path).0;
        is_changed |= put_record(connection, id, &file.record)?;
        if let Some(facts) = &file.facts {
            is_changed |= connection.prepare_cached(PUT_FACTS)?.execute((id, facts))? > 0;
        }
    }
    Ok(is_changed)
}

fn put_record(connection: &Connection, id: i64, record: &FileRecord) -> Outcome<bool> {
    let written = connection.prepare_cached(PUT_FILE)?.execute(params![
        id,
        record.path,
        record.language,
        record.size,
        record.modified,
        record.content_hash,
        record.graph_hash,
        record.lines,
        record.problem,
    ])?;
    Ok(written > 0)
}
