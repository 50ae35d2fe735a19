//! What is asked of SearXNG, and what becomes of its answers.

use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use testkit::ModelServer;

use crate::{engines, find, query, results, searxng};

/// So many days ago, as SearXNG writes it: without a zone.
fn days_ago(days: i64) -> String {
    let time = Timestamp::now() - SignedDuration::from_hours(24 * days);
    time.strftime("%Y-%m-%dT%H:%M:%S").to_string()
}

#[tokio::test]
async fn a_question_says_what_is_wanted_and_brings_the_password_in_a_header() {
    let server = ModelServer::start(vec![results(json!([{"url": "https://a.example/", "title": "A"}]), json!([]))]);
    let search = searxng(&server.base_url());
    search.search(&query("  night  trains &c ", 5), 3).await.unwrap();
    let [request] = &server.requests()[..] else { panic!("one request") };
    assert_eq!(request.line, "GET /v1/search?q=night+trains+%26c&format=json&language=zh-CN&time_range=week");
    assert_eq!(request.authorization.as_deref(), Some("Basic cmVhZGVyOnYzcnkgczNjcmV0"));
}

#[tokio::test]
async fn pages_come_once_cleaned_and_dated_where_that_is_known() {
    let rows = json!([
        {"url": "https://www.a.example/x/?utm_source=b", "title": "<b>One</b> \u{202e}page", "content": "of &amp;amp; in\u{200b}visible",
         "publishedDate": days_ago(2), "engines": ["alpha", "beta"]},
        {"url": "magnet:?xt=1", "title": "no page"},
        {"url": "http://a.example/x#part", "title": "again", "engine": "gamma"},
        {"url": "https://b.example/", "title": "Two", "content": null, "publishedDate": null},
        {"url": "https://c.example/", "title": "Old", "publishedDate": days_ago(40)},
        "nonsense", null,
    ]);
    let server = ModelServer::start(vec![results(rows, json!([["delta", "CAPTCHA"]]))]);
    let answer = find(&searxng(&server.base_url()), "x").await.unwrap();
    let shown: Vec<_> =
        answer.items.iter().map(|item| (item.title.as_str(), item.url.as_str(), item.snippet.as_str())).collect();
    assert_eq!(shown, [("One page", "https://www.a.example/x/", "of & invisible"), ("Two", "https://b.example/", "")]);
    let dates: Vec<_> = answer.items.iter().map(|item| item.published_at.map(|date| date.to_string())).collect();
    assert_eq!(dates, [Some(format!("{}Z", days_ago(2))), None]);
    assert!(answer.items.iter().all(|item| item.source == "searxng"));
    assert_eq!(answer.engines, ["alpha", "beta", "gamma"]);
    assert_eq!((answer.failures[0].engine.as_str(), answer.failures[0].reason.as_str()), ("delta", "CAPTCHA"));
    assert_eq!(answer.notes, ["1 page was left out as older than 30 days; a larger recencyDays brings them."]);
}

#[tokio::test]
async fn engines_that_cannot_filter_by_time_do_not_empty_the_answer() {
    let rows = json!([{"url": "https://a.example/", "title": "A"}, {"url": "https://b.example/", "publishedDate": days_ago(99)}]);
    let server = ModelServer::start(vec![results(json!([]), json!([])), results(rows, json!([]))]);
    let answer = find(&searxng(&server.base_url()), "x").await.unwrap();
    assert_eq!(answer.items.len(), 1, "what is known to be too old stays out");
    assert!(
        answer.notes[0].starts_with("Nothing was found with a time range, so it was left out"),
        "{:?}",
        answer.notes
    );
    let lines: Vec<_> = server.requests().iter().map(|request| request.line.contains("time_range=month")).collect();
    assert_eq!(lines, [true, false]);
}

#[tokio::test]
async fn where_all_is_too_old_the_answer_says_so() {
    let rows = json!([{"url": "https://b.example/", "publishedDate": days_ago(99)}]);
    let server = ModelServer::start(vec![results(rows, json!([]))]);
    let answer = find(&searxng(&server.base_url()), "x").await.unwrap();
    assert!(answer.items.is_empty());
    assert_eq!(answer.notes, ["1 page was left out as older than 30 days; a larger recencyDays brings them."]);
}

#[tokio::test]
async fn nothing_found_names_the_engines_that_answered() {
    let blocked = json!([["beta", "too many requests"]]);
    let nothing = results(json!([]), blocked);
    let server = ModelServer::start(vec![nothing.clone(), nothing, engines(&["alpha", "beta"])]);
    let answer = find(&searxng(&server.base_url()), "x").await.unwrap();
    assert!(answer.items.is_empty());
    assert_eq!(answer.engines, ["alpha"]);
    assert_eq!(answer.failures.len(), 1);
    assert_eq!(server.requests()[2].line, "GET /v1/config");
}

#[tokio::test]
async fn what_was_found_is_remembered_and_nothing_else_is() {
    let found = results(json!([{"url": "https://a.example/", "title": "A"}, {"url": "https://b.example/"}]), json!([]));
    let nothing = results(json!([]), json!([]));
    let server = ModelServer::start(vec![nothing.clone(), nothing, engines(&["alpha"]), found]);
    let search = searxng(&server.base_url());
    assert!(find(&search, "x").await.unwrap().items.is_empty());
    assert_eq!(server.requests().len(), 3);
    let first = find(&search, "x").await.unwrap();
    assert_eq!((first.items.len(), first.is_cached, server.requests().len()), (2, false, 4), "asked again");
    let second = search.search(&query(" x ", 30), 1).await.unwrap();
    assert_eq!((second.items.len(), second.is_cached, server.requests().len()), (1, true, 4));
    let other = search.search(&query("x", 29), 1).await.unwrap();
    assert_eq!((other.is_cached, server.requests().len()), (false, 5), "another question");
}

#[tokio::test]
async fn words_that_may_have_been_meant_are_told() {
    let body = json!({"results": [{"url": "https://a.example/"}], "corrections": ["trains"]});
    let server = ModelServer::start(vec![crate::answers(&body)]);
    assert_eq!(find(&searxng(&server.base_url()), "tranis").await.unwrap().notes, ["Did you mean: trains?"]);
}
