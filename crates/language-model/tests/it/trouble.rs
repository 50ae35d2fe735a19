//! Everything that is not a reply: refusals, garbage, silence, no server at all.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use language_model::Error;
use testkit::ModelReply;

use crate::{KEY, ask, client, error_of};

#[test]
fn a_status_is_told_with_the_beginning_of_the_answer_and_without_the_key() {
    for status in [400, 401, 404, 429, 500, 503] {
        let body = format!("{{\"error\":\r\n \"no, {KEY} is wrong {}\"}}", "x".repeat(5_000));
        let error = error_of(ModelReply::status(status, &body));
        let Error::Status { status: told, body, .. } = &error else { panic!("{error:?}") };
        assert_eq!(*told, status);
        assert!(body.starts_with("{\"error\": \"no, [key] is wrong xxx") && body.chars().count() == 200, "{body}");
    }
    let empty = error_of(ModelReply::status(500, "")).to_string();
    assert!(empty.ends_with("answered with status 500"), "{empty}");
}

#[test]
fn a_redirect_is_not_followed() {
    let elsewhere = testkit::ModelServer::start(vec![ModelReply::text("RETURN 1")]);
    let moved = format!("HTTP/1.1 307 Moved\r\nlocation: {}\r\ncontent-length: 0\r\n\r\n", elsewhere.base_url());
    let error = error_of(ModelReply::Raw(moved.into_bytes()));
    assert!(matches!(error, Error::Status { status: 307, .. }), "{error:?}");
    assert_eq!(elsewhere.requests().len(), 0);
}

#[test]
fn what_is_no_completion_is_told_as_such() {
    for body in ["<html>Welcome</html>", "[]", "{}", r#"{"choices":[]}"#, r#"{"error":{"message":"no"}}"#, "\u{0}\u{1}"]
    {
        let error = error_of(ModelReply::status(200, body));
        assert!(matches!(error, Error::NotACompletion { .. }), "{body}: {error:?}");
    }
    let error = error_of(ModelReply::Raw(b"HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n\xff\xfe\xfd".to_vec()));
    assert!(matches!(error, Error::NotACompletion { .. }), "{error:?}");
}

#[test]
fn an_empty_reply_is_told_as_such() {
    for text in ["", " \n"] {
        assert!(matches!(error_of(ModelReply::text(text)), Error::Empty { .. }), "{text:?}");
    }
}

#[test]
fn a_server_that_breaks_off_or_speaks_something_else_is_a_lost_connection() {
    for bytes in ["", "SSH-2.0-Some\r\n", "HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{\"choices\":"] {
        let error = error_of(ModelReply::Raw(bytes.as_bytes().to_vec()));
        assert!(matches!(error, Error::Lost { .. }), "{bytes:?}: {error:?}");
    }
}

#[test]
fn silence_ends_with_the_time_limit() {
    let began = Instant::now();
    let error = error_of(ModelReply::Silence);
    assert!(matches!(error, Error::Timeout { .. }), "{error:?}");
    assert!(error.to_string().ends_with("did not answer within 0.7 s"), "{error}");
    assert!((Duration::from_millis(650)..Duration::from_secs(5)).contains(&began.elapsed()), "{:?}", began.elapsed());
    let half =
        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n3\r\n{\"c".to_vec();
    let error = error_of(ModelReply::Raw(half));
    assert!(matches!(error, Error::Timeout { .. } | Error::Lost { .. }), "{error:?}");
}

#[test]
fn an_answer_without_end_is_cut_off() {
    let error = error_of(ModelReply::Endless);
    assert!(matches!(error, Error::TooLong { most: 262_144, .. }), "{error:?}");
    let large = format!(r#"{{"choices":[{{"message":{{"content":"{}"}}}}]}}"#, "x".repeat(300_000));
    assert!(matches!(error_of(ModelReply::status(200, &large)), Error::TooLong { .. }));
}

#[test]
fn where_nobody_listens_there_is_no_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let client = client(&format!("http://{address}/v1?token=hidden"));
    let error = ask(&client).unwrap_err();
    assert!(matches!(error, Error::NoConnection { .. }), "{error:?}");
    let shown = format!("{error} {error:?} {client:?} {client:#?}");
    assert!(shown.contains(&address.to_string()), "{shown}");
    assert!(!shown.contains(KEY) && !shown.contains("hidden"), "{shown}");
}

#[test]
fn a_secure_address_that_speaks_plainly_is_an_error_in_time() {
    let server = testkit::ModelServer::start(vec![ModelReply::text("RETURN 1")]);
    let error = ask(&client(&server.base_url().replace("http://", "https://"))).unwrap_err();
    assert!(matches!(error, Error::NoConnection { .. } | Error::NoSecurity { .. }), "{error:?}");
    assert_eq!(server.requests().iter().filter(|request| request.authorization.is_some()).count(), 0);
}
