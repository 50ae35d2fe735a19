//! The embedded store: everything Trailmark keeps, in SQLite files in one data folder.
//!
//! In: the calls of the `store` traits, from any number of tasks and processes at once. Out: rows on disk. This crate knows
//! SQLite and threads; it does not know tools, protocols or settings.
//!
//! - `trailmark.db` holds documents, the knowledge graph, experiences and the state of servers that are called. An acknowledged
//!   change survives power loss.
//! - `audit.db` holds the audit log in a file of its own, so that auditing never waits for documents. An acknowledged entry
//!   survives the end of the process.
//! - `embeddings.db` holds vectors that a service was paid for; without it they are paid for again.
//! - `projects/` holds the code graphs, one file for each project, which can all be made again from the source code.
//!
//! Nothing is opened before it is needed. Connections live on threads of their own, so a slow disk never stalls the async
//! runtime. Writes that arrive together are committed together.

mod audit;
mod check;
mod connection;
mod database;
mod documents;
mod embeddings;
mod error;
mod experiences;
mod file_system;
mod filter;
mod job;
mod knowledge;
mod migrations;
mod pool;
mod projects;
#[cfg(test)]
mod property_graph;
mod queue;
mod reader;
mod rows;
mod session;
mod upstream;
mod writer;

pub use audit::{AuditLimits, SqliteAuditLog};
pub use check::{DatabaseCheck, StoreCheck};
pub use documents::SqliteStore;
pub use embeddings::SqliteVectors;
pub use projects::{Reading, Snapshots, SqliteProjects};
