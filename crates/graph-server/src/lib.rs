//! Code graphs on a graph server that speaks Bolt: Neo4j, Memgraph, ArcadeDB.
//!
//! In: a [`Source`](graph_export::Source) with one project, and a [`Target`]. Out: the same graph on the server, and nothing
//! left there that the project no longer has; [`CodeServer`] then has questions about it answered there. Rows go in batches, each in one transaction together with a note of how far
//! the import has come, so that after a kill or a lost connection the next run goes on from there. This is the only crate
//! that knows the driver; it does not know where a project is kept.

mod asking;
mod cells;
mod connection;
mod error;
mod import;
mod marker;
mod rows;
mod statements;
mod stream;
mod target;

pub use asking::CodeServer;
pub use error::Error;
pub use import::{Import, Outcome, Phase, Progress, Report, import};
pub use target::Target;
