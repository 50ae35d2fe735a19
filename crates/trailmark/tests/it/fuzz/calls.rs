//! Tool calls with arguments made from the published schemas, and what their answers must look like.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::arguments::{Arguments, allows, change_fixed_fields};
use super::ledger::shortened;
use super::lines;
use super::random::Random;
use super::server::Server;
use crate::sample::all_tools;

/// How calls may end. The store is sound, so its own errors are not among them.
const OUTCOMES: &[&str] = &[FORBIDDEN, INVALID, NOT_FOUND, OK, UPSTREAM];
/// What even the shortest conversation comes to see.
pub(super) const CERTAIN: [&str; 4] = [INVALID, OK, REFUSED, TEXT];
const FORBIDDEN: &str = "FORBIDDEN";
const INVALID: &str = "INVALID_ARGUMENT";
const NOT_FOUND: &str = "NOT_FOUND";
const OK: &str = "ok";
/// How those end that need a service which is not configured here.
const UPSTREAM: &str = "UPSTREAM_ERROR";
const NEED_SERVICES: &[&str] = &["web_search"];
/// Whose arguments have rules that a schema cannot say: what charts are made of, what a property may hold.
const HAVE_FURTHER_RULES: &[&str] = &[
    "echart_generate",
    "neo4j_create_node",
    "neo4j_create_relationship",
    "neo4j_find_node",
    "neo4j_update_node",
    "neo4j_update_relationship",
];
/// How the calls of tools that answer with text end.
const REFUSED: &str = "text: refused";
const TEXT: &str = "text: ok";
/// How those about experiences do, and the codes of their refusals.
const RECORD_REFUSED: &str = "record: refused";
const RECORD: &str = "record: ok";
const RECORD_CODES: [&str; 6] = [
    "INVALID_KEYWORDS",
    "INVALID_LIMIT",
    "MISSING_REQUIRED_FIELDS",
    "INVALID_TITLE",
    "CONTEXT_NOT_SANITIZED",
    "VALIDATION_ERROR",
];

const ROUNDS: usize = 25;
const CALLS_AT_ONCE: usize = 8;
const LONGEST_ANSWER: usize = 200_000;

/// One conversation; `seen` collects how its calls ended.
pub(super) fn converse(random: &mut Random, seen: &mut BTreeSet<&'static str>) -> Result<(), String> {
    let server = Server::start();
    ask(&server, &lines::initialize("hello"))?;
    let list = ask(&server, &json!({"jsonrpc": "2.0", "id": "tools", "method": "tools/list"}))?;
    let tools = tools_in(&list)?;
    let mut arguments = Arguments::default();
    for round in 0..ROUNDS {
        let calls =
            (0..CALLS_AT_ONCE).map(|number| Call::make(random, &arguments, tools, round * 100 + number)).collect();
        for (outcome, saved) in run(&server, calls)? {
            seen.insert(outcome);
            arguments.ids.extend(saved);
        }
    }
    match server.stop()? {
        rest if rest.is_empty() => Ok(()),
        rest => Err(format!("more was said than asked for: {rest:?}")),
    }
}

/// The tools in an answer to `tools/list`, if they are all there.
pub(super) fn tools_in(list: &Value) -> Result<&[Value], String> {
    let tools = list["result"]["tools"].as_array().filter(|tools| tools.len() == all_tools().len());
    tools.map(Vec::as_slice).ok_or_else(|| format!("not every tool: {list}"))
}

fn ask(server: &Server, request: &Value) -> Result<Value, String> {
    server.send(request.to_string().into_bytes());
    server.receive()
}

/// A call, and whether its tool's schema allows its arguments.
#[derive(Debug)]
struct Call {
    id: usize,
    tool: String,
    arguments: Map<String, Value>,
    is_valid: bool,
    body: Body,
}

/// What the answers of a tool are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Body {
    Text,
    /// JSON, except for errors.
    Plain,
    /// JSON that says itself whether it is an error.
    Envelope,
    /// The same in the form of experiences.
    Record,
}

impl Call {
    fn make(random: &mut Random, arguments: &Arguments, tools: &[Value], id: usize) -> Self {
        let tool = random.pick(tools);
        let arguments = arguments.make(random, &tool["inputSchema"]);
        let is_valid = allows(&tool["inputSchema"], &arguments);
        let name = tool["name"].as_str().expect("a tool has a name").to_owned();
        let body = match tool.get("outputSchema") {
            None => Body::Text,
            Some(schema) if schema["properties"].get("ok").is_some() => Body::Envelope,
            Some(schema) if ["success", "data"].iter().all(|field| schema["properties"].get(field).is_some()) => {
                Body::Record
            }
            Some(_) => Body::Plain,
        };
        Self { id, tool: name, arguments, is_valid, body }
    }

    fn line(&self) -> Vec<u8> {
        let params = json!({"name": self.tool, "arguments": self.arguments});
        json!({"jsonrpc": "2.0", "id": self.id, "method": "tools/call", "params": params}).to_string().into_bytes()
    }

