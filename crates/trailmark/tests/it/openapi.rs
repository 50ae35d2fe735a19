//! APIs as tools, with a real service: what is listed, what is called, what comes back, and what changes while a server runs.

use std::fs;
use std::io::{Read, Write};
use std::net::SocketAddr;
use std::path::Path;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path as PathValue, RawQuery};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use serde_json::{Value, json};
use testkit::{Era, Ran};

use crate::sample::installation;

/// A small service: notes in memory, a picture, an archive, and what a request looked like.
fn service() -> SocketAddr {
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            tell.send(listener.local_addr().unwrap()).unwrap();
            axum::serve(listener, routes()).await.unwrap();
        });
    });
    told.recv().unwrap()
}

fn routes() -> Router {
    let json = |body: Value| ([(header::CONTENT_TYPE, "application/json")], body.to_string());
    Router::new()
        .route(
            "/notes",
            get(move |RawQuery(query): RawQuery| async move { json(json!([{"id": "1", "query": query}])) }),
        )
        .route(
            "/notes",
            post(move |body: Bytes| async move { (StatusCode::CREATED, json(serde_json::from_slice(&body).unwrap())) }),
        )
        .route(
            "/notes/{id}",
            get(move |PathValue(id): PathValue<String>| async move {
                let status = if id == "1" { StatusCode::OK } else { StatusCode::NOT_FOUND };
                (status, [(header::LAST_MODIFIED, "Wed, 21 Oct 2015 07:28:00 GMT")], json(json!({"id": id})))
            }),
        )
        .route("/picture", get(|| async { ([(header::CONTENT_TYPE, "image/png")], b"\x89PNG".to_vec()) }))
        .route("/archive", get(|| async { ([(header::CONTENT_TYPE, "application/zip")], b"PK\xff".to_vec()) }))
        .route("/long", get(|| async { ([(header::CONTENT_TYPE, "application/zip")], vec![0xff_u8; 400_000]) }))
        .route(
            "/me",
            get(move |headers: HeaderMap| async move {
                let said = headers.get(header::AUTHORIZATION).map(|value| value.to_str().unwrap().to_owned());
                let status = if said.is_some() { StatusCode::OK } else { StatusCode::UNAUTHORIZED };
                (status, json(json!({"authorization": said}))).into_response()
            }),
        )
        .route("/away", get(|| async { (StatusCode::FOUND, [(header::LOCATION, "http://169.254.169.254/")]) }))
}

