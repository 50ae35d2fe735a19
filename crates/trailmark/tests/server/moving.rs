//! `trailmark move` with real servers: there and back again, once more, and after a kill in the middle of it.

use std::path::Path;
use std::process::Stdio;

use serde_json::Value;
use store::{DocumentPatch, DocumentStore as _};
use test_servers::{ArcadeDb, MongoDb, Postgres, Program as _, Server};
use testkit::{Installation, Proxy, Then};

use crate::content::{Content, wait};
use crate::{installation, move_between};

/// Moves and says what the program reported.
#[track_caller]
fn moved(installation: &Installation, from: &str, to: &str, code: i32) -> Value {
    move_between(installation, from, to, code).json()
}

fn embedded(folder: &Path) -> String {
    format!("embedded:{}", folder.display())
}

/// How many were new and how many were there already, of each kind that was moved.
fn counts(report: &Value) -> Vec<(&str, u64, u64)> {
    let number = |one: &Value, key: &str| one[key].as_u64().unwrap();
    let all = report["moved"].as_array().unwrap().iter();
    all.map(|one| (one["what"].as_str().unwrap(), number(one, "new"), number(one, "known"))).collect()
}

/// There, back into another embedded store, and both once more.
fn there_and_back(content: &Content, expected: &Content, url: &str, left_out: &[&str]) {
    let installation = installation();
    content.put(installation.home());
    let there = moved(&installation, "embedded", url, 0);
    assert_eq!(there["left_out"], serde_json::json!(left_out));
    let back = tempfile::tempdir().unwrap();
    let home_again = moved(&installation, url, &embedded(back.path()), 0);
    assert_eq!(counts(&there), counts(&home_again));
    assert_eq!(Content::of(back.path()), *expected);
    let again = moved(&installation, "embedded", url, 0);
    for ((what, new, known), (_, before, _)) in counts(&again).into_iter().zip(counts(&there)) {
        assert_eq!((new, known), (0, before), "{what}");
    }
}

#[test]
fn everything_moves_to_postgresql_and_back() {
    let server = Server::start(&Postgres).unwrap();
    let content = Content::sample(230, 700, 620);
    there_and_back(&content, &content, &server.url(), &[]);
}

#[test]
fn documents_move_to_mongodb_and_back() {
    let server = Server::start(&MongoDb).unwrap();
    let content = Content::sample(230, 8, 3);
    let left_out = ["the knowledge graph", "experiences"];
    there_and_back(&content, &content.only_documents(), &server.url(), &left_out);
}

#[test]
fn the_knowledge_graph_moves_to_a_bolt_server_and_back() {
    let server = Server::start(&ArcadeDb).unwrap();
    let content = Content::sample(5, 700, 3);
    let url = ArcadeDb.fresh_database(server.place(), "moved").unwrap();
    there_and_back(&content, &content.only_knowledge(), &url, &["documents", "experiences"]);
}

/// Moves through a proxy that lets so many bytes through, kills the program when nothing comes through any more, and moves again.
fn kill_in_the_middle(content: &Content, server: &Server, url: &str, bytes: i64) -> Value {
    let installation = installation();
    content.put(installation.home());
    let proxy = Proxy::start(server.place().port(), bytes, Then::Silence);
    let through = url.replace(&server.place().port().to_string(), &proxy.port().to_string());
    let mut command = installation.command(&["move", "--from", "embedded", "--to", "env:TARGET"]);
    command.env("TARGET", through).stdout(Stdio::null()).stderr(Stdio::null());
    let mut process = command.spawn().unwrap();
    proxy.wait();
    assert!(process.try_wait().unwrap().is_none(), "it was done before it could be killed");
    process.kill().unwrap();
    process.wait().unwrap();
    let finished = moved(&installation, "embedded", url, 0);
    let back = tempfile::tempdir().unwrap();
    moved(&installation, url, &embedded(back.path()), 0);
    assert_eq!(Content::of(back.path()), *content);
    finished
}

#[test]
fn a_move_to_postgresql_that_was_killed_is_gone_on_with() {
    let server = Server::start(&Postgres).unwrap();
    let content = Content::sample(400, 20, 30);
    let finished = kill_in_the_middle(&content, &server, &server.url(), 500_000);
    let (_, new, known) = counts(&finished)[0];
    assert!(known > 0, "nothing had been moved: {finished}");
    assert!(new > 0, "all documents had been moved: {finished}");
}

#[test]
fn a_move_to_a_bolt_server_that_was_killed_is_gone_on_with() {
    let server = Server::start(&ArcadeDb).unwrap();
    let content = Content::sample(0, 1_600, 0);
    let url = ArcadeDb.fresh_database(server.place(), "killed").unwrap();
    let finished = kill_in_the_middle(&content, &server, &url, 600_000);
    let (nodes, relationships) = (counts(&finished)[0], counts(&finished)[1]);
    assert!(nodes.2 > 0, "nothing had been moved: {finished}");
    assert!(nodes.1 + relationships.1 > 0, "everything had been moved: {finished}");
}

#[test]
fn a_move_that_loses_its_server_says_how_to_go_on_and_writes_over_nothing() {
    let mut server = Server::start(&Postgres).unwrap();
    let installation = installation();
    let content = Content::sample(120, 0, 5);
    content.put(installation.home());
    let url = server.url();
    moved(&installation, "embedded", &url, 0);

    let store = store_sqlite::SqliteStore::open(installation.home());
    let changed = content.documents[7].id;
    let patch = DocumentPatch { topic: Some("changed here".to_owned()), ..DocumentPatch::default() };
    wait(async {
        store.update(changed, patch).await.unwrap();
        store.close().await;
    });
    let report = moved(&installation, "embedded", &url, 1);
    assert_eq!(report["moved"][0]["different"], serde_json::json!([changed.to_string()]));
    let back = tempfile::tempdir().unwrap();
    moved(&installation, &url, &embedded(back.path()), 0);
    assert_eq!(Content::of(back.path()), content, "what was there was written over");

    server.kill();
    let ran = move_between(&installation, "embedded", &url, 2);
    assert!(ran.errors.contains("the same command goes on with it") && ran.errors.contains("--to"), "{}", ran.errors);
}

#[test]
fn what_a_server_cannot_keep_is_named_and_the_rest_is_moved() {
    let server = Server::start(&Postgres).unwrap();
    let installation = installation();
    let mut content = Content::sample(30, 0, 0);
    content.documents[11].content = "a null character: \0".to_owned();
    content.put(installation.home());
    let report = moved(&installation, "embedded", &server.url(), 1);
    let documents = &report["moved"][0];
    assert_eq!((documents["new"].as_u64(), documents["at_target"].as_u64()), (Some(29), Some(29)));
    assert_eq!(documents["refused"][0]["id"], content.documents[11].id.to_string());
    assert!(documents["refused"][0]["reason"].as_str().unwrap().contains("null character"), "{report}");
}
