//! The service against a server on this machine that behaves well and badly.

use std::sync::Arc;

use language_model::Endpoint;
use search::embed::{EmbedError, Embedder as _};
use serde_json::json;
use store_sqlite::SqliteVectors;
use tempfile::TempDir;
use testkit::{ModelReply, ModelServer};

use super::Service;

const KEY: &str = "sk-very-secret-0123456789";

/// An answer with a vector for each text of a batch.
fn vectors(vectors: &[&[f32]]) -> ModelReply {
    // Out of order on purpose: the index says which is which.
    let data: Vec<_> =
        vectors.iter().enumerate().rev().map(|(index, vector)| json!({"index": index, "embedding": vector})).collect();
    ModelReply::status(200, &json!({"data": data, "model": "small"}).to_string())
}

fn service(server: &ModelServer, home: &TempDir) -> Service {
    let endpoint = Endpoint::for_embeddings(&server.base_url(), "small", Some(KEY)).unwrap();
    Service::new(endpoint, 1_000, Arc::new(SqliteVectors::open(home.path())))
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// What becomes of these replies, in words that hold no key, and how often the server was asked.
#[track_caller]
fn error_of(replies: Vec<ModelReply>) -> (EmbedError, usize) {
    let (server, home) = (ModelServer::start(replies), tempfile::tempdir().unwrap());
    let error = service(&server, &home).embed(&texts(&["one", "two"])).unwrap_err();
    let shown = format!("{error} {error:?}");
    assert!(!shown.contains(KEY), "{shown}");
    (error, server.requests().len())
}

#[test]
fn vectors_come_in_order_and_are_asked_for_once() {
    let server = ModelServer::start(vec![vectors(&[&[1.0, 0.0], &[0.0, 1.0]])]);
    let home = tempfile::tempdir().unwrap();
    let wanted = texts(&["one", "two", "one"]);
    let made = service(&server, &home).embed(&wanted).unwrap();
    assert_eq!(made[0], made[2]);
    assert!(made[0].nearness(&made[1]).abs() < 0.01);
    let [request] = &server.requests()[..] else { panic!("one request") };
    assert_eq!(request.line, "POST /v1/embeddings");
    assert_eq!(request.authorization.as_deref(), Some(&*format!("Bearer {KEY}")));
    assert_eq!(request.body["model"], "small");
    assert_eq!(request.body["input"].as_array().map(Vec::len), Some(2), "the same text is sent once");
    // Another process, later.
    assert_eq!(service(&server, &home).embed(&wanted).unwrap(), made);
    assert_eq!(service(&server, &home).cost(&wanted).unwrap().texts, 0);
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn the_cost_is_known_before_and_must_be_allowed() {
    let server = ModelServer::start(vec![vectors(&[&[1.0]])]);
    let home = tempfile::tempdir().unwrap();
    let service = service(&server, &home);
    let cost = service.cost(&texts(&["abcd", "abcdefgh", "abcd"])).unwrap();
    assert_eq!((cost.texts, cost.tokens), (2, 3));
    assert!(cost.host.starts_with("127.0.0.1:"));
    assert_eq!(service.agree(&cost), Ok(()));
    let long = service.cost(&["x".repeat(9_000)]).unwrap();
    let error = service.agree(&long).unwrap_err().to_string();
    assert!(error.contains("1 texts, about 2250 tokens") && error.contains("allows 1000"), "{error}");
    let endpoint = Endpoint::for_embeddings(&server.base_url(), "small", None).unwrap();
    let silent = Service::new(endpoint, 0, Arc::new(SqliteVectors::open(home.path())));
    assert!(matches!(silent.embed_question("why"), Err(EmbedError::NotAllowed { .. })));
    assert!(server.requests().is_empty(), "nothing was sent");
}

#[test]
fn a_server_that_is_busy_or_dies_is_asked_again() {
    let busy = ModelReply::Raw(
        b"HTTP/1.1 429 Busy\r\nretry-after: 0\r\nconnection: close\r\ncontent-length: 4\r\n\r\nwait".to_vec(),
    );
    let dead = ModelReply::Raw(b"HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{\"data\": [".to_vec());
    let good = vectors(&[&[1.0, 0.0], &[0.0, 1.0]]);
    for trouble in [busy.clone(), dead, ModelReply::status(503, "later")] {
        let server = ModelServer::start(vec![trouble, good.clone()]);
        let home = tempfile::tempdir().unwrap();
        assert_eq!(service(&server, &home).embed(&texts(&["one", "two"])).unwrap().len(), 2);
        assert_eq!(server.requests().len(), 2);
    }
    let (error, asked) = error_of(vec![busy]);
    assert!(matches!(error, EmbedError::Failed { .. }) && asked == 4, "{error} after {asked}");
}

#[test]
fn what_is_no_answer_is_refused_at_once() {
    let garbage = [
        ModelReply::status(200, "<html>"),
        ModelReply::status(200, r#"{"data": []}"#),
        vectors(&[&[1.0, 0.0]]),
        vectors(&[&[1.0, 0.0], &[1.0]]),
        vectors(&[&[], &[]]),
        vectors(&[&[0.0, 0.0], &[1.0, 0.0]]),
        ModelReply::status(200, r#"{"data": [{"index": 7, "embedding": [1]}, {"index": 0, "embedding": [1]}]}"#),
    ];
    for reply in garbage {
        let (error, asked) = error_of(vec![reply]);
        assert!(matches!(error, EmbedError::Refused { .. }) && asked == 1, "{error}");
    }
    let (error, asked) = error_of(vec![ModelReply::status(401, &format!("wrong key {KEY}"))]);
    assert!(matches!(error, EmbedError::Failed { .. }) && asked == 1, "{error}");
}

#[test]
fn vectors_of_other_dimensions_than_before_are_refused() {
    let replies = vec![vectors(&[&[1.0, 0.0]]), vectors(&[&[1.0, 0.0, 0.0]])];
    let (server, home) = (ModelServer::start(replies), tempfile::tempdir().unwrap());
    service(&server, &home).embed(&texts(&["one"])).unwrap();
    let error = service(&server, &home).embed(&texts(&["one", "two"])).unwrap_err();
    assert!(matches!(error, EmbedError::Refused { .. }), "{error}");
}

#[test]
fn a_question_does_not_wait_for_ever() {
    let (server, home) = (ModelServer::start(vec![ModelReply::Silence]), tempfile::tempdir().unwrap());
    let error = service(&server, &home).embed_question("who waits?").unwrap_err();
    assert!(matches!(error, EmbedError::Timeout { .. }), "{error}");
}

/// What was embedded before the server went away is not paid for again.
#[test]
fn it_goes_on_where_it_was_stopped() {
    let first: Vec<Vec<f32>> = (0..64_u8).map(|number| vec![f32::from(number) + 1.0, 1.0]).collect();
    let first: Vec<&[f32]> = first.iter().map(Vec::as_slice).collect();
    let replies = vec![vectors(&first), ModelReply::status(400, "enough"), vectors(&[&[1.0, 2.0]])];
    let (server, home) = (ModelServer::start(replies), tempfile::tempdir().unwrap());
    let wanted: Vec<String> = (0..65).map(|number| format!("text {number}")).collect();
    service(&server, &home).embed(&wanted).unwrap_err();
    assert_eq!(service(&server, &home).cost(&wanted).unwrap().texts, 1);
    assert_eq!(service(&server, &home).embed(&wanted).unwrap().len(), 65);
    let sent: Vec<usize> =
        server.requests().iter().map(|request| request.body["input"].as_array().map_or(0, Vec::len)).collect();
    assert_eq!(sent, [64, 1, 1]);
}
