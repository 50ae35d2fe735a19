//! Values as JSON and back, without loss.
//!
//! What SQLite's JSON functions do not give back exactly is put in an object: fractions, which JSON also lacks some of, and texts
//! with a zero character. No value of a property is an object by itself.

use graph::Value;
use serde_json::{Value as Json, json};

const FRACTION: &str = "fraction";
const TEXT: &str = "text";

pub(super) fn of_value(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(value) => json!(value),
        Value::Int(number) => json!(number),
        Value::Float(number) => json!({ FRACTION: number.to_bits() }),
        Value::Text(text) if text.contains('\0') => json!({ TEXT: text.replace('\\', "\\\\").replace('\0', "\\0") }),
        Value::Text(text) => json!(**text),
        Value::List(values) => values.iter().map(of_value).collect(),
    }
}

pub(super) fn to_value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => number.as_i64().map_or(Value::Null, Value::Int),
        Json::String(text) => Value::Text(text.as_str().into()),
        Json::Array(values) => Value::List(values.iter().map(to_value).collect()),
        Json::Object(object) => {
            let fraction = object.get(FRACTION).and_then(Json::as_u64).map(|bits| Value::Float(f64::from_bits(bits)));
            let text = || object.get(TEXT).and_then(Json::as_str).map(|text| Value::Text(unescaped(text).into()));
            fraction.or_else(text).unwrap_or(Value::Null)
        }
    }
}

fn unescaped(text: &str) -> String {
    let mut characters = text.chars();
    let mut plain = String::new();
    while let Some(character) = characters.next() {
        plain.push(match character {
            '\\' if characters.next() == Some('0') => '\0',
            other => other,
        });
    }
    plain
}
