//! The knowledge families: one envelope with `ok`, `data`, `error` and `meta`.

use serde_json::{Map, Value, json};

use crate::answer::Answer;
use crate::content::ContentBlock;
use crate::error::ToolError;
use crate::styles::{CallFacts, ERROR_CODES, Style};

/// The facts of the call, then those that the tool knows.
pub(super) fn success(
    data: Value,
    notes: Vec<String>,
    beside: Vec<ContentBlock>,
    (facts, more): (CallFacts, Map<String, Value>),
) -> Answer {
    let mut meta = meta(notes, facts);
    if let Value::Object(fields) = &mut meta {
        fields.extend(more);
    }
    let mut answer = Answer::json(json!({"ok": true, "data": data, "error": null, "meta": meta}));
    answer.content.extend(beside);
    answer
}

pub(super) fn error(error: &ToolError, code: &str, facts: CallFacts) -> Answer {
    Answer::json(json!({
        "ok": false,
        "data": null,
        "error": {"code": code, "message": error.message, "detail": error.detail_json()},
        "meta": meta(Vec::new(), facts),
    }))
    .failed()
}

fn meta(notes: Vec<String>, facts: CallFacts) -> Value {
    let took_ms = u64::try_from(facts.took.as_millis()).unwrap_or(u64::MAX);
    let mut meta = json!({"traceId": facts.trace_id.to_string(), "tookMs": took_ms});
    if !notes.is_empty() {
        meta["notes"] = json!(notes);
    }
    meta
}

pub(super) fn output_schema(data: Value) -> Value {
    let codes: Vec<&str> = ERROR_CODES.iter().filter(|row| row.style == Style::Knowledge).map(|row| row.code).collect();
    json!({
        "type": "object",
        "properties": {
            "ok": {"type": "boolean"},
            "data": {"anyOf": [data, {"type": "null"}]},
            "error": {"anyOf": [
                {"type": "null"},
                {
                    "type": "object",
                    "properties": {
                        "code": {"type": "string", "enum": codes},
                        "message": {"type": "string"},
                        "detail": {"type": "object"},
                    },
                    "required": ["code", "message", "detail"],
                },
            ]},
            "meta": {
                "type": "object",
                "properties": {
                    "traceId": {"type": "string"},
                    "tookMs": {"type": "integer"},
                    "notes": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["traceId", "tookMs"],
            },
        },
        "required": ["ok", "data", "error", "meta"],
    })
}
