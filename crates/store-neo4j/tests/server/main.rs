//! Every promise about the knowledge graph, on a real server that speaks Bolt.
//!
//! `cargo xtask test --only tests-with-backends` installs the server and runs this. The server is ArcadeDB; Neo4j and Memgraph
//! are in no registry that tests can rely on.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use store::{KnowledgeGraph, ServerAddress, behaviour};
use store_neo4j::BoltGraph;
use test_servers::{ArcadeDb, Program as _, Server, record};

/// What is promised here is promised on a slow machine too; that nobody waits too long is tested with the whole program.
const PATIENCE: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread")]
async fn every_promise_about_the_knowledge_graph_is_kept() {
    let server = Server::start(&ArcadeDb).unwrap();
    let number = AtomicUsize::new(0);
    let report = behaviour::check_knowledge(async || {
        let database = format!("case{}", number.fetch_add(1, Ordering::Relaxed));
        let url = ArcadeDb.fresh_database(server.place(), &database).unwrap();
        let address = ServerAddress::new(&url, "TRAILMARK_KNOWLEDGE");
        Ok(Box::new(BoltGraph::new(address).with_patience(PATIENCE)) as Box<dyn KnowledgeGraph>)
    })
    .await;
    record("arcadedb", "knowledge", &report.passed, report.failed.iter().map(|(name, _)| *name));
    assert!(report.is_clean(), "{report}");
}
