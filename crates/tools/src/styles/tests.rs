//! Each style, success and failure, against the shapes of the specifications.

use super::*;
use crate::content::ContentBlock;
use crate::error::{ErrorKind, FieldError};
use crate::output::Blocks;
use serde_json::{Map, json};

fn facts() -> CallFacts {
    CallFacts { trace_id: TraceId::from(uuid()), took: Duration::from_millis(12) }
}

fn uuid() -> uuid::Uuid {
    uuid::Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0001)
}

fn json_payload(data: Value) -> Payload {
    Payload::Json { data, notes: Vec::new(), beside: Vec::new(), facts: Map::new() }
}

#[track_caller]
fn check_json(answer: &Answer, is_error: bool, expected: Value) {
    assert_eq!(answer.is_error, is_error);
    assert_eq!(answer.structured_content.as_ref(), Some(&expected));
    let text = answer.content[0].as_text().unwrap();
    assert_eq!(serde_json::from_str::<Value>(text).unwrap(), expected, "text and structured content are equal");
}

#[test]
fn knowledge_answers_in_one_envelope() {
    let meta = json!({"traceId": uuid().to_string(), "tookMs": 12});
    check_json(
        &Style::Knowledge.success(json_payload(json!({"id": "a"})), facts()),
        false,
        json!({"ok": true, "data": {"id": "a"}, "error": null, "meta": meta}),
    );
    check_json(
        &Style::Knowledge.error("t", &ToolError::invalid("topic 不能为空").with_detail("field", "topic"), facts()),
        true,
        json!({
            "ok": false, "data": null,
            "error": {"code": "INVALID_ARGUMENT", "message": "topic 不能为空", "detail": {"field": "topic"}},
            "meta": meta,
        }),
    );
}

#[test]
fn knowledge_notes_stand_in_meta_and_pictures_beside_the_json() {
    let payload = Payload::Json {
        data: json!({}),
        notes: vec!["sorted the axis".into()],
        beside: vec![ContentBlock::image("aGk=", "image/png")],
        facts: Map::from_iter([("engines".to_owned(), json!(["a"]))]),
    };
    let answer = Style::Knowledge.success(payload, facts());
    let meta = &answer.structured_content.unwrap()["meta"];
    assert_eq!((&meta["notes"], &meta["engines"]), (&json!(["sorted the axis"]), &json!(["a"])));
    assert_eq!(answer.content.len(), 2);
}

#[test]
fn code_answers_with_the_body_itself_and_errors_are_a_sentence() {
    check_json(&Style::Code.success(json_payload(json!({"count": 2})), facts()), false, json!({"count": 2}));
    let text = Style::Code.success(Payload::Text("Successfully wrote file: a".into()), facts());
    assert_eq!((text.joined_text().as_str(), text.structured_content), ("Successfully wrote file: a", None));
    for style in [Style::Code, Style::Intelligence] {
        let error = style.error("read_file", &ToolError::not_found("no such file"), facts());
        assert!(error.is_error);
        assert_eq!(error.joined_text(), "Error: Error executing tool 'read_file': no such file");
    }
}

#[test]
fn json_text_is_indented_by_two_and_keeps_chinese() {
    let answer = Style::Code.success(json_payload(json!({"名": ["值"]})), facts());
    assert_eq!(answer.joined_text(), "{\n  \"名\": [\n    \"值\"\n  ]\n}");
}

#[test]
fn experience_answers_with_success_and_lists_fields_at_fault() {
    check_json(
        &Style::Experience.success(json_payload(json!({"id": "a"})), facts()),
        false,
        json!({"success": true, "data": {"id": "a"}}),
    );
    let mut error = ToolError::invalid("Validation failed");
    error.fields = vec![FieldError { field: "title".into(), message: "too long".into() }];
    check_json(
        &Style::Experience.error("submit_experience", &error, facts()),
        true,
        json!({"success": false, "error": {
            "code": "VALIDATION_ERROR", "message": "Validation failed",
            "validation_errors": [{"field": "title", "message": "too long"}],
        }}),
    );
    check_json(
        &Style::Experience.error("query_experiences", &ToolError::new(ErrorKind::Timeout, "slow"), facts()),
        true,
        json!({"success": false, "error": {"code": "TIMEOUT", "message": "slow"}}),
    );
}

#[test]
fn api_blocks_carry_their_origin_and_a_bad_status_is_an_error() {
    let meta = Map::from_iter([("httpStatus".to_owned(), json!(404))]);
    let blocks = Blocks {
        blocks: vec![ContentBlock::text("no"), ContentBlock::image("aGk=", "image/png")],
        structured: Some(json!({"message": "no"})),
        meta: meta.clone(),
        failed: true,
    };
    let answer = Style::Api.success(Payload::Blocks(blocks), facts());
    assert!(answer.is_error);
    assert!(answer.content.iter().all(|block| block.meta.as_ref() == Some(&meta)));
    assert_eq!(answer.structured_content, Some(json!({"message": "no"})));
}

#[test]
fn answers_and_errors_meet_the_published_output_schema() {
    let data = json!({"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]});
    for style in [Style::Knowledge, Style::Experience] {
        let schema = style.output_schema(Some(data.clone())).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        for answer in [
            style.success(json_payload(json!({"id": "a"})), facts()),
            style.error("t", &ToolError::not_found("gone"), facts()),
        ] {
            let body = answer.structured_content.unwrap();
            assert!(validator.is_valid(&body), "{style:?}: {body}");
        }
        let wrong = style.success(json_payload(json!({"id": 1})), facts()).structured_content.unwrap();
        assert!(!validator.is_valid(&wrong), "{style:?} accepts {wrong}");
    }
}
