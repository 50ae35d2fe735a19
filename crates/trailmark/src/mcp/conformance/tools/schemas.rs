//! Tools whose schemas matter more than what they do.

use serde_json::{Value, json};

use super::{Fixture, at_once, text};

pub(super) const TOOLS: &[Fixture] = &[
    Fixture {
        name: "json_schema_2020_12_tool",
        description: "Has a schema with keywords of JSON Schema 2020-12.",
        input_schema: json_schema_2020_12,
        run: |call| at_once(text(format!("Hello, {}!", call.text_argument("name")))),
    },
    Fixture {
        name: "test_tool_with_header",
        description: "Takes an argument that is repeated in a header.",
        input_schema: mirrored_in_header,
        run: |call| at_once(text(format!("Region: {}", call.text_argument("region")))),
    },
];

fn json_schema_2020_12() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
            }
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"}
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false
    })
}

fn mirrored_in_header() -> Value {
    json!({
        "type": "object",
        "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
        "required": ["region"]
    })
}
