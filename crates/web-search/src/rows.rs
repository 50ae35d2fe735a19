//! Results as providers give them: JSON objects that name the same few things in many ways.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde_json::Value;

use crate::answer::EngineFailure;
use crate::cleaning::one_line;
use crate::published::Published;

const TITLES: &[&str] = &["title", "name", "headline", "heading"];
const ADDRESSES: &[&str] = &["url", "link", "href", "uri", "page_url", "pageUrl"];
const SNIPPETS: &[&str] = &["content", "snippet", "description", "summary", "body", "text", "abstract"];
const DATES: &[&str] = &[
    "publishedDate",
    "published_date",
    "publishedAt",
    "published_at",
    "published",
    "pubdate",
    "pubDate",
    "datePublished",
    "date_published",
    "page_age",
    "date",
];
const LONGEST_NAME: usize = 80;
const LONGEST_REASON: usize = 200;
/// More engines than that are not listed.
const MOST_ENGINES: usize = 100;

/// What a provider found, before it is cleaned.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) rows: Vec<Row>,
    /// Engines that are known to have answered.
    pub(crate) engines: BTreeSet<String>,
    pub(crate) failures: Vec<EngineFailure>,
    /// Words that may have been meant.
    pub(crate) corrections: Vec<String>,
    /// What the server said where that holds no results.
    pub(crate) said: Option<String>,
    /// Whether the provider was told which time is meant.
    pub(crate) is_ranged: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    pub(crate) title: String,
    pub(crate) url: String,
    pub(crate) snippet: String,
    pub(crate) published: Option<Published>,
}

impl Row {
    /// `None` for what has no address.
    pub(crate) fn read(value: &Value, now: Timestamp) -> Option<Self> {
        let url = text(value, ADDRESSES)?.to_owned();
        let published = DATES.iter().find_map(|name| Published::read(value.get(name)?, now));
        let title = text(value, TITLES).unwrap_or_default().to_owned();
        Some(Self { title, url, snippet: text(value, SNIPPETS).unwrap_or_default().to_owned(), published })
    }
}

impl Found {
    /// What an object in the form of SearXNG's answers says beside its results.
    pub(crate) fn read_engines(&mut self, answer: &Value) {
        let list = |name: &str| answer.get(name).and_then(Value::as_array).into_iter().flatten();
        let failures = list("unresponsive_engines").filter_map(failure).take(MOST_ENGINES);
        for failure in failures {
            if self.failures.iter().all(|known| known.engine != failure.engine) {
                self.failures.push(failure);
            }
        }
        self.failures.sort_by(|one, other| one.engine.cmp(&other.engine));
        let corrections = list("corrections").filter_map(Value::as_str).take(3);
        self.corrections = corrections.map(|correction| one_line(correction, LONGEST_REASON)).collect();
        let rows = list("results");
        let engines = rows.flat_map(|row| {
            let several = row.get("engines").and_then(Value::as_array).into_iter().flatten();
            several.chain(row.get("engine")).filter_map(Value::as_str)
        });
        self.engines.extend(engines.take(MOST_ENGINES * 10).map(|engine| one_line(engine, LONGEST_NAME)));
    }
}

/// `["name", "reason"]`, or an object of these.
fn failure(value: &Value) -> Option<EngineFailure> {
    let part = |index: usize, name: &str| value.get(index).or_else(|| value.get(name)).and_then(Value::as_str);
    let engine = one_line(part(0, "engine").or(value.as_str())?, LONGEST_NAME);
    let reason =
        part(1, "reason").map_or_else(|| "no reason given".to_owned(), |reason| one_line(reason, LONGEST_REASON));
    Some(EngineFailure { engine, reason })
}

fn text<'a>(value: &'a Value, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| value.get(name)?.as_str().filter(|text| !text.trim().is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_row_is_read_whatever_its_fields_are_called() {
        let now: Timestamp = "2026-11-17T12:00:00Z".parse().unwrap();
        for value in [
            json!({"title": "T", "url": "u", "content": "S", "publishedDate": null, "pubdate": "2026-11-10 08:00:00"}),
            json!({"name": "T", "link": "u", "description": "S", "page_age": "2026-11-10T08:00:00"}),
            json!({"title": "T", "href": "u", "body": "S", "date": "2026-11-10T08:00:00+00:00", "extra": [1]}),
        ] {
            let row = Row::read(&value, now).unwrap();
            assert_eq!((row.title.as_str(), row.url.as_str(), row.snippet.as_str()), ("T", "u", "S"), "{value}");
            assert_eq!(row.published.unwrap().at.to_string(), "2026-11-10T08:00:00Z", "{value}");
        }
        let bare = Row::read(&json!({"url": "u", "title": 5, "content": null}), now).unwrap();
        assert_eq!((bare.title.as_str(), bare.published), ("", None));
        for value in [json!({}), json!("u"), json!(null), json!({"url": ""}), json!({"url": 3})] {
            assert_eq!(Row::read(&value, now), None, "{value}");
        }
    }

    #[test]
    fn engines_and_their_failures_are_read() {
        let mut found = Found::default();
        found.read_engines(&json!({
            "results": [{"engine": "b", "engines": ["a", "b"]}, {"engine": "c"}, {}, 3],
            "unresponsive_engines": [["z", "CAPTCHA"], ["y\u{202e}", "too many\nrequests"], ["z", "again"], "x", [], 7],
            "corrections": ["spelled <b>right</b>", 5],
        }));
        assert_eq!(found.engines.into_iter().collect::<Vec<_>>(), ["a", "b", "c"]);
        let failures: Vec<_> = found.failures.iter().map(|one| format!("{}: {}", one.engine, one.reason)).collect();
        assert_eq!(failures, ["x: no reason given", "y: too many requests", "z: CAPTCHA"]);
        assert_eq!(found.corrections, ["spelled <b>right</b>"]);
    }
}
