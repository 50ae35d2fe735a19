//! A document as a row.

use store::{Document, Source, SourceKind};
use tokio_postgres::Row;
use uuid::Uuid;

use crate::error::{self, Outcome};

/// What [`document`] reads.
pub(super) const COLUMNS: &str =
    "id, topic, content, tags, source_kind, source_url, source_title, created_at, updated_at";

/// The document in a row with [`COLUMNS`].
pub(super) fn document(row: &Row) -> Outcome<Document> {
    Ok(Document {
        id: row.try_get::<_, Uuid>("id")?.into(),
        topic: row.try_get("topic")?,
        content: row.try_get("content")?,
        tags: row.try_get("tags")?,
        source: source(row)?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}

fn source(row: &Row) -> Outcome<Option<Source>> {
    let Some(word) = row.try_get::<_, Option<String>>("source_kind")? else { return Ok(None) };
    let kind = SourceKind::parse(&word).ok_or_else(|| error::unreadable("source", format!("unknown kind `{word}`")))?;
    Ok(Some(Source { kind, url: row.try_get("source_url")?, title: row.try_get("source_title")? }))
}
