//! Changing documents, and with them the words by which they are found.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, named_params};
use store::{Document, DocumentId, DocumentPatch, NewDocument, Source, SourceKind, StoreError};

use super::find;
use super::row::tags_column;
use crate::job::Outcome;

const INSERT: &str = "
    INSERT INTO document (id, topic_key, created_at, updated_at, topic, tags, source_kind, source_url, source_title, content)
    VALUES (:id, :topic_key, :created_at, :updated_at, :topic, :tags, :source_kind, :source_url, :source_title, :content)";

const UPDATE: &str = "
    UPDATE document SET topic_key = :topic_key, topic = :topic, tags = :tags, content = :content, updated_at = :updated_at
    WHERE key = :key";

const INSERT_WORDS: &str = "
    INSERT INTO document_words (rowid, topic, tags, content) VALUES (:key, :topic, :tags, :content)";

pub(super) fn save(connection: &Connection, document: NewDocument) -> Outcome<DocumentId> {
    let NewDocument { topic, content, tags, source } = document;
    let (id, now) = (DocumentId::generate(), Timestamp::now());
    insert(connection, &Document { id, topic, content, tags, source, created_at: now, updated_at: now })?;
    Ok(id)
}

/// Keeps those that are not known yet, and says how many they were.
pub(super) fn import(connection: &Connection, documents: &[Document]) -> Outcome<usize> {
    let mut new = 0;
    for document in documents {
        let mut known = connection.prepare_cached("SELECT 1 FROM document WHERE id = ?")?;
        if !known.exists([document.id.as_uuid().as_bytes()])? {
            insert(connection, document)?;
            new += 1;
        }
    }
    Ok(new)
}

fn insert(connection: &Connection, document: &Document) -> Outcome<()> {
    let Document { id, topic, content, tags, source, created_at, updated_at } = document;
    connection.prepare_cached(INSERT)?.execute(named_params! {
        ":id": id.as_uuid().as_bytes(),
        ":topic_key": search::fold(topic),
        ":created_at": created_at.as_microsecond(),
        ":updated_at": updated_at.as_microsecond(),
        ":topic": topic,
        ":tags": tags_column(tags),
        ":source_kind": source.as_ref().map(|source| source.kind).map(SourceKind::as_str),
        ":source_url": source.as_ref().and_then(url),
        ":source_title": source.as_ref().and_then(title),
        ":content": content,
    })?;
    insert_words(connection, connection.last_insert_rowid(), topic, tags, content)
}

pub(super) fn update(connection: &Connection, id: DocumentId, patch: DocumentPatch) -> Outcome<()> {
    let key = key(connection, id)?;
    let mut document = find::get(connection, id)?;
    let before = document.updated_at.as_microsecond();
    patch.apply(&mut document);
    connection.prepare_cached(UPDATE)?.execute(named_params! {
        ":key": key,
        ":topic_key": search::fold(&document.topic),
        ":topic": document.topic,
        ":tags": tags_column(&document.tags),
        ":content": document.content,
        // The clock may have been set back.
        ":updated_at": Timestamp::now().as_microsecond().max(before + 1),
    })?;
    delete_words(connection, key)?;
    insert_words(connection, key, &document.topic, &document.tags, &document.content)
}

pub(super) fn delete(connection: &Connection, id: DocumentId) -> Outcome<()> {
    let key = key(connection, id)?;
    delete_words(connection, key)?;
    connection.prepare_cached("DELETE FROM document WHERE key = ?")?.execute([key])?;
    Ok(())
}

/// The row of this document, which the words share.
fn key(connection: &Connection, id: DocumentId) -> Outcome<i64> {
    let mut statement = connection.prepare_cached("SELECT key FROM document WHERE id = ?")?;
    let key = statement.query_row([id.as_uuid().as_bytes()], |row| row.get(0)).optional()?;
    Ok(key.ok_or_else(|| StoreError::not_found("document", id))?)
}

fn insert_words(connection: &Connection, key: i64, topic: &str, tags: &[String], content: &str) -> Outcome<()> {
    connection.prepare_cached(INSERT_WORDS)?.execute(named_params! {
        ":key": key,
        ":topic": search::index_text(topic),
        ":tags": search::index_text(&tags.join("\n")),
        ":content": search::index_text(content),
    })?;
    Ok(())
}

fn delete_words(connection: &Connection, key: i64) -> Outcome<()> {
    connection.prepare_cached("DELETE FROM document_words WHERE rowid = ?")?.execute([key])?;
    Ok(())
}

fn url(source: &Source) -> Option<&str> {
    source.url.as_deref()
}

fn title(source: &Source) -> Option<&str> {
    source.title.as_deref()
}
