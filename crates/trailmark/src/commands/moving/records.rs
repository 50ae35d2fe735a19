//! What can be moved: records of one kind, read in the order of their ids and put as they are.

use std::sync::Arc;

use async_trait::async_trait;
use store::{Document, DocumentStore, Experience, Experiences, KnowledgeGraph, Node, Relationship, Result, StoreError};
use uuid::Uuid;

/// All records of one kind at one place.
#[async_trait]
pub(super) trait Records: Send + Sync {
    type Record: Clone + Send + Sync;

    /// Those after this id, in the order of ids.
    async fn page(&self, after: Option<Uuid>) -> Result<Vec<Self::Record>>;

    /// Keeps those whose id is not known yet, and says how many they were.
    async fn put(&self, records: Vec<Self::Record>) -> Result<usize>;

    async fn size(&self) -> Result<u64>;

    fn id(record: &Self::Record) -> Uuid;

    /// Whether both say the same.
    fn is_same(one: &Self::Record, other: &Self::Record) -> bool;
}

/// Whole documents may be large.
const DOCUMENTS: usize = 100;
const OTHERS: usize = 500;

pub(super) struct Documents(pub(super) Arc<dyn DocumentStore>);

#[async_trait]
impl Records for Documents {
    type Record = Document;

    async fn page(&self, after: Option<Uuid>) -> Result<Vec<Document>> {
        self.0.in_order(after.map(Into::into), DOCUMENTS).await
    }

    async fn put(&self, records: Vec<Document>) -> Result<usize> {
        self.0.import(records).await
    }

    async fn size(&self) -> Result<u64> {
        self.0.count().await
    }

    fn id(record: &Document) -> Uuid {
        *record.id.as_uuid()
    }

    fn is_same(one: &Document, other: &Document) -> bool {
        one == other
    }
}

pub(super) struct Nodes(pub(super) Arc<dyn KnowledgeGraph>);

#[async_trait]
impl Records for Nodes {
    type Record = Node;

    async fn page(&self, after: Option<Uuid>) -> Result<Vec<Node>> {
        self.0.nodes_in_order(after.map(Into::into), OTHERS).await
    }

    async fn put(&self, records: Vec<Node>) -> Result<usize> {
        self.0.import_nodes(records).await
    }

    async fn size(&self) -> Result<u64> {
        Ok(self.0.size().await?.nodes)
    }

    fn id(record: &Node) -> Uuid {
        *record.id.as_uuid()
    }

    fn is_same(one: &Node, other: &Node) -> bool {
        one == other
    }
}

pub(super) struct Relationships(pub(super) Arc<dyn KnowledgeGraph>);

#[async_trait]
impl Records for Relationships {
    type Record = Relationship;

    async fn page(&self, after: Option<Uuid>) -> Result<Vec<Relationship>> {
        self.0.relationships_in_order(after.map(Into::into), OTHERS).await
    }

    async fn put(&self, records: Vec<Relationship>) -> Result<usize> {
        self.0.import_relationships(records).await
    }

    async fn size(&self) -> Result<u64> {
        Ok(self.0.size().await?.relationships)
    }

    fn id(record: &Relationship) -> Uuid {
        *record.id.as_uuid()
    }

    fn is_same(one: &Relationship, other: &Relationship) -> bool {
        one == other
    }
}

pub(super) struct AllExperiences(pub(super) Arc<dyn Experiences>);

#[async_trait]
impl Records for AllExperiences {
    type Record = Experience;

    async fn page(&self, after: Option<Uuid>) -> Result<Vec<Experience>> {
        self.0.in_order(after.map(Into::into), OTHERS).await
    }

    async fn put(&self, records: Vec<Experience>) -> Result<usize> {
        self.0.import(records).await
    }

    async fn size(&self) -> Result<u64> {
        self.0.size().await
    }

    fn id(record: &Experience) -> Uuid {
        *record.id.as_uuid()
    }

    /// Answers are counted wherever it is asked for: that makes no other experience of it.
    fn is_same(one: &Experience, other: &Experience) -> bool {
        let said = |of: &Experience| (of.content.clone(), of.created_at, of.deleted_at.is_some());
        said(one) == said(other)
    }
}

/// Whether the error is about what was to be put, so that other records may well be kept.
pub(super) fn is_about_a_record(error: &StoreError) -> bool {
    use store::ErrorKind::{Conflict, InvalidInput, NotFound, Unsupported};
    matches!(error.kind(), Conflict | InvalidInput | NotFound | Unsupported)
}
