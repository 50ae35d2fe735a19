//! Counting the answers that experiences were part of.

use std::collections::BTreeMap;

use deadpool_postgres::{Client, Transaction};
use jiff::Timestamp;
use store::ExperienceId;
use uuid::Uuid;

use super::{BLOCK, signed, unsigned};
use crate::error::Outcome;

/// First of all, so that whoever comes second waits here, and epochs are committed in their order.
pub(super) const NEXT_EPOCH: &str = "UPDATE experience_totals SET epoch = epoch + 1 RETURNING epoch";

const COUNT: &str = "
    UPDATE experience SET query_count = query_count + answered.count, updated_at = greatest(updated_at, $3)
    FROM unnest($1::uuid[], $2::bigint[]) AS answered (id, count) WHERE experience.id = answered.id
    RETURNING key, query_count";

const WRITE: &str = "
    INSERT INTO experience_counts (block, epoch, counts) SELECT block, $3, counts FROM unnest($1::bigint[], $2::bytea[]) AS new (block, counts)
    ON CONFLICT (block) DO UPDATE SET epoch = excluded.epoch, counts = excluded.counts";

pub(super) async fn count(client: &mut Client, answers: &[(ExperienceId, u64)]) -> Outcome<()> {
    let mut sums: BTreeMap<Uuid, i64> = BTreeMap::new();
    for (id, count) in answers {
        let sum = sums.entry(*id.as_uuid()).or_default();
        *sum = sum.saturating_add(signed(*count));
    }
    let (ids, counts): (Vec<Uuid>, Vec<i64>) = sums.into_iter().unzip();
    let transaction = client.transaction().await?;
    let next = transaction.prepare_cached(NEXT_EPOCH).await?;
    let epoch: i64 = transaction.query_one(&next, &[]).await?.try_get(0)?;
    let update = transaction.prepare_cached(COUNT).await?;
    let rows = transaction.query(&update, &[&ids, &counts, &Timestamp::now()]).await?;
    let mut counted = BTreeMap::new();
    for row in &rows {
        counted.insert(unsigned(row.try_get(0)?), unsigned(row.try_get(1)?));
    }
    set_counts(&transaction, epoch, &counted).await?;
    Ok(transaction.commit().await?)
}

/// Keeps new counts, by key, where searches read them.
pub(super) async fn set_counts(transaction: &Transaction<'_>, epoch: i64, counts: &BTreeMap<u64, u64>) -> Outcome<()> {
    let Some(most) = counts.values().max() else { return Ok(()) };
    let mut blocks: BTreeMap<i64, Vec<u8>> = counts.keys().map(|key| (signed(key / BLOCK), Vec::new())).collect();
    let numbers: Vec<i64> = blocks.keys().copied().collect();
    let read = transaction.prepare_cached("SELECT block, counts FROM experience_counts WHERE block = ANY($1)").await?;
    for row in &transaction.query(&read, &[&numbers]).await? {
        blocks.insert(row.try_get(0)?, row.try_get(1)?);
    }
    for (key, count) in counts {
        let block = blocks.entry(signed(key / BLOCK)).or_default();
        let at = 4 * usize::try_from(key % BLOCK).expect("a place in a block is small");
        block.resize(block.len().max(at + 4), 0);
        block[at..at + 4].copy_from_slice(&u32::try_from(*count).unwrap_or(u32::MAX).to_le_bytes());
    }
    let (numbers, bytes): (Vec<i64>, Vec<Vec<u8>>) = blocks.into_iter().unzip();
    let write = transaction.prepare_cached(WRITE).await?;
    transaction.execute(&write, &[&numbers, &bytes, &epoch]).await?;
    let raise = "UPDATE experience_totals SET most_found = $1 WHERE most_found < $1";
    let raise = transaction.prepare_cached(raise).await?;
    transaction.execute(&raise, &[&signed(*most)]).await?;
    Ok(())
}
