//! How well does each experience fit the terms of a question?
//!
//! BM25 over all fields at once. Every posting of every term is counted: at a million experiences that costs a few milliseconds,
//! because postings need no decoding and a section's scores stay in the processor's cache. So the number of matches is exact.

use experience::index::scoring::{Scorer, Searched};
use experience::index::{AskedTerm, Postings, decode, weight_of};
use rusqlite::{Connection, OptionalExtension as _};

use super::block::Block;
use super::known::Known;
use super::merge::first_key;
use super::{BLOCK, SECTION, Totals};
use crate::error;
use crate::job::Outcome;

/// Gives each experience a score, by key; 0 where no term matches.
pub(in super::super) fn score(
    connection: &Connection,
    known: &Known,
    totals: &Totals,
    asked: &[AskedTerm],
    scores: &mut Vec<f32>,
) -> Outcome<()> {
    let gathered = Gathered::new(connection, known, asked)?;
    let searched = Searched { records: totals.experiences, words: totals.length };
    let scorer = Scorer::new(asked, &gathered.holding(), searched);
    scores.clear();
    scores.resize(usize::try_from(totals.experiences).unwrap_or(usize::MAX), 0.0);
    let (old, recent) = scores.split_at_mut(known.sections().len() * SECTION as usize);
    for ((scores, lengths), rows) in old.chunks_mut(SECTION as usize).zip(known.sections()).zip(&gathered.sections) {
        for (at, row) in rows.iter().enumerate() {
            scorer.add(at, Postings::read(row), lengths, scores);
        }
    }
    for Recent { place, level, weights } in &gathered.recent {
        let sum = weights.iter().map(|(at, weight)| scorer.one(*at, *weight, *level)).sum();
        recent[*place] = sum;
    }
    Ok(())
}

/// What the index holds for the terms.
struct Gathered<'a> {
    /// For each section, the row of each term.
    sections: Vec<Vec<Vec<u8>>>,
    recent: Vec<Recent>,
    asked: &'a [AskedTerm],
}

/// An experience after the sections that holds a term.
struct Recent {
    /// Counted from the end of the sections.
    place: usize,
    level: u8,
    /// The places of terms with their weights.
    weights: Vec<(usize, u8)>,
}

impl<'a> Gathered<'a> {
    fn new(connection: &Connection, known: &Known, asked: &'a [AskedTerm]) -> Outcome<Self> {
        let mut gathered = Self { sections: Vec::with_capacity(known.sections().len()), recent: Vec::new(), asked };
        gathered.read_sections(connection, known)?;
        for (number, bytes) in known.blocks().iter().enumerate() {
            gathered.look_into_block(number, bytes)?;
        }
        let first = known.blocks().len() * BLOCK as usize;
        for (number, bytes) in known.newest().iter().enumerate() {
            gathered.look_into_one(first + number, bytes);
        }
        Ok(gathered)
    }

    fn read_sections(&mut self, connection: &Connection, known: &Known) -> Outcome<()> {
        let mut statement = connection.prepare_cached("SELECT postings FROM experience_postings WHERE key = ?")?;
        let mut row = |key: u64| {
            let row = statement.query_row([key], |row| row.get::<_, Vec<u8>>(0)).optional();
            row.map(Option::unwrap_or_default)
        };
        for section in 0..known.sections().len() as u64 {
            let first = first_key(section);
            let rows = self.asked.iter().map(|term| row(first | term.number));
            self.sections.push(rows.collect::<rusqlite::Result<_>>()?);
        }
        Ok(())
    }

    fn look_into_block(&mut self, number: usize, bytes: &[u8]) -> Outcome<()> {
        let block =
            Block::read(bytes).ok_or_else(|| error::unreadable("the index", "a block of terms is cut short"))?;
        let mut weights: Vec<Vec<(usize, u8)>> = vec![Vec::new(); BLOCK as usize];
        for (at, term) in self.asked.iter().enumerate() {
            block.find(term.number).iter().for_each(|[place, weight]| weights[usize::from(*place)].push((at, *weight)));
        }
        let first = number * BLOCK as usize;
        let found =
            weights.into_iter().zip(block.lengths()).enumerate().filter(|(_, (weights, _))| !weights.is_empty());
        self.recent.extend(found.map(|(place, (weights, level))| Recent {
            place: first + place,
            level: *level,
            weights,
        }));
        Ok(())
    }

    fn look_into_one(&mut self, place: usize, bytes: &[u8]) {
        let weights = self.asked.iter().enumerate().filter_map(|(at, term)| Some((at, weight_of(bytes, term.number)?)));
        let weights: Vec<(usize, u8)> = weights.collect();
        if !weights.is_empty() {
            self.recent.push(Recent { place, level: decode(bytes).0, weights });
        }
    }

    /// For each term how many experiences hold it.
    fn holding(&self) -> Vec<usize> {
        let mut holding = vec![0; self.asked.len()];
        for rows in &self.sections {
            holding.iter_mut().zip(rows).for_each(|(count, row)| *count += Postings::read(row).len());
        }
        for (at, _) in self.recent.iter().flat_map(|recent| &recent.weights) {
            holding[*at] += 1;
        }
        holding
    }
}
