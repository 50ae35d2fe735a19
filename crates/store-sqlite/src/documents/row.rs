//! A document as a row.

use rusqlite::Row;
use store::{Document, Source, SourceKind};

use crate::error;
use crate::job::Outcome;
use crate::rows;

/// The document in a row of table `document`.
pub(super) fn document(row: &Row<'_>) -> Outcome<Document> {
    Ok(Document {
        id: rows::uuid(row, "id")?.into(),
        topic: row.get("topic")?,
        content: row.get("content")?,
        tags: tags(row)?,
        source: source(row)?,
        created_at: rows::time(row, "created_at")?,
        updated_at: rows::time(row, "updated_at")?,
    })
}

/// Tags as they are stored.
pub(super) fn tags_column(tags: &[String]) -> String {
    serde_json::Value::from(tags).to_string()
}

fn tags(row: &Row<'_>) -> Outcome<Vec<String>> {
    let text: String = row.get("tags")?;
    Ok(serde_json::from_str(&text).map_err(|cause| error::unreadable("tags", cause))?)
}

fn source(row: &Row<'_>) -> Outcome<Option<Source>> {
    let Some(word) = row.get::<_, Option<String>>("source_kind")? else { return Ok(None) };
    let kind = SourceKind::parse(&word).ok_or_else(|| error::unreadable("source", format!("unknown kind `{word}`")))?;
    Ok(Some(Source { kind, url: row.get("source_url")?, title: row.get("source_title")? }))
}
