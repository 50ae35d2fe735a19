//! What differs between a recorded answer and a new one, leaving out what differs every time.

use serde_json::Value;

/// The places where two answers differ, as `path: before → after`; empty when they are the same.
pub(super) fn differences(before: &str, after: &str) -> Vec<String> {
    match (serde_json::from_str::<Value>(before), serde_json::from_str::<Value>(after)) {
        (Ok(before), Ok(after)) => {
            let mut found = Vec::new();
            compare(&before, &after, "", &mut found);
            found
        }
        _ if before == after => Vec::new(),
        _ => vec![format!("text: {} → {}", shown(before), shown(after))],
    }
}

/// Fields that are new on every call.
const VOLATILE: &[&str] = &["traceId", "tookMs", "query_time_ms", "timestamp"];

fn compare(before: &Value, after: &Value, path: &str, found: &mut Vec<String>) {
    match (before, after) {
        (Value::Object(left), Value::Object(right)) => {
            let names = left.keys().chain(right.keys().filter(|name| !left.contains_key(*name)));
            for name in names.filter(|name| !VOLATILE.contains(&name.as_str())) {
                let absent = Value::Null;
                let (left, right) = (left.get(name).unwrap_or(&absent), right.get(name).unwrap_or(&absent));
                compare(left, right, &format!("{path}/{name}"), found);
            }
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            for (index, (left, right)) in left.iter().zip(right).enumerate() {
                compare(left, right, &format!("{path}/{index}"), found);
            }
        }
        (Value::Array(left), Value::Array(right)) => {
            found.push(format!("{path}: {} entries → {} entries", left.len(), right.len()));
        }
        _ if before == after => {}
        _ => found.push(format!("{path}: {} → {}", shown(&before.to_string()), shown(&after.to_string()))),
    }
}

fn shown(text: &str) -> String {
    const LONGEST: usize = 80;
    let head: String = text.chars().take(LONGEST).collect();
    if head.len() < text.len() { format!("{head}…") } else { head }
}

#[cfg(test)]
mod tests {
    use super::differences;

    #[test]
    fn what_is_new_on_every_call_is_no_difference() {
        let before = r#"{"ok":true,"data":{"n":1},"meta":{"traceId":"a","tookMs":1}}"#;
        assert!(differences(before, &before.replace("\"a\"", "\"b\"").replace(":1}}", ":2}}")).is_empty());
    }

    #[test]
    fn a_difference_names_its_place() {
        assert_eq!(differences(r#"{"a":{"b":1}}"#, r#"{"a":{"b":2}}"#), ["/a/b: 1 → 2"]);
        assert_eq!(differences(r#"{"a":[1]}"#, r#"{"a":[1,2]}"#), ["/a: 1 entries → 2 entries"]);
        assert_eq!(differences(r#"{"a":1}"#, "{}"), ["/a: 1 → null"]);
        assert_eq!(differences("plain", "other"), ["text: plain → other"]);
    }
}
