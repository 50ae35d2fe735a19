//! Schemas of arguments: what they keep, what they lose and say so, and that they are valid everywhere.

use openapi::{Api, Credentials};
use serde_json::{Value, json};

use crate::recording::{load, run};

fn api(document: &Value, budget: Option<usize>) -> Api {
    let change = |settings: &mut openapi::ApiSettings| settings.schema_bytes = budget.unwrap_or(settings.schema_bytes);
    let api = run(load(&document.to_string(), change, |_| Credentials::default())).unwrap();
    for operation in &api.operations {
        let schema = &*operation.input_schema;
        assert!(jsonschema::draft202012::meta::is_valid(schema), "{schema}");
        jsonschema::draft202012::new(schema).unwrap();
        assert!(!schema.to_string().contains("\"$ref\""), "{schema}");
    }
    api
}

/// The schema of the body of a document whose components are these.
fn body(version: &str, schema: Value, schemas: Value) -> Value {
    let document = json!({
        "openapi": version, "info": {"title": "T"}, "components": {"schemas": schemas},
        "paths": {"/x": {"post": {"requestBody": {"content": {"application/json": {"schema": schema}}}}}},
    });
    api(&document, None).operations[0].input_schema["properties"]["body"].clone()
}

#[test]
fn keywords_keep_their_meaning() {
    let schema = json!({
        "type": "object", "required": ["a"], "minProperties": 1, "additionalProperties": false,
        "properties": {
            "a": {"type": "string", "enum": ["x", "y"], "default": "x", "minLength": 1, "maxLength": 9, "pattern": "^x"},
            "b": {"type": "integer", "format": "int64", "minimum": 1, "maximum": 9, "multipleOf": 2},
            "c": {"type": "array", "items": {"type": "number"}, "minItems": 1, "uniqueItems": true},
            "d": {"oneOf": [{"type": "string", "format": "date-time"}, {"type": "boolean"}]},
            "e": {"allOf": [{"type": "object", "properties": {"f": {}}}, {"required": ["f"]}]},
            "g": {"not": {"type": "string"}},
        },
    });
    let mut expected = schema.clone();
    expected["properties"]["b"].as_object_mut().unwrap().remove("format");
    assert_eq!(body("3.1.0", schema.clone(), json!({})), expected);
    assert_eq!(body("3.0.3", schema, json!({})), expected);
}

