//! Questions to the client within a request, and the sealed state that comes back with the answers.

use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    ClientCapabilities, ErrorData, InputRequest, InputRequests, InputRequiredResult, InputResponses, RequestStateCodec,
    SealOptions,
};
use rmcp::service::RequestContext;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;

/// How long a client may take to answer.
const PATIENCE: Duration = Duration::from_secs(600);

/// Seals state so that it comes back unchanged, to the fixture that gave it.
#[derive(Debug)]
pub(super) struct RequestState(RequestStateCodec);

impl RequestState {
    pub(super) fn with_new_key() -> Self {
        let key = [Uuid::new_v4().into_bytes(), Uuid::new_v4().into_bytes()].concat();
        Self(RequestStateCodec::try_new(key).expect("the key has the 32 bytes that the codec asks for"))
    }

    pub(super) fn seal(&self, owner: &str, state: &impl Serialize) -> String {
        let options = SealOptions::new().associated_data(owner.as_bytes()).ttl(PATIENCE);
        self.0.seal_json_with(state, &options).expect("the states of fixtures are plain data")
    }

    /// `Ok(None)` when the client sent none; an error when what it sent is not ours.
    pub(super) fn open<T: DeserializeOwned>(&self, owner: &str, sealed: Option<&str>) -> Result<Option<T>, ErrorData> {
        let open = |sealed| self.0.open_json_with(sealed, owner.as_bytes());
        let refused = |_| ErrorData::invalid_params("this server did not give this `requestState` for this call", None);
        sealed.map(open).transpose().map_err(refused)
    }
}

/// A form with one required field.
pub(super) fn form(message: &str, field: &str, field_type: &str) -> Value {
    let schema = json!({"type": "object", "properties": {field: {"type": field_type}}, "required": [field]});
    json!({"method": "elicitation/create", "params": {"mode": "form", "message": message, "requestedSchema": schema}})
}

/// A question to the client's model.
pub(super) fn sample(text: &str) -> Value {
    let message = json!({"role": "user", "content": {"type": "text", "text": text}});
    json!({"method": "sampling/createMessage", "params": {"messages": [message], "maxTokens": 100}})
}

pub(super) fn list_roots() -> Value {
    json!({"method": "roots/list", "params": {}})
}

/// Asks, if the client declared that it can answer every question.
pub(super) fn ask(
    context: &RequestContext<RoleServer>,
    questions: Value,
    state: Option<String>,
) -> Result<InputRequiredResult, ErrorData> {
    let questions = requests(questions);
    let declared = context.client_capabilities().unwrap_or_default();
    let mut missing = ClientCapabilities::default();
    for question in questions.values().filter(|question| !can_answer(&declared, question)) {
        require(&mut missing, question);
    }
    if missing == ClientCapabilities::default() {
        Ok(InputRequiredResult::new(Some(questions), state))
    } else {
        Err(ErrorData::missing_required_client_capability(missing))
    }
}

/// Leaves out the questions that the client did not declare it can answer.
pub(super) fn ask_what_is_possible(context: &RequestContext<RoleServer>, questions: Value) -> InputRequiredResult {
    let declared = context.client_capabilities().unwrap_or_default();
    let mut questions = requests(questions);
    questions.retain(|_, question| can_answer(&declared, question));
    InputRequiredResult::from_input_requests(questions)
}

/// What the user filled in; `None` when the answer is missing, malformed or a refusal, so that it is asked again.
pub(super) fn filled_in<'a>(responses: Option<&'a InputResponses>, question: &str, field: &str) -> Option<&'a Value> {
    let response = responses?.get(question)?;
    let is_accepted = response.get("action")? == "accept";
    response.get("content")?.get(field).filter(|_| is_accepted)
}

/// Part of any answer, by JSON pointer.
pub(super) fn answered<'a>(responses: Option<&'a InputResponses>, question: &str, part: &str) -> Option<&'a Value> {
    responses?.get(question)?.pointer(part)
}

fn requests(questions: Value) -> InputRequests {
    serde_json::from_value(questions).expect("the questions of fixtures are valid requests")
}

fn can_answer(declared: &ClientCapabilities, question: &InputRequest) -> bool {
    match question {
        InputRequest::Elicitation(_) => declared.elicitation.is_some(),
        InputRequest::CreateMessage(_) => declared.sampling.is_some(),
        InputRequest::ListRoots(_) => declared.roots.is_some(),
        _ => false,
    }
}

fn require(capabilities: &mut ClientCapabilities, question: &InputRequest) {
    match question {
        InputRequest::Elicitation(_) => capabilities.elicitation = Some(Default::default()),
        InputRequest::CreateMessage(_) => capabilities.sampling = Some(Default::default()),
        InputRequest::ListRoots(_) => capabilities.roots = Some(Default::default()),
        _ => {}
    }
}
