//! Finding experiences by words, and by what means the same.

use std::collections::HashMap;

use deadpool_postgres::Client;
use experience::index::{asked_characters, asked_terms};
use experience::meaning::Near;
use experience::ranking::page::{Leader, Page, Ranking};
use jiff::Timestamp;
use store::{ErrorKind, ExperienceId, ExperienceSearch, FoundExperience, FoundExperiences, StoreError};

use super::evaluate::{Evaluated, Question, evaluate};
use super::known::Known;
use super::memory::Memory;
use super::{find, gather};
use crate::error::{self, Outcome};

/// With the experiences that are near to the question, where meaning is part of relevance.
pub(super) async fn search(
    client: &Client,
    memory: &Memory,
    search: &ExperienceSearch,
    near: Option<Vec<Near>>,
) -> Outcome<FoundExperiences> {
    let question = Question { terms: asked_terms(&search.words), near };
    let found = answer(client, memory, search, &question).await?;
    if found.total > 0 {
        return Ok(found);
    }
    let question = Question { terms: asked_characters(&search.words), ..question };
    answer(client, memory, search, &question).await
}

async fn answer(
    client: &Client,
    memory: &Memory,
    search: &ExperienceSearch,
    question: &Question,
) -> Outcome<FoundExperiences> {
    if question.terms.is_empty() {
        return Ok(FoundExperiences::default());
    }
    let page = Page { limit: search.limit, offset: search.offset };
    let ranking = ranked(client, memory, question, page).await?;
    let total = ranking.total;
    let leaders = on_page(client, ranking).await?;
    let keys: Vec<u64> = leaders.iter().map(|leader| leader.key as u64).collect();
    let mut found = if keys.is_empty() { HashMap::new() } else { find::by_keys(client, &keys).await? };
    let experiences = leaders.iter().filter_map(|leader| {
        let experience = found.remove(&(leader.key as u64))?;
        Some(FoundExperience { experience, relevance: leader.relevance })
    });
    Ok(FoundExperiences { experiences: experiences.collect(), total })
}

async fn ranked(client: &Client, memory: &Memory, question: &Question, page: Page) -> Outcome<Ranking> {
    let mut known = memory.known();
    loop {
        let rows = gather::rows(client, &question.terms, &known).await?;
        let is_all = known.is_nothing();
        let (question, before) = (question.clone(), known.clone());
        // Some milliseconds of counting at a million experiences: not on a thread that others wait for.
        let work = move || evaluate(&rows, &before, &question, page, Timestamp::now());
        let evaluated = tokio::task::spawn_blocking(work).await.map_err(|_| {
            StoreError::new(ErrorKind::Unexpected, "the search for experiences ended without an answer")
        })??;
        match evaluated {
            Some(Evaluated { known, ranking }) => {
                memory.remember(known);
                return Ok(ranking);
            }
            None if is_all => return Err(error::unreadable("the index", "its parts do not fit together").into()),
            // These are other tables than before: everything is asked for again.
            None => known = Known::default().into(),
        }
    }
}

/// Those on the page, equal ones by id.
async fn on_page(client: &Client, ranking: Ranking) -> Outcome<Vec<Leader>> {
    let keys: Vec<u64> = ranking.undecided().flatten().map(|leader| leader.key as u64).collect();
    let ids: HashMap<u64, ExperienceId> =
        if keys.is_empty() { HashMap::new() } else { find::ids(client, &keys).await? };
    Ok(ranking.on_page(|key| ids.get(&(key as u64)).copied()))
}
