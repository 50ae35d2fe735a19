//! Documents in PostgreSQL.

mod change;
mod find;
mod rank;
mod row;
mod words;

use async_trait::async_trait;
use store::{Document, DocumentId, DocumentPatch, DocumentStore, NewDocument, Result};

use crate::PostgresStore;
use crate::pool::{in_bulk_time, in_time};

#[async_trait]
impl DocumentStore for PostgresStore {
    async fn save(&self, document: NewDocument) -> Result<DocumentId> {
        let lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), change::save(&lease, document)).await;
        lease.end(outcome)
    }

    async fn import(&self, documents: Vec<Document>) -> Result<usize> {
        let mut lease = self.pool().lease().await?;
        let outcome = in_bulk_time(change::import(&mut lease, &documents)).await;
        lease.end(outcome)
    }

    async fn count(&self) -> Result<u64> {
        let lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), find::count(&lease)).await;
        lease.end(outcome)
    }

    async fn get(&self, id: DocumentId) -> Result<Document> {
        let lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), find::get(&lease, id)).await;
        lease.end(outcome)
    }

    async fn update(&self, id: DocumentId, patch: DocumentPatch) -> Result<()> {
        let mut lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), change::update(&mut lease, id, patch)).await;
        lease.end(outcome)
    }

    async fn delete(&self, id: DocumentId) -> Result<()> {
        let lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), change::delete(&lease, id)).await;
        lease.end(outcome)
    }

    async fn find_by_topic(&self, topic: &str, limit: usize) -> Result<Vec<Document>> {
        let lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), find::by_topic(&lease, topic, limit)).await;
        lease.end(outcome)
    }

    async fn newest(&self, limit: usize, after: Option<DocumentId>) -> Result<Vec<Document>> {
        let lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), find::newest(&lease, limit, after)).await;
        lease.end(outcome)
    }

    async fn in_order(&self, after: Option<DocumentId>, limit: usize) -> Result<Vec<Document>> {
        let lease = self.pool().lease().await?;
        let outcome = in_bulk_time(find::in_order(&lease, after, limit)).await;
        lease.end(outcome)
    }

    async fn topics_starting_with(&self, prefix: &str, limit: usize) -> Result<Vec<String>> {
        let lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), find::topics_starting_with(&lease, prefix, limit)).await;
        lease.end(outcome)
    }

    async fn ids_starting_with(&self, prefix: &str, limit: usize) -> Result<Vec<DocumentId>> {
        let lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), find::ids_starting_with(&lease, prefix, limit)).await;
        lease.end(outcome)
    }
}
