//! The life of a server: how clients of every revision open it, and how it ends.

use std::fs;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::json;
use testkit::{Era, PATIENCE, Process};

use crate::sample::{binary, data, document, installation, remark, saved_id};

/// What an end must never take. The promise is 100 ms; a loaded machine may need longer to notice.
const SOON: Duration = Duration::from_secs(1);

#[test]
fn every_revision_with_initialize_is_echoed_and_served() {
    let installation = installation();
    for revision in Era::INITIALIZE {
        let mut server = installation.serve_stdio(&[]);
        let opened = server.open(Era::Initialize(revision));
        assert_eq!(opened["result"]["protocolVersion"], revision);
        assert_eq!(opened["result"]["serverInfo"]["name"], "trailmark");
        assert_eq!(data(&server.call("mongo_find_all", json!({}))), &json!({"items": []}), "{revision}");
    }
}

#[test]
fn an_unknown_revision_is_offered_one_that_the_server_knows() {
    let installation = installation();
    for revision in ["1999-01-01", "2099-12-31", ""] {
        let mut server = installation.serve_stdio(&[]);
        let opened = server.open(Era::Initialize(revision));
        let offered = opened["result"]["protocolVersion"].as_str().unwrap_or_default();
        assert!(Era::INITIALIZE.contains(&offered), "`{revision}` → {opened}");
    }
}

#[test]
fn a_client_of_the_latest_revision_discovers_the_server_and_needs_no_initialize() {
    let installation = installation();
    let mut server = installation.serve_stdio(&[]);
    let opened = server.open(Era::PerRequest);
    let known = opened["result"]["supportedVersions"].as_array().unwrap();
    let all: Vec<_> = Era::INITIALIZE.into_iter().chain([Era::LATEST]).map(|revision| json!(revision)).collect();
    assert_eq!(known, &all);
    assert_eq!(opened["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "trailmark");
    assert_eq!(data(&server.call("mongo_find_all", json!({}))), &json!({"items": []}));
}

#[test]
fn a_request_of_the_latest_revision_may_come_first() {
    let installation = installation();
    let mut server = installation.serve_stdio(&[]);
    let call = json!({"name": "mongo_find_all", "arguments": {}});
    server.send(&Era::PerRequest.request(1, "tools/call", call));
    assert_eq!(data(&server.answer_to(1)), &json!({"items": []}));
}

#[test]
fn a_server_ends_soon_after_its_input() {
    let installation = installation();
    for opened in [false, true] {
        let mut server = installation.serve_stdio(&[]);
        if opened {
            server.open(Era::INITIALIZED);
            saved_id(&server.call("mongo_save_document", document("a")));
        } else {
            server.ask("ping", json!({}));
        }
        let closed = Instant::now();
        server.process().close_input();
        let status = server.process().wait_for_exit(SOON);
        remark(&format!("end of input to end of process: {:?} (opened: {opened})", closed.elapsed()));
        assert_eq!(status.code(), Some(0));
        assert_eq!(server.process().errors(), "");
        assert_eq!(server.receive_within(PATIENCE), None, "nothing more is said");
    }
}

#[test]
fn requests_sent_before_the_end_of_input_are_answered() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    saved_id(&server.call("mongo_save_document", document("a")));
    let ids: Vec<i64> = (0..20).map(|_| server.request_call("mongo_find_all", json!({}))).collect();
    server.process().close_input();
    for id in ids {
        assert_eq!(data(&server.answer_to(id))["items"].as_array().unwrap().len(), 1);
    }
    assert_eq!(server.process().wait_for_exit(SOON).code(), Some(0));
}

#[test]
fn no_call_is_said_to_have_failed_because_the_input_ended() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    for number in 0..400 {
        server.request_call("mongo_save_document", document(&format!("topic {number}")));
    }
    server.process().close_input();
    for answer in server.receive_all() {
        assert_eq!(answer["result"]["isError"], false, "{answer}");
    }
}

#[test]
fn a_last_line_without_a_line_end_is_a_message() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    server.process().write(br#"{"jsonrpc":"2.0","id":9,"method":"ping"}"#);
    server.process().close_input();
    assert_eq!(server.answer_to(9)["result"], json!({}));
    assert_eq!(server.process().wait_for_exit(SOON).code(), Some(0));
}

#[test]
fn a_supervisor_can_end_a_server_on_pipes_and_on_a_port() {
    let installation = installation();
    let mut stdio = installation.open_stdio(Era::INITIALIZED);
    let mut http = installation.serve_http(&[]);
    for process in [stdio.process(), http.process()] {
        let asked = Instant::now();
        process.terminate();
        let status = process.wait_for_exit(SOON);
        remark(&format!("SIGTERM to end of process: {:?}", asked.elapsed()));
        assert_eq!(status.code(), Some(0), "{}", process.errors());
    }
}

#[test]
fn a_supervisor_can_end_a_server_whose_client_never_said_anything() {
    let installation = installation();
    let mut server = installation.serve_stdio(&[]);
    server.ask("ping", json!({}));
    server.process().terminate();
    assert_eq!(server.process().wait_for_exit(SOON).code(), Some(0));
}

#[test]
fn a_client_that_is_killed_leaves_no_server_behind() {
    let installation = installation();
    // The shell becomes the client: a process that opened the server and holds its input until it is killed.
    let script = r#"mkfifo input && { "$0" serve <input >output & } && echo "$!" && exec >input && cat opening && exec sleep 50"#;
    fs::write(installation.home().join("opening"), format!("{}\n", Era::INITIALIZED.opening(1))).unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", script, binary()]).env("TRAILMARK_HOME", installation.home()).current_dir(installation.home());
    let mut client = Process::start(command);
    let line = client.read_line(PATIENCE).expect("the shell names the server");
    let server: u32 = String::from_utf8(line).unwrap().trim().parse().unwrap();
    wait_until(|| fs::read(installation.home().join("output")).is_ok_and(|answer| answer.ends_with(b"\n")));
    assert!(is_running(server));
    let killed = Instant::now();
    client.kill();
    wait_until(|| !is_running(server));
    remark(&format!("death of the client to end of the server: {:?}", killed.elapsed()));
}

#[track_caller]
fn wait_until(holds: impl Fn() -> bool) {
    let until = Instant::now() + Duration::from_secs(5);
    while !holds() {
        assert!(Instant::now() < until, "it took too long");
        sleep(Duration::from_millis(2));
    }
}

/// A process that has ended but that nobody waited for does not run.
fn is_running(process: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let state = stat.rsplit(") ").next().and_then(|rest| rest.chars().next());
    state.is_some_and(|state| !matches!(state, 'Z' | 'X'))
}
