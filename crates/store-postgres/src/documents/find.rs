//! Finding documents: by id, by topic, by words, by age.

use std::collections::HashMap;

use deadpool_postgres::Client;
use jiff::Timestamp;
use search::Query;
use store::{Document, DocumentId, StoreError};
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::rank::{self, Candidate, WEIGHTS};
use super::row::{self, COLUMNS};
use super::words::{Part, Question};
use crate::error::Outcome;
use crate::text::sql_limit;

/// So many documents that match are compared, the newest: a word that nearly all hold must not make a question slow.
const COMPARED: i64 = 5_000;

const BY_WORDS: &str = "
    SELECT id, length, ARRAY(SELECT ts_rank($3, words, part::tsquery) FROM unnest($4::text[]) WITH ORDINALITY AS parts (part, place)
                             ORDER BY place) AS ranks
    FROM (SELECT id, length, words FROM document WHERE words @@ $1::text::tsquery AND topic_key <> $2
          ORDER BY created_at DESC, id DESC LIMIT $5) AS candidate";

/// Of topics that differ only in case, the newest spelling.
const TOPICS: &str = "
    SELECT DISTINCT ON (topic_key) topic FROM document
    WHERE left(topic_key, 200) COLLATE \"C\" >= left($1, 200) AND starts_with(topic_key, $1)
      AND ($2::text IS NULL OR left(topic_key, 200) COLLATE \"C\" < $2)
    ORDER BY topic_key, created_at DESC LIMIT $3";

pub(super) async fn get(client: &Client, id: DocumentId) -> Outcome<Document> {
    let sql = format!("SELECT {COLUMNS} FROM document WHERE id = $1");
    let found = documents(client, &sql, &[id.as_uuid()]).await?.pop();
    Ok(found.ok_or_else(|| StoreError::not_found("document", id))?)
}

pub(super) async fn count(client: &Client) -> Outcome<u64> {
    let count: i64 = client.query_one("SELECT count(*) FROM document", &[]).await?.try_get(0)?;
    Ok(u64::try_from(count).unwrap_or(0))
}

/// Those with this topic, then those with all its words, then those with any of them.
pub(super) async fn by_topic(client: &Client, topic: &str, limit: usize) -> Outcome<Vec<Document>> {
    // What cannot be kept cannot be found, but the words beside it can.
    let topic = topic.replace('\0', " ");
    let topic_key = search::fold(&topic);
    let sql = format!(
        "SELECT {COLUMNS} FROM document WHERE left(topic_key, 200) COLLATE \"C\" = left($1, 200) AND topic_key = $1
         ORDER BY created_at DESC, id DESC LIMIT $2"
    );
    let mut found = documents(client, &sql, &[&topic_key, &sql_limit(limit)]).await?;
    let Some(query) = Query::parse(&topic) else { return Ok(found) };
    let question = Question::of(&query);
    let mut ranked: Vec<DocumentId> = Vec::new();
    for words in [&question.all, &question.any] {
        if found.len() + ranked.len() >= limit {
            break;
        }
        let candidates = candidates(client, words, &topic_key, &question.parts).await?;
        for id in rank::best(&candidates, limit) {
            if !ranked.contains(&id) {
                ranked.push(id);
            }
        }
    }
    ranked.truncate(limit.saturating_sub(found.len()));
    found.extend(by_ids(client, &ranked).await?);
    Ok(found)
}

async fn candidates(client: &Client, words: &str, topic_key: &str, parts: &[Part]) -> Outcome<Vec<Candidate>> {
    let select = client.prepare_cached(BY_WORDS).await?;
    let rows = client.query(&select, &[&words, &topic_key, &WEIGHTS.as_slice(), &parts, &COMPARED]).await?;
    rows.iter()
        .map(|row| {
            let length: i32 = row.try_get("length")?;
            Ok(Candidate {
                id: row.try_get::<_, Uuid>("id")?.into(),
                length: f64::from(length),
                ranks: row.try_get("ranks")?,
            })
        })
        .collect()
}

/// In the order of the ids.
async fn by_ids(client: &Client, ids: &[DocumentId]) -> Outcome<Vec<Document>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let wanted: Vec<Uuid> = ids.iter().map(|id| *id.as_uuid()).collect();
    let sql = format!("SELECT {COLUMNS} FROM document WHERE id = ANY($1)");
    let found = documents(client, &sql, &[&wanted]).await?;
    let mut found: HashMap<DocumentId, Document> = found.into_iter().map(|document| (document.id, document)).collect();
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

pub(super) async fn newest(client: &Client, limit: usize, after: Option<DocumentId>) -> Outcome<Vec<Document>> {
    let Some(after) = after else {
        let sql = format!("SELECT {COLUMNS} FROM document ORDER BY created_at DESC, id DESC LIMIT $1");
        return documents(client, &sql, &[&sql_limit(limit)]).await;
    };
    let select = client.prepare_cached("SELECT created_at FROM document WHERE id = $1").await?;
    let found = client.query_opt(&select, &[after.as_uuid()]).await?;
    let created_at: Timestamp = found.ok_or_else(|| StoreError::not_found("document", after))?.try_get(0)?;
    let sql = format!(
        "SELECT {COLUMNS} FROM document WHERE (created_at, id) < ($1, $2) ORDER BY created_at DESC, id DESC LIMIT $3"
    );
    documents(client, &sql, &[&created_at, after.as_uuid(), &sql_limit(limit)]).await
}

pub(super) async fn in_order(client: &Client, after: Option<DocumentId>, limit: usize) -> Outcome<Vec<Document>> {
    let Some(after) = after else {
        return documents(
            client,
            &format!("SELECT {COLUMNS} FROM document ORDER BY id LIMIT $1"),
            &[&sql_limit(limit)],
        )
        .await;
    };
    let sql = format!("SELECT {COLUMNS} FROM document WHERE id > $1 ORDER BY id LIMIT $2");
    documents(client, &sql, &[after.as_uuid(), &sql_limit(limit)]).await
}

pub(super) async fn topics_starting_with(client: &Client, prefix: &str, limit: usize) -> Outcome<Vec<String>> {
    let first = search::fold(&prefix.replace('\0', " "));
    // Where the beginning is longer than the index, what comes after it cannot be bounded by it.
    let after = (first.chars().count() < 200).then(|| format!("{first}{}", char::MAX));
    let select = client.prepare_cached(TOPICS).await?;
    let rows = client.query(&select, &[&first, &after, &sql_limit(limit)]).await?;
    rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

pub(super) async fn ids_starting_with(client: &Client, prefix: &str, limit: usize) -> Outcome<Vec<DocumentId>> {
    let Some((first, last)) = id_range(prefix) else { return Ok(Vec::new()) };
    let select =
        client.prepare_cached("SELECT id FROM document WHERE id BETWEEN $1 AND $2 ORDER BY id LIMIT $3").await?;
    let rows = client.query(&select, &[&first, &last, &sql_limit(limit)]).await?;
    rows.iter().map(|row| Ok(row.try_get::<_, Uuid>(0)?.into())).collect()
}

/// The first and the last id that begin with this text; `None` when no id can.
fn id_range(prefix: &str) -> Option<(Uuid, Uuid)> {
    let complete = |filler: &str| {
        let rest = filler.get(prefix.len()..)?;
        Uuid::try_parse(&format!("{prefix}{rest}")).ok()
    };
    Some((complete("00000000-0000-0000-0000-000000000000")?, complete("ffffffff-ffff-ffff-ffff-ffffffffffff")?))
}

async fn documents(client: &Client, sql: &str, parameters: &[&(dyn ToSql + Sync)]) -> Outcome<Vec<Document>> {
    let select = client.prepare_cached(sql).await?;
    let rows = client.query(&select, parameters).await?;
    rows.iter().map(row::document).collect()
}
