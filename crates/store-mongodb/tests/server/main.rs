//! Every promise about documents, on a real MongoDB.
//!
//! `cargo xtask test --only tests-with-backends` installs the server and runs this. What happens when a server fails is
//! tested with the whole program, in `trailmark`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use store::{DocumentStore, ServerAddress, behaviour};
use store_mongodb::MongoStore;
use test_servers::{MongoDb, Program as _, Server, record};

/// What is promised here is promised on a slow machine too; that nobody waits too long is tested with the whole program.
const PATIENCE: Duration = Duration::from_secs(60);

fn store(server: &Server, database: &str) -> MongoStore {
    let url = MongoDb.fresh_database(server.place(), database).unwrap();
    MongoStore::new(ServerAddress::new(&url, "TRAILMARK_DOCUMENTS")).with_patience(PATIENCE)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_promise_about_documents_is_kept() {
    let server = Server::start(&MongoDb).unwrap();
    let number = AtomicUsize::new(0);
    let report = behaviour::check_documents(async || {
        let database = format!("case_{}", number.fetch_add(1, Ordering::Relaxed));
        Ok(Box::new(store(&server, &database)) as Box<dyn DocumentStore>)
    })
    .await;
    record("mongodb", "documents", &report.passed, report.failed.iter().map(|(name, _)| *name));
    assert!(report.is_clean(), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_see_one_store() {
    let server = Server::start(&MongoDb).unwrap();
    let (one, other) = (store(&server, "shared"), store(&server, "shared"));
    let new = store::NewDocument {
        topic: "索引".to_owned(),
        content: "shared by two".to_owned(),
        tags: Vec::new(),
        source: None,
    };
    let id = one.save(new).await.unwrap();
    assert_eq!(other.find_by_topic("索引", 5).await.unwrap()[0].id, id);
    assert!(one.version().await.unwrap().starts_with("MongoDB 6."));
}
