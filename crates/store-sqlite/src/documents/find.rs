//! Finding documents: by id, by topic, by words, by age.

use std::collections::HashSet;

use rusqlite::{Connection, OptionalExtension as _, Params, named_params};
use search::{Query, fts5};
use store::{Document, DocumentId, StoreError};
use uuid::Uuid;

use super::row;
use crate::job::Outcome;
use crate::rows::sql_limit;

const BY_ID: &str = "SELECT * FROM document WHERE id = ?";

const BY_TOPIC: &str = "
    SELECT * FROM document WHERE topic_key = :topic_key ORDER BY created_at DESC, id DESC LIMIT :limit";

/// The ranking carries keys alone; documents are read once it is known which are wanted.
const BY_WORDS: &str = "
    SELECT document.* FROM document JOIN (
        SELECT document.key AS key, bm25(document_words, 8.0, 4.0, 1.0) AS score, document.id AS id
        FROM document_words JOIN document ON document.key = document_words.rowid
        WHERE document_words MATCH :words AND document.topic_key <> :topic_key
        ORDER BY score, id DESC LIMIT :limit
    ) AS ranking USING (key) ORDER BY ranking.score, ranking.id DESC";

const NEWEST: &str = "SELECT * FROM document ORDER BY created_at DESC, id DESC LIMIT :limit";

const NEWEST_AFTER: &str = "
    SELECT * FROM document WHERE (created_at, id) < (:created_at, :id) ORDER BY created_at DESC, id DESC LIMIT :limit";

const IN_ORDER: &str = "SELECT * FROM document WHERE id > ? ORDER BY id LIMIT ?";

/// Of topics that differ only in case, the newest spelling.
const TOPICS: &str = "
    SELECT topic, max(created_at) FROM document WHERE topic_key >= :first AND topic_key < :after
    GROUP BY topic_key ORDER BY topic_key LIMIT :limit";

const IDS: &str = "SELECT id FROM document WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?";

pub(super) fn get(connection: &Connection, id: DocumentId) -> Outcome<Document> {
    let found = documents(connection, BY_ID, [id.as_uuid().as_bytes()])?.pop();
    Ok(found.ok_or_else(|| StoreError::not_found("document", id))?)
}

pub(super) fn count(connection: &Connection) -> Outcome<u64> {
    Ok(connection.query_row("SELECT count(*) FROM document", [], |row| row.get(0))?)
}

/// Those with this topic, then those with all its words, then those with any of them.
pub(super) fn by_topic(connection: &Connection, topic: &str, limit: usize) -> Outcome<Vec<Document>> {
    let topic_key = search::fold(topic);
    let parameters = named_params! { ":topic_key": topic_key, ":limit": sql_limit(limit) };
    let mut found = documents(connection, BY_TOPIC, parameters)?;
    let Some(query) = Query::parse(topic) else { return Ok(found) };
    for words in [fts5::match_all(&query), fts5::match_any(&query)] {
        if found.len() >= limit {
            break;
        }
        let parameters = named_params! { ":words": words, ":topic_key": topic_key, ":limit": sql_limit(limit) };
        append_new(&mut found, documents(connection, BY_WORDS, parameters)?);
    }
    found.truncate(limit);
    Ok(found)
}

pub(super) fn newest(connection: &Connection, limit: usize, after: Option<DocumentId>) -> Outcome<Vec<Document>> {
    let limit = sql_limit(limit);
    let Some(after) = after else {
        return documents(connection, NEWEST, named_params! { ":limit": limit });
    };
    let created_at: Option<i64> = connection
        .prepare_cached("SELECT created_at FROM document WHERE id = ?")?
        .query_row([after.as_uuid().as_bytes()], |row| row.get(0))
        .optional()?;
    let created_at = created_at.ok_or_else(|| StoreError::not_found("document", after))?;
    let id = after.as_uuid().as_bytes();
    documents(connection, NEWEST_AFTER, named_params! { ":created_at": created_at, ":id": id, ":limit": limit })
}

pub(super) fn in_order(connection: &Connection, after: Option<DocumentId>, limit: usize) -> Outcome<Vec<Document>> {
    // Every id is greater than no bytes at all.
    let after = after.map_or(Vec::new(), |id| id.as_uuid().as_bytes().to_vec());
    documents(connection, IN_ORDER, (after, sql_limit(limit)))
}

pub(super) fn topics_starting_with(connection: &Connection, prefix: &str, limit: usize) -> Outcome<Vec<String>> {
    let first = search::fold(prefix);
    let after = format!("{first}{}", char::MAX);
    let mut statement = connection.prepare_cached(TOPICS)?;
    let parameters = named_params! { ":first": first, ":after": after, ":limit": sql_limit(limit) };
    let topics = statement.query_map(parameters, |row| row.get(0))?;
    Ok(topics.collect::<Result<_, _>>()?)
}

pub(super) fn ids_starting_with(connection: &Connection, prefix: &str, limit: usize) -> Outcome<Vec<DocumentId>> {
    let Some((first, last)) = id_range(prefix) else { return Ok(Vec::new()) };
    let mut statement = connection.prepare_cached(IDS)?;
    let ids = statement.query_map((first.as_bytes(), last.as_bytes(), sql_limit(limit)), |row| row.get(0))?;
    Ok(ids.map(|bytes| bytes.map(|bytes| Uuid::from_bytes(bytes).into())).collect::<Result<_, _>>()?)
}

/// The first and the last id that begin with this text; `None` when no id can.
fn id_range(prefix: &str) -> Option<(Uuid, Uuid)> {
    let complete = |filler: &str| {
        let rest = filler.get(prefix.len()..)?;
        Uuid::try_parse(&format!("{prefix}{rest}")).ok()
    };
    Some((complete("00000000-0000-0000-0000-000000000000")?, complete("ffffffff-ffff-ffff-ffff-ffffffffffff")?))
}

/// Adds those that are not there yet, in their order.
fn append_new(found: &mut Vec<Document>, more: Vec<Document>) {
    let known: HashSet<DocumentId> = found.iter().map(|document| document.id).collect();
    found.extend(more.into_iter().filter(|document| !known.contains(&document.id)));
}

fn documents(connection: &Connection, sql: &str, parameters: impl Params) -> Outcome<Vec<Document>> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(parameters)?;
    let mut documents = Vec::new();
    while let Some(row) = rows.next()? {
        documents.push(row::document(row)?);
    }
    Ok(documents)
}