#[test]
fn what_older_drafts_wrote_differently_is_rewritten() {
    let rows = [
        (json!({"type": "string", "nullable": true}), json!({"anyOf": [{"type": "string"}, {"type": "null"}]})),
        (
            json!({"type": "integer", "minimum": 1, "exclusiveMinimum": true}),
            json!({"type": "integer", "exclusiveMinimum": 1}),
        ),
        (json!({"type": "integer", "minimum": 1, "exclusiveMinimum": false}), json!({"type": "integer", "minimum": 1})),
        (json!({"type": "array"}), json!({"type": "array", "items": {}})),
        (json!({"properties": {"a": {}}}), json!({"type": "object", "properties": {"a": {}}})),
        (json!({"type": "string", "example": "x"}), json!({"type": "string", "examples": ["x"]})),
        (
            json!({"type": "string", "maxLength": "5", "minimum": "x", "required": true}),
            json!({"type": "string", "maxLength": 5}),
        ),
        (json!({"type": "string", "pattern": "(?i)x"}), json!({"type": "string"})),
        (json!({"type": "nonsense", "x-y": 1, "xml": {}, "discriminator": {}}), json!({})),
        (
            json!({"properties": {"id": {"readOnly": true}, "a": {}}, "required": ["id", "a"]}),
            json!({"type": "object", "properties": {"a": {}}, "required": ["a"]}),
        ),
    ];
    for (given, expected) in rows {
        assert_eq!(body("3.0.3", given.clone(), json!({})), expected, "{given}");
    }
    let several = json!({"type": ["string", "integer", "null"], "description": "D"});
    assert_eq!(
        body("3.1.0", several, json!({})),
        json!({"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}], "description": "D"})
    );
}

#[test]
fn recursion_is_cut_with_a_note_and_still_takes_any_depth() {
    let node = json!({"Node": {"type": "object", "properties": {
        "name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}},
    }}});
    let schema = body("3.1.0", json!({"$ref": "#/components/schemas/Node"}), node);
    let inner = &schema["properties"]["children"]["items"];
    assert_eq!(inner["type"], "object");
    assert!(inner["description"].as_str().unwrap().starts_with("A `Node` again"), "{inner}");
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    assert!(validator.is_valid(&json!({"children": [{"children": [{"children": []}]}]})));
    assert!(!validator.is_valid(&json!({"children": [7]})));
}

#[test]
fn cycles_through_references_and_all_of_end() {
    let reference = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    let schemas = json!({
        "A": {"allOf": [reference("B"), {"properties": {"a": {}}}]},
        "B": {"allOf": [reference("A"), {"properties": {"b": {}}}]},
        "Self": reference("Self"),
        "Ping": reference("Pong"), "Pong": reference("Ping"),
    });
    for name in ["A", "Self", "Ping"] {
        let schema = body("3.0.0", reference(name), schemas.clone());
        jsonschema::draft202012::new(&schema).unwrap();
    }
    let gone = body("3.0.0", reference("Gone"), schemas);
    assert!(gone["description"].as_str().unwrap().contains("leads nowhere"), "{gone}");
}

#[test]
fn the_budget_holds_and_says_what_it_cut() {
    let fields = |count: usize, inner: &Value| -> Value {
        let field = |n: usize| {
            (
                format!("field_{n}"),
                json!({"description": "word ".repeat(40), "example": "x".repeat(80), "allOf": [inner]}),
            )
        };
        json!({"type": "object", "properties": (0..count).map(field).collect::<serde_json::Map<_, _>>()})
    };
    let deep = fields(12, &fields(12, &fields(12, &json!({"type": "string"}))));
    let document = json!({"openapi": "3.0.0", "info": {"title": "T"}, "paths": {"/x/{id}": {"post": {
        "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
        "requestBody": {"content": {"application/json": {"schema": deep}}},
    }}}});
    for budget in [8192, 2048, 512] {
        let api = api(&document, Some(budget));
        let operation = &api.operations[0];
        assert!(
            operation.input_schema.to_string().len() <= budget,
            "{} bytes",
            operation.input_schema.to_string().len()
        );
        assert!(operation.description.contains("cut to fit"), "{}", operation.description);
        assert!(operation.input_schema["properties"]["id"].is_object());
        let validator = jsonschema::draft202012::new(&operation.input_schema).unwrap();
        assert!(validator.is_valid(&json!({"id": "1", "body": {"field_1": {"field_2": {"field_3": "x"}}}})));
    }
    let schema = &api(&document, Some(8192)).operations[0].input_schema["properties"]["body"];
    assert!(schema["properties"]["field_0"].is_object(), "the first level of the body is still described: {schema}");
}

#[test]
fn names_are_sound_stable_and_unique() {
    let operation = |id: Option<&str>| id.map_or(json!({}), |id| json!({"operationId": id}));
    let long = "l".repeat(100);
    let document = json!({"swagger": "2.0", "info": {"title": "Swagger Petstore"}, "paths": {
        "/a": {"get": operation(Some("dup")), "post": operation(Some("dup"))},
        "/b": {"get": operation(Some("repos/get-it")), "put": operation(Some(&long))},
        "/pets/{id}": {"get": operation(None), "delete": operation(Some(""))},
    }});
    let api = api(&document, None);
    let mut names: Vec<&str> = api.operations.iter().map(|operation| operation.name.as_str()).collect();
    assert!(
        names.contains(&"t_repos_get-it") && names.contains(&"t_get_pets_id") && names.contains(&"t_delete_pets_id"),
        "{names:?}"
    );
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 6, "{names:?}");
    assert!(names.iter().all(|name| name.len() <= 48), "{names:?}");
}

#[test]
fn parameters_of_the_path_count_and_those_of_the_operation_win() {
    let document = json!({"openapi": "3.0.0", "info": {"title": "T"}, "paths": {"/x/{id}/{forgotten}": {
        "parameters": [
            {"$ref": "#/components/parameters/Id"},
            {"name": "q", "in": "query", "schema": {"type": "string"}},
            {"name": "body", "in": "query", "schema": {"type": "string"}},
        ],
        "post": {
            "parameters": [{"name": "q", "in": "query", "required": true, "schema": {"type": "integer"}}],
            "requestBody": {"required": true, "content": {"application/json": {"schema": {"properties": {"id": {"type": "string"}}}}}},
        },
    }}, "components": {"parameters": {"Id": {"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}}}});
    let schema = api(&document, None).operations[0].input_schema.clone();
    let properties = schema["properties"].as_object().unwrap();
    assert_eq!(properties.keys().collect::<Vec<_>>(), ["id", "q", "query_body", "forgotten", "body"]);
    assert_eq!(schema["required"], json!(["id", "q", "forgotten", "body"]));
    assert_eq!((&properties["id"]["type"], &properties["q"]["type"]), (&json!("integer"), &json!("integer")));
    assert_eq!(schema["additionalProperties"], false);
}
