//! Everything that is no answer: refusals, garbage, silence, too much, no server at all.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use serde_json::json;
use testkit::{ModelReply, ModelServer};
use web_search::{Error, Limits};

use crate::{PASSWORD, answers, engines, find, limits, reply, results, searxng, searxng_with, told};

/// The error that comes of this reply, whatever number of requests it takes.
async fn failure(replies: Vec<ModelReply>) -> (Error, String, usize) {
    let server = ModelServer::start(replies);
    let search = searxng(&server.base_url());
    let error = find(&search, "x").await.unwrap_err();
    let message = told(&search, &error);
    (error, message, server.requests().len())
}

#[tokio::test]
async fn a_refusal_says_how_json_is_switched_on() {
    let (error, message, requests) =
        failure(vec![reply(403, "content-type: text/html\r\n", "<html>Forbidden</html>")]).await;
    assert!(matches!(error, Error::JsonRefused { .. }), "{error:?}");
    assert!(message.contains("does not answer in JSON (status 403)"), "{message}");
    assert!(error.hint().unwrap().contains("`search.formats`"), "{error:?}");
    assert_eq!(requests, 1, "it is not asked again");
}

#[tokio::test]
async fn a_limit_says_when_to_try_again_and_is_kept() {
    let server = ModelServer::start(vec![reply(429, "retry-after: 7\r\n", "slow down")]);
    let search = searxng(&server.base_url());
    let error = find(&search, "x").await.unwrap_err();
    assert!(told(&search, &error).ends_with("wants fewer requests (status 429); try again in 7 s"), "{error}");
    assert_eq!(error.retry_after(), Some(Duration::from_secs(7)));
    assert!(error.hint().unwrap().contains("limiter.toml"));
    let error = find(&search, "other").await.unwrap_err();
    assert!(matches!(error, Error::Resting { .. }) && error.retry_after() > Some(Duration::from_secs(5)), "{error:?}");
    assert!(told(&search, &error).contains("asked for a pause; try again in "), "{error}");
    assert_eq!(server.requests().len(), 1, "it is left alone");
    let (_, message, _) = failure(vec![reply(429, "", "")]).await;
    assert!(message.ends_with("try again in a minute or later"), "{message}");
}

#[tokio::test]
async fn where_no_engine_answered_that_is_an_error_with_their_reasons() {
    let blocked = json!([["beta", "too many requests"], ["alpha", "Suspended: CAPTCHA"]]);
    let nothing = results(json!([]), blocked);
    let (error, message, requests) = failure(vec![nothing.clone(), nothing.clone(), engines(&["alpha", "beta"])]).await;
    assert!(matches!(error, Error::NothingRan { is_all: true, .. }), "{error:?}");
    assert!(
        message.ends_with(
            "found nothing, and none of its engines answered: alpha (Suspended: CAPTCHA), beta (too many requests)"
        ),
        "{message}"
    );
    assert_eq!((error.engines().len(), requests), (2, 3));
    let (error, message, _) = failure(vec![nothing.clone(), nothing, reply(404, "", "")]).await;
    assert!(matches!(error, Error::NothingRan { is_all: false, .. }), "{error:?}");
    assert!(message.contains("some of its engines did not answer"), "{message}");
    let (_, message, _) =
        failure(vec![results(json!([]), json!([])), results(json!([]), json!([])), engines(&[])]).await;
    assert!(message.ends_with("found nothing, and no engine is switched on there"), "{message}");
}

#[tokio::test]
async fn what_is_no_answer_is_named() {
    for (body, kind, told) in [
        ("{\"results\": [{\"url\": \"htt", "application/json", "it is not JSON: EOF while parsing a string at line 1"),
        ("<html>Welcome</html>", "text/html; charset=utf-8", "it is a web page, not JSON"),
        ("", "text/plain", "it is not JSON: EOF while parsing a value"),
        ("[]", "application/json", "it has no list `results`"),
        ("{\"error\": \"search error\"}", "application/json", "it has no list `results`: search error"),
        ("{\"results\": {}}", "application/json", "it has no list `results`"),
    ] {
        let (error, message, requests) = failure(vec![reply(200, &format!("content-type: {kind}\r\n"), body)]).await;
        assert!(matches!(error, Error::Malformed { .. }), "{body}: {error:?}");
        assert!(message.contains("cannot be understood") && message.contains(told), "{body}: {message}");
        assert_eq!(requests, 1);
    }
}

#[tokio::test]
async fn too_much_is_refused() {
    let rows: Vec<_> =
        (0..5_000).map(|n| json!({"url": format!("https://a.example/{n}"), "content": "x".repeat(1_000)})).collect();
    let body = json!({"results": rows});
    assert!(body.to_string().len() > 5_000_000);
    for reply in [answers(&body), ModelReply::Endless] {
        let (error, message, requests) = failure(vec![reply]).await;
        assert!(matches!(error, Error::TooLong { most: 2_097_152, .. }), "{error:?}");
        assert!(message.ends_with("answered with more than 2097152 bytes, which is no list of results"), "{message}");
        assert_eq!(requests, 1);
    }
}

