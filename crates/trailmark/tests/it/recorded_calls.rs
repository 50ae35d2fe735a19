//! The audit log: every call is recorded, without secrets, and can be looked at and run again.

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::{Era, Installation};

use crate::sample::{body, document, installation, saved_id};

fn list(installation: &Installation, arguments: &[&str]) -> Vec<Value> {
    let ran = installation.run(&[&["audit", "list", "--json"], arguments].concat()).expect_code(0);
    ran.json().as_array().unwrap().clone()
}

/// A server's calls, once they are recorded: that happens after the answer, so that no call waits for it.
fn calls(installation: &Installation, calls: &[(&str, Value)]) -> Vec<Value> {
    let mut server = installation.open_stdio(Era::INITIALIZED);
    let answers = calls.iter().map(|(tool, arguments)| server.call(tool, arguments.clone())).collect();
    wait_for_records(installation, calls.len());
    answers
}

fn wait_for_records(installation: &Installation, count: usize) {
    let until = Instant::now() + testkit::PATIENCE;
    while list(installation, &["--limit", "1000"]).len() < count {
        assert!(Instant::now() < until, "fewer than {count} calls are recorded");
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn every_call_is_recorded_under_the_trace_id_of_its_answer() {
    let installation = installation();
    let answers = calls(
        &installation,
        &[
            ("mongo_save_document", document("a")),
            ("mongo_find_by_id", json!({"id": "none"})),
            ("no_such", json!({"x": 1})),
        ],
    );
    let recorded = list(&installation, &[]);
    let tools: Vec<_> = recorded.iter().map(|entry| entry["tool"].as_str().unwrap()).collect();
    assert_eq!(tools, ["no_such", "mongo_find_by_id", "mongo_save_document"], "newest first");
    assert_eq!(recorded[2]["traceId"], body(&answers[0])["meta"]["traceId"]);
    assert_eq!(recorded[1]["traceId"], body(&answers[1])["meta"]["traceId"]);
    let outcomes: Vec<_> = recorded.iter().map(|entry| (entry["ok"].clone(), entry["code"].clone())).collect();
    let expected =
        [(json!(false), json!("UNKNOWN_TOOL")), (json!(false), json!("NOT_FOUND")), (json!(true), Value::Null)];
    assert_eq!(outcomes, expected);
    for entry in &recorded {
        assert_eq!((&entry["client"], &entry["transport"]), (&json!("testkit/1"), &json!("stdio")));
        assert!(entry["durationMs"].is_number() && entry["time"].as_str().unwrap().ends_with('Z'), "{entry}");
    }
    assert_eq!(recorded[2]["arguments"], document("a"));
}

#[test]
fn every_road_to_a_tool_is_recorded_with_its_name() {
    let installation = installation();
    calls(&installation, &[("mongo_find_all", json!({}))]);
    installation.run(&["call", "mongo_find_all"]).expect_code(0);
    let mut server = installation.serve_http(&[]);
    assert_eq!(server.call("mongo_find_all", json!({}))["result"]["isError"], false);
    server.process().terminate();
    server.process().wait_for_exit(testkit::PATIENCE);
    let transports: Vec<_> = list(&installation, &[]).iter().map(|entry| entry["transport"].clone()).collect();
    assert_eq!(transports, ["http", "cli", "stdio"]);
}

#[test]
fn calls_made_just_before_the_end_are_recorded() {
    let installation = installation();
    calls(&installation, &[("mongo_find_all", json!({}))]);
    let mut server = installation.serve_http(&[]);
    for _ in 0..20 {
        assert_eq!(server.call("mongo_find_all", json!({}))["result"]["isError"], false);
    }
    server.process().terminate();
    server.process().wait_for_exit(testkit::PATIENCE);
    assert_eq!(list(&installation, &["--limit", "100"]).len(), 21);
}

#[test]
fn the_list_can_be_narrowed() {
    let installation = installation();
    let find = |id: &str| ("mongo_find_by_id", json!({ "id": id }));
    calls(&installation, &[("mongo_find_all", json!({})), find("a"), find("b"), ("mongo_find_all", json!({}))]);
    let count = |arguments: &[&str]| list(&installation, arguments).len();
    assert_eq!(count(&[]), 4);
    assert_eq!(count(&["--limit", "3"]), 3);
    assert_eq!(count(&["--tool", "mongo_find_by_id"]), 2);
    assert_eq!(count(&["--errors"]), 2);
    assert_eq!(count(&["--since", "1h"]), 4);
    assert_eq!(count(&["--since", "2099-01-01T00:00:00Z"]), 0);
    assert_eq!(count(&["--errors", "--tool", "mongo_find_all"]), 0);
}

#[test]
fn one_call_is_shown_whole() {
    let installation = installation();
    let answers = calls(&installation, &[("mongo_save_document", document("缓存"))]);
    let trace_id = body(&answers[0])["meta"]["traceId"].as_str().unwrap();
    let shown = installation.run(&["audit", "show", trace_id, "--json"]).expect_code(0).json();
    assert_eq!(shown["arguments"]["topic"], "缓存");
    let answer: Value = serde_json::from_str(shown["answer"].as_str().unwrap()).unwrap();
    assert_eq!(&answer, body(&answers[0]));
    let text = installation.run(&["audit", "show", trace_id]).expect_code(0).output;
    assert!(text.contains(trace_id) && text.contains("缓存") && text.contains("testkit/1 over stdio"), "{text}");
}

#[test]
fn a_replay_reports_what_differs_and_nothing_else() {
    let installation = installation();
    let answers = calls(
        &installation,
        &[("mongo_save_document", document("cache")), ("mongo_find_by_topic", json!({"topic": "cache"}))],
    );
    let replay = |arguments: &[&str], code: i32| {
        let ran = installation.run(&[&["audit", "replay", "--json"], arguments].concat());
        ran.expect_code(code).json().as_array().unwrap().clone()
    };
    let results = |replayed: &[Value]| -> Vec<String> {
        replayed.iter().map(|call| call["result"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(results(&replay(&[], 0)), ["skipped", "same"], "a write is not run again unless that is asked for");

    let id = saved_id(&answers[0]);
    let patch = json!({"id": id, "patch": {"content": "changed meanwhile"}}).to_string();
    installation.run(&["call", "mongo_update_document", &patch]).expect_code(0);
    let find = body(&answers[1])["meta"]["traceId"].as_str().unwrap();
    let replayed = replay(&[find], 1);
    assert_eq!(results(&replayed), ["different"]);
    let difference = replayed[0]["differences"][0].as_str().unwrap();
    assert!(
        difference.starts_with("/data/items/0/content: ") && difference.contains("changed meanwhile"),
        "{difference}"
    );
    let before = list(&installation, &[]).len();

    let save = body(&answers[0])["meta"]["traceId"].as_str().unwrap();
    let replayed = replay(&[save, "--include-writes"], 1);
    assert_eq!(replayed[0]["differences"].as_array().unwrap().len(), 1, "the new id: {replayed:?}");
    let found = installation.run(&["call", "mongo_find_all"]).expect_code(0).json();
    assert_eq!(found["data"]["items"].as_array().unwrap().len(), 2, "the write was run again");
    assert_eq!(list(&installation, &[]).len(), before + 1, "a replay leaves no trace of its own");
}

#[test]
fn secrets_are_nowhere_in_the_files_of_the_log() {
    const SECRETS: [&str; 5] = [
        "ghp_0123456789abcdefghijABCDEFGHIJ012345",
        "AKIAABCDEFGHIJKLMNOP",
        "correct-horse-battery",
        "hunter2-hunter2",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
    ];
    let installation = installation();
    let content = format!(
        "token {} and {} and password={} and postgres://ann:{}@db.example.com/x and {}",
        SECRETS[0], SECRETS[1], SECRETS[2], SECRETS[3], SECRETS[4]
    );
    let nested = json!({"topic": "t", "content": "c", "password": SECRETS[2]});
    let mut arguments = vec![
        ("mongo_save_document", json!({"topic": "deploy", "content": content})),
        ("mongo_find_by_topic", json!({"topic": "deploy"})),
        ("mongo_save_document", nested),
    ];
    arguments.extend(SECRETS.iter().take(2).map(|secret| ("mongo_find_by_id", json!({ "id": secret }))));
    calls(&installation, &arguments);
    let recorded = list(&installation, &[]);
    assert_eq!(recorded.len(), arguments.len());
    assert_eq!(recorded.iter().filter(|entry| entry["redacted"] == true).count(), arguments.len(), "{recorded:#?}");

    let mut searched = 0;
    for entry in fs::read_dir(installation.home()).unwrap() {
        let path = entry.unwrap().path();
        if !path.file_name().unwrap().to_string_lossy().contains("audit") {
            continue;
        }
        searched += 1;
        let bytes = fs::read(&path).unwrap();
        for secret in SECRETS {
            let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!found, "`{secret}` is in {}", path.display());
        }
    }
    assert!(searched > 0, "the log has files");
}

#[test]
fn the_log_can_be_switched_off() {
    let installation = installation();
    installation.run(&["call", "mongo_find_all", "--audit=false"]).expect_code(0);
    assert_eq!(list(&installation, &[]).len(), 0);
    installation.run(&["call", "mongo_find_all"]).expect_code(0);
    assert_eq!(list(&installation, &[]).len(), 1);
}

#[test]
fn an_http_client_of_an_older_revision_is_known_by_its_user_agent() {
    let installation = installation();
    let server = installation.serve_http(&[]);
    let call = Era::INITIALIZED.request(1, "tools/call", json!({"name": "mongo_find_all", "arguments": {}}));
    let post = server.post_bytes(call.to_string().into_bytes());
    let post = post.without("MCP-Protocol-Version").header("MCP-Protocol-Version", Era::INITIALIZED.revision());
    assert_eq!(server.send(&post.header("User-Agent", "older-client/9")).status, 200);
    wait_for_records(&installation, 1);
    assert_eq!(list(&installation, &[])[0]["client"], "older-client/9");
}

#[test]
fn one_caller_cannot_push_the_others_out_of_the_log() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    server.call("mongo_save_document", document("first"));
    for _ in 0..6 {
        server.call("mongo_find_all", json!({"limit": "z".repeat(12_000_000)}));
    }
    wait_for_records(&installation, 7);
    let bytes = fs::metadata(installation.home().join("audit.db")).unwrap().len();
    assert!(bytes < 2_000_000, "{bytes} bytes for seven calls");
    assert_eq!(list(&installation, &["--limit", "10"]).last().unwrap()["tool"], "mongo_save_document");
}

#[test]
fn secrets_in_a_text_of_several_lines_are_nowhere_in_the_log() {
    let secrets = ["ghp_0123456789abcdefghijABCDEFGHIJ012345", "AKIAABCDEFGHIJKLMNOP", "sk-abcdefghijklmnopqrstuvwx"];
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    let content =
        format!("line one\n{}\n{}\n\t{}\npassword: \"correct horse battery\"", secrets[0], secrets[1], secrets[2]);
    let id = saved_id(&server.call("mongo_save_document", json!({"topic": "t", "content": content})));
    server.call("mongo_find_by_id", json!({ "id": id }));
    wait_for_records(&installation, 2);
    let recorded = Value::Array(list(&installation, &[])).to_string();
    for secret in secrets.iter().chain(&["horse battery"]) {
        assert!(!recorded.contains(secret), "{secret}");
    }
}
