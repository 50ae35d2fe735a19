//! Keeping many experiences at once, as they are.

use std::collections::{BTreeMap, HashSet};

use deadpool_postgres::{Client, Transaction};
use search::embed::Vector;
use store::Experience;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;

use super::vectors::Table;
use super::{SECTION, change, count, signed, twin, unsigned};
use crate::error::Outcome;
use crate::pool::bulk_limits;

/// How many were new, and whether there are enough new ones for a section.
pub(super) async fn import(
    client: &mut Client,
    experiences: &[Experience],
    meaning: Option<(Table, &[Vector])>,
) -> Outcome<(usize, bool)> {
    for experience in experiences {
        change::check(&experience.content)?;
    }
    let transaction = client.transaction().await?;
    transaction.batch_execute(&bulk_limits()).await?;
    let lock = "SELECT experiences, sections FROM experience_totals FOR UPDATE";
    let totals = transaction.query_one(lock, &[]).await?;
    let (first, sections) = (unsigned(totals.try_get(0)?), unsigned(totals.try_get(1)?));
    let mut known = known(&transaction, experiences).await?;
    let unknown = experiences.iter().enumerate().filter(|(_, experience)| known.insert(*experience.id.as_uuid()));
    let placed: Vec<(u64, (usize, &Experience))> = (first..).zip(unknown).collect();
    let new: Vec<(u64, &Experience)> = placed.iter().map(|(key, (_, experience))| (*key, *experience)).collect();
    if new.is_empty() {
        return Ok((0, false));
    }
    insert_rows(&transaction, &new).await?;
    insert_texts(&transaction, &new).await?;
    insert_bands(&transaction, &new).await?;
    if let Some((table, vectors)) = meaning {
        let made: Vec<_> = placed.iter().filter_map(|(key, (at, _))| Some((*key, vectors.get(*at)?))).collect();
        table.add(&transaction, &made).await?;
    }
    let length = insert_terms(&transaction, &new).await?;
    let raise = "UPDATE experience_totals SET experiences = experiences + $1, length = length + $2";
    transaction.execute(raise, &[&signed(new.len() as u64), &signed(length)]).await?;
    let counts: BTreeMap<u64, u64> = new
        .iter()
        .map(|(key, experience)| (*key, experience.query_count))
        .filter(|(_, query_count)| *query_count > 0)
        .collect();
    let epoch: i64 = transaction.query_one(count::NEXT_EPOCH, &[]).await?.try_get(0)?;
    count::set_counts(&transaction, epoch, &counts).await?;
    transaction.commit().await?;
    Ok((new.len(), first + new.len() as u64 >= (sections + 1) * SECTION))
}

/// The ids of those that are kept already.
async fn known(transaction: &Transaction<'_>, experiences: &[Experience]) -> Outcome<HashSet<Uuid>> {
    let ids: Vec<Uuid> = experiences.iter().map(|experience| *experience.id.as_uuid()).collect();
    let rows = transaction.query("SELECT id FROM experience WHERE id = ANY($1)", &[&ids]).await?;
    rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

async fn insert_rows(transaction: &Transaction<'_>, new: &[(u64, &Experience)]) -> Outcome<()> {
    let into = "experience (key, id, created_at, updated_at, deleted_at, query_count)";
    let times = [Type::TIMESTAMPTZ, Type::TIMESTAMPTZ, Type::TIMESTAMPTZ];
    let types = [&[Type::INT8, Type::UUID], &times[..], &[Type::INT8]].concat();
    let mut rows = Vec::with_capacity(new.len());
    for (key, experience) in new {
        rows.push((signed(*key), *experience.id.as_uuid(), experience, signed(experience.query_count)));
    }
    let rows = rows.iter().map(|(key, id, experience, count)| -> Vec<&(dyn ToSql + Sync)> {
        vec![key, id, &experience.created_at, &experience.updated_at, &experience.deleted_at, count]
    });
    copy(transaction, into, &types, rows).await
}

async fn insert_texts(transaction: &Transaction<'_>, new: &[(u64, &Experience)]) -> Outcome<()> {
    let into = "experience_text (key, title, problem_description, root_cause, solution, context, keywords)";
    let types =
        [&[Type::INT8][..], &[Type::TEXT, Type::TEXT, Type::TEXT, Type::TEXT, Type::TEXT, Type::TEXT_ARRAY]].concat();
    let keys: Vec<i64> = new.iter().map(|(key, _)| signed(*key)).collect();
    let rows = keys.iter().zip(new).map(|(key, (_, experience))| -> Vec<&(dyn ToSql + Sync)> {
        let content = &experience.content;
        let long: [&(dyn ToSql + Sync); 4] =
            [&content.problem_description, &content.root_cause, &content.solution, &content.context];
        [&[key as _, &content.title as _], &long[..], &[&content.keywords as _]].concat()
    });
    copy(transaction, into, &types, rows).await
}

async fn insert_bands(transaction: &Transaction<'_>, new: &[(u64, &Experience)]) -> Outcome<()> {
    let mut bands: Vec<(i64, i64)> = Vec::with_capacity(8 * new.len());
    for (key, experience) in new {
        bands.extend(twin::bands(&experience.content.text()).into_iter().map(|band| (band, signed(*key))));
    }
    bands.sort_unstable();
    let rows = bands.iter().map(|(band, key)| -> Vec<&(dyn ToSql + Sync)> { vec![band, key] });
    copy(transaction, "experience_band (band, key)", &[Type::INT8, Type::INT8], rows).await
}

/// How long they are together.
async fn insert_terms(transaction: &Transaction<'_>, new: &[(u64, &Experience)]) -> Outcome<u64> {
    let mut length = 0;
    let mut rows = Vec::with_capacity(new.len());
    for (key, experience) in new {
        let terms = change::terms(&experience.content);
        length += terms.length;
        rows.push((signed(*key), experience.created_at.as_microsecond(), terms.encode()));
    }
    let types = [Type::INT8, Type::INT8, Type::BYTEA];
    let rows = rows.iter().map(|(key, created_at, terms)| -> Vec<&(dyn ToSql + Sync)> { vec![key, created_at, terms] });
    copy(transaction, "experience_recent (key, created_at, terms)", &types, rows).await?;
    Ok(length)
}

/// Adds rows in the fastest way there is.
pub(super) async fn copy<'a>(
    transaction: &Transaction<'_>,
    into: &str,
    types: &[Type],
    rows: impl Iterator<Item = Vec<&'a (dyn ToSql + Sync)>> + Send,
) -> Outcome<()> {
    let sink = transaction.copy_in(&format!("COPY {into} FROM STDIN BINARY")).await?;
    let mut writer = std::pin::pin!(BinaryCopyInWriter::new(sink, types));
    for row in rows {
        writer.as_mut().write(&row).await?;
    }
    writer.finish().await?;
    Ok(())
}
