//! What a search tool answered, as results: structured content, JSON in a text, or a text for people.

use jiff::Timestamp;
use serde_json::{Deserializer, Value};
use upstream::Answer;

use super::listed;
use crate::rows::{Found, Row};

/// Where lists of results are kept, most likely first.
const LISTS: &[&str] = &[
    "results",
    "items",
    "organic_results",
    "organic",
    "webPages",
    "web",
    "data",
    "hits",
    "pages",
    "documents",
    "value",
];
/// How deep they are kept.
const DEEPEST: u8 = 3;

/// What was found, or what went wrong where the tool says that in words only.
pub(super) fn read(answer: &Answer, now: Timestamp) -> Result<Found, String> {
    if let Some(structured) = &answer.structured
        && let Some(found) = from_values(std::slice::from_ref(structured), now)
    {
        return Ok(found);
    }
    let text = answer.text.trim();
    if let Some(values) = values(text)
        && let Some(found) = from_values(&values, now)
    {
        return Ok(found);
    }
    let rows = listed::rows(text, now);
    if rows.is_empty() && text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("error")) {
        return Err(text.to_owned());
    }
    let said = (rows.is_empty() && !text.is_empty()).then(|| text.to_owned());
    Ok(Found { rows, said, ..Found::default() })
}

/// One JSON value or several, one after the other: some servers send each result as a text of its own.
fn values(text: &str) -> Option<Vec<Value>> {
    if !text.starts_with(['{', '[']) {
        return None;
    }
    Deserializer::from_str(text).into_iter().collect::<Result<_, _>>().ok()
}

fn from_values(values: &[Value], now: Timestamp) -> Option<Found> {
    let mut found = Found::default();
    let mut is_list = false;
    for value in values {
        if let Some(list) = list(value, DEEPEST) {
            is_list = true;
            found.rows.extend(list.iter().filter_map(|row| Row::read(row, now)));
        } else if let Some(row) = Row::read(value, now) {
            is_list = true;
            found.rows.push(row);
        }
        found.read_engines(value);
    }
    is_list.then_some(found)
}

/// The list of results in a value.
fn list(value: &Value, deepest: u8) -> Option<&Vec<Value>> {
    let fields = match value {
        Value::Array(items) => {
            let is_results = items.is_empty() || items.iter().any(|item| item.is_object());
            return is_results.then_some(items);
        }
        Value::Object(fields) if deepest > 0 => fields,
        Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return None,
    };
    LISTS.iter().filter_map(|name| fields.get(*name)).find_map(|inner| list(inner, deepest - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(text: &str, structured: Option<Value>) -> Result<Found, String> {
        let now = "2026-11-17T12:00:00Z".parse().unwrap();
        read(&Answer { text: text.to_owned(), structured }, now)
    }

    fn urls(found: &Found) -> Vec<&str> {
        found.rows.iter().map(|row| row.url.as_str()).collect()
    }

    #[test]
    fn results_are_found_wherever_they_are_kept() {
        let row = json!({"title": "T", "url": "https://a.example/"});
        for answer in [
            json!({"results": [row]}),
            json!([row]),
            json!({"web": {"results": [row]}}),
            json!({"data": {"items": [row]}}),
            json!({"webPages": {"value": [row]}}),
            json!({"organic": [{"link": "https://a.example/", "title": "T"}]}),
        ] {
            assert_eq!(urls(&found(&answer.to_string(), None).unwrap()), ["https://a.example/"], "{answer}");
            assert_eq!(
                urls(&found("Found 1 page.", Some(answer.clone())).unwrap()),
                ["https://a.example/"],
                "{answer}"
            );
        }
        let several = format!("{}\n{}", row, json!({"title": "U", "url": "https://b.example/"}));
        assert_eq!(urls(&found(&several, None).unwrap()), ["https://a.example/", "https://b.example/"]);
    }

    #[test]
    fn what_searxng_says_of_its_engines_comes_through() {
        let answer = json!({"results": [], "unresponsive_engines": [["brave", "too many requests"]]});
        let found = found(&answer.to_string(), None).unwrap();
        assert!(found.rows.is_empty() && found.said.is_none());
        assert_eq!(found.failures[0].engine, "brave");
    }

    #[test]
    fn a_text_without_results_is_what_the_server_says() {
        let nothing = found("No results found for \"x\".", None).unwrap();
        assert_eq!((nothing.rows.len(), nothing.said.as_deref()), (0, Some("No results found for \"x\".")));
        assert_eq!(found("Error: API key missing", None).unwrap_err(), "Error: API key missing");
        assert_eq!(found("", None).unwrap().said, None);
        assert!(found("{\"answer\": 42}", None).unwrap().said.is_some());
    }
}
