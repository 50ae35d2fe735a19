//! Which experiences hold which words?
//!
//! Keys count from 0 without gaps, so an experience's place in the index follows from its key. The index has three stages, and
//! every change of it is part of the transaction that adds an experience:
//!
//! - the newest have a row each with their terms,
//! - 256 of them become one block, sorted by term,
//! - 64 blocks become a section: one row of postings for each term, which is never changed again.
//!
//! So keeping an experience writes little, and a search reads one short row for each term and section; the rest it remembers.

mod block;
pub(super) mod facts;
mod known;
mod merge;
mod scores;

pub(super) use experience::index::DocumentTerms;
use facts::Facts;
pub(super) use known::Known;
use rusqlite::Connection;
pub(super) use scores::score;

use crate::job::Outcome;

/// Experiences in one block.
pub(super) const BLOCK: u64 = 256;
/// Experiences in one section.
pub(super) const SECTION: u64 = 64 * BLOCK;

/// What holds for the whole index.
#[derive(Debug, Clone)]
pub(super) struct Totals {
    pub(super) experiences: u64,
    /// Of all of them together, in words.
    pub(super) length: u64,
    /// The largest `query_count`.
    pub(super) most_found: u64,
    /// Raised by every change.
    epoch: u64,
    /// Of the file.
    pub(super) identity: Vec<u8>,
}

pub(super) fn totals(connection: &Connection) -> Outcome<Totals> {
    let sql = "SELECT experiences, length, most_found, epoch, identity FROM experience_totals";
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.query_row((), |row| {
        Ok(Totals {
            experiences: row.get(0)?,
            length: row.get(1)?,
            most_found: row.get(2)?,
            epoch: row.get(3)?,
            identity: row.get(4)?,
        })
    })?)
}

/// The key of the experience that is added next.
pub(super) fn next_key(connection: &Connection) -> Outcome<u64> {
    let mut statement = connection.prepare_cached("SELECT experiences FROM experience_totals")?;
    Ok(statement.query_row((), |row| row.get(0))?)
}

/// The number of the last change. Asked for by itself: a statement that changes a row and says what it became keeps a journal of its own,
/// which costs more the more the transaction has changed before.
fn epoch(connection: &Connection) -> Outcome<u64> {
    Ok(connection.prepare_cached("SELECT epoch FROM experience_totals")?.query_row((), |row| row.get(0))?)
}

/// Adds what is known of the experience with the next key, and moves full blocks and sections on.
pub(super) fn add(connection: &Connection, key: u64, facts: Facts, terms: &DocumentTerms) -> Outcome<()> {
    let sql = "UPDATE experience_totals
               SET experiences = experiences + 1, length = length + ?1, most_found = max(most_found, ?2), epoch = epoch + 1";
    connection.prepare_cached(sql)?.execute((terms.length, facts.query_count))?;
    let epoch = epoch(connection)?;
    facts::add(connection, key, facts, epoch)?;
    let sql = "INSERT INTO experience_terms (key, terms) VALUES (?, ?)";
    connection.prepare_cached(sql)?.execute((key, terms.encode()))?;
    let count = key + 1;
    if count.is_multiple_of(BLOCK) {
        merge::into_block(connection, key / BLOCK)?;
    }
    if count.is_multiple_of(SECTION) {
        merge::into_section(connection, key / SECTION)?;
    }
    Ok(())
}
