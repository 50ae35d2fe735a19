//! Documents in SQLite.

mod change;
mod find;
mod row;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use store::{Document, DocumentId, DocumentPatch, DocumentStore, NewDocument, Result};

use crate::check::{self, StoreCheck};
use crate::connection::{Durability, PAGE_BYTES, Settings};
use crate::database::Database;
use crate::experiences::Memory;
use crate::migrations::{self, Format};
use experience::meaning::Meaning;
use search::embed::Embedder;

/// `TMdc`
const FORMAT: Format = Format { application_id: 0x544D_6463, first: 1, migrations: migrations::DOCUMENTS };

/// Given back while there is nothing to do. With less, a large graph or memory is read from the file again for every call.
const CACHE_KIBIBYTES: i64 = 16_000;

/// The documents, the knowledge graph and the experiences in `trailmark.db`, and what else is in that file.
#[derive(Debug)]
pub struct SqliteStore {
    database: Database,
    experience_memory: Arc<Memory>,
    meaning: Option<Meaning>,
}

impl SqliteStore {
    /// The store in this folder. Nothing is opened or made before the first call; a call that cannot open the store fails,
    /// and the next one tries again.
    pub fn open(folder: impl Into<PathBuf>) -> Self {
        let file = folder.into().join("trailmark.db");
        let settings = Settings {
            file,
            format: FORMAT,
            durability: Durability::Machine,
            shrinks: false,
            page_bytes: PAGE_BYTES,
            cache_kibibytes: CACHE_KIBIBYTES,
        };
        Self { database: Database::new(settings), experience_memory: Arc::default(), meaning: None }
    }

    /// Keeps vectors of experiences that this embedder makes, and finds experiences by them beside their words.
    pub fn with_embedder(self, embedder: Arc<dyn Embedder>) -> Self {
        Self { meaning: Some(Meaning::new(embedder)), ..self }
    }

    /// The database file.
    pub fn path(&self) -> &Path {
        self.database.file()
    }

    pub(crate) fn database(&self) -> &Database {
        &self.database
    }

    pub(crate) fn meaning(&self) -> Option<&Meaning> {
        self.meaning.as_ref()
    }

    pub(crate) fn experience_memory(&self) -> Arc<Memory> {
        self.experience_memory.clone()
    }

    /// What an operator wants to know when something seems wrong. Reads every page once.
    pub async fn check(&self) -> StoreCheck {
        check::check(&self.database).await
    }

    /// Compares every page, index and search entry with what it must be, and lists what is wrong.
    pub async fn integrity_check(&self) -> Result<Vec<String>> {
        self.database.read(check::integrity_problems).await
    }

    /// Waits until the calls at hand are done and the file is closed. A later call opens it again.
    pub async fn close(&self) {
        self.database.close().await;
        self.experience_memory.forget();
    }
}

#[async_trait]
impl DocumentStore for SqliteStore {
    async fn save(&self, document: NewDocument) -> Result<DocumentId> {
        self.database.write(move |connection| change::save(connection, document)).await
    }

    async fn import(&self, documents: Vec<Document>) -> Result<usize> {
        self.database.write(move |connection| change::import(connection, &documents)).await
    }

    async fn count(&self) -> Result<u64> {
        self.database.read(find::count).await
    }

    async fn get(&self, id: DocumentId) -> Result<Document> {
        self.database.read(move |connection| find::get(connection, id)).await
    }

    async fn update(&self, id: DocumentId, patch: DocumentPatch) -> Result<()> {
        self.database.write(move |connection| change::update(connection, id, patch)).await
    }

    async fn delete(&self, id: DocumentId) -> Result<()> {
        self.database.write(move |connection| change::delete(connection, id)).await
    }

    async fn find_by_topic(&self, topic: &str, limit: usize) -> Result<Vec<Document>> {
        let topic = topic.to_owned();
        self.database.read(move |connection| find::by_topic(connection, &topic, limit)).await
    }

    async fn newest(&self, limit: usize, after: Option<DocumentId>) -> Result<Vec<Document>> {
        self.database.read(move |connection| find::newest(connection, limit, after)).await
    }

    async fn in_order(&self, after: Option<DocumentId>, limit: usize) -> Result<Vec<Document>> {
        self.database.read(move |connection| find::in_order(connection, after, limit)).await
    }

    async fn topics_starting_with(&self, prefix: &str, limit: usize) -> Result<Vec<String>> {
        let prefix = prefix.to_owned();
        self.database.read(move |connection| find::topics_starting_with(connection, &prefix, limit)).await
    }

    async fn ids_starting_with(&self, prefix: &str, limit: usize) -> Result<Vec<DocumentId>> {
        let prefix = prefix.to_owned();
        self.database.read(move |connection| find::ids_starting_with(connection, &prefix, limit)).await
    }
}
