//! Finding experiences by words, and by what means the same.

use std::collections::HashMap;

use experience::index::{AskedTerm, asked_characters, asked_terms};
use experience::meaning::{self, Near};
use experience::ranking::page::{self, Circumstances, Page, Ranking};
use experience::vectors::Made;
use jiff::Timestamp;
use rusqlite::Connection;
use store::{ExperienceSearch, FoundExperience, FoundExperiences};

use super::find;
use super::index::{self, Known, Totals};
use super::memory::Memory;
use crate::job::Outcome;

pub(super) fn search(
    connection: &Connection,
    memory: &Memory,
    search: &ExperienceSearch,
    made: Option<&Made>,
) -> Outcome<FoundExperiences> {
    // Before the first look at the file, so that what is remembered is never newer than what is seen.
    let known = memory.known();
    let totals = index::totals(connection)?;
    let known = known.brought_up(connection, &totals)?;
    memory.remember(known.clone());
    let mut scores = memory.take_buffer();
    let near = made.map(|made| memory.vectors().nearest(connection, &totals.identity, made)).transpose()?;
    let asked = Asked { connection, known: &known, totals: &totals, search, near };
    let mut found = asked.with(&asked_terms(&search.words), &mut scores)?;
    if found.total == 0 {
        found = asked.with(&asked_characters(&search.words), &mut scores)?;
    }
    memory.give_back(scores);
    Ok(found)
}

/// A question, and what it is asked of.
struct Asked<'a> {
    connection: &'a Connection,
    known: &'a Known,
    totals: &'a Totals,
    search: &'a ExperienceSearch,
    /// The experiences that are near to the question, where meaning is part of relevance.
    near: Option<Vec<Near>>,
}

impl Asked<'_> {
    fn with(&self, terms: &[AskedTerm], scores: &mut Vec<f32>) -> Outcome<FoundExperiences> {
        if terms.is_empty() || self.totals.experiences == 0 {
            return Ok(FoundExperiences::default());
        }
        index::score(self.connection, self.known, self.totals, terms, scores)?;
        self.clear_deleted(scores)?;
        let mut best = page::best(scores);
        if let Some(near) = &self.near {
            meaning::join(scores, best, near);
            // Again, for what was near.
            self.clear_deleted(scores)?;
            best = 1.0;
        }
        let page = Page { limit: self.search.limit, offset: self.search.offset };
        let circumstances =
            Circumstances { most_found: self.totals.most_found, now: Timestamp::now().as_microsecond() };
        let ranking = page::rank(scores, best, self.known, page, circumstances);
        let total = ranking.total;
        let ids = self.undecided_ids(&ranking)?;
        let mut experiences = Vec::with_capacity(self.search.limit.min(64));
        for leader in ranking.on_page(|key| ids.get(&key).copied()) {
            let experience = find::by_key(self.connection, leader.key as u64)?;
            experiences
                .extend(experience.map(|experience| FoundExperience { experience, relevance: leader.relevance }));
        }
        Ok(FoundExperiences { experiences, total })
    }

    fn undecided_ids(&self, ranking: &Ranking) -> Outcome<HashMap<usize, [u8; 16]>> {
        let mut statement = self.connection.prepare_cached("SELECT id FROM experience WHERE key = ?")?;
        let mut ids = HashMap::new();
        for leader in ranking.undecided().flatten() {
            ids.insert(leader.key, statement.query_row([leader.key as u64], |row| row.get(0))?);
        }
        Ok(ids)
    }

    fn clear_deleted(&self, scores: &mut [f32]) -> Outcome<()> {
        let sql = "SELECT key FROM experience WHERE deleted_at IS NOT NULL";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query(())?;
        while let Some(row) = rows.next()? {
            if let Some(score) = scores.get_mut(row.get::<_, usize>(0)?) {
                *score = 0.0;
            }
        }
        Ok(())
    }
}
