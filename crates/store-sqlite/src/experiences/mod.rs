//! Experiences in SQLite: rows for what is kept, and an index of our own for what is found, with vectors beside it where somebody
//! makes them.

mod change;
mod check;
mod count;
mod find;
mod index;
mod memory;
mod row;
mod search;
mod twin;
mod vectors;

use async_trait::async_trait;
use experience::vectors::{make, of_question, of_records};
use store::experiences::{no_embedder, no_vectors};
use store::{
    Experience, ExperienceId, ExperiencePage, ExperienceSearch, Experiences, FoundExperiences, NewExperience, Result,
    Submitted,
};

use crate::documents::SqliteStore;

pub(crate) use check::problems;
pub(crate) use memory::Memory;

#[async_trait]
impl Experiences for SqliteStore {
    async fn submit(&self, experience: NewExperience) -> Result<Submitted> {
        let made = of_records(self.meaning(), vec![experience.text()]).await;
        self.database().write(move |connection| change::submit(connection, experience, made.as_ref())).await
    }

    async fn import(&self, experiences: Vec<Experience>) -> Result<usize> {
        let made = of_records(self.meaning(), experiences.iter().map(Experience::text).collect()).await;
        self.database().write(move |connection| change::import(connection, &experiences, made.as_ref())).await
    }

    async fn make_vectors(&self, experiences: Vec<Experience>) -> Result<usize> {
        let meaning = self.meaning().ok_or_else(no_embedder)?;
        let fingerprint = meaning.fingerprint().to_owned();
        let missing =
            self.database().read(move |connection| vectors::without(connection, &fingerprint, experiences)).await?;
        if missing.is_empty() {
            return Ok(0);
        }
        let made = make(meaning, missing.iter().map(Experience::text).collect()).await.map_err(no_vectors)?;
        let ids: Vec<ExperienceId> = missing.iter().map(|experience| experience.id).collect();
        self.database().write(move |connection| vectors::add_to(connection, &ids, &made)).await
    }

    async fn get(&self, id: ExperienceId) -> Result<Experience> {
        self.database().read(move |connection| find::get(connection, id)).await
    }

    async fn search(&self, search: ExperienceSearch) -> Result<FoundExperiences> {
        let memory = self.experience_memory();
        let made = of_question(self.meaning(), &search.words).await;
        self.database().read(move |connection| search::search(connection, &memory, &search, made.as_ref())).await
    }

    async fn count(&self, answers: Vec<(ExperienceId, u64)>) -> Result<()> {
        self.database().write(move |connection| count::count(connection, &answers)).await
    }

    async fn delete(&self, id: ExperienceId) -> Result<()> {
        self.database().write(move |connection| change::delete(connection, id)).await
    }

    async fn restore(&self, id: ExperienceId) -> Result<()> {
        self.database().write(move |connection| change::restore(connection, id)).await
    }

    async fn newest(&self, page: ExperiencePage) -> Result<Vec<Experience>> {
        self.database().read(move |connection| find::newest(connection, page)).await
    }

    async fn in_order(&self, after: Option<ExperienceId>, limit: usize) -> Result<Vec<Experience>> {
        self.database().read(move |connection| find::in_order(connection, after, limit)).await
    }

    async fn size(&self) -> Result<u64> {
        self.database().read(find::size).await
    }
}
