//! Experiences in PostgreSQL: rows for what is kept, and an index of our own for what is found.
//!
//! The index is that of the embedded store, with the same terms, the same scores and the same order, laid out for a server. A
//! process remembers what never changes (lengths, times, the terms of the newest) and what a search has told it of counts, so that a
//! search asks for the postings of its own words and for what is new.

mod bulk;
mod change;
mod count;
mod evaluate;
mod find;
mod gather;
mod known;
mod memory;
mod merge;
mod row;
mod search;
mod twin;
mod vectors;

use ::search::embed::Vector;
use async_trait::async_trait;
use deadpool_postgres::Client;
use experience::meaning::Meaning;
use experience::vectors::{Made, make, of_question, of_records};
use store::experiences::{no_embedder, no_vectors};
use store::{
    ErrorKind, Experience, ExperienceId, ExperiencePage, ExperienceSearch, Experiences, FoundExperiences,
    NewExperience, Result, StoreError, Submitted,
};

pub(crate) use memory::Memory;
use vectors::Table;
pub(crate) use vectors::Vectors;

use crate::PostgresStore;
use crate::error::Outcome;
use crate::pool::{in_bulk_time, in_time};

/// Experiences in one section.
const SECTION: u64 = 8_192;
/// Experiences whose counts share a row.
const BLOCK: u64 = 1_024;

#[async_trait]
impl Experiences for PostgresStore {
    async fn submit(&self, experience: NewExperience) -> Result<Submitted> {
        let made = of_records(self.meaning(), vec![experience.text()]).await;
        let lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), async {
            let meaning = self.table(&lease, made.as_ref()).await?;
            change::submit(&lease, experience, meaning).await
        })
        .await;
        let (submitted, is_full) = lease.end(outcome)?;
        if is_full {
            self.inner.experiences.merge_later(&self.inner);
        }
        Ok(submitted)
    }

    async fn import(&self, experiences: Vec<Experience>) -> Result<usize> {
        let made = of_records(self.meaning(), experiences.iter().map(Experience::text).collect()).await;
        let mut lease = self.pool().lease().await?;
        let outcome = in_bulk_time(async {
            let meaning = self.table(&lease, made.as_ref()).await?;
            let (new, is_full) = bulk::import(&mut lease, &experiences, meaning).await?;
            if is_full {
                merge::all(&mut lease).await?;
            }
            Ok(new)
        })
        .await;
        lease.end(outcome)
    }

    async fn make_vectors(&self, experiences: Vec<Experience>) -> Result<usize> {
        let meaning = self.meaning().ok_or_else(no_embedder)?;
        let lease = self.pool().lease().await?;
        let found = in_bulk_time(async {
            let Some(table) = self.inner.vectors.table(&lease, meaning.fingerprint()).await? else { return Ok(None) };
            let missing = table.without(&lease, experiences).await?;
            Ok(Some((table, missing)))
        })
        .await;
        let (table, missing) = lease.end(found)?.ok_or_else(no_pgvector)?;
        if missing.is_empty() {
            return Ok(0);
        }
        let made = make(meaning, missing.iter().map(Experience::text).collect()).await.map_err(no_vectors)?;
        let ids: Vec<ExperienceId> = missing.iter().map(|experience| experience.id).collect();
        let lease = self.pool().lease().await?;
        let outcome = in_bulk_time(table.add_to(&lease, &ids, &made.vectors)).await;
        lease.end(outcome)
    }

    async fn get(&self, id: ExperienceId) -> Result<Experience> {
        let lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), find::get(&lease, id)).await;
        lease.end(outcome)
    }

    async fn search(&self, search: ExperienceSearch) -> Result<FoundExperiences> {
        let made = of_question(self.meaning(), &search.words).await;
        let lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), async {
            let near = match self.table(&lease, made.as_ref()).await? {
                Some((table, [question])) => Some(table.nearest(&lease, question).await?),
                _ => None,
            };
            search::search(&lease, &self.inner.experiences, &search, near).await
        })
        .await;
        lease.end(outcome)
    }

    async fn count(&self, answers: Vec<(ExperienceId, u64)>) -> Result<()> {
        let mut lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), count::count(&mut lease, &answers)).await;
        lease.end(outcome)
    }

    async fn delete(&self, id: ExperienceId) -> Result<()> {
        let lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), change::delete(&lease, id)).await;
        lease.end(outcome)
    }

    async fn restore(&self, id: ExperienceId) -> Result<()> {
        let lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), change::restore(&lease, id)).await;
        lease.end(outcome)
    }

    async fn newest(&self, page: ExperiencePage) -> Result<Vec<Experience>> {
        let lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), find::newest(&lease, page)).await;
        lease.end(outcome)
    }

    async fn in_order(&self, after: Option<ExperienceId>, limit: usize) -> Result<Vec<Experience>> {
        let lease = self.pool().lease().await?;
        let outcome = in_bulk_time(find::in_order(&lease, after, limit)).await;
        lease.end(outcome)
    }

    async fn size(&self) -> Result<u64> {
        let lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), find::size(&lease)).await;
        lease.end(outcome)
    }
}

impl PostgresStore {
    fn meaning(&self) -> Option<&Meaning> {
        self.inner.meaning.as_ref()
    }

    /// The table for these vectors, and the vectors; `None` where there are none, or no place for them.
    async fn table<'a>(&self, client: &Client, made: Option<&'a Made>) -> Outcome<Option<(Table, &'a [Vector])>> {
        let Some(Made { fingerprint, vectors }) = made else { return Ok(None) };
        let table = self.inner.vectors.table(client, fingerprint).await?;
        Ok(table.map(|table| (table, vectors.as_slice())))
    }
}

fn no_pgvector() -> StoreError {
    StoreError::new(ErrorKind::Unsupported, "the PostgreSQL server has no place for vectors")
        .with_hint("install its extension `vector` (pgvector), then call this again")
}

/// As SQL has it.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// As we have it; SQL's checks keep it from being negative.
fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
