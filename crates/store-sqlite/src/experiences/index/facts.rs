//! What ranking needs of an experience beside its words: when it was made and how often it was found.
//!
//! 256 experiences share a row that fits into one page, so that ranking many reads few pages and counting one writes one page.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension as _};

use super::BLOCK;
use crate::error;
use crate::job::Outcome;

/// Microseconds since 1970 in eight bytes, the count in four.
const FACT: usize = 12;
const BYTES: usize = FACT * BLOCK as usize;

/// What is known of one experience.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Facts {
    pub(in super::super) created_at: i64,
    pub(in super::super) query_count: u64,
}

/// Keeps the facts of the experience with the next key.
pub(in super::super) fn add(connection: &Connection, key: u64, created_at: i64, query_count: u64) -> Outcome<()> {
    let mut block = read(connection, key / BLOCK)?.unwrap_or_else(|| vec![0; BYTES]);
    block[range(key)].copy_from_slice(&encode(Facts { created_at, query_count }));
    write(connection, key / BLOCK, &block)?;
    raise_most_found(connection, query_count)
}

/// Keeps new counts, by key.
pub(in super::super) fn set_counts(connection: &Connection, counts: &BTreeMap<u64, u64>) -> Outcome<()> {
    let mut rest = counts.iter().peekable();
    while let Some((first, _)) = rest.peek() {
        let number = **first / BLOCK;
        let mut block = read(connection, number)?.ok_or_else(|| missing(number))?;
        while let Some((key, count)) = rest.next_if(|(key, _)| **key / BLOCK == number) {
            let known = decode(&block, *key);
            block[range(*key)].copy_from_slice(&encode(Facts { query_count: *count, ..known }));
        }
        write(connection, number, &block)?;
    }
    raise_most_found(connection, counts.values().copied().max().unwrap_or(0))
}

/// Reads facts in the order of keys, each block once.
#[derive(Debug)]
pub(in super::super) struct FactReader<'a> {
    connection: &'a Connection,
    block: Option<(u64, Vec<u8>)>,
}

impl<'a> FactReader<'a> {
    pub(in super::super) fn new(connection: &'a Connection) -> Self {
        Self { connection, block: None }
    }

    pub(in super::super) fn get(&mut self, key: u64) -> Outcome<Facts> {
        let number = key / BLOCK;
        let block = match self.block.take() {
            Some(known) if known.0 == number => known,
            _ => (number, read(self.connection, number)?.ok_or_else(|| missing(number))?),
        };
        Ok(decode(&self.block.insert(block).1, key))
    }
}

fn read(connection: &Connection, block: u64) -> Outcome<Option<Vec<u8>>> {
    let mut statement = connection.prepare_cached("SELECT facts FROM experience_facts WHERE block = ?")?;
    let facts: Option<Vec<u8>> = statement.query_row([block], |row| row.get(0)).optional()?;
    match facts {
        Some(facts) if facts.len() != BYTES => {
            Err(error::unreadable("the index", "a block of facts is cut short").into())
        }
        facts => Ok(facts),
    }
}

fn write(connection: &Connection, block: u64, facts: &[u8]) -> Outcome<()> {
    let sql = "INSERT INTO experience_facts (block, facts) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET facts = ?2";
    connection.prepare_cached(sql)?.execute((block, facts))?;
    Ok(())
}

fn raise_most_found(connection: &Connection, query_count: u64) -> Outcome<()> {
    let sql = "UPDATE experience_totals SET most_found = ?1 WHERE most_found < ?1";
    connection.prepare_cached(sql)?.execute([query_count])?;
    Ok(())
}

fn missing(block: u64) -> store::StoreError {
    error::unreadable("the index", format!("block {block} of facts is missing"))
}

fn range(key: u64) -> std::ops::Range<usize> {
    let start = FACT * usize::try_from(key % BLOCK).expect("a place in a block is small");
    start..start + FACT
}

/// A count above four thousand million ranks like that number.
fn encode(facts: Facts) -> [u8; FACT] {
    let mut bytes = [0; FACT];
    bytes[..8].copy_from_slice(&facts.created_at.to_le_bytes());
    bytes[8..].copy_from_slice(&u32::try_from(facts.query_count).unwrap_or(u32::MAX).to_le_bytes());
    bytes
}

fn decode(block: &[u8], key: u64) -> Facts {
    let bytes = &block[range(key)];
    let created_at = bytes.first_chunk().map_or(0, |bytes| i64::from_le_bytes(*bytes));
    let query_count = bytes.last_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    Facts { created_at, query_count: u64::from(query_count) }
}
