//! What Trailmark promises to keep, and what can go wrong while keeping it.
//!
//! In: domain values (documents, a knowledge graph, experiences, audit entries, code graphs, the state of servers that are
//! called). Out: the same values, later, in any process. This crate knows no driver, no file and no wire format: a
//! backend is a crate of its own that implements these traits and passes the [`behaviour`] suite.

pub mod audit;
#[cfg(feature = "behaviour")]
pub mod behaviour;
pub mod documents;
mod error;
pub mod experiences;
pub mod knowledge;
pub mod projects;
mod server_address;
pub mod upstream;
mod vectors;
mod words;

pub use audit::{AuditEntry, AuditFilter, AuditLog, Outcome, TraceId};
pub use documents::{Document, DocumentId, DocumentPatch, DocumentStore, NewDocument, Source, SourceKind};
pub use error::{ErrorKind, Result, Retry, StoreError};
pub use experiences::{
    Experience, ExperienceId, ExperiencePage, ExperienceSearch, Experiences, FoundExperience, FoundExperiences,
    NewExperience, Submitted, Twin,
};
pub use knowledge::{
    KnowledgeGraph, Neighborhood, NewNode, NewRelationship, Node, NodeId, Relationship, RelationshipId, ScoredNode,
};
pub use projects::{
    FileRecord, FileUpdate, FileVectors, FoundNode, GraphUpdate, Meaning, Part, ProjectCatalog, ProjectGraph,
    ProjectInfo, Reservation,
};
pub use server_address::ServerAddress;
pub use upstream::UpstreamState;
pub use vectors::{TextKey, VectorCache};
pub use words::{FileClass, NearPart, WordFile, WordRead};
