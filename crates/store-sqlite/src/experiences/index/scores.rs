//! How well does each experience fit the terms of a question?
//!
//! BM25 over all fields at once. Every posting of every term is counted: at a million experiences that costs a few milliseconds,
//! because postings need no decoding and a section's scores stay in the processor's cache. So the number of matches is exact.

use experience::index::scoring::{damping, rarity, saturated};
use experience::index::{Postings, decode};
use rusqlite::{Connection, OptionalExtension as _};

use super::block::Block;
use super::merge::first_key;
use super::{BLOCK, SECTION, Totals};
use crate::error;
use crate::job::Outcome;

/// One score for each experience, by key; 0 where no term matches.
#[derive(Debug)]
pub(in super::super) struct Scores {
    values: Vec<f32>,
}

impl Scores {
    /// Of all experiences for these terms.
    pub(in super::super) fn of(connection: &Connection, totals: Totals, terms: &[u64]) -> Outcome<Self> {
        let mut gathered = Gathered::new(terms, totals)?;
        gathered.read_sections(connection)?;
        gathered.read_blocks(connection)?;
        gathered.read_newest(connection)?;
        Ok(gathered.score(totals))
    }

    pub(in super::super) fn values(&self) -> &[f32] {
        &self.values
    }

    /// Takes one out, as if it held no term.
    pub(in super::super) fn clear(&mut self, key: u64) {
        if let Some(value) = usize::try_from(key).ok().and_then(|key| self.values.get_mut(key)) {
            *value = 0.0;
        }
    }
}

/// What the index holds for the terms.
struct Gathered<'a> {
    terms: &'a [u64],
    experiences: u64,
    /// Levels of length, by key.
    lengths: Vec<u8>,
    /// For each section, the row of each term.
    sections: Vec<Vec<Vec<u8>>>,
    /// For each term, keys and weights after the sections.
    recent: Vec<Vec<(usize, u8)>>,
}

impl<'a> Gathered<'a> {
    fn new(terms: &'a [u64], totals: Totals) -> Outcome<Self> {
        let capacity = usize::try_from(totals.experiences).map_err(|cause| error::unreadable("the index", cause))?;
        Ok(Self {
            terms,
            experiences: totals.experiences,
            lengths: Vec::with_capacity(capacity),
            sections: Vec::new(),
            recent: vec![Vec::new(); terms.len()],
        })
    }

    fn read_sections(&mut self, connection: &Connection) -> Outcome<()> {
        let mut statement = connection.prepare_cached("SELECT postings FROM experience_postings WHERE key = ?")?;
        let mut row = |key: u64| {
            let row = statement.query_row([key], |row| row.get::<_, Vec<u8>>(0)).optional();
            row.map(Option::unwrap_or_default)
        };
        for section in 0..self.experiences / SECTION {
            let first = first_key(section);
            self.lengths.extend(row(first)?);
            self.sections.push(self.terms.iter().map(|term| row(first | term)).collect::<rusqlite::Result<_>>()?);
        }
        self.expect_lengths(self.experiences / SECTION * SECTION)
    }

    fn read_blocks(&mut self, connection: &Connection) -> Outcome<()> {
        let first = self.experiences / SECTION * (SECTION / BLOCK);
        let mut statement =
            connection.prepare_cached("SELECT terms FROM experience_block WHERE block >= ? ORDER BY block")?;
        let mut rows = statement.query([first])?;
        while let Some(row) = rows.next()? {
            let bytes = row.get_ref(0)?.as_blob().map_err(|cause| error::unreadable("the index", cause))?;
            let block =
                Block::read(bytes).ok_or_else(|| error::unreadable("the index", "a block of terms is cut short"))?;
            let start = self.lengths.len();
            self.lengths.extend(block.lengths());
            for (term, recent) in self.terms.iter().zip(&mut self.recent) {
                recent.extend(block.find(*term).iter().map(|[place, weight]| (start + usize::from(*place), *weight)));
            }
        }
        self.expect_lengths(self.experiences / BLOCK * BLOCK)
    }

    fn read_newest(&mut self, connection: &Connection) -> Outcome<()> {
        let mut statement = connection.prepare_cached("SELECT terms FROM experience_terms ORDER BY key")?;
        let mut rows = statement.query(())?;
        while let Some(row) = rows.next()? {
            let bytes = row.get_ref(0)?.as_blob().map_err(|cause| error::unreadable("the index", cause))?;
            let (level, found) = decode(bytes);
            let key = self.lengths.len();
            self.lengths.push(level);
            for (term, weight) in found {
                if let Some(at) = self.terms.iter().position(|wanted| *wanted == term) {
                    self.recent[at].push((key, weight));
                }
            }
        }
        self.expect_lengths(self.experiences)
    }

    fn expect_lengths(&self, expected: u64) -> Outcome<()> {
        if self.lengths.len() as u64 == expected {
            return Ok(());
        }
        let detail = format!("it holds {} of {expected} experiences", self.lengths.len());
        Err(error::unreadable("the index", detail).into())
    }

    fn score(&self, totals: Totals) -> Scores {
        let mut values = vec![0.0; self.lengths.len()];
        let rarities = self.rarities();
        let damping = damping(totals.experiences, totals.length);
        let places = SECTION as usize;
        for (section, rows) in self.sections.iter().enumerate() {
            let range = section * places..(section + 1) * places;
            let (values, lengths) = (&mut values[range.clone()], &self.lengths[range]);
            for (row, rarity) in rows.iter().zip(&rarities) {
                Postings::read(row).each(|place, weight| {
                    values[place] += rarity * saturated(weight, damping[usize::from(lengths[place])]);
                });
            }
        }
        for (postings, rarity) in self.recent.iter().zip(&rarities) {
            for (key, weight) in postings {
                values[*key] += rarity * saturated(f32::from(*weight), damping[usize::from(self.lengths[*key])]);
            }
        }
        Scores { values }
    }

    /// How much it says of an experience that it holds each term.
    fn rarities(&self) -> Vec<f32> {
        let count = |at: usize| {
            let old: usize = self.sections.iter().map(|rows| Postings::read(&rows[at]).len()).sum();
            old + self.recent[at].len()
        };
        (0..self.terms.len()).map(|at| rarity(self.lengths.len(), count(at))).collect()
    }
}
