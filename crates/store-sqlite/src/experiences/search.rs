//! Finding experiences by words.

use jiff::Timestamp;
use rusqlite::Connection;
use store::{ExperienceSearch, FoundExperience, FoundExperiences};

use super::find;
use super::index::{self, Scores};
use super::rank::{Page, rank};
use crate::job::Outcome;

pub(super) fn search(connection: &Connection, search: &ExperienceSearch) -> Outcome<FoundExperiences> {
    let found = with_terms(connection, search, &search::query_terms(&search.words))?;
    if found.total > 0 {
        return Ok(found);
    }
    with_terms(connection, search, &search::character_terms(&search.words))
}

fn with_terms(connection: &Connection, search: &ExperienceSearch, words: &[String]) -> Outcome<FoundExperiences> {
    let terms: Vec<u64> = words.iter().map(|word| index::term(word)).collect();
    let totals = index::totals(connection)?;
    if terms.is_empty() || totals.experiences == 0 {
        return Ok(FoundExperiences::default());
    }
    let mut scores = Scores::of(connection, totals, &terms)?;
    clear_deleted(connection, &mut scores)?;
    let page = Page { limit: search.limit, offset: search.offset };
    let ranking = rank(connection, &scores, totals, page, Timestamp::now())?;
    let mut experiences = Vec::with_capacity(ranking.ranked.len());
    for (key, relevance) in ranking.ranked {
        let experience = find::by_key(connection, key)?;
        experiences.extend(experience.map(|experience| FoundExperience { experience, relevance }));
    }
    Ok(FoundExperiences { experiences, total: ranking.total })
}

fn clear_deleted(connection: &Connection, scores: &mut Scores) -> Outcome<()> {
    let mut statement = connection.prepare_cached("SELECT key FROM experience WHERE deleted_at IS NOT NULL")?;
    let mut rows = statement.query(())?;
    while let Some(row) = rows.next()? {
        scores.clear(row.get(0)?);
    }
    Ok(())
}
