//! The experience family: `success` with `data`, or with `error`.

use serde_json::{Value, json};

use crate::answer::Answer;
use crate::content::ContentBlock;
use crate::error::ToolError;

pub(super) fn success(data: Value, notes: Vec<String>, beside: Vec<ContentBlock>) -> Answer {
    let mut answer = Answer::json(json!({"success": true, "data": data}));
    answer.content.extend(beside);
    answer.content.extend(notes.into_iter().map(ContentBlock::text));
    answer
}

pub(super) fn error(error: &ToolError, code: &str) -> Answer {
    let mut body = json!({"code": code, "message": error.message});
    if !error.fields.is_empty() {
        let fields = error.fields.iter().map(|at| json!({"field": at.field, "message": at.message}));
        body["validation_errors"] = fields.collect();
    }
    if !error.detail.is_empty() {
        body["details"] = error.detail_json();
    }
    Answer::json(json!({"success": false, "error": body})).failed()
}

pub(super) fn output_schema(data: Value) -> Value {
    let validation_error = json!({
        "type": "object",
        "properties": {"field": {"type": "string"}, "message": {"type": "string"}},
        "required": ["field", "message"],
    });
    json!({
        "type": "object",
        "properties": {
            "success": {"type": "boolean"},
            "data": data,
            "error": {
                "type": "object",
                "properties": {
                    "code": {"type": "string"},
                    "message": {"type": "string"},
                    "validation_errors": {"type": "array", "items": validation_error},
                    "details": {"type": "object"},
                },
                "required": ["code", "message"],
            },
        },
        "required": ["success"],
    })
}
