//! Bad input on standard input: each has a clear answer, and the server goes on.

use serde_json::{Value, json};
use testkit::{Era, StdioServer};

use crate::sample::{data, document, installation};

const MEGABYTE: usize = 1024 * 1024;

/// Sends a line to a server that is ready for calls; checks the error and that the next request is answered.
#[track_caller]
fn check(line: &[u8], id: Value, code: i64, message: &str) {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    check_on(&mut server, line, id, code, message);
}

#[track_caller]
fn check_on(server: &mut StdioServer, line: &[u8], id: Value, code: i64, message: &str) {
    server.send_line(line);
    let answer = server.receive();
    let shown = String::from_utf8_lossy(&line[..line.len().min(120)]).into_owned();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&id, &json!(code)), "{shown}: {answer}");
    let text = answer["error"]["message"].as_str().unwrap();
    assert!(text.contains(message), "{shown}: `{text}` does not say `{message}`");
    assert_eq!(server.ask("ping", json!({}))["result"], json!({}), "the server goes on after {shown}");
}

#[test]
fn what_is_not_json_is_a_parse_error() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    for line in ["nonsense", "{", "{\"jsonrpc\":\"2.0\",}", "\"open", "{\"jsonrpc\": NaN}", "\u{feff}{}"] {
        check_on(&mut server, line.as_bytes(), Value::Null, -32700, "Parse error");
    }
}