#[tokio::test]
async fn silence_ends_with_the_time_limit() {
    let server = ModelServer::start(vec![ModelReply::Silence]);
    let search = searxng_with(&server.base_url(), Limits { total: Duration::from_millis(700), ..limits() });
    let began = Instant::now();
    let error = find(&search, "x").await.unwrap_err();
    assert!(matches!(error, Error::Timeout { .. }), "{error:?}");
    assert!(told(&search, &error).ends_with("did not answer within 0.7 s"), "{error}");
    assert!((Duration::from_millis(650)..Duration::from_secs(5)).contains(&began.elapsed()), "{:?}", began.elapsed());
}

#[tokio::test]
async fn what_may_pass_is_tried_once_more() {
    let found = results(json!([{"url": "https://a.example/"}]), json!([]));
    let server = ModelServer::start(vec![reply(503, "", "busy"), found.clone()]);
    assert_eq!(find(&searxng(&server.base_url()), "x").await.unwrap().items.len(), 1);
    let server = ModelServer::start(vec![ModelReply::Raw(Vec::new()), found]);
    assert_eq!(find(&searxng(&server.base_url()), "x").await.unwrap().items.len(), 1);
    let (_, message, requests) =
        failure(vec![reply(503, "", &format!("no, {PASSWORD} and v3ry s3cret are wrong"))]).await;
    assert!(message.ends_with("answered with status 503: no, [hidden] and [hidden] are wrong"), "{message}");
    assert_eq!(requests, 2);
    let (error, _, requests) = failure(vec![reply(400, "", "{\"error\": \"Invalid value\"}")]).await;
    assert!(error.to_string().ends_with("status 400: Invalid value"), "{error}");
    assert_eq!(requests, 1, "this does not pass");
    let (error, ..) = failure(vec![reply(401, "", "")]).await;
    assert!(matches!(error, Error::Unauthorised { .. }), "{error:?}");
    let (error, ..) = failure(vec![reply(404, "", "<html>")]).await;
    assert!(error.to_string().ends_with("status 404") && error.hint().unwrap().contains("before /search"), "{error}");
}

#[tokio::test]
async fn a_way_to_another_host_is_not_gone() {
    let elsewhere = ModelServer::start(vec![results(json!([{"url": "https://a.example/"}]), json!([]))]);
    let moved = reply(302, &format!("location: {}/search?key=v3ry\r\n", elsewhere.base_url()), "");
    let (error, message, _) = failure(vec![moved]).await;
    assert!(matches!(error, Error::Redirected { .. }), "{error:?}");
    assert!(message.contains(elsewhere.base_url().trim_end_matches("/v1")), "{message}");
    assert_eq!(elsewhere.requests().len(), 0);
    let near = reply(301, "location: /v1/search/?q=x\r\n", "");
    let server = ModelServer::start(vec![near, results(json!([{"url": "https://a.example/"}]), json!([]))]);
    assert_eq!(find(&searxng(&server.base_url()), "x").await.unwrap().items.len(), 1);
    assert!(server.requests()[1].authorization.is_some());
    let around = reply(302, "location: /v1/search?again\r\n", "");
    let (error, _, requests) = failure(vec![around]).await;
    assert!(matches!(error, Error::Redirected { .. }) && requests <= 5, "{error:?} {requests}");
}

#[tokio::test]
async fn where_nobody_listens_there_is_no_connection() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let search = searxng(&format!("http://{closed}"));
    let error = find(&search, "x").await.unwrap_err();
    assert!(matches!(error, Error::NoConnection { .. }), "{error:?}");
    assert!(told(&search, &error).starts_with(&format!("no connection to SearXNG at {closed}: ")), "{error}");
    let server = ModelServer::start(vec![results(json!([]), json!([]))]);
    let search = searxng(&server.base_url().replace("http://", "https://"));
    let error = find(&search, "x").await.unwrap_err();
    assert!(matches!(error, Error::NoConnection { .. } | Error::NoSecurity { .. }), "{error:?}");
    assert_eq!(server.requests().iter().filter(|request| request.authorization.is_some()).count(), 0);
}

#[tokio::test]
async fn more_than_a_host_should_be_asked_wait_or_are_told_when() {
    let server = ModelServer::start(vec![results(json!([{"url": "https://a.example/"}]), json!([]))]);
    let step = Duration::from_millis(300);
    let total = Duration::from_millis(700);
    let search = searxng_with(&server.base_url(), Limits { burst: 2, step, total, ..limits() });
    let searches = (0..6).map(|n| {
        let (search, words) = (&search, n.to_string());
        async move { find(search, &words).await }
    });
    let outcomes = futures::future::join_all(searches).await;
    let refused: Vec<&Error> = outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).collect();
    assert_eq!(outcomes.len() - refused.len(), 4, "two at once and two in steps: {refused:?}");
    assert!(refused.iter().all(|error| matches!(error, Error::Crowded { .. })), "{refused:?}");
    assert!(told(&search, refused[0]).ends_with("try again in 1 s"), "{refused:?}");
    assert_eq!(server.requests().len(), 4);
}