fn document(paths: &[(&str, &str)]) -> String {
    let mut all = json!({
        "/notes": {
            "get": {"operationId": "listNotes", "summary": "List notes", "parameters": [{"name": "tag", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}}]},
            "post": {"operationId": "createNote", "requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}}}}},
        },
        "/notes/{id}": {"get": {"operationId": "getNote", "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}]}},
        "/me": {"get": {"operationId": "me", "security": [{"bearer": []}]}},
    });
    for (path, id) in paths {
        all[*path] = json!({"get": {"operationId": id}});
    }
    json!({
        "openapi": "3.1.0", "info": {"title": "Notes"}, "paths": all,
        "components": {"securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}}},
    })
    .to_string()
}

fn names(answer: &Value) -> Vec<String> {
    answer["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

fn write(folder: &Path, text: &str) -> String {
    let path = folder.join("notes.json");
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

const EXTRA: &[(&str, &str)] =
    &[("/picture", "picture"), ("/archive", "archive"), ("/long", "long"), ("/away", "away")];

#[test]
fn operations_are_tools_and_answers_are_blocks_over_stdio_and_http() {
    let (installation, folder) = (installation(), tempfile::tempdir().unwrap());
    let (base, path) = (format!("http://{}", service()), write(folder.path(), &document(EXTRA)));
    let arguments = ["--openapi", &path, "--base-url", &base, "--toolsets", "api"];
    let mut stdio = installation.serve_stdio(&arguments);
    stdio.open(Era::INITIALIZED);
    let http = installation.serve_http(&arguments);
    let expected = ["archive", "away", "createNote", "getNote", "listNotes", "long", "me", "picture"]
        .map(|name| format!("notes_{name}"));
    assert_eq!(names(&stdio.ask("tools/list", json!({}))), expected);
    assert_eq!(names(&http.ask("tools/list", json!({}))), expected);
    let calls: Vec<(&str, Value, Value)> = vec![
        ("notes_listNotes", json!({"tag": ["a", "b c"]}), json!({"result": [{"id": "1", "query": "tag=a&tag=b%20c"}]})),
        ("notes_createNote", json!({"body": {"text": "hi"}}), json!({"text": "hi"})),
        ("notes_getNote", json!({"id": "1"}), json!({"id": "1"})),
    ];
    for (tool, arguments, expected) in calls {
        for answer in [stdio.call(tool, arguments.clone()), http.call(tool, arguments)] {
            let result = &answer["result"];
            assert_eq!((&result["structuredContent"], &result["isError"]), (&expected, &json!(false)), "{answer}");
            let meta = &result["content"][0]["_meta"];
            assert!(meta["url"].as_str().unwrap().starts_with(&base) && meta["timestamp"].is_string(), "{meta}");
            assert_eq!(meta["httpStatus"], if tool == "notes_createNote" { 201 } else { 200 });
        }
    }
    let note = stdio.call("notes_getNote", json!({"id": "1"}));
    assert_eq!(note["result"]["content"][0]["annotations"]["lastModified"], "2015-10-21T07:28:00Z");
    let block = |answer: Value| answer["result"]["content"][0].clone();
    assert_eq!(block(stdio.call("notes_picture", json!({})))["mimeType"], "image/png");
    assert_eq!(block(stdio.call("notes_archive", json!({})))["resource"]["blob"], "UEv/");
    let long = block(stdio.call("notes_long", json!({})));
    assert_eq!((&long["type"], &long["name"]), (&json!("resource_link"), &json!("long")));
}

#[test]
fn a_failure_says_so_whoever_is_to_blame() {
    let (installation, folder) = (installation(), tempfile::tempdir().unwrap());
    let (base, path) = (format!("http://{}", service()), write(folder.path(), &document(EXTRA)));
    let mut server = installation.serve_stdio(&["--openapi", &path, "--base-url", &base]);
    server.open(Era::INITIALIZED);
    let mut failed = |tool: &str, arguments: Value| {
        let answer = server.call(tool, arguments);
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        answer["result"]["content"].clone()
    };
    let absent = failed("notes_getNote", json!({"id": "7"}));
    assert_eq!((&absent[0]["_meta"]["httpStatus"], &absent[0]["text"]), (&json!(404), &json!("{\n  \"id\": \"7\"\n}")));
    assert!(
        failed("notes_getNote", json!({"id": "../me"}))[0]["text"].as_str().unwrap().contains("`id` must not have")
    );
    assert!(
        failed("notes_away", json!({}))[0]["text"]
            .as_str()
            .unwrap()
            .contains("redirects to another host are not followed")
    );
    let refused = failed("notes_me", json!({}));
    assert!(refused[1]["text"].as_str().unwrap().contains("TRAILMARK_API_NOTES_TOKEN"), "{refused}");
}

#[test]
fn a_secret_is_sent_and_seen_nowhere() {
    const SECRET: &str = "tm-very-secret-token";
    let (installation, folder) = (installation(), tempfile::tempdir().unwrap());
    let (base, path) = (format!("http://{}", service()), write(folder.path(), &document(&[])));
    let run = |arguments: &[&str]| {
        let mut command = installation.command(arguments);
        let output = command.env("TRAILMARK_API_NOTES_TOKEN", SECRET).env("TRAILMARK_LOG", "trace").output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(!text.contains(SECRET), "{text}");
        text
    };
    let shown = run(&["api", "call", "notes_me", "--openapi", &path, "--base-url", &base, "--json"]);
    assert!(shown.contains("Bearer [redacted]"), "{shown}");
    let audit = run(&["audit", "list", "--json"]);
    assert!(audit.contains("notes_me"), "{audit}");
    for entry in fs::read_dir(installation.home()).unwrap().flatten().filter(|entry| entry.path().is_file()) {
        let bytes = fs::read(entry.path()).unwrap();
        assert!(!bytes.windows(SECRET.len()).any(|window| window == SECRET.as_bytes()), "{}", entry.path().display());
    }
}

#[test]
fn many_operations_are_searched_and_a_read_only_server_still_calls_them() {
    let (installation, folder) = (installation(), tempfile::tempdir().unwrap());
    let extra: Vec<(String, String)> = (0..50).map(|n| (format!("/extra/{n}"), format!("extra{n}"))).collect();
    let extra: Vec<(&str, &str)> = extra.iter().map(|(path, id)| (path.as_str(), id.as_str())).collect();
    let (base, path) = (format!("http://{}", service()), write(folder.path(), &document(&extra)));
    let arguments = ["--openapi", &path, "--base-url", &base, "--toolsets", "api", "--read-only"];
    let mut server = installation.serve_stdio(&arguments);
    server.open(Era::INITIALIZED);
    let listed = server.ask("tools/list", json!({}));
    assert_eq!(names(&listed), ["api_call", "api_describe", "api_search"]);
    let found = server.call("api_search", json!({"query": "list notes"}));
    assert_eq!(found["result"]["structuredContent"]["operations"][0]["operation"], "notes_listNotes", "{found}");
    let answer = server.call("api_call", json!({"operation": "notes_listNotes", "arguments": {"tag": ["x"]}}));
    assert_eq!(answer["result"]["structuredContent"]["result"][0]["query"], "tag=x", "{answer}");
    let refused =
        server.call("api_call", json!({"operation": "notes_createNote", "arguments": {"body": {"text": "x"}}}));
    assert!(refused["result"]["content"][0]["text"].as_str().unwrap().contains("no operation is named"), "{refused}");
}

#[test]
fn a_changed_document_changes_the_tools_and_a_broken_one_does_not() {
    let (installation, folder) = (installation(), tempfile::tempdir().unwrap());
    let path = write(folder.path(), &document(&[]));
    let mut server = installation.serve_stdio(&["--openapi", &path, "--toolsets", "api"]);
    server.open(Era::INITIALIZED);
    let before = names(&server.ask("tools/list", json!({})));
    assert!(!before.contains(&"notes_added".to_owned()));
    write(folder.path(), &document(&[("/added", "added")]));
    assert_eq!(server.receive()["method"], "notifications/tools/list_changed");
    assert!(names(&server.ask("tools/list", json!({}))).contains(&"notes_added".to_owned()));
    write(folder.path(), "{\"openapi\": \"3.0");
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    assert!(names(&server.ask("tools/list", json!({}))).contains(&"notes_added".to_owned()));
}

#[test]
fn a_subscription_of_the_newest_revision_is_told_too() {
    let (installation, folder) = (installation(), tempfile::tempdir().unwrap());
    let path = write(folder.path(), &document(&[]));
    let mut server = installation.serve_stdio(&["--openapi", &path, "--toolsets", "api"]);
    server.open(Era::PerRequest);
    server.request("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));
    assert_eq!(server.receive()["method"], "notifications/subscriptions/acknowledged");
    write(folder.path(), &document(&[("/added", "added")]));
    assert_eq!(server.receive()["method"], "notifications/tools/list_changed");
    assert!(names(&server.ask("tools/list", json!({}))).contains(&"notes_added".to_owned()));
}

/// Reads on until these words have come.
#[track_caller]
fn read_until(connection: &mut impl Read, seen: &mut String, words: &str) {
    let mut bytes = [0; 4096];
    while !seen.contains(words) {
        let length = connection.read(&mut bytes).unwrap_or_else(|error| panic!("no {words} ({error}): {seen}"));
        assert!(length > 0, "the stream ended before {words}: {seen}");
        seen.push_str(&String::from_utf8_lossy(&bytes[..length]));
    }
}

/// The stream of a subscription is one answer that lasts: acknowledged, told of the change, and ended with its result.
#[test]
fn a_subscription_over_http_is_told_and_ended_with_the_server() {
    let (installation, folder) = (installation(), tempfile::tempdir().unwrap());
    let path = write(folder.path(), &document(&[]));
    let mut http = installation.serve_http(&["--openapi", &path, "--toolsets", "api"]);
    let offered = http.ask("server/discover", json!({}));
    assert_eq!(offered["result"]["capabilities"]["tools"]["listChanged"], true, "{offered}");
    let mut stream = http.connect();
    let listen = json!({"notifications": {"toolsListChanged": true, "promptsListChanged": true}});
    stream.write_all(&http.post(&http.era.request(7, "subscriptions/listen", listen)).to_bytes()).unwrap();
    let mut seen = String::new();
    read_until(&mut stream, &mut seen, "notifications/subscriptions/acknowledged");
    assert!(seen.contains("text/event-stream") && !seen.contains("promptsListChanged"), "{seen}");
    write(folder.path(), &document(&[("/added", "added")]));
    read_until(&mut stream, &mut seen, "notifications/tools/list_changed");
    assert!(seen.contains("\"io.modelcontextprotocol/subscriptionId\":7"), "{seen}");
    assert!(names(&http.ask("tools/list", json!({}))).contains(&"notes_added".to_owned()));
    http.process().terminate();
    stream.read_to_string(&mut seen).unwrap();
    assert!(seen.contains("\"id\":7,\"result\""), "{seen}");
    assert!(http.process().wait_for_exit(testkit::PATIENCE).success());
}

#[test]
fn a_client_that_could_not_be_told_is_promised_nothing() {
    let (installation, folder) = (installation(), tempfile::tempdir().unwrap());
    let path = write(folder.path(), &document(&[]));
    let mut http = installation.serve_http(&["--openapi", &path]);
    http.era = Era::INITIALIZED;
    let opened = http.send(&http.post(&http.era.opening(1))).json();
    assert!(opened["result"]["capabilities"]["tools"].get("listChanged").is_none(), "{opened}");
    let stdio = installation.serve_stdio(&["--openapi", &path]).open(Era::INITIALIZED);
    assert_eq!(stdio["result"]["capabilities"]["tools"]["listChanged"], true, "{stdio}");
    let without = installation.serve_stdio(&[]).open(Era::INITIALIZED);
    assert!(without["result"]["capabilities"]["tools"].get("listChanged").is_none(), "{without}");
}

#[test]
fn a_document_that_is_mended_gives_its_tools_while_the_server_runs() {
    let (installation, folder) = (installation(), tempfile::tempdir().unwrap());
    let path = write(folder.path(), "{\"openapi\": \"3.0");
    let mut server = installation.serve_stdio(&["--openapi", &path]);
    server.open(Era::INITIALIZED);
    assert!(!names(&server.ask("tools/list", json!({}))).iter().any(|name| name.starts_with("notes_")));
    write(folder.path(), &document(&[]));
    assert_eq!(server.receive()["method"], "notifications/tools/list_changed");
    assert!(names(&server.ask("tools/list", json!({}))).contains(&"notes_listNotes".to_owned()));
}

#[test]
fn a_document_that_is_none_is_said_and_the_server_starts() {
    let (installation, folder) = (installation(), tempfile::tempdir().unwrap());
    let path = write(folder.path(), "not a document");
    let ran = installation.run(&["api", "list", "--openapi", &path]);
    assert!(ran.errors.contains("gives no tools: it is not an OpenAPI document"), "{}", ran.errors);
    let mut server = installation.serve_stdio(&["--openapi", &path]);
    server.open(Era::INITIALIZED);
    assert!(names(&server.ask("tools/list", json!({}))).contains(&"mongo_find_all".to_owned()));
}

#[test]
fn the_doctor_names_each_document_and_what_it_lacks_but_no_secret() {
    const SECRET: &str = "tm-very-secret-token";
    let (installation, folder) = (installation(), tempfile::tempdir().unwrap());
    let path = write(folder.path(), &document(&[]));
    let base = "http://127.0.0.1:9";
    let apis = |arguments: &[&str], set: bool| {
        let mut command = installation.command(&[&["doctor", "--json"], arguments].concat());
        if set {
            command.env("TRAILMARK_API_NOTES_TOKEN", SECRET);
        }
        let ran = Ran::of(command, "");
        assert!(!ran.output.contains(SECRET) && !ran.errors.contains(SECRET), "{ran:?}");
        let findings = ran.json();
        findings.as_array().unwrap().iter().filter(|finding| finding["subject"] == "apis").cloned().collect::<Vec<_>>()
    };
    assert!(apis(&[], false)[0]["what"].as_str().unwrap().starts_with("no OpenAPI document"));
    let named = ["--openapi", &path, "--base-url", base];
    let [set] = &apis(&named, true)[..] else { panic!("one document") };
    let what = format!("notes: 4 operations of {path}, at {base}/; set: TRAILMARK_API_NOTES_TOKEN");
    assert_eq!(set, &json!({"subject": "apis", "state": "ok", "what": what}));
    let [unset] = &apis(&named, false)[..] else { panic!("one document") };
    assert_eq!(unset["state"], "warning");
    assert!(unset["what"].as_str().unwrap().ends_with("; 1 ask for credentials that are not set"), "{unset}");
    assert!(unset["fix"].as_str().unwrap().contains("set TRAILMARK_API_NOTES_TOKEN, "), "{unset}");
    let [unreachable] = &apis(&["--openapi", &path], true)[..] else { panic!("one document") };
    assert!(unreachable["fix"].as_str().unwrap().contains("--base-url"), "{unreachable}");
    let none = folder.path().join("none.json");
    let several = ["--openapi", &path, "--openapi", &path, "--openapi", none.to_str().unwrap(), "--base-url", base];
    let states: Vec<Value> = apis(&several, true).iter().map(|finding| finding["state"].clone()).collect();
    assert_eq!(states, ["ok", "problem", "problem"]);
}

#[test]
fn a_file_in_the_current_folder_adds_no_document() {
    let (installation, folder) = (installation(), tempfile::tempdir().unwrap());
    let path = write(folder.path(), &document(&[]));
    fs::write(folder.path().join("trailmark.toml"), format!("[[openapi]]\nsource = {path:?}\n")).unwrap();
    let output = installation.command(&["tools"]).current_dir(folder.path()).output().unwrap();
    assert!(!String::from_utf8_lossy(&output.stdout).contains("notes_"), "{output:?}");
    let config = folder.path().join("trailmark.toml");
    let output = installation.command(&["tools", "--config", config.to_str().unwrap()]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("notes_listNotes"), "{output:?}");
}
