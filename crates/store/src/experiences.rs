//! Experiences: problems that somebody solved, kept so that the next one finds the solution.

use std::fmt;
use std::str::FromStr;

use async_trait::async_trait;
use jiff::Timestamp;
use uuid::Uuid;

use crate::error::{ErrorKind, Result, StoreError};

/// Keeps experiences and finds them by their words. Every acknowledged change survives a crash of the process and of the
/// machine, and is found by the next search of any process.
#[async_trait]
pub trait Experiences: Send + Sync + fmt::Debug {
    /// Keeps a new experience under a new id, and says which other one it nearly repeats.
    async fn submit(&self, experience: NewExperience) -> Result<Submitted>;

    /// Keeps these as they are, with their ids, times and counts, in one step. Those whose id is known already are left alone.
    /// Says how many were new.
    async fn import(&self, experiences: Vec<Experience>) -> Result<usize>;

    /// Makes vectors for those of these that have none by the embedder that is set, and says for how many. Without an embedder, or
    /// a place for vectors, `Unsupported`.
    async fn make_vectors(&self, experiences: Vec<Experience>) -> Result<usize>;

    /// The experience with this id, even if it was deleted, or `NotFound`.
    async fn get(&self, id: ExperienceId) -> Result<Experience>;

    /// Those that hold a word of the text, or another of the same meaning, best first by relevance, popularity and recency; equal ones newest first, then by id.
    async fn search(&self, search: ExperienceSearch) -> Result<FoundExperiences>;

    /// Adds to the number of answers each of these was part of, and moves `updated_at`. Unknown ids are passed over.
    async fn count(&self, answers: Vec<(ExperienceId, u64)>) -> Result<()>;

    /// Hides it from searches, or `NotFound`. Hiding it again changes nothing.
    async fn delete(&self, id: ExperienceId) -> Result<()>;

    /// Undoes a deletion, or `NotFound`.
    async fn restore(&self, id: ExperienceId) -> Result<()>;

    /// From the newest to the oldest, starting after the one given.
    async fn newest(&self, page: ExperiencePage) -> Result<Vec<Experience>>;

    /// All of them in the order of their ids, the deleted ones too, starting after the one given, which need not be there.
    async fn in_order(&self, after: Option<ExperienceId>, limit: usize) -> Result<Vec<Experience>>;

    /// How many there are, the deleted ones among them.
    async fn size(&self) -> Result<u64>;
}

/// Vectors were asked for and nobody makes them.
pub fn no_embedder() -> StoreError {
    StoreError::new(ErrorKind::Unsupported, "no embedder is set, so there are no vectors to make")
        .with_hint("set `--embedder` or TRAILMARK_EMBEDDER to `model2vec:FOLDER` or to the address of a service")
}

/// The embedder did not make the vectors that were asked for.
pub fn no_vectors(cause: impl fmt::Display) -> StoreError {
    StoreError::new(ErrorKind::Unavailable, cause.to_string()).with_hint("vectors that were made before are kept")
}

/// An experience's name: a UUID made by the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExperienceId(Uuid);

impl ExperienceId {
    /// A new id; later ids sort after earlier ones.
    pub fn generate() -> Self {
        Self(Uuid::now_v7())
    }

    /// The UUID itself, for backends that store it as bytes.
    pub fn as_uuid(&self) -> &Uuid {
        &self.0
    }
}

impl From<Uuid> for ExperienceId {
    fn from(uuid: Uuid) -> Self {
        Self(uuid)
    }
}

impl fmt::Display for ExperienceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for ExperienceId {
    type Err = StoreError;

    /// A text that is no UUID names no experience.
    fn from_str(text: &str) -> Result<Self> {
        Uuid::try_parse(text).map(Self).map_err(|_| StoreError::not_found("experience", text))
    }
}

/// What the caller gives to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewExperience {
    pub title: String,
    pub problem_description: String,
    pub root_cause: Option<String>,
    pub solution: String,
    pub context: Option<String>,
    /// Lower-case, none of them twice.
    pub keywords: Vec<String>,
}

impl Experience {
    /// Its texts as one, each on lines of its own.
    pub fn text(&self) -> String {
        self.content.text()
    }
}

impl NewExperience {
    /// Its texts, without the keywords.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.title.as_str()).chain(self.long_texts())
    }

    /// Its texts as one, each on lines of its own.
    pub fn text(&self) -> String {
        self.texts().collect::<Vec<_>>().join("\n")
    }

    /// Its texts, without the keywords and the title.
    pub fn long_texts(&self) -> impl Iterator<Item = &str> {
        let Self { problem_description, root_cause, solution, context, .. } = self;
        let texts = [Some(problem_description), root_cause.as_ref(), Some(solution), context.as_ref()];
        texts.into_iter().flatten().map(String::as_str)
    }
}

/// A kept experience.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Experience {
    pub id: ExperienceId,
    pub content: NewExperience,
    /// How many answers it was part of.
    pub query_count: u64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub deleted_at: Option<Timestamp>,
}

/// How a submission ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submitted {
    pub id: ExperienceId,
    /// The one that it nearly repeats, if there is one.
    pub twin: Option<Twin>,
}

/// An experience that says nearly the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Twin {
    pub id: ExperienceId,
    pub title: String,
}

/// What to search for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExperienceSearch {
    pub words: String,
    pub limit: usize,
    pub offset: usize,
}

/// One page of what a search found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FoundExperiences {
    pub experiences: Vec<FoundExperience>,
    /// How many match, on this page or not.
    pub total: u64,
}

/// An experience and how well it fits the words, above 0 and at most 1.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundExperience {
    pub experience: Experience,
    pub relevance: f64,
}

/// Which experiences to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExperiencePage {
    pub limit: usize,
    pub after: Option<ExperienceId>,
    /// Whether to list those that were deleted, rather than those that were not.
    pub deleted: bool,
}
