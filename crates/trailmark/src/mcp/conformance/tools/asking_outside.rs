//! Tools that ask the client in a request of their own, as older revisions do.

use futures::FutureExt;
use rmcp::model::{ClientCapabilities, ElicitRequestParams};
use serde_json::{Value, json};

use super::{Call, Fixture, Running, failure, no_arguments, one_text_argument, text};

pub(super) const TOOLS: &[Fixture] = &[
    Fixture {
        name: "test_sampling",
        description: "Asks the client's model.",
        input_schema: || one_text_argument("prompt", "What to ask the model"),
        run: sample,
    },
    Fixture {
        name: "test_elicitation",
        description: "Asks the user.",
        input_schema: || one_text_argument("message", "What to tell the user"),
        run: |call| elicit(call, call.text_argument("message"), name_and_address()),
    },
    Fixture {
        name: "test_elicitation_sep1034_defaults",
        description: "Asks the user with a form that is filled in already.",
        input_schema: no_arguments,
        run: |call| elicit(call, "Please review the values.", filled_in_form()),
    },
    Fixture {
        name: "test_elicitation_sep1330_enums",
        description: "Asks the user to choose.",
        input_schema: no_arguments,
        run: |call| elicit(call, "Please choose.", choices()),
    },
];

#[expect(deprecated, reason = "the suite still tests sampling, which the newest revision deprecates")]
fn sample(call: Call<'_>) -> Running<'_> {
    use rmcp::model::{CreateMessageRequestParams, SamplingMessage};
    async move {
        if capabilities(call).sampling.is_none() {
            return failure("the client does not support sampling");
        }
        let message = SamplingMessage::user_text(call.text_argument("prompt"));
        match call.context.peer.create_message(CreateMessageRequestParams::new(vec![message], 100)).await {
            Ok(answer) => {
                let answer = answer.message.content.first().and_then(|content| content.as_text());
                text(format!("LLM response: {}", answer.map_or("", |answer| &answer.text)))
            }
            Err(error) => failure(format!("sampling failed: {error}")),
        }
    }
    .boxed()
}

fn elicit<'a>(call: Call<'a>, message: &'a str, schema: Value) -> Running<'a> {
    async move {
        if capabilities(call).elicitation.is_none() {
            return failure("the client does not support elicitation");
        }
        let question = json!({"mode": "form", "message": message, "requestedSchema": schema});
        let question: ElicitRequestParams =
            serde_json::from_value(question).expect("the forms of fixtures are valid questions");
        match call.context.peer.create_elicitation(question).await {
            Ok(answer) => {
                let content = answer.content.unwrap_or_default();
                text(format!("Elicitation completed: action={:?}, content={content}", answer.action))
            }
            Err(error) => failure(format!("elicitation failed: {error}")),
        }
    }
    .boxed()
}

fn capabilities(call: Call<'_>) -> ClientCapabilities {
    call.context.client_capabilities().unwrap_or_default()
}

fn name_and_address() -> Value {
    json!({
        "type": "object",
        "properties": {
            "username": {"type": "string", "description": "User's response"},
            "email": {"type": "string", "description": "User's email address"}
        },
        "required": ["username", "email"]
    })
}

fn filled_in_form() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "default": "John Doe"},
            "age": {"type": "integer", "default": 30},
            "score": {"type": "number", "default": 95.5},
            "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
            "verified": {"type": "boolean", "default": true}
        }
    })
}

fn choices() -> Value {
    let untitled = json!(["option1", "option2", "option3"]);
    let titled = json!([
        {"const": "value1", "title": "First Option"},
        {"const": "value2", "title": "Second Option"},
        {"const": "value3", "title": "Third Option"}
    ]);
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": {"type": "string", "enum": untitled},
            "titledSingle": {"type": "string", "oneOf": titled},
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"]
            },
            "untitledMulti": {"type": "array", "items": {"type": "string", "enum": untitled}},
            "titledMulti": {"type": "array", "items": {"anyOf": titled}}
        }
    })
}
