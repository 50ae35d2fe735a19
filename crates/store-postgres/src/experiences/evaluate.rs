//! How well does each experience fit the terms of a question?
//!
//! Every posting of every term is counted, so the number of matches is exact.

use std::sync::Arc;

use experience::index::Postings;
use experience::index::scoring::{damping, rarity, saturated};
use jiff::Timestamp;
use tokio_postgres::Row;

use super::SECTION;
use super::gather::{self, Gathered};
use super::known::{Known, places};
use super::rank::{Page, Ranking, rank};
use crate::error::Outcome;

/// What is known after a search, and what it found.
#[derive(Debug)]
pub(super) struct Evaluated {
    pub(super) known: Arc<Known>,
    pub(super) ranking: Ranking,
}

/// `None` where the rows do not fit to what was known.
pub(super) fn evaluate(
    rows: &[Row],
    known: &Arc<Known>,
    terms: &[u64],
    page: Page,
    now: Timestamp,
) -> Outcome<Option<Evaluated>> {
    let gathered = gather::read(rows)?;
    let Some(known) = known.with(&gathered) else { return Ok(None) };
    let scores = scores(&known, &gathered, terms);
    let ranking = rank(&scores, &known, gathered.totals.most_found, page, now);
    Ok(Some(Evaluated { known, ranking }))
}

/// One score for each experience, by key; 0 where no term matches.
fn scores(known: &Known, gathered: &Gathered<'_>, terms: &[u64]) -> Vec<f32> {
    let mut values = vec![0.0; places(known.experiences())];
    let sections = by_section(known, gathered, terms);
    let recent: Vec<Vec<Option<u8>>> =
        known.recent().iter().map(|recent| terms.iter().map(|term| recent.weight(*term)).collect()).collect();
    let rarities: Vec<f32> = (0..terms.len())
        .map(|at| {
            let old: usize = sections.iter().map(|rows| rows[at].map_or(0, |row| Postings::read(row).len())).sum();
            rarity(values.len(), old + recent.iter().filter(|weights| weights[at].is_some()).count())
        })
        .collect();
    let damping = damping(gathered.totals.experiences, gathered.totals.length);
    let (old, new) = values.split_at_mut(known.facts().len() * places(SECTION));
    for ((values, facts), rows) in old.chunks_mut(places(SECTION)).zip(known.facts()).zip(&sections) {
        for (row, rarity) in rows.iter().zip(&rarities) {
            let Some(row) = row else { continue };
            Postings::read(row).each(|place, weight| {
                if let Some(value) = values.get_mut(place) {
                    *value += rarity * saturated(weight, damping[usize::from(facts.lengths[place])]);
                }
            });
        }
    }
    for ((value, facts), weights) in new.iter_mut().zip(known.recent()).zip(&recent) {
        for (weight, rarity) in weights.iter().zip(&rarities) {
            let Some(weight) = weight else { continue };
            *value += rarity * saturated(f32::from(*weight), damping[usize::from(facts.length)]);
        }
    }
    for key in &gathered.deleted {
        if let Some(value) = values.get_mut(places(*key)) {
            *value = 0.0;
        }
    }
    values
}

/// For each section, the postings of each term.
fn by_section<'a>(known: &Known, gathered: &Gathered<'a>, terms: &[u64]) -> Vec<Vec<Option<&'a [u8]>>> {
    let mut sections = vec![vec![None; terms.len()]; known.facts().len()];
    for (section, term, row) in &gathered.postings {
        let at = terms.iter().position(|wanted| wanted == term);
        if let (Some(rows), Some(at)) = (sections.get_mut(places(*section)), at) {
            rows[at] = Some(*row);
        }
    }
    sections
}
