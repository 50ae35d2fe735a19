//! What a client sees of the server before it calls anything: tools, resources, prompts, instructions.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use testkit::{Era, StdioServer};

use crate::sample::{MANY_OPERATIONS, all_tools, data, document, installation, remark, saved_id};

fn tools(server: &mut StdioServer) -> Vec<Value> {
    server.ask("tools/list", json!({}))["result"]["tools"].as_array().unwrap().clone()
}

#[test]
fn every_tool_is_as_its_committed_snapshot_says() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("contract/tools");
    let committed: BTreeMap<String, Value> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let tool = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (tool, serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap())
        })
        .collect();
    let installation = installation();
    let mut server = installation.serve_stdio(MANY_OPERATIONS);
    server.open(Era::INITIALIZED);
    let listed = tools(&mut server);
    let listed: BTreeMap<String, Value> =
        listed.into_iter().map(|tool| (tool["name"].as_str().unwrap().to_owned(), tool)).collect();
    assert!(!committed.is_empty());
    assert_eq!(listed, committed, "`cargo xtask docs` writes the snapshots; read the difference before you commit it");
}

#[test]
fn both_eras_and_both_transports_list_the_same_tools() {
    let installation = installation();
    let expected = tools(&mut installation.open_stdio(Era::INITIALIZED));
    assert_eq!(tools(&mut installation.open_stdio(Era::PerRequest)), expected);
    let listed = installation.serve_http(&[]).ask("tools/list", json!({}));
    assert_eq!(listed["result"]["tools"], json!(expected));
}

#[test]
fn every_tool_has_a_title_a_description_and_all_four_hints() {
    let installation = installation();
    for tool in tools(&mut installation.open_stdio(Era::INITIALIZED)) {
        for text in ["name", "title", "description"] {
            assert!(tool[text].as_str().is_some_and(|text| !text.is_empty()), "{text}: {tool}");
        }
        for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
            assert!(tool["annotations"][hint].is_boolean(), "{hint}: {tool}");
        }
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{tool}");
        assert!(tool.get("outputSchema").is_none_or(|schema| schema["type"] == "object"), "{tool}");
    }
}

#[test]
fn output_schemas_can_be_left_out() {
    let installation = installation();
    let mut server = installation.serve_stdio(&["--output-schemas=false"]);
    server.open(Era::INITIALIZED);
    let listed = tools(&mut server);
    assert_eq!(listed.len(), all_tools().len());
    assert!(listed.iter().all(|tool| tool.get("outputSchema").is_none()), "{listed:?}");
}

#[test]
fn a_tool_costs_a_model_150_tokens_on_average_at_most() {
    let installation = installation();
    let tokenizer = tiktoken_rs::o200k_base().unwrap();
    let listed = tools(&mut installation.open_stdio(Era::INITIALIZED));
    let counts: Vec<usize> = listed
        .iter()
        .map(|tool| {
            let seen = json!({
                "name": tool["name"],
                "description": tool["description"],
                "inputSchema": tool["inputSchema"],
            });
            let count = tokenizer.encode_ordinary(&seen.to_string()).len();
            remark(&format!("{count} tokens: {}", tool["name"]));
            count
        })
        .collect();
    let average = counts.iter().sum::<usize>() / counts.len();
    assert!(average <= 150, "{average} tokens on average");
}

#[test]
fn instructions_are_short_and_speak_of_what_is_switched_on() {
    let installation = installation();
    let opened = installation.serve_stdio(&[]).open(Era::INITIALIZED);
    let instructions = opened["result"]["instructions"].as_str().unwrap();
    assert!(instructions.len() < 2_048, "{} bytes", instructions.len());
    assert!(instructions.contains("mongo_save_document"), "{instructions}");
    let opened = installation.serve_stdio(&["--read-only"]).open(Era::INITIALIZED);
    let instructions = opened["result"]["instructions"].as_str().unwrap();
    assert!(instructions.contains("read-only") && !instructions.contains("mongo_save_document"), "{instructions}");
}

#[test]
fn only_what_is_delivered_is_advertised() {
    let installation = installation();
    let opened = installation.serve_stdio(&[]).open(Era::INITIALIZED);
    let expected = json!({"completions": {}, "prompts": {}, "resources": {}, "tools": {}});
    assert_eq!(opened["result"]["capabilities"], expected);
    let opened = installation.serve_stdio(&["--tools", "mongo_save_document"]).open(Era::INITIALIZED);
    let capabilities = opened["result"]["capabilities"].as_object().unwrap();
    assert!(capabilities.contains_key("tools"), "{capabilities:?}");
    assert!(!capabilities.contains_key("resources") && !capabilities.contains_key("prompts"), "{capabilities:?}");
}

