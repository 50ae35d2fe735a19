//! How well does each experience fit the terms of a question?
//!
//! Every posting of every term is counted, so the number of matches is exact.

use std::sync::Arc;

use experience::index::scoring::{Scorer, Searched};
use experience::index::{AskedTerm, Postings};
use experience::meaning::{self, Near};
use experience::ranking::page::{self, Circumstances, Page, Ranking};
use jiff::Timestamp;
use tokio_postgres::Row;

use super::SECTION;
use super::gather::{self, Gathered};
use super::known::{Known, places};
use crate::error::Outcome;

/// What is asked for.
#[derive(Debug, Clone)]
pub(super) struct Question {
    pub(super) terms: Vec<AskedTerm>,
    /// The experiences that are near to it, where meaning is part of relevance.
    pub(super) near: Option<Vec<Near>>,
}

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
    question: &Question,
    page: Page,
    now: Timestamp,
) -> Outcome<Option<Evaluated>> {
    let gathered = gather::read(rows)?;
    let Some(known) = known.with(&gathered) else { return Ok(None) };
    let mut scores = scores(&known, &gathered, &question.terms);
    let mut best = page::best(&scores);
    if let Some(near) = &question.near {
        meaning::join(&mut scores, best, near);
        clear_deleted(&mut scores, &gathered);
        best = 1.0;
    }
    let circumstances = Circumstances { most_found: gathered.totals.most_found, now: now.as_microsecond() };
    let ranking = page::rank(&scores, best, known.as_ref(), page, circumstances);
    Ok(Some(Evaluated { known, ranking }))
}

/// One score for each experience, by key; 0 where no term matches.
fn scores(known: &Known, gathered: &Gathered<'_>, asked: &[AskedTerm]) -> Vec<f32> {
    let mut scores = vec![0.0; places(known.experiences())];
    let sections = by_section(known, gathered, asked);
    let recent: Vec<Vec<Option<u8>>> =
        known.recent().iter().map(|recent| asked.iter().map(|term| recent.weight(term.number)).collect()).collect();
    let searched = Searched { records: gathered.totals.experiences, words: gathered.totals.length };
    let scorer = Scorer::new(asked, &holding(asked.len(), &sections, &recent), searched);
    let (old, new) = scores.split_at_mut(known.facts().len() * places(SECTION));
    for ((scores, facts), rows) in old.chunks_mut(places(SECTION)).zip(known.facts()).zip(&sections) {
        for (at, row) in rows.iter().enumerate() {
            scorer.add(at, Postings::read(row), &facts.lengths, scores);
        }
    }
    for ((score, facts), weights) in new.iter_mut().zip(known.recent()).zip(&recent) {
        let held = weights.iter().enumerate().filter_map(|(at, weight)| Some((at, (*weight)?)));
        *score = held.map(|(at, weight)| scorer.one(at, weight, facts.length)).sum();
    }
    clear_deleted(&mut scores, gathered);
    scores
}

fn clear_deleted(scores: &mut [f32], gathered: &Gathered<'_>) {
    for key in &gathered.deleted {
        if let Some(score) = scores.get_mut(places(*key)) {
            *score = 0.0;
        }
    }
}

/// For each term how many experiences hold it.
fn holding(terms: usize, sections: &[Vec<&[u8]>], recent: &[Vec<Option<u8>>]) -> Vec<usize> {
    let count = |at: usize| {
        let old: usize = sections.iter().map(|rows| Postings::read(rows[at]).len()).sum();
        old + recent.iter().filter(|weights| weights[at].is_some()).count()
    };
    (0..terms).map(count).collect()
}

/// For each section, the postings of each term; nothing where it has none.
fn by_section<'a>(known: &Known, gathered: &Gathered<'a>, asked: &[AskedTerm]) -> Vec<Vec<&'a [u8]>> {
    let mut sections: Vec<Vec<&[u8]>> = vec![vec![&[]; asked.len()]; known.facts().len()];
    for (section, term, row) in &gathered.postings {
        let at = asked.iter().position(|asked| asked.number == *term);
        if let (Some(rows), Some(at)) = (sections.get_mut(places(*section)), at) {
            rows[at] = row;
        }
    }
    sections
}
