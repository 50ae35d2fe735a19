//! Documents as resources: each one readable at `trailmark://documents/{id}`.

use jiff::Timestamp;
use store::{Document, DocumentId, DocumentStore, StoreError};

const ADDRESS: &str = "trailmark://documents/";
/// Resources on one page of the list.
const PAGE: usize = 50;
/// Values offered to complete an id.
const COMPLETIONS: usize = 20;

/// The documents of a store, seen as resources.
#[derive(Debug, Clone, Copy)]
pub struct DocumentResources<'a>(pub &'a dyn DocumentStore);

/// A resource in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    pub uri: String,
    pub name: String,
    pub title: String,
    /// Bytes of text.
    pub size: u64,
    pub last_modified: Timestamp,
}

/// A resource that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceText {
    pub uri: String,
    pub text: String,
}

/// Why a resource could not be listed or read.
#[derive(Debug, thiserror::Error)]
pub enum ResourceError {
    #[error("no resource at `{uri}`; documents are at {ADDRESS}{{id}}")]
    NotFound { uri: String },
    #[error("`{cursor}` is not a cursor that this server gave")]
    BadCursor { cursor: String },
    #[error(transparent)]
    Store(StoreError),
}

impl DocumentResources<'_> {
    pub const TEMPLATE: &'static str = "trailmark://documents/{id}";
    pub const MIME_TYPE: &'static str = "text/plain";

    /// One page of resources, newest first, and where the next page begins.
    pub async fn list(&self, cursor: Option<&str>) -> Result<(Vec<Resource>, Option<String>), ResourceError> {
        let after = cursor.map(parse_cursor).transpose()?;
        let mut documents = self.0.newest(PAGE + 1, after).await.map_err(|error| match (error.kind(), cursor) {
            // The document where the page ended was deleted meanwhile.
            (store::ErrorKind::NotFound, Some(cursor)) => ResourceError::BadCursor { cursor: cursor.to_owned() },
            _ => ResourceError::Store(error),
        })?;
        let more = documents.len() > PAGE;
        documents.truncate(PAGE);
        let next = documents.last().filter(|_| more).map(|document| document.id.to_string());
        Ok((documents.into_iter().map(Resource::from).collect(), next))
    }

    /// The text of one document.
    pub async fn read(&self, uri: &str) -> Result<ResourceText, ResourceError> {
        let not_found = || ResourceError::NotFound { uri: uri.to_owned() };
        let id: DocumentId = uri.strip_prefix(ADDRESS).and_then(|id| id.parse().ok()).ok_or_else(not_found)?;
        match self.0.get(id).await {
            Ok(document) => Ok(ResourceText { uri: uri.to_owned(), text: document.content }),
            Err(error) if error.kind() == store::ErrorKind::NotFound => Err(not_found()),
            Err(error) => Err(ResourceError::Store(error)),
        }
    }

    /// Ids that begin with what was typed so far.
    pub async fn complete_id(&self, typed: &str) -> Result<Vec<String>, ResourceError> {
        let ids = self.0.ids_starting_with(typed, COMPLETIONS).await.map_err(ResourceError::Store)?;
        Ok(ids.iter().map(DocumentId::to_string).collect())
    }
}

/// Where a document can be read as a resource.
pub(crate) fn address(id: DocumentId) -> String {
    format!("{ADDRESS}{id}")
}

impl From<Document> for Resource {
    fn from(document: Document) -> Self {
        let Document { id, topic, content, updated_at, .. } = document;
        Self {
            uri: address(id),
            name: id.to_string(),
            title: topic,
            size: content.len() as u64,
            last_modified: updated_at,
        }
    }
}

fn parse_cursor(cursor: &str) -> Result<DocumentId, ResourceError> {
    cursor.parse().map_err(|_| ResourceError::BadCursor { cursor: cursor.to_owned() })
}
