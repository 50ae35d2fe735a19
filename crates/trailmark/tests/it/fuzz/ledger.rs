//! The answers that are due: which line must be answered, which may be, and which must not.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

/// The longest message that the server reads.
const LONGEST_MESSAGE: usize = 16 * 1024 * 1024;
const INTERNAL_ERROR: i64 = -32603;

/// Answers by the text of their id; `null` is the id of those whose request had none that could be read.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    due: HashMap<String, Due>,
    cancelled: HashSet<String>,
    pub(super) results: usize,
    pub(super) errors: usize,
}

#[derive(Debug, Default, Clone, Copy)]
struct Due {
    least: usize,
    most: usize,
    received: usize,
}

/// How one line is to be answered.
#[derive(Debug, Clone, PartialEq)]
enum Duty {
    Answer(Value),
    MayAnswer(Value),
    Silence,
}

impl Ledger {
    pub(super) fn sent(&mut self, line: &[u8]) {
        match duty(line) {
            Duty::Silence => {}
            Duty::Answer(id) => {
                let due = self.due.entry(id.to_string()).or_default();
                (due.least, due.most) = (due.least + 1, due.most + 1);
            }
            Duty::MayAnswer(id) => self.due.entry(id.to_string()).or_default().most += 1,
        }
        self.cancelled.extend(cancels(line));
    }

    /// Books one message of the server, or says what is wrong with it.
    pub(super) fn received(&mut self, message: &Value) -> Result<(), String> {
        let wrong = |what: &str| Err(format!("{what}: {}", shortened(&message.to_string())));
        if message["jsonrpc"] != "2.0" {
            return wrong("not JSON-RPC");
        }
        if message.get("method").is_some_and(Value::is_string) && message.get("id").is_none() {
            return Ok(());
        }
        match (message.get("result"), message.get("error")) {
            (Some(Value::Object(_)), None) => self.results += 1,
            (None, Some(error)) if error["code"].is_i64() && error["message"].is_string() => self.errors += 1,
            _ => return wrong("neither a result nor an error nor a notification"),
        }
        let Some(id) = message.get("id") else { return wrong("an answer without an id") };
        if id.is_null() && message.get("result").is_some() {
            return wrong("a result for no request");
        }
        let id = id.to_string();
        if message["error"]["code"] == INTERNAL_ERROR && !self.cancelled.contains(&id) {
            return wrong("an internal error");
        }
        let due = self.due.entry(id).or_default();
        due.received += 1;
        if due.received > due.most {
            return wrong("an answer too many");
        }
        Ok(())
    }

    /// Whether everything is there that must come.
    pub(super) fn settled(&self) -> bool {
        self.missing().is_empty()
    }

    pub(super) fn missing(&self) -> Vec<&str> {
        let missing = self.due.iter().filter(|(id, due)| due.received < due.least && !self.cancelled.contains(*id));
        missing.map(|(id, _)| id.as_str()).collect()
    }
}

/// What JSON-RPC and the protocol ask for.
fn duty(line: &[u8]) -> Duty {
    let nobody = || Duty::Answer(Value::Null);
    if line.len() > LONGEST_MESSAGE {
        return nobody();
    }
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.is_empty() {
        return Duty::Silence;
    }
    let Ok(Value::Object(message)) = serde_json::from_slice(line) else { return nobody() };
    if !message.contains_key("method") && message.contains_key("error") {
        return Duty::MayAnswer(message.get("id").cloned().unwrap_or_default());
    }
    let id = match message.get("id") {
        None => None,
        Some(id @ Value::String(_)) => Some(id.clone()),
        Some(id @ Value::Number(number)) if number.is_i64() => Some(id.clone()),
        Some(id @ Value::Number(_)) => return Duty::Answer(id.clone()),
        Some(_) => return nobody(),
    };
    let is_2_0 = message.get("jsonrpc").is_some_and(|version| version == "2.0");
    match (id, message.get("method")) {
        (id, None) if is_2_0 && (message.contains_key("result") || message.contains_key("error")) => {
            Duty::MayAnswer(id.unwrap_or_default())
        }
        (Some(id), _) => Duty::Answer(id),
        (None, Some(Value::String(_))) if is_2_0 => match message.get("params") {
            None | Some(Value::Object(_) | Value::Array(_)) => Duty::Silence,
            Some(_) => Duty::MayAnswer(Value::Null),
        },
        (None, _) => nobody(),
    }
}

/// The id of the request that a line calls off.
fn cancels(line: &[u8]) -> Option<String> {
    let message: Value = serde_json::from_slice(line).ok()?;
    let id = message.get("params")?.get("requestId")?;
    // -0 is the number 0, and so names the request 0.
    let id = if id.as_f64() == Some(0.0) { "0".to_owned() } else { id.to_string() };
    (message["method"] == "notifications/cancelled").then_some(id)
}

pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 600;
    if text.len() <= LONGEST { text.to_owned() } else { text.chars().take(LONGEST).chain("…".chars()).collect() }
}

#[test]
fn a_line_is_owed_what_json_rpc_promises() {
    let answer = |id: Value| Duty::Answer(id);
    for (line, expected) in [
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, answer(1.into())),
        (r#"{"jsonrpc":"2.0","id":"a","method":7}"#, answer("a".into())),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, answer(1.5.into())),
        (r#"{"id":1,"method":"ping""#, answer(Value::Null)),
        ("[]", answer(Value::Null)),
        (" ", answer(Value::Null)),
        ("\r", Duty::Silence),
        (r#"{"jsonrpc":"2.0","method":"notifications/x","params":[]}"#, Duty::Silence),
        (r#"{"jsonrpc":"2.0","method":"notifications/x","params":7}"#, Duty::MayAnswer(Value::Null)),
        (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, Duty::MayAnswer(1.into())),
    ] {
        assert_eq!(duty(line.as_bytes()), expected, "{line}");
    }
}

#[test]
fn a_request_is_cancelled_by_any_way_to_write_its_number() {
    let of = |id: &str| {
        cancels(format!(r#"{{"method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#).as_bytes())
    };
    assert_eq!(["0", "-0", "7"].map(of), ["0", "0", "7"].map(|id| Some(id.to_owned())));
}
