//! Tools that ask the client with their result, and go on when they are called again with the answers.

use rmcp::model::{ClientCapabilities, ErrorData, InputResponses};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Call, Ending, Fixture, at_once, text};
use crate::mcp::conformance::request_state::{
    answered, ask, ask_what_is_possible, filled_in, form, list_roots, sample,
};

pub(super) const TOOLS: &[Fixture] = &[
    Fixture::without_arguments("test_input_required_result_elicitation", "Asks the user for a name.", |call| {
        at_once(elicitation(call))
    }),
    Fixture::without_arguments("test_streaming_elicitation", "Asks the user for a name.", |call| {
        at_once(elicitation(call))
    }),
    Fixture::without_arguments("test_input_required_result_sampling", "Asks the client's model.", |call| {
        at_once(sampling(call))
    }),
    Fixture::without_arguments("test_input_required_result_list_roots", "Asks for the client's roots.", |call| {
        at_once(roots(call))
    }),
    Fixture::without_arguments("test_input_required_result_request_state", "Asks, and expects its state.", |call| {
        at_once(confirmation(call))
    }),
    Fixture::without_arguments("test_input_required_result_tampered_state", "Asks, and checks its state.", |call| {
        at_once(confirmation(call))
    }),
    Fixture::without_arguments("test_input_required_result_multiple_inputs", "Asks three questions.", |call| {
        at_once(three_questions(call))
    }),
    Fixture::without_arguments("test_input_required_result_multi_round", "Asks twice.", |call| {
        at_once(two_rounds(call))
    }),
    Fixture::without_arguments("test_input_required_result_capabilities", "Asks what the client can answer.", |call| {
        let questions = json!({"user_name": ask_name(), "greeting": ask_greeting(), "client_roots": list_roots()});
        at_once(Ok(ask_what_is_possible(call.context, questions).into()))
    }),
    Fixture::without_arguments("test_missing_capability", "Needs a client with a model.", |call| {
        at_once(needs_sampling(call))
    }),
];

fn elicitation(call: Call<'_>) -> Ending {
    match filled_in(call.responses(), "user_name", "name") {
        Some(name) => text(format!("Hello, {name}!")),
        None => question(call, json!({"user_name": ask_name()})),
    }
}

fn sampling(call: Call<'_>) -> Ending {
    match answered(call.responses(), "capital_question", "/content/text") {
        Some(answer) => text(format!("The model says: {answer}")),
        None => question(call, json!({"capital_question": sample("What is the capital of France?")})),
    }
}

fn roots(call: Call<'_>) -> Ending {
    match answered(call.responses(), "client_roots", "/roots") {
        Some(roots) => text(format!("The roots are: {roots}")),
        None => question(call, json!({"client_roots": list_roots()})),
    }
}

fn confirmation(call: Call<'_>) -> Ending {
    let state: Option<Asked> = call.state()?;
    match (state, filled_in(call.responses(), "confirm", "ok")) {
        (Some(Asked), Some(answer)) => text(format!("state-ok, confirmed: {answer}")),
        _ => question_with_state(call, json!({"confirm": form("Please confirm", "ok", "boolean")}), &Asked),
    }
}

fn three_questions(call: Call<'_>) -> Ending {
    let state: Option<Asked> = call.state()?;
    let name = filled_in(call.responses(), "user_name", "name");
    let greeting = answered(call.responses(), "greeting", "/content/text");
    let roots = answered(call.responses(), "client_roots", "/roots");
    match (state, name, greeting, roots) {
        (Some(Asked), Some(name), Some(greeting), Some(roots)) => text(format!("{greeting} {name}, of {roots}")),
        _ => {
            let questions = json!({"user_name": ask_name(), "greeting": ask_greeting(), "client_roots": list_roots()});
            question_with_state(call, questions, &Asked)
        }
    }
}

fn two_rounds(call: Call<'_>) -> Ending {
    let name = filled_in(call.responses(), "step1", "name");
    let color = filled_in(call.responses(), "step2", "color");
    match (call.state()?, name, color) {
        (Some(Round::Color { name }), _, Some(color)) => text(format!("{name} likes {color}.")),
        (Some(Round::Name), Some(name), _) => ask_color(call, name.clone()),
        (Some(Round::Color { name }), _, None) => ask_color(call, name),
        (Some(Round::Name) | None, _, _) => {
            let questions = json!({"step1": form("Step 1: What is your name?", "name", "string")});
            question_with_state(call, questions, &Round::Name)
        }
    }
}

fn ask_color(call: Call<'_>, name: Value) -> Ending {
    let questions = json!({"step2": form("Step 2: What is your favorite color?", "color", "string")});
    question_with_state(call, questions, &Round::Color { name })
}

fn needs_sampling(call: Call<'_>) -> Ending {
    let declared = call.context.client_capabilities().unwrap_or_default();
    if declared.sampling.is_some() {
        return text("The client has a model.");
    }
    let mut required = ClientCapabilities::default();
    required.sampling = Some(Default::default());
    Err(ErrorData::missing_required_client_capability(required))
}

/// The state of a call that asks once.
#[derive(Serialize, Deserialize)]
struct Asked;

/// The state of a call that asks twice: what it asked last.
#[derive(Serialize, Deserialize)]
enum Round {
    Name,
    Color { name: Value },
}

impl<'a> Call<'a> {
    fn responses(self) -> Option<&'a InputResponses> {
        self.request.input_responses.as_ref()
    }

    fn state<T: DeserializeOwned>(self) -> Result<Option<T>, ErrorData> {
        self.server.request_state.open(&self.request.name, self.request.request_state.as_deref())
    }
}

fn ask_name() -> Value {
    form("What is your name?", "name", "string")
}

fn ask_greeting() -> Value {
    sample("Generate a greeting")
}

fn question(call: Call<'_>, questions: Value) -> Ending {
    Ok(ask(call.context, questions, None)?.into())
}

fn question_with_state(call: Call<'_>, questions: Value, state: &impl Serialize) -> Ending {
    let state = call.server.request_state.seal(&call.request.name, state);
    Ok(ask(call.context, questions, Some(state))?.into())
}
