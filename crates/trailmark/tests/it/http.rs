//! The server on a port and on a socket: who may come in, and that all who may are served.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::json;
use testkit::{Era, HttpClient, HttpRequest, HttpServer, PATIENCE};

use crate::sample::{data, document, installation, saved_id};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn list_tools(server: &HttpServer) -> HttpRequest {
    server.post(&server.era.request(1, "tools/list", json!({})))
}

#[test]
fn the_token_is_made_at_the_first_start_for_its_owner_only_and_kept() {
    let installation = installation();
    let file = installation.home().join("http-token");
    assert!(!file.exists());
    let first = installation.serve_http(&[]);
    assert_eq!(mode(&file), 0o600);
    let token = first.token().unwrap().to_owned();
    assert!(token.len() >= 32, "{} characters", token.len());
    assert_eq!(first.send(&list_tools(&first)).status, 200);
    drop(first);
    assert_eq!(installation.serve_http(&[]).token(), Some(token.as_str()));
}

#[test]
fn a_request_without_the_right_token_is_told_where_to_find_it() {
    let installation = installation();
    let server = installation.serve_http(&[]);
    let token = server.token().unwrap().to_owned();
    let request = list_tools(&server);
    for authorization in [
        None,
        Some(String::new()),
        Some("Bearer".to_owned()),
        Some("Bearer wrong".to_owned()),
        Some(format!("Bearer {token}x")),
        Some(format!("Bearer {}", &token[1..])),
        Some(format!("Basic {token}")),
        Some(token.clone()),
    ] {
        let without = request.clone().without("Authorization");
        let response = server.send(&match &authorization {
            Some(value) => without.header("Authorization", value),
            None => without,
        });
        assert_eq!(response.status, 401, "{authorization:?}: {response:?}");
        assert_eq!(response.header("www-authenticate"), Some("Bearer realm=\"trailmark\""));
        let message = response.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(message.contains("Authorization: Bearer TOKEN") && message.contains("trailmark doctor"), "{message}");
        assert!(!response.body.contains(&token), "the token is never told");
    }
    assert_eq!(server.send(&request.header("Authorization", &format!("bearer {token}"))).status, 200);
}

#[test]
fn a_token_can_be_given_by_the_environment_and_must_be_long_enough() {
    let installation = installation();
    let serve = |token: &str| {
        let mut command = installation.command(&["serve", "--http", "127.0.0.1:0"]);
        command.env("TRAILMARK_TOKEN", token);
        command
    };
    let server = HttpServer::start(serve("a-token-of-my-own-0123456789"), None);
    assert_eq!(server.send(&list_tools(&server)).status, 401);
    let request = list_tools(&server).header("Authorization", "Bearer a-token-of-my-own-0123456789");
    assert_eq!(server.send(&request).status, 200);
    assert!(!installation.home().join("http-token").exists(), "no token is made when one is given");
    let ran = testkit::Ran::of(serve("short"), "").expect_code(2);
    assert!(ran.errors.contains("has 5 characters; it needs at least 16"), "{ran:?}");
    assert!(!ran.errors.contains("short"), "no token is ever printed: {ran:?}");
}

#[test]
fn no_token_is_asked_for_on_loopback_when_that_is_wished_and_never_beyond() {
    let installation = installation();
    let server = installation.serve_http(&["--no-auth"]);
    assert_eq!(server.token(), None, "no token is made");
    assert_eq!(server.send(&list_tools(&server)).status, 200);
    let ran = installation.run(&["serve", "--http", "0.0.0.0:0", "--no-auth"]).expect_code(2);
    assert!(ran.errors.contains("--no-auth is allowed on a loopback address only"), "{ran:?}");
    let ran = installation.run(&["serve", "--no-auth"]).expect_code(2);
    assert!(ran.errors.contains("--http"), "{ran:?}");
}

#[test]
fn beyond_loopback_a_token_is_required() {
    let installation = installation();
    let command = installation.command(&["serve", "--http", "0.0.0.0:0"]);
    let server = HttpServer::start(command, Some(&installation.home().join("http-token")));
    let request = list_tools(&server).header("Host", "localhost");
    assert_eq!(server.send(&request).status, 200);
    assert_eq!(server.send(&request.without("Authorization")).status, 401);
}

