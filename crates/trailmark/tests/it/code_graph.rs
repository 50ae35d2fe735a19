//! Servers and the code graph of their root: it follows the files, whoever changes them and whoever indexes.

use std::fs;
use std::hash::{BuildHasher as _, RandomState};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use store::ProjectCatalog as _;
use store_sqlite::SqliteProjects;
use testkit::{Era, Installation, PATIENCE, StdioServer};

use crate::sample::{body, installation, write};

const KILLS: usize = 12;
const MANY_FILES: usize = 300;

fn with_file() -> Installation {
    let installation = installation();
    write(installation.root(), "app.py", "def first():\n    return 1\n");
    installation
}

#[track_caller]
fn index(server: &mut StdioServer) -> String {
    let answer = server.call("index_repository", json!({}));
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    answer["result"]["content"][0]["text"].as_str().unwrap().to_owned()
}

fn snippet(server: &mut StdioServer, name: &str) -> Value {
    server.call("get_code_snippet", json!({"qualified_name": name}))
}

#[track_caller]
fn source(server: &mut StdioServer, name: &str) -> String {
    let answer = snippet(server, name);
    let body = body(&answer);
    assert_eq!((&body["found"], &body["error_message"]), (&json!(true), &Value::Null), "{answer}");
    body["source_code"].as_str().unwrap().to_owned()
}

/// Whether the stored graph has a definition of this name. Asking a tool would bring it up to date.
fn is_stored(installation: &Installation, name: &str) -> bool {
    let found = SqliteProjects::open(installation.home()).find("root").unwrap();
    found.is_some_and(|graph| !graph.find_named(name, 1).unwrap().is_empty())
}

#[track_caller]
fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < until, "it never came true that {what}");
        sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_file_that_changes_on_disk_changes_in_the_graph_of_a_running_server() {
    let installation = with_file();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    index(&mut server);
    write(installation.root(), "app.py", "# above\n\ndef second():\n    return 2\n");
    wait_until("the change is stored", || is_stored(&installation, "second") && !is_stored(&installation, "first"));
    assert_eq!(source(&mut server, "app.second"), "def second():\n    return 2");
    assert_eq!(body(&snippet(&mut server, "app.first"))["found"], false);
    write(installation.root(), "new/deep.py", "def third(): pass\n");
    wait_until("a new folder is followed", || is_stored(&installation, "third"));
}

#[test]
fn a_server_over_http_watches_the_root_too() {
    let installation = with_file();
    let server = installation.serve_http(&[]);
    let answer = server.call("index_repository", json!({}));
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    write(installation.root(), "app.py", "def second(): pass\n");
    wait_until("the change is stored", || is_stored(&installation, "second"));
}

#[test]
fn what_changed_while_no_server_ran_is_found_when_one_starts() {
    let installation = with_file();
    installation.run(&["index"]).expect_code(0);
    write(installation.root(), "app.py", "def second(): pass\n");
    let _server = installation.open_stdio(Era::INITIALIZED);
    wait_until("the change is stored", || is_stored(&installation, "second"));
}

#[test]
fn a_server_that_does_not_watch_still_answers_with_what_is_there() {
    let installation = with_file();
    installation.run(&["index"]).expect_code(0);
    let all = [&["--no-watch"][..], &["--watch=false"], &["--toolsets", "code", "--watch=false", "--read-only"]];
    for (number, arguments) in all.iter().enumerate() {
        let mut server = installation.serve_stdio(arguments);
        server.open(Era::INITIALIZED);
        let name = format!("changed{number}");
        write(installation.root(), "app.py", &format!("\n\ndef {name}():\n    return 3\n"));
        sleep(Duration::from_millis(400));
        assert!(!is_stored(&installation, &name), "{arguments:?} watches");
        assert_eq!(source(&mut server, &name), format!("def {name}():\n    return 3"));
    }
}

#[test]
fn a_change_is_seen_at_once_even_if_the_watcher_has_not_noticed_it_yet() {
    let installation = with_file();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    index(&mut server);
    for number in 0..20 {
        let text = format!("{}def first():\n    return {number}\n", "#\n".repeat(number));
        let changed = server.call("write_file", json!({"file_path": "app.py", "content": text}));
        assert_eq!(changed["result"]["isError"], false, "{changed}");
        assert_eq!(source(&mut server, "first"), format!("def first():\n    return {number}"));
    }
}

#[test]
fn two_servers_index_the_same_root_at_once_and_both_see_every_change() {
    let installation = with_file();
    for number in 0..50 {
        write(installation.root(), &format!("lib/m{number}.py"), &format!("def f{number}(): pass\n"));
    }
    let mut servers = [installation.open_stdio(Era::INITIALIZED), installation.open_stdio(Era::PerRequest)];
    let ids = servers.each_mut().map(|server| server.request_call("index_repository", json!({})));
    for (server, id) in servers.iter_mut().zip(ids) {
        let answer = server.answer_to(id);
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.starts_with("Successfully indexed repository at ") && text.contains(": 51 files ("), "{text}");
    }
    for number in 0..5 {
        write(installation.root(), "app.py", &format!("def version{number}():\n    pass\n"));
        for server in &mut servers {
            assert_eq!(source(server, &format!("version{number}")), format!("def version{number}():\n    pass"));
        }
    }
    let [first, mut second] = servers;
    drop(first);
    write(installation.root(), "app.py", "def after(): pass\n");
    wait_until("the other one goes on watching", || is_stored(&installation, "after"));
    assert_eq!(body(&second.call("list_projects", json!({})))["count"], 1);
}