#[test]
fn documents_are_resources_that_can_be_listed_read_and_completed() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    let ids: Vec<String> =
        ["first", "第二"].iter().map(|topic| saved_id(&server.call("mongo_save_document", document(topic)))).collect();
    let listed = server.ask("resources/list", json!({}));
    let resources = listed["result"]["resources"].as_array().unwrap();
    let titles: Vec<_> = resources.iter().map(|resource| resource["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["第二", "first"], "newest first");
    let uri = format!("trailmark://documents/{}", ids[1]);
    assert_eq!(resources[0]["uri"], uri);
    assert_eq!(resources[0]["mimeType"], "text/plain");
    assert_eq!(resources[0]["size"], "what is known about 第二".len());

    let read = server.ask("resources/read", json!({"uri": uri}));
    let expected = json!([{"uri": uri, "mimeType": "text/plain", "text": "what is known about 第二"}]);
    assert_eq!(read["result"]["contents"], expected);

    let templates = server.ask("resources/templates/list", json!({}));
    assert_eq!(templates["result"]["resourceTemplates"][0]["uriTemplate"], "trailmark://documents/{id}");
    let reference = json!({"type": "ref/resource", "uri": "trailmark://documents/{id}"});
    let complete = |typed: &str| json!({"ref": reference, "argument": {"name": "id", "value": typed}});
    let completed = server.ask("completion/complete", complete(&ids[0]));
    assert_eq!(completed["result"]["completion"]["values"], json!([ids[0]]));
    assert_eq!(server.ask("completion/complete", complete("zzz"))["result"]["completion"]["values"], json!([]));
}

#[test]
fn a_resource_that_is_not_there_is_an_error_that_names_it() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    for uri in ["trailmark://documents/none", "trailmark://other", "file:///etc/passwd", ""] {
        let answer = server.ask("resources/read", json!({"uri": uri}));
        let message = answer["error"]["message"].as_str().unwrap_or_else(|| panic!("read: {answer}"));
        assert!(message.contains(&format!("`{uri}`")), "{answer}");
    }
}

#[test]
fn many_resources_come_in_pages() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    let requests: Vec<i64> =
        (0..60).map(|n| server.request_call("mongo_save_document", document(&n.to_string()))).collect();
    for request in requests {
        saved_id(&server.answer_to(request));
    }
    let first = server.ask("resources/list", json!({}));
    assert_eq!(first["result"]["resources"].as_array().unwrap().len(), 50);
    let cursor = &first["result"]["nextCursor"];
    let second = server.ask("resources/list", json!({"cursor": cursor}));
    assert_eq!(second["result"]["resources"].as_array().unwrap().len(), 10);
    assert!(second["result"].get("nextCursor").is_none(), "{second}");
}

#[test]
fn prompts_open_a_conversation_with_what_is_known() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    let listed = server.ask("prompts/list", json!({}));
    let prompts = listed["result"]["prompts"].as_array().unwrap();
    let names: Vec<_> = prompts.iter().map(|prompt| prompt["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["recall", "hand_over"]);
    assert!(prompts.iter().all(|prompt| prompt["arguments"][0]["required"] == true), "{listed}");

    let recall = json!({"name": "recall", "arguments": {"topic": "cache"}});
    let nothing = server.ask("prompts/get", recall.clone());
    assert!(nothing["result"]["messages"][0]["content"]["text"].as_str().unwrap().contains("Nothing is written down"));
    let id = saved_id(&server.call("mongo_save_document", document("cache")));
    let known = server.ask("prompts/get", recall);
    let resource = &known["result"]["messages"][1]["content"]["resource"];
    assert_eq!(resource["uri"], format!("trailmark://documents/{id}"));
    assert!(resource["text"].as_str().unwrap().contains("what is known about cache"), "{known}");

    let hand_over = server.ask("prompts/get", json!({"name": "hand_over", "arguments": {"task": "the cache"}}));
    let text = hand_over["result"]["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(text.contains("We worked on: the cache") && text.contains("mongo_update_document"), "{text}");
    assert_eq!(data(&server.call("mongo_find_all", json!({})))["items"].as_array().unwrap().len(), 1);
}
