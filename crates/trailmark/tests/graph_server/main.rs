//! Exports as other programs read them, and imports as a real graph server takes them.
//!
//! `cargo xtask test --only tests-with-graph-server` installs what these tests need and runs them. The server is ArcadeDB,
//! which speaks Bolt and Cypher as Neo4j does; Neo4j and Memgraph themselves are in no registry that tests can rely on.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod arcadedb;
mod asking;
mod errors;
mod export;
mod import;
mod interrupted;
mod python;
mod sample;