#[test]
fn a_number_that_is_too_large_to_be_one_is_a_parse_error() {
    for number in ["1e999", "-1e999"] {
        let arguments = format!(r#"{{"label":"Entity","properties":{{"n":{number}}}}}"#);
        let params = format!(r#"{{"name":"neo4j_create_node","arguments":{arguments}}}"#);
        let line = format!(r#"{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{params}}}"#);
        check(line.as_bytes(), Value::Null, -32700, "number out of range");
    }
}

#[test]
fn what_is_not_utf_8_is_a_parse_error_that_says_so() {
    let line = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\xfe\"}";
    check(line, Value::Null, -32700, "not UTF-8");
}

#[test]
fn what_is_json_but_no_request_is_an_invalid_request() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    for (line, id, message) in [
        ("7", Value::Null, "a message is an object"),
        ("null", Value::Null, "a message is an object"),
        ("[]", Value::Null, "batches are not supported"),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, Value::Null, "batches are not supported"),
        ("{}", Value::Null, "`jsonrpc` must be"),
        (r#"{"id":"a","method":"ping"}"#, json!("a"), "`jsonrpc` must be"),
        (r#"{"jsonrpc":"1.0","id":"a","method":"ping"}"#, json!("a"), "`jsonrpc` must be"),
        (r#"{"jsonrpc":"2.0","id":"a"}"#, json!("a"), "`method` is missing"),
        (r#"{"jsonrpc":"2.0","id":"a","method":7}"#, json!("a"), "`method` must be a string"),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, Value::Null, "`id` must be"),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, Value::Null, "`id` must be"),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, json!(1.5), "`id` must be"),
        (
            r#"{"jsonrpc":"2.0","id":9223372036854775808,"method":"ping"}"#,
            json!(9_223_372_036_854_775_808_u64),
            "2^63-1",
        ),
        (r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, Value::Null, "`id` must be"),
    ] {
        check_on(&mut server, line.as_bytes(), id, -32600, message);
    }
}

#[test]
fn parameters_of_the_wrong_shape_are_invalid_params() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    for (method, params, message) in [
        ("tools/list", json!([]), "`params` must be an object"),
        ("tools/list", json!("x"), "`params` must be an object"),
        ("tools/list", json!({"cursor": "x"}), "`x` is not a cursor"),
        ("tools/call", json!({}), "`name` must be a string"),
        ("tools/call", json!({"name": 7}), "`name` must be a string"),
        ("tools/call", json!({"name": "mongo_find_all", "arguments": []}), "`arguments` must be an object"),
        ("tools/call", json!({"name": "mongo_find_all", "arguments": "{}"}), "`arguments` must be an object"),
        ("resources/read", json!({}), "resources/read"),
        ("resources/read", json!({"uri": 7}), "resources/read"),
        ("resources/list", json!({"cursor": "x"}), "`x` is not a cursor"),
        ("prompts/get", json!({}), "prompts/get"),
        ("prompts/get", json!({"name": "no_such"}), "unknown prompt: no_such"),
        ("prompts/get", json!({"name": "recall"}), "needs the argument `topic`"),
        ("completion/complete", json!({"ref": 1}), "completion/complete"),
    ] {
        let line = json!({"jsonrpc": "2.0", "id": "x", "method": method, "params": params}).to_string();
        check_on(&mut server, line.as_bytes(), json!("x"), -32602, message);
    }
}

#[test]
fn a_call_without_parameters_names_what_is_missing() {
    check(br#"{"jsonrpc":"2.0","id":5,"method":"tools/call"}"#, json!(5), -32602, "tools/call");
}

#[test]
fn arguments_of_the_wrong_type_are_a_tool_error_that_a_model_can_correct() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    let answer = server.call("mongo_save_document", json!({"topic": 7, "extra": 1}));
    assert_eq!(answer["result"]["isError"], true);
    let error = &answer["result"]["structuredContent"]["error"];
    assert_eq!(error["code"], "INVALID_ARGUMENT");
    assert_eq!(error["detail"], json!({"fields": ["content", "topic", "extra"]}), "{error}");
}

#[test]
fn an_unknown_method_is_not_found() {
    check(
        br#"{"jsonrpc":"2.0","id":"m","method":"no/such/method"}"#,
        json!("m"),
        -32601,
        "Method not found: no/such/method",
    );
    check(br#"{"jsonrpc":"2.0","id":"m","method":"","params":{}}"#, json!("m"), -32601, "");
}

#[test]
fn an_unknown_tool_has_the_exact_error_of_the_contract() {
    let installation = installation();
    for era in [Era::INITIALIZED, Era::PerRequest] {
        let mut server = installation.open_stdio(era);
        let expected = json!({
            "code": -32602,
            "message": "Unknown tool: no_such_tool",
            "data": {"content": [{"type": "text", "text": "Error: Unknown tool: no_such_tool"}], "isError": true},
        });
        assert_eq!(server.call("no_such_tool", json!({}))["error"], expected, "{era:?}");
    }
}

#[test]
fn unknown_notifications_and_stray_answers_are_ignored() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    for message in [
        json!({"jsonrpc": "2.0", "method": "notifications/no_such"}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 999}}),
        json!({"jsonrpc": "2.0", "id": 999, "result": {}}),
        json!({"jsonrpc": "2.0", "id": 999, "error": {"code": 1, "message": "x"}}),
    ] {
        server.send(&message);
    }
    server.send_line(b"");
    server.send_line(b"\r");
    let id = server.request("ping", json!({}));
    assert_eq!(server.receive(), json!({"jsonrpc": "2.0", "id": id, "result": {}}), "the first and only message");
}

#[test]
fn unknown_fields_of_a_message_do_not_matter() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    server.send(&json!({"jsonrpc": "2.0", "id": 7, "method": "ping", "trace": "x", "params": {"unknown": 1}}));
    assert_eq!(server.receive(), json!({"jsonrpc": "2.0", "id": 7, "result": {}}));
}

#[test]
fn a_line_of_20_megabytes_is_refused_and_the_next_one_is_read() {
    let text = "x".repeat(20 * MEGABYTE);
    let line = json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": text}}).to_string();
    check(line.as_bytes(), Value::Null, -32600, "at most 16777216 bytes");
}

#[test]
fn a_line_of_15_megabytes_is_read() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    let answer = server.call("mongo_save_document", json!({"topic": "t", "content": "x".repeat(15 * MEGABYTE)}));
    let error = &answer["result"]["structuredContent"]["error"];
    assert_eq!(error["message"], "`content` must have at most 20000 characters, but has 15728640");
}

#[test]
fn an_experience_of_10_megabytes_is_refused_by_its_length() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    let context = "x".repeat(10 * MEGABYTE);
    let record = json!({"title": "Wet floor", "problem_description": "wet", "solution": "mop", "context": context});
    let answer = server.call("submit_experience", record);
    let error = &answer["result"]["structuredContent"]["error"]["validation_errors"][0];
    assert_eq!(error["message"], "must have at most 20000 characters, but has 10485760", "{error}");
}

