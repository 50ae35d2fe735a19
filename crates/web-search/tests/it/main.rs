//! Searches against servers on this machine that behave well and badly.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod failures;
mod mcp;
mod searxng;

use std::time::Duration;

use serde_json::{Value, json};
use testkit::ModelReply;
use web_search::{Answer, Configuration, Error, Limits, Query, WebSearch};

/// With escapes, as an address must write it.
pub(crate) const PASSWORD: &str = "v3ry%20s3cret";

pub(crate) fn limits() -> Limits {
    Limits { total: Duration::from_secs(5), ..Limits::default() }
}

pub(crate) fn searxng(base: &str) -> WebSearch {
    searxng_with(base, limits())
}

pub(crate) fn searxng_with(base: &str, limits: Limits) -> WebSearch {
    let url = base.replace("http://", &format!("http://reader:{PASSWORD}@"));
    WebSearch::new(&Configuration::searxng(url), limits).unwrap()
}

pub(crate) fn query(words: &str, recency_days: u16) -> Query {
    Query { words: words.to_owned(), language: "zh-CN".to_owned(), recency_days }
}

pub(crate) async fn find(search: &WebSearch, words: &str) -> Result<Answer, Error> {
    search.search(&query(words, 30), 20).await
}

/// What went wrong, in words that hold no secret.
#[track_caller]
pub(crate) fn told(search: &WebSearch, error: &Error) -> String {
    let shown = format!("{error} {error:?} {error:#?} {:?} {search:?}", error.hint());
    for secret in [PASSWORD, "v3ry", "s3cret", "reader"] {
        assert!(!shown.contains(secret), "{shown}");
    }
    error.to_string()
}

pub(crate) fn reply(status: u16, headers: &str, body: &str) -> ModelReply {
    let length = body.len();
    let head = format!("HTTP/1.1 {status} Said\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n");
    ModelReply::Raw([head.as_bytes(), body.as_bytes()].concat())
}

pub(crate) fn answers(body: &Value) -> ModelReply {
    reply(200, "content-type: application/json\r\n", &body.to_string())
}

pub(crate) fn results(rows: Value, failures: Value) -> ModelReply {
    answers(&json!({"query": "x", "results": rows, "answers": [], "unresponsive_engines": failures}))
}

/// What `/config` says of these engines, all of them for questions of every kind.
pub(crate) fn engines(names: &[&str]) -> ModelReply {
    let engine =
        |name: &&str| json!({"name": name, "enabled": true, "categories": ["general"], "time_range_support": false});
    let off = json!({"name": "off", "enabled": false, "categories": ["general"]});
    let pictures = json!({"name": "pictures", "enabled": true, "categories": ["images"]});
    let engines: Vec<Value> = names.iter().map(engine).chain([off, pictures]).collect();
    answers(&json!({"engines": engines}))
}
