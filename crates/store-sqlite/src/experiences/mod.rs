//! Experiences in SQLite: rows for what is kept, and an index of our own for what is found.

mod change;
mod check;
mod count;
mod find;
mod index;
mod rank;
mod row;
mod search;
mod twin;

use async_trait::async_trait;
use store::{
    Experience, ExperienceId, ExperiencePage, ExperienceSearch, Experiences, FoundExperiences, NewExperience, Result,
    Submitted,
};

use crate::documents::SqliteStore;

pub(crate) use check::problems;

#[async_trait]
impl Experiences for SqliteStore {
    async fn submit(&self, experience: NewExperience) -> Result<Submitted> {
        self.database().write(move |connection| change::submit(connection, experience)).await
    }

    async fn import(&self, experiences: Vec<Experience>) -> Result<usize> {
        self.database().write(move |connection| change::import(connection, &experiences)).await
    }

    async fn get(&self, id: ExperienceId) -> Result<Experience> {
        self.database().read(move |connection| find::get(connection, id)).await
    }

    async fn search(&self, search: ExperienceSearch) -> Result<FoundExperiences> {
        self.database().read(move |connection| search::search(connection, &search)).await
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
