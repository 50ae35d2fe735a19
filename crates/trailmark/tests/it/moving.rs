//! `trailmark move` between embedded stores, and what it refuses.

use std::path::Path;

use serde_json::json;
use testkit::{Era, Installation, Ran};

use crate::sample::{data, document, installation, saved_id};

fn embedded(folder: &Path) -> String {
    format!("embedded:{}", folder.display())
}

/// An installation with a document, a relationship and an experience.
fn filled() -> Installation {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    saved_id(&server.call("mongo_save_document", document("moving")));
    let mut node = |name: &str| {
        let answer = server.call("neo4j_create_node", json!({"label": "Entity", "properties": {"name": name}}));
        data(&answer)["id"].as_str().unwrap().to_owned()
    };
    let (from, to) = (node("from"), node("to"));
    let arguments = json!({"fromId": from, "toId": to, "type": "RELATED_TO"});
    data(&server.call("neo4j_create_relationship", arguments));
    let experience = json!({"title": "a title", "problem_description": "a problem", "solution": "a solution"});
    assert_eq!(server.call("submit_experience", experience)["result"]["isError"], false);
    installation
}

#[test]
fn everything_moves_to_another_folder_once() {
    let installation = filled();
    let other = tempfile::tempdir().unwrap();
    let to = embedded(other.path());
    let first = installation.run(&["move", "--from", "embedded", "--to", &to]).expect_code(0);
    for line in ["1 documents: 1 new, 0 there", "2 nodes: 2 new", "1 relationships: 1 new", "1 experiences: 1 new"] {
        assert!(first.output.contains(line), "{line}: {}", first.output);
    }
    let second = installation.run(&["move", "--from", "embedded", "--to", &to, "--json"]).expect_code(0).json();
    for one in second["moved"].as_array().unwrap() {
        assert_eq!((&one["new"], &one["known"]), (&json!(0), &one["read"]), "{second}");
    }
}

#[test]
fn only_what_is_asked_for_is_moved() {
    let installation = filled();
    let other = tempfile::tempdir().unwrap();
    let arguments = ["move", "--from", "embedded", "--to", &embedded(other.path()), "--only", "knowledge", "--json"];
    let report = installation.run(&arguments).expect_code(0).json();
    assert_eq!(report["left_out"], json!(["documents", "experiences"]));
    assert_eq!(report["moved"].as_array().unwrap().len(), 2);
}

#[test]
fn what_cannot_be_moved_is_refused_in_clear_words() {
    let installation = filled();
    let refused = |from: &str, to: &str, more: &[&str], expected: &str| {
        let mut command = installation.command(&[&["move", "--from", from, "--to", to], more].concat());
        command.env("MOVE_TO", "mysql://me:hunter2@host/d");
        let ran = Ran::of(command, "").expect_code(2);
        assert!(ran.errors.contains(expected), "{expected}: {}", ran.errors);
        assert!(!format!("{ran:?}").contains("hunter2"), "{ran:?}");
    };
    let home = embedded(installation.home());
    refused("embedded", &home, &[], "--from and --to are the same place");
    refused("embedded", "mysql://me:hunter2@host", &[], "--to begins with `mysql`; it must be ");
    refused("embedded", "env:MOVE_TO", &[], "--to begins with `mysql`; it must be ");
    refused("embedded", "env:NOT_SET", &[], "--to names the variable NOT_SET, which is not set");
    refused("embedded", "embedded:", &[], "--to names no folder");
    refused("embedded", "postgres://me:hunter2@host:port/d", &[], "--to is wrong: it must look like");
    refused("embedded:/nowhere/at/all", "embedded", &[], "nothing is kept in /nowhere/at/all");
    refused("mongodb://me:hunter2@host/d", "bolt://me:hunter2@host", &[], "there is nothing that both can keep");
    let only = ["--only", "experiences"];
    refused("embedded", "bolt://me:hunter2@host", &only, "bolt://host cannot keep experiences");
}

#[test]
fn a_server_that_is_not_there_is_named_without_its_password() {
    let installation = filled();
    for to in
        ["postgres://me:hunter2@127.0.0.1:1/d", "mongodb://me:hunter2@127.0.0.1:1/d", "bolt://me:hunter2@127.0.0.1:1"]
    {
        let ran = installation.run(&["move", "--from", "embedded", "--to", to]).expect_code(2);
        assert!(ran.errors.contains("127.0.0.1:1") && ran.errors.contains("--to"), "{}", ran.errors);
        assert!(!format!("{ran:?}").contains("hunter2"), "{ran:?}");
    }
}
