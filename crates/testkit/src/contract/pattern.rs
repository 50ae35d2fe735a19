//! Values with placeholders: filled in for a call, compared with an answer.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Map, Value};

/// Stands for a number inside of a text.
const DECIMAL: &str = "<decimal>";

/// What names stand for in one case.
#[derive(Debug, Default)]
pub(super) struct Bindings(BTreeMap<String, String>);

impl Bindings {
    pub(super) fn bind(&mut self, name: &str, value: impl Into<String>) {
        self.0.insert(name.to_owned(), value.into());
    }

    /// The value with every known name and every repetition replaced.
    pub(super) fn fill(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.fill_text(text)),
            Value::Array(items) => items.iter().map(|item| self.fill(item)).collect(),
            Value::Object(fields) => {
                let filled = fields.iter().map(|(name, field)| (name.clone(), self.fill(field)));
                Value::Object(filled.collect::<Map<_, _>>())
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }

    fn fill_text(&self, text: &str) -> String {
        let mut filled = text.to_owned();
        for (name, value) in &self.0 {
            filled = filled.replace(&format!("<{name}>"), value);
        }
        repetition(&filled).unwrap_or(filled)
    }

    /// Where the value differs from the pattern, if it does; names in the pattern are bound on the way.
    pub(super) fn difference(&mut self, pattern: &Value, value: &Value) -> Option<String> {
        self.difference_at("", &self.fill(pattern), value)
    }

    fn difference_at(&mut self, path: &str, pattern: &Value, value: &Value) -> Option<String> {
        match (pattern, value) {
            (Value::Object(expected), Value::Object(fields)) => {
                let names = expected.keys().chain(fields.keys().filter(|name| !expected.contains_key(*name)));
                names.cloned().collect::<Vec<_>>().iter().find_map(|name| {
                    let path = format!("{path}/{name}");
                    match (expected.get(name), fields.get(name)) {
                        (Some(expected), Some(field)) => self.difference_at(&path, expected, field),
                        (Some(_), None) => Some(format!("{path} is missing")),
                        (None, _) => Some(format!("{path} should not be there")),
                    }
                })
            }
            (Value::Array(expected), Value::Array(items)) if expected.len() == items.len() => {
                let pairs = expected.iter().zip(items).enumerate();
                pairs
                    .into_iter()
                    .find_map(|(at, (expected, item))| self.difference_at(&format!("{path}/{at}"), expected, item))
            }
            (Value::String(text), _) if self.stands_for(text, value) => None,
            _ if pattern == value => None,
            _ => Some(format!("{path} must be {}, but is {}", shown(pattern), shown(value))),
        }
    }

    fn stands_for(&mut self, pattern: &str, value: &Value) -> bool {
        match pattern {
            "<any>" => return true,
            "<uuid>" => return is_uuid(value),
            "<time>" => return is_time(value),
            "<integer>" => return value.is_i64() || value.is_u64(),
            _ => {}
        }
        let inner = |prefix| pattern.strip_prefix(prefix).and_then(|rest: &str| rest.strip_suffix('>'));
        if let Some(length) = inner("<list of ").and_then(|length| length.parse::<usize>().ok()) {
            return value.as_array().is_some_and(|items| items.len() == length);
        }
        if pattern.contains(DECIMAL) {
            return value.as_str().is_some_and(|text| has_numbers_where(pattern, text));
        }
        let Some(name) = inner("<uuid:").filter(|_| is_uuid(value)) else { return false };
        self.bind(name, value.as_str().unwrap_or_default());
        true
    }
}

/// `in <decimal> s` is `in 0.25 s` and any other number of seconds.
fn has_numbers_where(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split(DECIMAL);
    let first = pieces.next().unwrap_or_default();
    let rest = pieces.try_fold(text.strip_prefix(first), |rest, piece| {
        let rest = rest?;
        let number = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        (number > 0).then(|| rest[number..].strip_prefix(piece))
    });
    rest.flatten().is_some_and(str::is_empty)
}

/// `<3 × ab>` is `ababab`.
fn repetition(text: &str) -> Option<String> {
    let (times, piece) = text.strip_prefix('<')?.strip_suffix('>')?.split_once(" × ")?;
    Some(piece.repeat(times.parse().ok()?))
}

fn is_uuid(value: &Value) -> bool {
    let Some(text) = value.as_str() else { return false };
    let lengths: Vec<usize> = text.split('-').map(str::len).collect();
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b'-');
    lengths == [8, 4, 4, 4, 12] && text.bytes().all(is_digit)
}

/// RFC 3339 in UTC.
fn is_time(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.ends_with('Z') && text.contains('T') && text.parse::<Timestamp>().is_ok())
}

fn shown(value: &Value) -> String {
    const LONGEST: usize = 400;
    let text = value.to_string();
    let head: String = text.chars().take(LONGEST).collect();
    if head.len() < text.len() { format!("{head}… ({} bytes)", text.len()) } else { head }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const ID: &str = "01a1e140-b1e9-733f-afd1-4e8a9e6e4c78";

    #[track_caller]
    fn check(pattern: Value, value: Value, difference: Option<&str>) {
        assert_eq!(Bindings::default().difference(&pattern, &value).as_deref(), difference);
    }

    #[test]
    fn a_difference_names_its_place() {
        check(json!({"a": [1, {"b": 2}]}), json!({"a": [1, {"b": 2}]}), None);
        check(json!({"a": [1, {"b": 2}]}), json!({"a": [1, {"b": 3}]}), Some("/a/1/b must be 2, but is 3"));
        check(json!({"a": 1}), json!({}), Some("/a is missing"));
        check(json!({}), json!({"a": 1}), Some("/a should not be there"));
        check(json!([1]), json!([1, 2]), Some(" must be [1], but is [1,2]"));
        check(json!(null), json!(false), Some(" must be null, but is false"));
    }

    #[test]
    fn a_placeholder_stands_for_its_kind_only() {
        check(json!("<uuid>"), json!(ID), None);
        check(json!("<uuid>"), json!("01a1e140"), Some(" must be \"<uuid>\", but is \"01a1e140\""));
        check(json!("<time>"), json!("2026-01-31T12:00:00.5Z"), None);
        check(json!("<time>"), json!("yesterday"), Some(" must be \"<time>\", but is \"yesterday\""));
        check(json!("<integer>"), json!(3), None);
        check(json!("<integer>"), json!(3.5), Some(" must be \"<integer>\", but is 3.5"));
        check(json!("<list of 2>"), json!([1, 2]), None);
        check(json!("<list of 2>"), json!([1]), Some(" must be \"<list of 2>\", but is [1]"));
        check(json!("in <decimal> s, <decimal>"), json!("in 0.25 s, 7"), None);
        check(json!("in <decimal> s"), json!("in no s"), Some(" must be \"in <decimal> s\", but is \"in no s\""));
        check(json!("in <decimal> s"), json!("in 1 s!"), Some(" must be \"in <decimal> s\", but is \"in 1 s!\""));
        check(json!("<any>"), json!({"a": 1}), None);
        check(json!("<2 × 字>"), json!("字字"), None);
    }

    #[test]
    fn a_name_that_was_bound_stands_for_its_value() {
        let mut bindings = Bindings::default();
        assert_eq!(bindings.difference(&json!({"id": "<uuid:first>"}), &json!({"id": ID})), None);
        assert_eq!(bindings.fill(&json!(["<first>", "at <first>!"])), json!([ID, format!("at {ID}!")]));
        assert_eq!(bindings.difference(&json!("<first>"), &json!(ID)), None);
        assert!(bindings.difference(&json!("<first>"), &json!("else")).is_some());
    }
}
