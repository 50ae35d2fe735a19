//! Documents: short texts under a topic that agents leave for each other.

use std::fmt;
use std::str::FromStr;

use async_trait::async_trait;
use jiff::Timestamp;
use uuid::Uuid;

use crate::error::{Result, StoreError};

/// Keeps documents. Every acknowledged change survives a crash of the process and of the machine.
#[async_trait]
pub trait DocumentStore: Send + Sync + fmt::Debug {
    /// Stores a new document under a new id.
    async fn save(&self, document: NewDocument) -> Result<DocumentId>;

    /// Keeps these as they are, with their ids and times, in one step. Those whose id is known already are left alone. Says how
    /// many were new.
    async fn import(&self, documents: Vec<Document>) -> Result<usize>;

    /// How many documents there are.
    async fn count(&self) -> Result<u64>;

    /// The document with this id, or `NotFound`.
    async fn get(&self, id: DocumentId) -> Result<Document>;

    /// Changes the fields the patch names and moves `updated_at`, or `NotFound`.
    async fn update(&self, id: DocumentId, patch: DocumentPatch) -> Result<()>;

    /// Removes the document, or `NotFound`.
    async fn delete(&self, id: DocumentId) -> Result<()>;

    /// Documents about a topic, best first: those whose topic equals it (ignoring case), newest first, then those whose
    /// topic, tags or content contain its words.
    async fn find_by_topic(&self, topic: &str, limit: usize) -> Result<Vec<Document>>;

    /// Documents from the newest to the oldest, starting after the one given.
    async fn newest(&self, limit: usize, after: Option<DocumentId>) -> Result<Vec<Document>>;

    /// Documents in the order of their ids, starting after the one given, which need not be there.
    async fn in_order(&self, after: Option<DocumentId>, limit: usize) -> Result<Vec<Document>>;

    /// Topics that begin with this text, ignoring case, in order and without repeats.
    async fn topics_starting_with(&self, prefix: &str, limit: usize) -> Result<Vec<String>>;

    /// Ids that begin with this text, in order.
    async fn ids_starting_with(&self, prefix: &str, limit: usize) -> Result<Vec<DocumentId>>;
}

/// A document's name: a UUID made by the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DocumentId(Uuid);

impl DocumentId {
    /// A new id; later ids sort after earlier ones.
    pub fn generate() -> Self {
        Self(Uuid::now_v7())
    }

    /// The UUID itself, for backends that store it as bytes.
    pub fn as_uuid(&self) -> &Uuid {
        &self.0
    }
}

impl From<Uuid> for DocumentId {
    fn from(uuid: Uuid) -> Self {
        Self(uuid)
    }
}

impl fmt::Display for DocumentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for DocumentId {
    type Err = StoreError;

    /// A text that is no UUID names no document.
    fn from_str(text: &str) -> Result<Self> {
        Uuid::try_parse(text).map(Self).map_err(|_| StoreError::not_found("document", text))
    }
}

/// A stored document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    pub id: DocumentId,
    pub topic: String,
    pub content: String,
    pub tags: Vec<String>,
    pub source: Option<Source>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// What the caller gives to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDocument {
    pub topic: String,
    pub content: String,
    pub tags: Vec<String>,
    pub source: Option<Source>,
}

/// The fields to change; `None` leaves a field as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DocumentPatch {
    pub topic: Option<String>,
    pub content: Option<String>,
    pub tags: Option<Vec<String>>,
}

impl DocumentPatch {
    /// Writes the named fields over those of `document`.
    pub fn apply(self, document: &mut Document) {
        let Self { topic, content, tags } = self;
        if let Some(topic) = topic {
            document.topic = topic;
        }
        if let Some(content) = content {
            document.content = content;
        }
        if let Some(tags) = tags {
            document.tags = tags;
        }
    }
}

/// Where a document came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    pub kind: SourceKind,
    pub url: Option<String>,
    pub title: Option<String>,
}

/// The kinds of origin a document can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceKind {
    Web,
    User,
    System,
}

impl SourceKind {
    /// The word stored and shown for this kind.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Web => "web",
            Self::User => "user",
            Self::System => "system",
        }
    }

    /// The kind this word names.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Web, Self::User, Self::System].into_iter().find(|kind| kind.as_str() == word)
    }
}
