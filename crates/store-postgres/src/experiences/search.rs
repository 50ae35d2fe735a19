//! Finding experiences by words.

use deadpool_postgres::Client;
use experience::index::term;
use jiff::Timestamp;
use store::{ErrorKind, ExperienceSearch, FoundExperience, FoundExperiences, StoreError};

use super::evaluate::{Evaluated, evaluate};
use super::known::Known;
use super::memory::Memory;
use super::rank::{Leader, Page, Ranking};
use super::{find, gather};
use crate::error::{self, Outcome};

pub(super) async fn search(client: &Client, memory: &Memory, search: &ExperienceSearch) -> Outcome<FoundExperiences> {
    let found = with_terms(client, memory, search, &search::query_terms(&search.words)).await?;
    if found.total > 0 {
        return Ok(found);
    }
    with_terms(client, memory, search, &search::character_terms(&search.words)).await
}

async fn with_terms(
    client: &Client,
    memory: &Memory,
    search: &ExperienceSearch,
    words: &[String],
) -> Outcome<FoundExperiences> {
    if words.is_empty() {
        return Ok(FoundExperiences::default());
    }
    let terms: Vec<u64> = words.iter().map(|word| term(word)).collect();
    let page = Page { limit: search.limit, offset: search.offset };
    let ranking = ranked(client, memory, &terms, page).await?;
    let total = ranking.total;
    let leaders = on_page(client, ranking, page).await?;
    let keys: Vec<u64> = leaders.iter().map(|leader| leader.key).collect();
    let mut found = if keys.is_empty() { Default::default() } else { find::by_keys(client, &keys).await? };
    let experiences = leaders.iter().filter_map(|leader| {
        let experience = found.remove(&leader.key)?;
        Some(FoundExperience { experience, relevance: leader.relevance })
    });
    Ok(FoundExperiences { experiences: experiences.collect(), total })
}

async fn ranked(client: &Client, memory: &Memory, terms: &[u64], page: Page) -> Outcome<Ranking> {
    let mut known = memory.known();
    loop {
        let rows = gather::rows(client, terms, &known).await?;
        let is_all = known.is_nothing();
        let (terms, before) = (terms.to_vec(), known.clone());
        // Some milliseconds of counting at a million experiences: not on a thread that others wait for.
        let work = move || evaluate(&rows, &before, &terms, page, Timestamp::now());
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
async fn on_page(client: &Client, ranking: Ranking, page: Page) -> Outcome<Vec<Leader>> {
    let end = page.offset.saturating_add(page.limit);
    let mut start = 0;
    let mut ordered = Vec::new();
    for mut equals in ranking.groups {
        let on_page = start < end && start + equals.len() > page.offset;
        start += equals.len();
        if on_page && equals.len() > 1 {
            let keys: Vec<u64> = equals.iter().map(|leader| leader.key).collect();
            let ids = find::ids(client, &keys).await?;
            equals.sort_by_key(|leader| ids.get(&leader.key).copied());
        }
        ordered.extend(equals);
    }
    Ok(ordered.into_iter().skip(page.offset).take(page.limit).collect())
}
