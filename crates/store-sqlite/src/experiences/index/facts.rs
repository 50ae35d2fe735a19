//! What ranking needs of an experience beside its words: when it was made and how often it was found.
//!
//! 256 experiences share a row that fits into one page, so that counting one writes one page. A row says at which epoch it was last
//! changed, so that a process that remembers it reads it again only then.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension as _};

use super::{BLOCK, epoch};
use crate::error;
use crate::job::Outcome;

/// Microseconds since 1970 in eight bytes, the count in four.
const FACT: usize = 12;
const BYTES: usize = FACT * BLOCK as usize;

/// What is known of one experience.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Facts {
    pub(in super::super) created_at: i64,
    pub(in super::super) query_count: u32,
}

impl Facts {
    /// A count above four thousand million ranks like that number.
    pub(in super::super) fn new(created_at: i64, query_count: u64) -> Self {
        Self { created_at, query_count: u32::try_from(query_count).unwrap_or(u32::MAX) }
    }
}

/// Keeps the facts of the experience with the next key.
pub(super) fn add(connection: &Connection, key: u64, facts: Facts, epoch: u64) -> Outcome<()> {
    let mut block = read(connection, key / BLOCK)?.unwrap_or_else(|| vec![0; BYTES]);
    block[range(key)].copy_from_slice(&encode(facts));
    write(connection, key / BLOCK, &block, epoch)
}

/// Keeps new counts, by key.
pub(in super::super) fn set_counts(connection: &Connection, counts: &BTreeMap<u64, u64>) -> Outcome<()> {
    let Some(most) = counts.values().max() else { return Ok(()) };
    let sql = "UPDATE experience_totals SET most_found = max(most_found, ?), epoch = epoch + 1";
    connection.prepare_cached(sql)?.execute([most])?;
    let epoch = epoch(connection)?;
    let mut rest = counts.iter().peekable();
    while let Some((first, _)) = rest.peek() {
        let number = **first / BLOCK;
        let mut block = read(connection, number)?.ok_or_else(|| missing(number))?;
        while let Some((key, count)) = rest.next_if(|(key, _)| **key / BLOCK == number) {
            let created_at = decode(&block, *key).created_at;
            block[range(*key)].copy_from_slice(&encode(Facts::new(created_at, *count)));
        }
        write(connection, number, &block, epoch)?;
    }
    Ok(())
}

/// Calls back with the number and the bytes of each row that was changed after this epoch, in the order of numbers.
pub(super) fn changed_after(
    connection: &Connection,
    epoch: Option<u64>,
    mut call: impl FnMut(u64, &[u8]),
) -> Outcome<()> {
    // Everything is read in the order of the table.
    let sql = match epoch {
        Some(_) => "SELECT block, facts FROM experience_facts WHERE epoch > ? ORDER BY block",
        None => "SELECT block, facts FROM experience_facts WHERE ? IS NULL ORDER BY block",
    };
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([epoch])?;
    while let Some(row) = rows.next()? {
        let facts = row.get_ref(1)?.as_blob().map_err(|cause| error::unreadable("the index", cause))?;
        call(row.get(0)?, checked(facts)?);
    }
    Ok(())
}

/// What a row says of an experience.
pub(super) fn decode(block: &[u8], key: u64) -> Facts {
    let bytes = &block[range(key)];
    let created_at = bytes.first_chunk().map_or(0, |bytes| i64::from_le_bytes(*bytes));
    let query_count = bytes.last_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    Facts { created_at, query_count }
}

fn read(connection: &Connection, block: u64) -> Outcome<Option<Vec<u8>>> {
    let mut statement = connection.prepare_cached("SELECT facts FROM experience_facts WHERE block = ?")?;
    let facts: Option<Vec<u8>> = statement.query_row([block], |row| row.get(0)).optional()?;
    if let Some(facts) = &facts {
        checked(facts)?;
    }
    Ok(facts)
}

fn checked(facts: &[u8]) -> Outcome<&[u8]> {
    if facts.len() == BYTES {
        return Ok(facts);
    }
    Err(error::unreadable("the index", "a block of facts is cut short").into())
}

fn write(connection: &Connection, block: u64, facts: &[u8], epoch: u64) -> Outcome<()> {
    let sql = "UPDATE experience_facts SET facts = ?2, epoch = ?3 WHERE block = ?1";
    if connection.prepare_cached(sql)?.execute((block, facts, epoch))? == 0 {
        let sql = "INSERT INTO experience_facts (block, facts, epoch) VALUES (?, ?, ?)";
        connection.prepare_cached(sql)?.execute((block, facts, epoch))?;
    }
    Ok(())
}

fn missing(block: u64) -> store::StoreError {
    error::unreadable("the index", format!("block {block} of facts is missing"))
}

fn range(key: u64) -> std::ops::Range<usize> {
    let start = FACT * usize::try_from(key % BLOCK).expect("a place in a block is small");
    start..start + FACT
}

fn encode(facts: Facts) -> [u8; FACT] {
    let mut bytes = [0; FACT];
    bytes[..8].copy_from_slice(&facts.created_at.to_le_bytes());
    bytes[8..].copy_from_slice(&facts.query_count.to_le_bytes());
    bytes
}
