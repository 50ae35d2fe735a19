//! Everything that a search needs, asked for at once.
//!
//! One statement sees one state of the tables, so the newest experiences and the sections fit together whatever others do
//! meanwhile.

use deadpool_postgres::Client;
use experience::index::AskedTerm;
use tokio_postgres::Row;

use super::known::Known;
use super::{signed, unsigned};
use crate::error::{self, Outcome};

/// Kinds of rows, each with two numbers and up to two texts of bytes.
const GATHER: &str = "
    SELECT 0 AS kind, experiences AS first, length AS second, uuid_send(identity) AS bytes, NULL::bytea AS more
    FROM experience_totals
    UNION ALL SELECT 1, most_found, epoch, NULL, NULL FROM experience_totals
    UNION ALL SELECT 2, section, 0, lengths, created_at FROM experience_section WHERE section >= $2
    UNION ALL SELECT 3, block, epoch, counts, NULL FROM experience_counts WHERE epoch > $4
    UNION ALL SELECT 4, key, created_at, terms, NULL FROM experience_recent WHERE key >= $3
    UNION ALL SELECT 5, section, term, postings, NULL FROM experience_postings WHERE term = ANY($1)
    UNION ALL SELECT 6, key, 0, NULL, NULL FROM experience WHERE deleted_at IS NOT NULL";

/// What holds for the whole index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Totals {
    pub(super) experiences: u64,
    /// Of all of them together, in words.
    pub(super) length: u64,
    /// The largest `query_count`.
    pub(super) most_found: u64,
}

/// What was found, by kind. The bytes are still in the rows.
#[derive(Debug, Default)]
pub(super) struct Gathered<'a> {
    pub(super) totals: Totals,
    pub(super) identity: &'a [u8],
    pub(super) epoch: u64,
    /// Numbers of sections with lengths and times.
    pub(super) sections: Vec<(u64, &'a [u8], &'a [u8])>,
    /// Numbers of blocks with counts.
    pub(super) counts: Vec<(u64, &'a [u8])>,
    /// Keys with times and terms, in order.
    pub(super) recent: Vec<(u64, i64, &'a [u8])>,
    /// Sections and terms with their postings.
    pub(super) postings: Vec<(u64, u64, &'a [u8])>,
    pub(super) deleted: Vec<u64>,
}

/// What the index holds for these terms, and what is not known yet.
pub(super) async fn rows(client: &Client, asked: &[AskedTerm], known: &Known) -> Outcome<Vec<Row>> {
    let terms: Vec<i64> = asked.iter().map(|term| signed(term.number)).collect();
    let select = client.prepare_cached(GATHER).await?;
    let (sections, next, epoch) = (known.sections(), known.experiences(), known.epoch());
    Ok(client.query(&select, &[&terms, &signed(sections), &signed(next), &signed(epoch)]).await?)
}

/// Sorts rows by what they are.
pub(super) fn read(rows: &[Row]) -> Outcome<Gathered<'_>> {
    let mut gathered = Gathered::default();
    for row in rows {
        let (kind, first, second): (i32, i64, i64) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        let bytes: &[u8] = row.try_get::<_, Option<&[u8]>>(3)?.unwrap_or_default();
        match kind {
            0 => {
                gathered.totals.experiences = unsigned(first);
                gathered.totals.length = unsigned(second);
                gathered.identity = bytes;
            }
            1 => {
                gathered.totals.most_found = unsigned(first);
                gathered.epoch = unsigned(second);
            }
            2 => gathered.sections.push((unsigned(first), bytes, row.try_get(4)?)),
            3 => gathered.counts.push((unsigned(first), bytes)),
            4 => gathered.recent.push((unsigned(first), second, bytes)),
            5 => gathered.postings.push((unsigned(first), unsigned(second), bytes)),
            6 => gathered.deleted.push(unsigned(first)),
            _ => return Err(error::unreadable("the index", "an unknown kind of row").into()),
        }
    }
    gathered.sections.sort_unstable_by_key(|(section, ..)| *section);
    gathered.recent.sort_unstable_by_key(|(key, ..)| *key);
    Ok(gathered)
}
