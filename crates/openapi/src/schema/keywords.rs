//! Single schemas in the words of JSON Schema 2020-12: types, null, counts and numbers.

use serde_json::{Map, Value, json};

/// `allOf` of one part is that part.
pub(super) fn merge_only_part(schema: &mut Map<String, Value>) {
    let Some(Value::Array(parts)) = schema.get("allOf") else { return };
    let [Value::Object(only)] = parts.as_slice() else { return };
    if only.iter().all(|(keyword, _)| keyword == "description" || !schema.contains_key(keyword)) {
        let only = only.clone();
        schema.remove("allOf");
        for (keyword, value) in only {
            schema.entry(keyword).or_insert(value);
        }
    }
}

/// The same schema, or null. What the schema says about itself stays outside.
pub(super) fn or_null(schema: Value) -> Value {
    let Value::Object(mut keywords) = schema else { return schema };
    let is_choice = keywords.keys().all(|keyword| keyword == "anyOf" || keyword == "description");
    if let Some(Value::Array(forms)) = keywords.get_mut("anyOf").filter(|_| is_choice) {
        let null = json!({"type": "null"});
        if !forms.contains(&null) {
            forms.push(null);
        }
        return Value::Object(keywords);
    }
    let mut outer = Map::new();
    for keyword in ["description", "default", "examples"] {
        if let Some(value) = keywords.shift_remove(keyword) {
            outer.insert(keyword.to_owned(), value);
        }
    }
    outer.insert("anyOf".to_owned(), json!([keywords, {"type": "null"}]));
    Value::Object(outer)
}

pub(super) fn put_first(mut schema: Map<String, Value>, keyword: &str, value: Value) -> Value {
    schema.shift_insert(0, keyword.to_owned(), value);
    Value::Object(schema)
}

/// The types that are named, in the words of JSON Schema.
pub(super) fn types(written: &Map<String, Value>) -> Vec<&'static str> {
    let said: Vec<&str> = match written.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let mut types = Vec::new();
    for name in said.into_iter().filter_map(type_named) {
        if !types.contains(&name) {
            types.push(name);
        }
    }
    types
}

pub(super) fn type_named(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "string" | "str" | "text" | "date" | "datetime" | "date-time" | "file" | "uuid" | "binary" => "string",
        "integer" | "int" | "long" | "int32" | "int64" => "integer",
        "number" | "float" | "double" | "decimal" => "number",
        "boolean" | "bool" => "boolean",
        "object" | "map" | "dict" | "hash" => "object",
        "array" | "list" => "array",
        "null" => "null",
        _ => return None,
    })
}

pub(super) fn is_type(name: &str) -> bool {
    ["string", "integer", "number", "boolean", "object", "array"].contains(&name)
}

/// Many documents leave out what is plain to see.
pub(super) fn implied(schema: &Map<String, Value>) -> Option<&'static str> {
    let has = |keyword: &str| schema.contains_key(keyword);
    if ["allOf", "anyOf", "oneOf", "not", "const", "enum"].iter().any(|keyword| has(keyword)) {
        return None;
    }
    if has("properties") || schema.get("additionalProperties").is_some_and(Value::is_object) {
        return Some("object");
    }
    if has("items") || has("prefixItems") {
        return Some("array");
    }
    has("pattern").then_some("string")
}

pub(super) fn is_nested(written: &Map<String, Value>) -> bool {
    [
        "properties",
        "items",
        "allOf",
        "anyOf",
        "oneOf",
        "additionalProperties",
        "patternProperties",
        "prefixItems",
        "not",
        "if",
    ]
    .iter()
    .any(|keyword| written.get(*keyword).is_some_and(|value| !value.is_boolean()))
}

pub(super) fn is_read_only(property: &Value) -> bool {
    property.get("readOnly") == Some(&Value::Bool(true))
}

/// A whole number from 0 up, also where it was written as a text.
pub(super) fn count(value: &Value) -> Option<Value> {
    let number = number(value)?;
    let whole = number
        .as_u64()
        .or_else(|| number.as_f64().filter(|n| n.fract() == 0.0 && (0.0..9e15).contains(n)).map(|n| n as u64));
    whole.map(Value::from)
}

pub(super) fn number(value: &Value) -> Option<Value> {
    match value {
        Value::Number(_) => Some(value.clone()),
        Value::String(text) => serde_json::from_str::<Value>(text.trim()).ok().filter(Value::is_number),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}
