//! Moving what is full to the next stage of the index.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use experience::index::{PostingsBuilder, TERM_BITS};
use rusqlite::Connection;

use super::block::{self, Block};
use super::{BLOCK, SECTION};
use crate::error;
use crate::job::Outcome;

/// Makes a block of the rows of its experiences.
pub(super) fn into_block(connection: &Connection, block: u64) -> Outcome<()> {
    let keys = (block * BLOCK, (block + 1) * BLOCK);
    let sql = "SELECT terms FROM experience_terms WHERE key >= ? AND key < ? ORDER BY key";
    let experiences = rows(connection, sql, keys)?;
    let sql = "INSERT INTO experience_block (block, terms) VALUES (?, ?)";
    connection.prepare_cached(sql)?.execute((block, block::encode(&experiences)))?;
    connection.prepare_cached("DELETE FROM experience_terms WHERE key >= ? AND key < ?")?.execute(keys)?;
    Ok(())
}

/// Makes the postings of a section of its blocks.
pub(super) fn into_section(connection: &Connection, section: u64) -> Outcome<()> {
    let per_section = SECTION / BLOCK;
    let keys = (section * per_section, (section + 1) * per_section);
    let sql = "SELECT terms FROM experience_block WHERE block >= ? AND block < ? ORDER BY block";
    let stored = rows(connection, sql, keys)?;
    let blocks: Option<Vec<Block<'_>>> = stored.iter().map(|row| Block::read(row)).collect();
    let blocks = blocks.ok_or_else(|| error::unreadable("the index", "a block of terms is cut short"))?;
    let mut insert = connection.prepare_cached("INSERT INTO experience_postings (key, postings) VALUES (?, ?)")?;
    let first = first_key(section);
    insert.execute((first, blocks.iter().flat_map(|block| block.lengths()).copied().collect::<Vec<u8>>()))?;
    each_term(&blocks, |term, row| {
        insert.execute((first | term, row))?;
        Ok(())
    })?;
    connection.prepare_cached("DELETE FROM experience_block WHERE block >= ? AND block < ?")?.execute(keys)?;
    Ok(())
}

/// The key of the lengths of a section; that of a term is this with the term.
pub(super) fn first_key(section: u64) -> u64 {
    section << TERM_BITS
}

/// Calls back with each term of the blocks, in order, and the row of its postings.
fn each_term(blocks: &[Block<'_>], mut call: impl FnMut(u64, &[u8]) -> Outcome<()>) -> Outcome<()> {
    let mut next: BinaryHeap<Reverse<(u64, usize, usize)>> = (0..blocks.len())
        .filter(|block| blocks[*block].len() > 0)
        .map(|block| Reverse((blocks[block].entry(0).0, block, 0)))
        .collect();
    let (mut builder, mut row) = (PostingsBuilder::default(), Vec::new());
    while let Some(Reverse((term, block, at))) = next.pop() {
        for [place, weight] in blocks[block].entry(at).1 {
            builder.push(place_in_section(block, *place), *weight);
        }
        if at + 1 < blocks[block].len() {
            next.push(Reverse((blocks[block].entry(at + 1).0, block, at + 1)));
        }
        if next.peek().is_none_or(|Reverse((following, ..))| *following != term) {
            builder.take(&mut row);
            call(term, &row)?;
        }
    }
    Ok(())
}

fn place_in_section(block: usize, place: u8) -> u16 {
    u16::try_from(block).expect("a section holds 64 blocks") << 8 | u16::from(place)
}

fn rows(connection: &Connection, sql: &str, keys: (u64, u64)) -> Outcome<Vec<Vec<u8>>> {
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.query_map(keys, |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}
