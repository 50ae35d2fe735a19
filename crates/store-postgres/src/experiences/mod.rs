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
mod rank;
mod row;
mod search;
mod twin;

use async_trait::async_trait;
use store::{
    Experience, ExperienceId, ExperiencePage, ExperienceSearch, Experiences, FoundExperiences, NewExperience, Result,
    Submitted,
};

pub(crate) use memory::Memory;

use crate::PostgresStore;
use crate::pool::{in_bulk_time, in_time};

/// Experiences in one section.
const SECTION: u64 = 8_192;
/// Experiences whose counts share a row.
const BLOCK: u64 = 1_024;

#[async_trait]
impl Experiences for PostgresStore {
    async fn submit(&self, experience: NewExperience) -> Result<Submitted> {
        let lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), change::submit(&lease, experience)).await;
        let (submitted, is_full) = lease.end(outcome)?;
        if is_full {
            self.inner.experiences.merge_later(&self.inner);
        }
        Ok(submitted)
    }

    async fn import(&self, experiences: Vec<Experience>) -> Result<usize> {
        let mut lease = self.pool().lease().await?;
        let outcome = in_bulk_time(async {
            let (new, is_full) = bulk::import(&mut lease, &experiences).await?;
            if is_full {
                merge::all(&mut lease).await?;
            }
            Ok(new)
        })
        .await;
        lease.end(outcome)
    }

    async fn get(&self, id: ExperienceId) -> Result<Experience> {
        let lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), find::get(&lease, id)).await;
        lease.end(outcome)
    }

    async fn search(&self, search: ExperienceSearch) -> Result<FoundExperiences> {
        let lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), search::search(&lease, &self.inner.experiences, &search)).await;
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

/// As SQL has it.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// As we have it; SQL's checks keep it from being negative.
fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
