//! What a request holds and what comes back.

use serde_json::json;
use testkit::{ModelReply, ModelServer};

use crate::{KEY, ask, client};

#[test]
fn the_text_comes_back_as_it_was_said() {
    for text in [
        "MATCH (n) RETURN n",
        "Sure! Here it is:\n\n```cypher\nMATCH (n) RETURN n;\n```\nDone.",
        "```\nRETURN 1\n```",
        "\u{1f980} 是的 \"quoted\" \\ { not json",
    ] {
        let server = ModelServer::start(vec![ModelReply::text(text)]);
        assert_eq!(ask(&client(&server.base_url())).unwrap(), text);
    }
}

#[test]
fn a_request_names_the_model_says_what_was_said_and_brings_the_key() {
    let server = ModelServer::start(vec![ModelReply::text("RETURN 1")]);
    ask(&client(&server.base_url())).unwrap();
    let [request] = &server.requests()[..] else { panic!("one request") };
    assert_eq!(request.line, "POST /v1/chat/completions");
    assert_eq!(request.authorization.as_deref(), Some(format!("Bearer {KEY}").as_str()));
    let messages = json!([
        {"role": "system", "content": "Answer in Cypher."},
        {"role": "user", "content": "who calls main?"},
    ]);
    assert_eq!(request.body["model"], "some-model");
    assert_eq!((&request.body["messages"], &request.body["temperature"]), (&messages, &json!(0)));
    assert!(request.body["max_tokens"].as_u64().is_some_and(|most| most <= 4_000), "{}", request.body);
}

#[test]
fn without_a_key_there_is_no_header_for_it() {
    let server = ModelServer::start(vec![ModelReply::text("RETURN 1")]);
    let endpoint = language_model::Endpoint::new(&server.base_url(), "m", None).unwrap();
    ask(&language_model::Client::new(endpoint, language_model::Limits::default())).unwrap();
    assert_eq!(server.requests()[0].authorization, None);
}

#[test]
fn a_model_that_refuses_to_be_tuned_is_asked_without_and_that_is_remembered() {
    let refusal =
        r#"{"error":{"message":"Unsupported parameter","param":"max_tokens","code":"unsupported_parameter"}}"#;
    let replies = vec![ModelReply::status(400, refusal), ModelReply::text("RETURN 1")];
    let server = ModelServer::start(replies);
    let client = client(&server.base_url());
    assert_eq!(ask(&client).unwrap(), "RETURN 1");
    assert_eq!(ask(&client).unwrap(), "RETURN 1");
    let tuned: Vec<bool> = server.requests().iter().map(|request| request.body.get("max_tokens").is_some()).collect();
    assert_eq!(tuned, [true, false, false]);
}
