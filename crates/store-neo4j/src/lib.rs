//! The knowledge graph on a server that speaks Bolt and openCypher: Neo4j, Memgraph, ArcadeDB and others.
//!
//! In: the promises of [`store::KnowledgeGraph`] and the address of a server. Out: the same answers as the embedded store
//! gives. Nodes and relationships are those of the server, with the caller's labels, types and property names, so that a team
//! can look at them with its own tools; what is ours beside them begins with `_`. Nothing is connected before the first call;
//! a call that finds no server says so, and the next one tries again.

mod connection;
mod dialect;
mod failure;
mod find;
mod graph;
mod import;
mod nodes;
mod relationships;
mod row;
mod value;
mod walk;

pub use graph::BoltGraph;
