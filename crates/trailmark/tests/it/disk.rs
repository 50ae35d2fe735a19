//! A disk that is full and a folder that cannot be written: clear errors, nothing lost, and work goes on once it is fixed.
//!
//! Both need a small file system of their own. Where mounting is not permitted these tests fail, unless
//! `TRAILMARK_ALLOW_SKIPS=1` says that this is known.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};
use testkit::{Disk, Era, Installation, StdioServer};

use crate::crash::assert_sound;
use crate::many_processes::stored_ids;
use crate::sample::{binary, body, data, document, saved_id};

#[track_caller]
fn assert_db_error(answer: &Value, message: &str) {
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    let error = &body(answer)["error"];
    assert_eq!(error["code"], "DB_ERROR", "{error}");
    assert!(error["message"].as_str().unwrap().contains(message), "{error}");
    assert!(error["detail"]["hint"].as_str().unwrap().contains("TRAILMARK_HOME"), "the error says what to do: {error}");
}

fn save(server: &mut StdioServer, topic: &str) -> Value {
    server.call("mongo_save_document", json!({"topic": topic, "content": "内容 content ".repeat(500)}))
}

#[test]
fn a_full_disk_is_reported_and_loses_nothing() {
    let Some(disk) = Disk::mount("1m") else { return };
    let filler = disk.path().join("filler");
    fs::write(&filler, vec![0; 256 << 10]).unwrap();
    let installation = Installation::at(binary(), disk.path());
    let mut server = installation.open_stdio(Era::INITIALIZED);
    let mut saved = BTreeSet::new();
    let refused = loop {
        let answer = save(&mut server, "full");
        match body(&answer)["data"]["id"].as_str() {
            Some(id) => saved.insert(id.to_owned()),
            None => break answer,
        };
        assert!(saved.len() < 1_000, "a disk of one megabyte is never full");
    };
    assert_db_error(&refused, "the disk is full");
    assert!(!saved.is_empty());
    assert_eq!(stored_ids(&mut server), saved);

    fs::remove_file(&filler).unwrap();
    saved.insert(saved_id(&save(&mut server, "room again")));
    drop(server);
    assert_eq!(stored_ids(&mut installation.open_stdio(Era::INITIALIZED)), saved);
    assert_sound(&installation);
}

#[test]
fn a_folder_that_becomes_read_only_is_reported_and_works_again_when_it_is_fixed() {
    let Some(disk) = Disk::mount("4m") else { return };
    let installation = Installation::at(binary(), disk.path());
    let mut server = installation.open_stdio(Era::INITIALIZED);
    let first = saved_id(&server.call("mongo_save_document", document("before")));
    server.process().close_input();
    server.process().wait_for_exit(testkit::PATIENCE);

    disk.make_read_only();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    let folder = disk.path().to_str().unwrap();
    assert_db_error(&server.call("mongo_save_document", document("refused")), folder);
    let ran = installation.run(&["call", "mongo_save_document", &document("refused").to_string()]).expect_code(1);
    assert!(ran.output.contains("DB_ERROR"), "{ran:?}");
    let findings = installation.run(&["doctor", "--json"]).expect_code(1).json();
    let problem = findings.as_array().unwrap().iter().find(|finding| finding["state"] == "problem").unwrap();
    assert!(problem["fix"].as_str().is_some_and(|fix| !fix.is_empty()), "{findings}");

    disk.make_writable();
    let second = saved_id(&server.call("mongo_save_document", document("after")));
    assert_eq!(stored_ids(&mut server), BTreeSet::from([first.clone(), second]));
    assert_eq!(data(&server.call("mongo_find_by_id", json!({"id": first})))["topic"], "before");
    assert_sound(&installation);
}

#[test]
fn a_folder_that_can_never_be_written_is_named_by_every_tool_and_the_server_stays() {
    let Some(disk) = Disk::mount("1m") else { return };
    disk.make_read_only();
    let home = disk.path().join("home");
    let installation = Installation::at(binary(), disk.path());
    let mut command = installation.command(&["serve"]);
    command.env("TRAILMARK_HOME", &home);
    let mut server = StdioServer::start(command);
    server.open(Era::INITIALIZED);
    for (tool, arguments) in [
        ("mongo_save_document", document("refused")),
        ("mongo_find_all", json!({})),
        ("mongo_find_by_topic", json!({"topic": "a"})),
    ] {
        assert_db_error(&server.call(tool, arguments), home.to_str().unwrap());
    }
    assert_eq!(server.ask("ping", json!({}))["result"], json!({}));
}