#[test]
fn a_socket_is_for_its_owner_only_and_needs_no_token() {
    let installation = installation();
    let socket = installation.home().join("trailmark.sock");
    let serve = || installation.command(&["serve", "--unix-socket", socket.to_str().unwrap()]);
    let mut server = HttpServer::start(serve(), None);
    assert_eq!(mode(&socket), 0o600);
    let id = saved_id(&server.call("mongo_save_document", document("socket")));
    assert_eq!(data(&server.call("mongo_find_by_id", json!({"id": id})))["topic"], "socket");

    let ran = testkit::Ran::of(serve(), "").expect_code(2);
    assert!(ran.errors.contains("another server is listening"), "{ran:?}");
    server.process().kill();
    assert!(socket.exists(), "a killed server leaves its socket behind");
    let mut next = HttpServer::start(serve(), None);
    assert_eq!(data(&next.call("mongo_find_by_id", json!({"id": id})))["topic"], "socket");
    next.process().terminate();
    next.process().wait_for_exit(PATIENCE);
    assert!(!socket.exists(), "a server that ends takes its socket away");
}

#[test]
fn a_file_that_is_no_socket_is_not_taken_over() {
    let installation = installation();
    let file = installation.home().join("precious");
    fs::write(&file, "keep me").unwrap();
    let ran = installation.run(&["serve", "--unix-socket", file.to_str().unwrap()]).expect_code(2);
    assert!(ran.errors.contains("cannot listen"), "{ran:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "keep me");
}

#[test]
fn a_supervisor_can_ask_for_health_without_a_token() {
    let installation = installation();
    let server = installation.serve_http(&[]);
    let response = server.send(&server.request("GET", "/healthz"));
    assert_eq!((response.status, response.body.as_str()), (200, "ok"));
}

#[test]
fn clients_of_every_revision_are_served_and_the_older_ones_need_no_session() {
    let installation = installation();
    let mut server = installation.serve_http(&[]);
    for revision in Era::INITIALIZE {
        server.era = Era::Initialize(revision);
        let response = server.send(&server.post(&server.era.opening(1)));
        assert_eq!(response.json()["result"]["protocolVersion"], revision);
        let initialized = server.post(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        assert_eq!(server.send(&initialized).status, 202, "{revision}");
        assert_eq!(data(&server.call("mongo_find_all", json!({}))), &json!({"items": []}), "{revision}");
    }
    server.era = Era::PerRequest;
    let discovered = server.send(&server.post(&server.era.opening(1))).json();
    assert_eq!(discovered["result"]["supportedVersions"].as_array().unwrap().len(), 5);
    assert_eq!(data(&server.call("mongo_find_all", json!({}))), &json!({"items": []}));
}

#[test]
fn a_port_that_is_taken_is_named() {
    let installation = installation();
    let server = installation.serve_http(&[]);
    let ran = installation.run(&["serve", "--http", &server.host()]).expect_code(2);
    assert!(ran.errors.contains(&format!("cannot listen on {}", server.host())), "{ran:?}");
    assert!(ran.errors.contains("choose another port"), "{ran:?}");
}

#[test]
fn twenty_clients_at_once_store_everything_they_are_told_was_stored() {
    const CLIENTS: usize = 20;
    const SAVES: usize = 5;
    let installation = installation();
    let server = installation.serve_http(&[]);
    let save = |client: HttpClient| -> Vec<String> {
        (0..SAVES).map(|_| saved_id(&client.call("mongo_save_document", document("shared")))).collect()
    };
    let ids: BTreeSet<String> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|_| (*server).clone()).collect();
        let clients: Vec<_> = clients.into_iter().map(|client| scope.spawn(move || save(client))).collect();
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
    });
    assert_eq!(ids.len(), CLIENTS * SAVES);
    for id in ids {
        assert_eq!(data(&server.call("mongo_find_by_id", json!({"id": id})))["id"], id);
    }
}
