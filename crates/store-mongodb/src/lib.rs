//! Documents in MongoDB, for teams that operate one.
//!
//! In: the promises of [`store::DocumentStore`] and the address of a server. Out: the same answers as the embedded store gives,
//! word search in any script included: the words of a document are made by `search` and kept beside it, so that nothing
//! depends on what the server takes for a word. Nothing is connected before the first call; a call that finds no server says
//! so, and the next one tries again.

mod change;
mod connection;
mod failure;
mod find;
mod row;
mod words;

use std::time::Duration;

use async_trait::async_trait;
use store::{Document, DocumentId, DocumentPatch, DocumentStore, NewDocument, Result, ServerAddress};

use connection::Connection;
use failure::Outcome;

/// Less than the deadline of a tool, so that the answer can say who was slow.
const ANSWER: Duration = Duration::from_millis(4_500);
/// For work on many records, which no tool waits for.
const BULK: Duration = Duration::from_secs(120);

/// The collection `documents` in the database that the address names, or in `trailmark`.
#[derive(Debug)]
pub struct MongoStore {
    connection: Connection,
    /// How long a call may take.
    answer: Duration,
}

impl MongoStore {
    /// Connects to nothing yet.
    pub fn new(address: ServerAddress) -> Self {
        Self { connection: Connection::new(address), answer: ANSWER }
    }

    /// The same for whoever can wait this long for an answer; the deadline of a tool is the default.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { answer: patience, ..self }
    }

    /// Which server it is.
    pub fn address(&self) -> &ServerAddress {
        self.connection.address()
    }

    /// What the server says of itself, for an operator who asks whether it answers.
    pub async fn version(&self) -> Result<String> {
        self.within(self.connection.version()).await
    }

    async fn within<T>(&self, work: impl Future<Output = Outcome<T>> + Send) -> Result<T> {
        self.until(self.answer, work).await
    }

    async fn until<T>(&self, limit: Duration, work: impl Future<Output = Outcome<T>> + Send) -> Result<T> {
        match tokio::time::timeout(limit, work).await {
            Ok(ended) => ended.map_err(|failure| failure.into_error(self.address())),
            Err(_) => Err(self.address().unavailable(format!("no answer within {} ms", limit.as_millis()))),
        }
    }
}

#[async_trait]
impl DocumentStore for MongoStore {
    async fn save(&self, document: NewDocument) -> Result<DocumentId> {
        self.within(async { change::save(self.connection.documents().await?, document).await }).await
    }

    async fn import(&self, documents: Vec<Document>) -> Result<usize> {
        self.until(BULK, async { change::import(self.connection.documents().await?, &documents).await }).await
    }

    async fn count(&self) -> Result<u64> {
        self.within(async { find::count(self.connection.documents().await?).await }).await
    }

    async fn get(&self, id: DocumentId) -> Result<Document> {
        self.within(async { find::get(self.connection.documents().await?, id).await }).await
    }

    async fn update(&self, id: DocumentId, patch: DocumentPatch) -> Result<()> {
        self.within(async { change::update(self.connection.documents().await?, id, patch).await }).await
    }

    async fn delete(&self, id: DocumentId) -> Result<()> {
        self.within(async { change::delete(self.connection.documents().await?, id).await }).await
    }

    async fn find_by_topic(&self, topic: &str, limit: usize) -> Result<Vec<Document>> {
        self.within(async { find::by_topic(self.connection.documents().await?, topic, limit).await }).await
    }

    async fn newest(&self, limit: usize, after: Option<DocumentId>) -> Result<Vec<Document>> {
        self.within(async { find::newest(self.connection.documents().await?, limit, after).await }).await
    }

    async fn in_order(&self, after: Option<DocumentId>, limit: usize) -> Result<Vec<Document>> {
        self.until(BULK, async { find::in_order(self.connection.documents().await?, after, limit).await }).await
    }

    async fn topics_starting_with(&self, prefix: &str, limit: usize) -> Result<Vec<String>> {
        self.within(async { find::topics_starting_with(self.connection.documents().await?, prefix, limit).await }).await
    }

    async fn ids_starting_with(&self, prefix: &str, limit: usize) -> Result<Vec<DocumentId>> {
        self.within(async { find::ids_starting_with(self.connection.documents().await?, prefix, limit).await }).await
    }
}