#[test]
fn nesting_that_is_too_deep_is_a_parse_error() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let nested = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
        let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"a":{nested}}}}}"#);
        check(line.as_bytes(), Value::Null, -32700, "recursion limit");
    }
}

#[test]
fn nesting_that_can_be_read_is_judged_by_the_schema() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    let nested = (0..100).fold(json!(1), |inner, _| json!([inner]));
    let answer = server.call("mongo_save_document", json!({"topic": nested, "content": "c"}));
    assert_eq!(answer["result"]["structuredContent"]["error"]["code"], "INVALID_ARGUMENT");
}

#[test]
fn a_request_before_initialize_says_what_to_send_first() {
    let installation = installation();
    for method in ["tools/list", "tools/call", "resources/list", "prompts/list", "no/such/method"] {
        let mut server = installation.serve_stdio(&[]);
        server.send(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": {"name": "mongo_find_all"}}));
        let answer = server.receive();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(1), &json!(-32602)), "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains("send `initialize` first"), "{answer}");
        assert_eq!(server.open(Era::INITIALIZED)["result"]["serverInfo"]["name"], "trailmark");
        assert_eq!(data(&server.call("mongo_find_all", json!({}))), &json!({"items": []}));
    }
}

#[test]
fn a_ping_before_initialize_is_answered() {
    let installation = installation();
    let mut server = installation.serve_stdio(&[]);
    assert_eq!(server.ask("ping", json!({}))["result"], json!({}));
    assert_eq!(server.open(Era::INITIALIZED)["result"]["protocolVersion"], "2025-11-25");
}

#[test]
fn bad_lines_before_initialize_do_not_keep_a_client_out() {
    let installation = installation();
    let mut server = installation.serve_stdio(&[]);
    for line in [&b"nonsense"[..], b"\xff", b"[]", br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#] {
        server.send_line(line);
        assert!(server.receive()["error"]["code"].is_i64());
    }
    server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    assert_eq!(server.open(Era::INITIALIZED)["result"]["serverInfo"]["name"], "trailmark");
}

#[test]
fn a_second_initialize_is_refused_and_the_first_one_holds() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::Initialize("2024-11-05"));
    let second = Era::INITIALIZED.opening(50).to_string();
    check_on(&mut server, second.as_bytes(), json!(50), -32600, "has begun already");
}

#[test]
fn an_id_that_is_still_under_way_is_refused_and_the_first_request_is_answered() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    // The first call makes the database, so that it is surely under way when the next line is read.
    let save =
        Era::INITIALIZED.request(70, "tools/call", json!({"name": "mongo_save_document", "arguments": document("a")}));
    server.send_line(format!("{save}\n{save}").as_bytes());
    let answers = [server.receive(), server.receive()];
    let refused = answers.iter().find(|answer| answer.get("error").is_some()).unwrap();
    assert_eq!(refused["error"]["code"], -32600);
    assert!(refused["error"]["message"].as_str().unwrap().contains("70"), "{refused}");
    let answered = answers.iter().find(|answer| answer.get("result").is_some()).unwrap();
    assert_eq!(answered["id"], 70);
    assert_eq!(data(&server.call("mongo_find_all", json!({})))["items"].as_array().unwrap().len(), 1);
    server.send(&save);
    assert!(server.answer_to(70).get("result").is_some(), "an id may be used again once it was answered");
}

#[test]
fn what_is_repeated_of_a_huge_mistake_fits_into_an_answer() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    let huge = "x".repeat(3_000_000);
    let many: serde_json::Map<String, Value> = (0..50_000).map(|number| (format!("key{number}"), json!(1))).collect();
    for answer in [
        server.call("mongo_find_all", json!({huge.as_str(): 1})),
        server.call("mongo_find_all", Value::Object(many)),
        server.call(&huge, json!({})),
        server.ask("prompts/get", json!({"name": "hand_over", "arguments": {"task": huge}})),
        server.ask("resources/read", json!({"uri": "no-such-scheme:x"})),
    ] {
        let bytes = answer.to_string().len();
        assert!(bytes < 10_000, "{bytes} bytes");
    }
}
