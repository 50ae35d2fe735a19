//! JSON Schemas from Rust types, in the plain form that every client accepts: no `$ref`, no lists of types, no `format`,
//! no titles.

use schemars::JsonSchema;
use schemars::generate::{Contract, SchemaSettings};
use serde_json::{Map, Value, json};

/// The schema a caller's arguments must meet.
pub(crate) fn of_input<T: JsonSchema>() -> Value {
    let mut schema = generate::<T>(Contract::Deserialize);
    if let Value::Object(root) = &mut schema {
        root.remove("description");
        root.insert("type".into(), json!("object"));
        root.entry("properties").or_insert_with(|| json!({}));
        root.entry("required").or_insert_with(|| json!([]));
        root.insert("additionalProperties".into(), json!(false));
    }
    schema
}

/// The schema a tool's data meets.
pub(crate) fn of_output<T: JsonSchema>() -> Value {
    let mut schema = generate::<T>(Contract::Serialize);
    strip_descriptions(&mut schema);
    schema
}

fn generate<T: JsonSchema>(contract: Contract) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
        settings.contract = contract;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    normalise(&mut schema);
    schema
}

/// Makes one schema and all schemas in it portable.
fn normalise(schema: &mut Value) {
    let Value::Object(keywords) = schema else { return };
    for noise in ["$schema", "title", "format"] {
        keywords.remove(noise);
    }
    if keywords.get("default").is_some_and(Value::is_null) {
        keywords.remove("default");
    }
    drop_null_type(keywords);
    drop_null_branch(keywords);
    for (keyword, value) in keywords.iter_mut() {
        for_each_subschema(keyword, value, &mut normalise);
    }
}

/// `["string", "null"]` becomes `"string"`: an optional argument is left out, not null.
fn drop_null_type(keywords: &mut Map<String, Value>) {
    let Some(Value::Array(names)) = keywords.get_mut("type") else { return };
    names.retain(|name| name != "null");
    if let [only] = names.as_slice() {
        let only = only.clone();
        keywords.insert("type".into(), only);
    }
    if let Some(Value::Array(values)) = keywords.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
}

/// `anyOf: [X, null]` becomes `X`.
fn drop_null_branch(keywords: &mut Map<String, Value>) {
    let Some(Value::Array(branches)) = keywords.get_mut("anyOf") else { return };
    branches.retain(|branch| branch.get("type").is_none_or(|name| name != "null"));
    if let [Value::Object(only)] = branches.as_slice() {
        let only = only.clone();
        keywords.remove("anyOf");
        for (keyword, value) in only {
            keywords.entry(keyword).or_insert(value);
        }
    }
}

fn strip_descriptions(schema: &mut Value) {
    let Value::Object(keywords) = schema else { return };
    keywords.remove("description");
    for (keyword, value) in keywords.iter_mut() {
        for_each_subschema(keyword, value, &mut strip_descriptions);
    }
}

fn for_each_subschema(keyword: &str, value: &mut Value, visit: &mut dyn FnMut(&mut Value)) {
    match (keyword, value) {
        ("properties" | "patternProperties" | "$defs", Value::Object(schemas)) => schemas.values_mut().for_each(visit),
        ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(schemas)) => schemas.iter_mut().for_each(visit),
        ("items" | "additionalProperties" | "not" | "propertyNames", schema) => visit(schema),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::{Deserialize, Serialize};

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Params {
        /// What to look for.
        #[schemars(length(min = 1, max = 200))]
        query: String,
        /// How many.
        #[schemars(range(min = 1, max = 20))]
        limit: Option<u32>,
        kind: Option<Kind>,
        nested: Option<Nested>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        Web,
        User,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Nested {
        url: Option<String>,
    }

    #[test]
    fn optional_and_nested_types_become_plain_schemas() {
        assert_eq!(
            of_input::<Params>(),
            json!({
                "type": "object",
                "properties": {
                    "query": {"description": "What to look for.", "type": "string", "minLength": 1, "maxLength": 200},
                    "limit": {"description": "How many.", "type": "integer", "minimum": 1, "maximum": 20},
                    "kind": {"type": "string", "enum": ["web", "user"]},
                    "nested": {"type": "object", "properties": {"url": {"type": "string"}}},
                },
                "required": ["query"],
                "additionalProperties": false,
            })
        );
    }

    #[test]
    fn output_schemas_carry_no_prose() {
        let schema = of_output::<Params>();
        assert_eq!(schema["properties"]["query"]["description"], Value::Null);
        assert_eq!(schema["properties"]["query"]["type"], "string");
    }
}
