//! What a process remembers of the index, so that a search reads the postings of its own words and what is new.
//!
//! Nothing that is remembered goes stale: lengths, times, full blocks and the terms of an experience never change, and facts say at
//! which epoch they were changed. About thirteen bytes for each experience, and the words of the newest.

use std::sync::Arc;

use experience::ranking::page;
use rusqlite::Connection;

use super::facts;
use super::merge::first_key;
use super::{BLOCK, SECTION, Totals};
use crate::error;
use crate::job::Outcome;

const BLOCKS_OF_A_SECTION: u64 = SECTION / BLOCK;

/// A state of the index, without the postings of its sections. Cheap to copy: parts are shared.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Known {
    identity: Vec<u8>,
    epoch: Option<u64>,
    /// For each section the levels of length of its experiences.
    sections: Vec<Arc<[u8]>>,
    /// Those after the sections, as they are stored.
    blocks: Vec<Arc<[u8]>>,
    /// What is kept of the words of those after the blocks.
    newest: Vec<Arc<[u8]>>,
    /// For each block, of sections or not, what is known beside words.
    facts: Vec<Arc<[u8]>>,
}

impl Known {
    pub(super) fn sections(&self) -> &[Arc<[u8]>] {
        &self.sections
    }

    pub(super) fn blocks(&self) -> &[Arc<[u8]>] {
        &self.blocks
    }

    pub(super) fn newest(&self) -> &[Arc<[u8]>] {
        &self.newest
    }

    fn experiences(&self) -> u64 {
        self.first_newest() + self.newest.len() as u64
    }

    fn first_block(&self) -> u64 {
        self.sections.len() as u64 * BLOCKS_OF_A_SECTION
    }

    fn first_newest(&self) -> u64 {
        (self.first_block() + self.blocks.len() as u64) * BLOCK
    }

    /// The state that these totals are of. This must be older than the snapshot of the connection, unless it is of another file.
    pub(in super::super) fn brought_up(
        self: &Arc<Self>,
        connection: &Connection,
        totals: &Totals,
    ) -> Outcome<Arc<Self>> {
        let fits = self.identity == totals.identity && self.epoch <= Some(totals.epoch);
        if fits && self.epoch == Some(totals.epoch) {
            return Ok(self.clone());
        }
        let mut known = if fits { Self::clone(self) } else { Self::default() };
        known.add_sections(connection, totals.experiences / SECTION)?;
        known.add_blocks(connection)?;
        known.add_newest(connection)?;
        known.add_facts(connection)?;
        let complete =
            known.experiences() == totals.experiences && known.facts.len() as u64 == totals.experiences.div_ceil(BLOCK);
        if !complete {
            let detail = format!("it holds {} of {} experiences", known.experiences(), totals.experiences);
            return Err(error::unreadable("the index", detail).into());
        }
        known.identity.clone_from(&totals.identity);
        known.epoch = Some(totals.epoch);
        Ok(Arc::new(known))
    }

    fn add_sections(&mut self, connection: &Connection, wanted: u64) -> Outcome<()> {
        let before = self.first_newest();
        let mut statement = connection.prepare_cached("SELECT postings FROM experience_postings WHERE key = ?")?;
        for section in self.sections.len() as u64..wanted {
            let lengths: Vec<u8> = statement.query_row([first_key(section)], |row| row.get(0))?;
            if lengths.len() as u64 != SECTION {
                return Err(error::unreadable("the index", format!("section {section} is cut short")).into());
            }
            self.sections.push(lengths.into());
            self.blocks.drain(..self.blocks.len().min(BLOCKS_OF_A_SECTION as usize));
        }
        self.drop_newest(before);
        Ok(())
    }

    fn add_blocks(&mut self, connection: &Connection) -> Outcome<()> {
        let before = self.first_newest();
        let sql = "SELECT block, terms FROM experience_block WHERE block >= ? ORDER BY block";
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query([before / BLOCK])?;
        while let Some(row) = rows.next()? {
            if row.get::<_, u64>(0)? != self.first_newest() / BLOCK {
                return Err(error::unreadable("the index", "a block of terms is missing").into());
            }
            self.blocks.push(row.get::<_, Vec<u8>>(1)?.into());
        }
        self.drop_newest(before);
        Ok(())
    }

    /// Those that have moved on since the newest began at this key.
    fn drop_newest(&mut self, before: u64) {
        let moved = usize::try_from(self.first_newest().saturating_sub(before)).unwrap_or(usize::MAX);
        self.newest.drain(..self.newest.len().min(moved));
    }

    fn add_newest(&mut self, connection: &Connection) -> Outcome<()> {
        let sql = "SELECT key, terms FROM experience_terms WHERE key >= ? ORDER BY key";
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query([self.experiences()])?;
        while let Some(row) = rows.next()? {
            if row.get::<_, u64>(0)? != self.experiences() {
                return Err(error::unreadable("the index", "the terms of an experience are missing").into());
            }
            self.newest.push(row.get::<_, Vec<u8>>(1)?.into());
        }
        Ok(())
    }

    fn add_facts(&mut self, connection: &Connection) -> Outcome<()> {
        facts::changed_after(connection, self.epoch, |block, bytes| {
            let known = usize::try_from(block).ok().and_then(|block| self.facts.get_mut(block));
            match known {
                Some(known) => *known = bytes.into(),
                None => self.facts.push(bytes.into()),
            }
        })
    }

    fn of(&self, key: usize) -> facts::Facts {
        self.facts
            .get(key / BLOCK as usize)
            .map_or(facts::Facts { created_at: 0, query_count: 0 }, |block| facts::decode(block, key as u64))
    }
}

impl page::Facts for Known {
    fn created_at(&self, key: usize) -> i64 {
        self.of(key).created_at
    }

    fn query_count(&self, key: usize) -> u32 {
        self.of(key).query_count
    }
}
