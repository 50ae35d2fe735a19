//! Finding documents: by id, by topic, by words, by age.

use futures::TryStreamExt as _;
use mongodb::bson::{Document as Row, doc};
use mongodb::{Collection, Cursor};
use search::Query;
use store::{Document, DocumentId, StoreError};
use uuid::Uuid;

use crate::failure::{Outcome, unreadable};
use crate::{row, words};

pub(crate) async fn row(documents: &Collection<Row>, id: DocumentId) -> Outcome<Row> {
    let found = documents.find_one(doc! { "_id": row::key(id) }).projection(row::projection()).await?;
    Ok(found.ok_or_else(|| StoreError::not_found("document", id))?)
}

pub(crate) async fn get(documents: &Collection<Row>, id: DocumentId) -> Outcome<Document> {
    Ok(row::document(&row(documents, id).await?)?)
}

pub(crate) async fn count(documents: &Collection<Row>) -> Outcome<u64> {
    Ok(documents.count_documents(doc! {}).await?)
}

/// Those with this topic, then those with all its words, then those with any of them.
pub(crate) async fn by_topic(documents: &Collection<Row>, topic: &str, limit: usize) -> Outcome<Vec<Document>> {
    let Some(most) = at_most(limit) else { return Ok(Vec::new()) };
    let topic_key = search::fold(topic);
    let exact = documents.find(doc! { "topic_key": &topic_key }).sort(newest_first()).limit(most);
    let mut found = all(exact.projection(row::projection()).await?).await?;
    let Some(query) = Query::parse(topic) else { return Ok(found) };
    for expression in [query.all(), query.any()] {
        if found.len() >= limit {
            break;
        }
        let Some(search) = words::Search::prepare(documents, &expression).await? else { continue };
        let known: Vec<_> = found.iter().map(|document| row::key(document.id)).collect();
        let others = doc! { "topic_key": { "$ne": &topic_key }, "_id": { "$nin": known } };
        let wanted = limit - found.len();
        found.extend(all(documents.aggregate(search.pipeline(others, at_most(wanted).unwrap_or(1))).await?).await?);
    }
    Ok(found)
}

pub(crate) async fn newest(
    documents: &Collection<Row>,
    limit: usize,
    after: Option<DocumentId>,
) -> Outcome<Vec<Document>> {
    let filter = match after {
        None => doc! {},
        Some(after) => {
            let created_at = row(documents, after).await?.get_i64("created_at").map_err(unreadable)?;
            let same_time = doc! { "created_at": created_at, "_id": { "$lt": row::key(after) } };
            doc! { "$or": [{ "created_at": { "$lt": created_at } }, same_time] }
        }
    };
    let Some(most) = at_most(limit) else { return Ok(Vec::new()) };
    all(documents.find(filter).sort(newest_first()).limit(most).projection(row::projection()).await?).await
}

pub(crate) async fn in_order(
    documents: &Collection<Row>,
    after: Option<DocumentId>,
    limit: usize,
) -> Outcome<Vec<Document>> {
    let Some(most) = at_most(limit) else { return Ok(Vec::new()) };
    let filter = after.map_or_else(|| doc! {}, |after| doc! { "_id": { "$gt": row::key(after) } });
    all(documents.find(filter).sort(doc! { "_id": 1 }).limit(most).projection(row::projection()).await?).await
}

/// Of topics that differ only in case, the newest spelling.
pub(crate) async fn topics_starting_with(
    documents: &Collection<Row>,
    prefix: &str,
    limit: usize,
) -> Outcome<Vec<String>> {
    let Some(most) = at_most(limit) else { return Ok(Vec::new()) };
    let first = search::fold(prefix);
    let after = format!("{first}{}", char::MAX);
    let pipeline = [
        doc! { "$match": { "topic_key": { "$gte": first, "$lt": after } } },
        doc! { "$sort": { "topic_key": 1, "created_at": -1, "_id": -1 } },
        doc! { "$group": { "_id": "$topic_key", "topic": { "$first": "$topic" } } },
        doc! { "$sort": { "_id": 1 } },
        doc! { "$limit": most },
    ];
    let rows: Vec<Row> = documents.aggregate(pipeline).await?.try_collect().await?;
    Ok(rows.iter().map(|row| row.get_str("topic").map(str::to_owned).map_err(unreadable)).collect::<Result<_, _>>()?)
}

pub(crate) async fn ids_starting_with(
    documents: &Collection<Row>,
    prefix: &str,
    limit: usize,
) -> Outcome<Vec<DocumentId>> {
    let (Some(most), Some((first, last))) = (at_most(limit), id_range(prefix)) else { return Ok(Vec::new()) };
    let range = doc! { "_id": { "$gte": row::key(first), "$lte": row::key(last) } };
    let ids = documents.find(range).sort(doc! { "_id": 1 }).limit(most).projection(doc! { "_id": 1 }).await?;
    let rows: Vec<Row> = ids.try_collect().await?;
    Ok(rows.iter().map(row::id).collect::<Result<_, _>>()?)
}

/// The first and the last id that begin with this text; `None` when no id can.
fn id_range(prefix: &str) -> Option<(DocumentId, DocumentId)> {
    let complete = |filler: &str| {
        let rest = filler.get(prefix.len()..)?;
        Uuid::try_parse(&format!("{prefix}{rest}")).ok().map(DocumentId::from)
    };
    Some((complete("00000000-0000-0000-0000-000000000000")?, complete("ffffffff-ffff-ffff-ffff-ffffffffffff")?))
}

fn newest_first() -> Row {
    doc! { "created_at": -1, "_id": -1 }
}

/// To the server, no limit at all is 0.
fn at_most(limit: usize) -> Option<i64> {
    (limit > 0).then(|| i64::from(i32::try_from(limit).unwrap_or(i32::MAX)))
}

async fn all(rows: Cursor<Row>) -> Outcome<Vec<Document>> {
    let rows: Vec<Row> = rows.try_collect().await?;
    Ok(rows.iter().map(row::document).collect::<Result<_, _>>()?)
}
