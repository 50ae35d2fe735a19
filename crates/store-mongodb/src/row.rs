//! A document as the server keeps it.

use jiff::Timestamp;
use mongodb::bson::{Binary, Bson, Document as Row, doc, spec::BinarySubtype};
use store::{Document, DocumentId, Source, SourceKind, StoreError};
use uuid::Uuid;

use crate::failure::unreadable;
use crate::words;

/// What is read: everything but what only the search needs.
pub(crate) fn projection() -> Row {
    doc! { "words": 0, "length": 0 }
}

pub(crate) fn key(id: DocumentId) -> Bson {
    Bson::Binary(Binary { subtype: BinarySubtype::Uuid, bytes: id.as_uuid().as_bytes().to_vec() })
}

/// The row of a document at this revision; each change has one of its own.
pub(crate) fn row(document: &Document, revision: i64) -> Row {
    let Document { id, topic, content, tags, source, created_at, updated_at } = document;
    let words = words::of(document);
    let source = source.as_ref().map(|Source { kind, url, title }| {
        doc! { "kind": kind.as_str(), "url": url.as_deref(), "title": title.as_deref() }
    });
    doc! {
        "_id": key(*id),
        "revision": revision,
        "topic_key": search::fold(topic),
        "topic": topic,
        "content": content,
        "tags": tags,
        "source": source,
        "created_at": created_at.as_microsecond(),
        "updated_at": updated_at.as_microsecond(),
        "length": words.length,
        "words": words.rows,
    }
}

pub(crate) fn document(row: &Row) -> Result<Document, StoreError> {
    let text = |key: &str| row.get_str(key).map(str::to_owned).map_err(unreadable);
    let tags = row.get_array("tags").map_err(unreadable)?.iter();
    let tags: Option<Vec<String>> = tags.map(|tag| tag.as_str().map(str::to_owned)).collect();
    Ok(Document {
        id: id(row)?,
        topic: text("topic")?,
        content: text("content")?,
        tags: tags.ok_or_else(|| unreadable("a tag is no text"))?,
        source: source(row)?,
        created_at: time(row, "created_at")?,
        updated_at: time(row, "updated_at")?,
    })
}

pub(crate) fn id(row: &Row) -> Result<DocumentId, StoreError> {
    let Some(Bson::Binary(binary)) = row.get("_id") else { return Err(unreadable("its id is no UUID")) };
    Uuid::from_slice(&binary.bytes).map(DocumentId::from).map_err(unreadable)
}

pub(crate) fn time(row: &Row, key: &str) -> Result<Timestamp, StoreError> {
    Timestamp::from_microsecond(row.get_i64(key).map_err(unreadable)?).map_err(unreadable)
}

fn source(row: &Row) -> Result<Option<Source>, StoreError> {
    let Some(source) = row.get("source").and_then(Bson::as_document) else { return Ok(None) };
    let word = source.get_str("kind").map_err(unreadable)?;
    let kind = SourceKind::parse(word).ok_or_else(|| unreadable(format!("unknown kind of source `{word}`")))?;
    let text = |key: &str| source.get_str(key).ok().map(str::to_owned);
    Ok(Some(Source { kind, url: text("url"), title: text("title") }))
}
