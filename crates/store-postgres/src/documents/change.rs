//! Changing documents, and with them the words by which they are found.

use deadpool_postgres::{Client, GenericClient};
use jiff::{SignedDuration, Timestamp};
use store::{Document, DocumentId, DocumentPatch, NewDocument, StoreError};
use tokio_postgres::Statement;
use tokio_postgres::types::ToSql;

use super::row::{self, COLUMNS};
use super::words::Words;
use crate::error::Outcome;
use crate::pool::bulk_limits;
use crate::text::storable;

const INSERT: &str = "
    INSERT INTO document (id, topic_key, created_at, updated_at, topic, tags, source_kind, source_url, source_title, content,
                          length, words)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::text::tsvector) ON CONFLICT (id) DO NOTHING";

const UPDATE: &str = "
    UPDATE document SET topic_key = $2, topic = $3, tags = $4, content = $5, updated_at = $6, length = $7,
                        words = $8::text::tsvector
    WHERE id = $1";

pub(super) async fn save(client: &Client, document: NewDocument) -> Outcome<DocumentId> {
    let NewDocument { topic, content, tags, source } = document;
    let (id, now) = (DocumentId::generate(), Timestamp::now());
    let insert = client.prepare_cached(INSERT).await?;
    insert_one(client, &insert, &Document { id, topic, content, tags, source, created_at: now, updated_at: now })
        .await?;
    Ok(id)
}

/// Keeps those that are not known yet, and says how many they were.
pub(super) async fn import(client: &mut Client, documents: &[Document]) -> Outcome<usize> {
    let transaction = client.transaction().await?;
    transaction.batch_execute(&bulk_limits()).await?;
    let insert = transaction.prepare_cached(INSERT).await?;
    // All are sent before the first is answered.
    let all = documents.iter().map(|document| insert_one(&transaction, &insert, document));
    let new: u64 = futures::future::try_join_all(all).await?.into_iter().sum();
    transaction.commit().await?;
    Ok(usize::try_from(new).unwrap_or(usize::MAX))
}

/// How many rows there are more.
async fn insert_one(client: &impl GenericClient, insert: &Statement, document: &Document) -> Outcome<u64> {
    let Document { id, topic, content, tags, source, created_at, updated_at } = document;
    let url = source.as_ref().and_then(|source| source.url.as_deref());
    let title = source.as_ref().and_then(|source| source.title.as_deref());
    let texts = [Some(topic.as_str()), Some(content.as_str()), url, title];
    storable(texts.into_iter().flatten().chain(tags.iter().map(String::as_str)))?;
    let words = Words::of(topic, tags, content);
    let kind = source.as_ref().map(|source| source.kind.as_str());
    let topic_key = search::fold(topic);
    let when: [&(dyn ToSql + Sync); 4] = [id.as_uuid(), &topic_key, created_at, updated_at];
    let what: [&(dyn ToSql + Sync); 8] = [topic, tags, &kind, &url, &title, content, &words.length, &words.vector];
    Ok(client.execute(insert, &[&when[..], &what[..]].concat()).await?)
}

pub(super) async fn update(client: &mut Client, id: DocumentId, patch: DocumentPatch) -> Outcome<()> {
    let DocumentPatch { topic, content, tags } = &patch;
    let texts = [topic.as_deref(), content.as_deref()].into_iter().flatten();
    storable(texts.chain(tags.iter().flatten().map(String::as_str)))?;
    let transaction = client.transaction().await?;
    let select =
        transaction.prepare_cached(&format!("SELECT {COLUMNS} FROM document WHERE id = $1 FOR UPDATE")).await?;
    let found = transaction.query_opt(&select, &[id.as_uuid()]).await?;
    let mut document = row::document(&found.ok_or_else(|| StoreError::not_found("document", id))?)?;
    // The clock may have been set back.
    let after = document.updated_at + SignedDuration::from_micros(1);
    patch.apply(&mut document);
    let words = Words::of(&document.topic, &document.tags, &document.content);
    let update = transaction.prepare_cached(UPDATE).await?;
    transaction
        .execute(
            &update,
            &[
                id.as_uuid(),
                &search::fold(&document.topic),
                &document.topic,
                &document.tags,
                &document.content,
                &Timestamp::now().max(after),
                &words.length,
                &words.vector,
            ],
        )
        .await?;
    Ok(transaction.commit().await?)
}

pub(super) async fn delete(client: &Client, id: DocumentId) -> Outcome<()> {
    let delete = client.prepare_cached("DELETE FROM document WHERE id = $1").await?;
    if client.execute(&delete, &[id.as_uuid()]).await? == 0 {
        return Err(StoreError::not_found("document", id).into());
    }
    Ok(())
}