#[test]
fn a_server_that_never_indexed_watches_once_it_has_used_the_graph() {
    let installation = with_file();
    let mut idle = installation.open_stdio(Era::INITIALIZED);
    let refused = snippet(&mut idle, "app.first");
    let text = refused["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.ends_with("is not indexed yet; call index_repository first"), "{text}");
    installation.run(&["index"]).expect_code(0);
    assert_eq!(source(&mut idle, "app.first"), "def first():\n    return 1");
    write(installation.root(), "app.py", "def second(): pass\n");
    wait_until("the change is stored", || is_stored(&installation, "second"));
}

fn with_many_files() -> Installation {
    let installation = installation();
    for number in 0..MANY_FILES {
        let (own, next) = (format!("f{number}"), format!("f{}", (number + 1) % MANY_FILES));
        let text = format!("from lib.{next} import {next}\n\n\ndef {own}():\n    {next}()\n");
        write(installation.root(), &format!("lib/{own}.py"), &text);
    }
    installation
}

/// How much a clean index of the same files holds.
fn size_of_clean_graph(sample: &Installation) -> (Value, Value) {
    let clean = installation();
    let report = clean.run(&["index", sample.root().to_str().unwrap(), "--json"]).expect_code(0).json();
    (report["nodes"].clone(), report["relationships"].clone())
}

#[test]
fn a_server_killed_while_it_indexes_leaves_a_graph_that_the_next_one_completes() {
    let installation = with_many_files();
    let expected = size_of_clean_graph(&installation);
    for round in 0..KILLS {
        let mut server = installation.open_stdio(Era::INITIALIZED);
        server.request_call("index_repository", json!({"force": round % 2 == 0}));
        sleep(Duration::from_millis(RandomState::new().hash_one(round) % 400));
        server.process().kill();

        let mut server = installation.open_stdio(Era::INITIALIZED);
        let answer = snippet(&mut server, "lib.f7.f7");
        let is_unfinished = answer["result"]["content"][0]["text"].as_str().unwrap().contains("is not indexed yet");
        assert!(is_unfinished || body(&answer)["source_code"] == "def f7():\n    f8()", "{answer}");
        index(&mut server);
        assert_eq!(source(&mut server, "lib.f7.f7"), "def f7():\n    f8()");
        let listed = server.call("list_projects", json!({}));
        let detail = &body(&listed)["details"][0];
        assert_eq!((detail["nodes"].clone(), detail["relationships"].clone()), expected, "round {round}");
        drop(server);
        if round % 3 == 0 {
            let _ = installation.run(&["projects", "delete", "root"]);
        }
    }
}

#[test]
fn indexing_reports_progress_and_can_be_cancelled_without_harm() {
    let installation = with_many_files();
    let mut server = installation.serve_stdio(&["--no-watch"]);
    server.open(Era::INITIALIZED);
    let params =
        |force| json!({"name": "index_repository", "arguments": {"force": force}, "_meta": {"progressToken": "p"}});
    let id = server.request("tools/call", params(false));
    let mut steps = Vec::new();
    let answer = loop {
        let message = server.receive();
        if message["id"] == id {
            break message;
        }
        assert_eq!(message["params"]["progressToken"], "p", "{message}");
        steps.push(message["params"]["progress"].as_f64().unwrap());
    };
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    assert!(steps.len() > 1 && steps.is_sorted() && steps.iter().all(|step| (0.0..=100.0).contains(step)), "{steps:?}");

    let before = body(&server.call("list_projects", json!({})))["details"][0].clone();
    let id = server.request("tools/call", params(true));
    server.receive();
    server.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
    wait_until("it is listed as before", || {
        let listed = server.call("list_projects", json!({}));
        let after = &body(&listed)["details"][0];
        ["nodes", "relationships", "files"].iter().all(|what| after[what] == before[what])
    });
    assert_eq!(source(&mut server, "lib.f7.f7"), "def f7():\n    f8()");
}

#[test]
fn a_deleted_project_stays_deleted_although_its_root_is_watched() {
    let installation = with_file();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    index(&mut server);
    let deleted = server.call("delete_project", json!({"project_name": "root"}));
    assert_eq!(body(&deleted)["success"], true, "{deleted}");
    write(installation.root(), "app.py", "def second(): pass\n");
    sleep(Duration::from_millis(400));
    assert_eq!(body(&server.call("list_projects", json!({})))["count"], 0);
    index(&mut server);
    write(installation.root(), "app.py", "def third(): pass\n");
    wait_until("it is watched again", || is_stored(&installation, "third"));
}

#[test]
fn a_server_ends_at_once_although_it_watches() {
    let installation = with_many_files();
    installation.run(&["index"]).expect_code(0);
    for wait in [0, 20, 200] {
        let mut server = installation.open_stdio(Era::INITIALIZED);
        write(installation.root(), "lib/f1.py", &format!("def f1(): return {wait}\n"));
        sleep(Duration::from_millis(wait));
        server.process().close_input();
        assert_eq!(server.process().wait_for_exit(PATIENCE).code(), Some(0));
        assert_eq!(server.process().errors(), "");
    }
    fs::remove_dir_all(installation.root().join("lib")).unwrap();
}