    /// How the call ended and the document it made, or what is wrong with its answer.
    fn judge(&self, answer: &Value) -> Result<(&'static str, Option<String>), String> {
        let result = answer.get("result").ok_or("a protocol error instead of a result")?;
        let [block, others @ ..] = result["content"].as_array().map(Vec::as_slice).unwrap_or_default() else {
            return Err("no content block".to_owned());
        };
        if others.iter().any(|block| block["type"] != "image") {
            return Err("a further content block that is no picture".to_owned());
        }
        let text = block["text"].as_str().ok_or("no text")?;
        match self.body {
            Body::Text | Body::Plain => return self.judge_text(text, result).map(|outcome| (outcome, None)),
            Body::Record => return self.judge_record(text, result).map(|outcome| (outcome, None)),
            Body::Envelope => {}
        }
        let body: Value = serde_json::from_str(text).map_err(|error| format!("the text is not JSON: {error}"))?;
        let outcome = outcome(&body)?;
        let is_error = result.get("isError").is_some_and(|is_error| is_error == true);
        let has_further_rules = HAVE_FURTHER_RULES.contains(&self.tool.as_str());
        let refused_rightly = outcome == INVALID || (outcome == FORBIDDEN && change_fixed_fields(&self.arguments));
        for (holds, otherwise) in [
            (text.len() <= LONGEST_ANSWER, "the answer is too long"),
            (result["structuredContent"] == body, "the text and the structured content differ"),
            (is_error == (outcome != OK), "isError says something else than the body"),
            (outcome != UPSTREAM || NEED_SERVICES.contains(&self.tool.as_str()), "this tool needs no service"),
            (self.is_valid || refused_rightly, "the schema forbids these arguments, but the call was let through"),
            (
                !self.is_valid || !refused_rightly || has_further_rules,
                "the schema allows these arguments, but the call was refused",
            ),
        ] {
            if !holds {
                return Err(otherwise.to_owned());
            }
        }
        let saved = (self.tool == "mongo_save_document").then(|| body["data"]["id"].as_str()).flatten();
        Ok((outcome, saved.map(str::to_owned)))
    }
}

impl Call {
    /// How a call ended whose answer is text, at least when it failed.
    fn judge_text(&self, text: &str, result: &Value) -> Result<&'static str, String> {
        let is_error = result.get("isError").is_some_and(|is_error| is_error == true);
        let structured = (self.body == Body::Plain && !is_error).then(|| serde_json::from_str(text).ok()).flatten();
        let refusal = format!("Error: Error executing tool '{}': ", self.tool);
        for (holds, otherwise) in [
            (text.len() <= LONGEST_ANSWER, "the answer is too long"),
            (result.get("structuredContent") == structured.as_ref(), "the text and the structured content differ"),
            (is_error == text.starts_with(&refusal), "isError says something else than the text"),
            (self.is_valid || is_error, "the schema forbids these arguments, but the call was let through"),
        ] {
            if !holds {
                return Err(otherwise.to_owned());
            }
        }
        Ok(if is_error { REFUSED } else { TEXT })
    }

    /// How a call about experiences ended. What the schema allows may still be refused, for a secret or a null character.
    fn judge_record(&self, text: &str, result: &Value) -> Result<&'static str, String> {
        let is_error = result.get("isError").is_some_and(|is_error| is_error == true);
        let body: Value = serde_json::from_str(text).map_err(|error| format!("the text is not JSON: {error}"))?;
        let code = body["error"]["code"].as_str();
        for (holds, otherwise) in [
            (text.len() <= LONGEST_ANSWER, "the answer is too long"),
            (result["structuredContent"] == body, "the text and the structured content differ"),
            (body["success"] == !is_error, "isError says something else than the body"),
            (
                is_error == code.is_some_and(|code| RECORD_CODES.contains(&code)),
                "the code is not what arguments may lead to",
            ),
            (self.is_valid || is_error, "the schema forbids these arguments, but the call was let through"),
        ] {
            if !holds {
                return Err(otherwise.to_owned());
            }
        }
        Ok(if is_error { RECORD_REFUSED } else { RECORD })
    }
}

/// Makes calls side by side; each must be answered once, in whatever order.
fn run(server: &Server, mut calls: Vec<Call>) -> Result<Vec<(&'static str, Option<String>)>, String> {
    calls.iter().for_each(|call| server.send(call.line()));
    let mut outcomes = Vec::new();
    while !calls.is_empty() {
        let open = || calls.iter().map(|call| shortened(&String::from_utf8_lossy(&call.line()))).collect::<Vec<_>>();
        let answer = server.receive().map_err(|problem| format!("{problem}; open calls:\n{}", open().join("\n")))?;
        let said = || shortened(&answer.to_string());
        let at = calls.iter().position(|call| answer["id"] == call.id);
        let call = calls.swap_remove(at.ok_or_else(|| format!("an answer that nobody asked for: {}", said()))?);
        let judged = call.judge(&answer);
        outcomes.push(judged.map_err(|problem| {
            format!("{problem}\ncall: {}\nanswer: {}", shortened(&String::from_utf8_lossy(&call.line())), said())
        })?);
    }
    Ok(outcomes)
}

/// `ok` or the code of the error, if the body is one of this family.
fn outcome(body: &Value) -> Result<&'static str, String> {
    if !body["meta"]["traceId"].is_string() || !body["meta"]["tookMs"].is_u64() {
        return Err("the meta part is not complete".to_owned());
    }
    let code = match (&body["ok"], &body["data"], &body["error"]) {
        (Value::Bool(true), Value::Object(_), Value::Null) => OK,
        (Value::Bool(false), Value::Null, Value::Object(error)) => match (error.get("code"), error.get("message")) {
            (Some(Value::String(code)), Some(Value::String(message))) if !message.is_empty() => code,
            _ => return Err("the error has no code or no message".to_owned()),
        },
        _ => return Err("neither a success nor a failure".to_owned()),
    };
    let known = OUTCOMES.iter().find(|outcome| **outcome == code);
    known.copied().ok_or_else(|| format!("`{code}` is not what arguments may lead to"))
}
