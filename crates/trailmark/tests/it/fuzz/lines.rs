//! Lines for a server's standard input: valid messages, and all that can become of them.

use serde_json::{Map, Value, json};

use super::random::Random;
use super::values;

/// Longer than any message that the server reads.
const OVERSIZED: usize = 16 * 1024 * 1024 + 1;
const DOCUMENT: &str = "trailmark://documents/00000000-0000-7000-8000-000000000000";
const TOOLS: &[&str] = &[
    "mongo_save_document",
    "mongo_find_by_topic",
    "mongo_find_by_id",
    "mongo_update_document",
    "mongo_delete_document",
    "mongo_find_all",
    "no_such_tool",
];

/// One line without its end; `number` makes the id of its request unlike all others.
pub(super) fn line(random: &mut Random, number: usize) -> Vec<u8> {
    let mut line = match random.below(12) {
        0..=2 => serialise(&message(random, number)),
        3..=6 => {
            let mut message = message(random, number);
            for _ in 0..=random.below(3) {
                change_structure(random, &mut message);
            }
            doubled_key(random, serialise(&message))
        }
        7..=9 => {
            let mut line = serialise(&message(random, number));
            for _ in 0..=random.below(4) {
                change_bytes(random, &mut line);
            }
            line
        }
        10 => (0..random.below(300)).map(|_| random.byte()).collect(),
        _ => {
            let mut line = serialise(&message(random, number));
            line.truncate(random.below(line.len()));
            line
        }
    };
    if random.once_in(4_000) {
        line.resize(OVERSIZED, b' ');
    }
    // A line is a line: what would end it early becomes something else.
    line.iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = b'\t');
    line
}

pub(super) fn initialize(id: &str) -> Value {
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "fuzz", "version": "1"},
    });
    json!({"jsonrpc": "2.0", "id": id, "method": "initialize", "params": params})
}

/// A request that introduces itself, as clients of the newest revision do.
pub(super) fn introduced(id: &str, method: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {"_meta": introduction("2026-07-28")}})
}

fn introduction(version: &str) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "fuzz", "version": "1"},
    })
}

/// A message that is as it should be.
fn message(random: &mut Random, number: usize) -> Value {
    if random.once_in(8) {
        return notification(random, number);
    }
    let id = if random.once_in(2) { json!(number) } else { json!(format!("request-{number}")) };
    if random.once_in(20) {
        return json!({"jsonrpc": "2.0", "id": id, "result": {}});
    }
    if random.once_in(15) {
        return initialize(&format!("initialize-{number}"));
    }
    let (method, mut params) = request(random);
    if random.once_in(3) {
        let version = *random.pick(&["2026-07-28", "2026-07-28", "2026-07-28", "2025-11-25", "1999-01-01"]);
        params.insert("_meta".to_owned(), introduction(version));
    } else if random.once_in(10) {
        params.insert("_meta".to_owned(), json!({"progressToken": number}));
    }
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

fn request(random: &mut Random) -> (&'static str, Map<String, Value>) {
    let word = values::text(random);
    let (method, params) = match random.below(17) {
        0 => ("ping", json!({})),
        1 => ("tools/list", json!({})),
        2 => ("resources/list", json!({"cursor": word})),
        3 => ("resources/read", json!({"uri": DOCUMENT})),
        4 => ("resources/templates/list", json!({})),
        5 => ("prompts/list", json!({})),
        6 => ("prompts/get", json!({"name": random.pick(&["recall", "hand_over"]), "arguments": {"topic": word}})),
        7 => {
            let reference = json!({"type": "ref/resource", "uri": "trailmark://documents/{id}"});
            ("completion/complete", json!({"ref": reference, "argument": {"name": "id", "value": word}}))
        }
        8 => ("logging/setLevel", json!({"level": "debug"})),
        9 => ("server/discover", json!({})),
        10 => ("no/such/method", json!({"word": word})),
        11 => ("resources/subscribe", json!({"uri": DOCUMENT})),
        12 => ("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}})),
        _ => {
            let arguments = json!({"id": word, "topic": word, "content": word, "limit": 3, "patch": {"topic": word}});
            ("tools/call", json!({"name": random.pick(TOOLS), "arguments": arguments}))
        }
    };
    (method, params.as_object().cloned().expect("each of them is an object"))
}

fn notification(random: &mut Random, number: usize) -> Value {
    let (method, params) = match random.below(5) {
        0 => ("notifications/initialized", json!({})),
        1 => {
            let earlier = number.saturating_sub(random.below(10));
            ("notifications/cancelled", json!({"requestId": earlier, "reason": values::text(random)}))
        }
        2 => ("notifications/progress", json!({"progressToken": number, "progress": 1})),
        3 => ("tools/call", json!({"name": random.pick(TOOLS), "arguments": {}})),
        _ => ("notifications/unknown", json!({"word": values::text(random)})),
    };
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

fn serialise(message: &Value) -> Vec<u8> {
    values::raw_tokens(message.to_string()).into_bytes()
}

/// Changes one place of a message: another value, a field less or a field more.
fn change_structure(random: &mut Random, message: &mut Value) {
    let mut place = message;
    while let Some(inner) = step_into(random, place.is_object()).then(|| child_index(random, place)).flatten() {
        place = child(place, inner);
    }
    match place {
        Value::Object(fields) if !fields.is_empty() && random.once_in(3) => {
            let name = fields.keys().nth(random.below(fields.len())).cloned().expect("it has that many");
            fields.remove(&name);
        }
        Value::Object(fields) if random.once_in(2) => {
            fields.insert(values::text(random), values::weird(random));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            *place = match random.below(10) {
                0 | 1 => values::raw(random),
                2 => values::too_deep(random),
                _ => values::weird(random),
            };
        }
    }
}

fn step_into(random: &mut Random, is_object: bool) -> bool {
    !random.once_in(if is_object { 4 } else { 2 })
}

fn child_index(random: &mut Random, value: &Value) -> Option<usize> {
    let count = match value {
        Value::Object(fields) => fields.len(),
        Value::Array(items) => items.len(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    };
    (count > 0).then(|| random.below(count))
}

fn child(value: &mut Value, index: usize) -> &mut Value {
    match value {
        Value::Object(fields) => fields.values_mut().nth(index).expect("the index was drawn from its length"),
        Value::Array(items) => &mut items[index],
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => unreachable!("it has no children"),
    }
}

/// Sometimes a key that is there already, before or after the first one.
fn doubled_key(random: &mut Random, line: Vec<u8>) -> Vec<u8> {
    let Some(inside) = line.strip_prefix(b"{").and_then(|rest| rest.strip_suffix(b"}")).filter(|_| random.once_in(6))
    else {
        return line;
    };
    let key = *random.pick(&["id", "method", "params", "jsonrpc", "result"]);
    let extra = format!("{key:?}:{}", values::weird(random)).into_bytes();
    let (first, second) = if random.once_in(2) { (extra.as_slice(), inside) } else { (inside, extra.as_slice()) };
    [b"{", first, b",", second, b"}"].concat()
}

fn change_bytes(random: &mut Random, line: &mut Vec<u8>) {
    let at = random.below(line.len());
    match random.below(6) {
        0 if !line.is_empty() => line[at] ^= 1 << random.below(8),
        1 if !line.is_empty() => line[at] = *random.pick(b"{}[]\",:\\0-e.\x00\x7f\x80\xff\r "),
        2 => line.insert(at, random.byte()),
        3 => line.truncate(at),
        4 => {
            let until = (at + random.below(20)).min(line.len());
            line.drain(at..until);
        }
        _ => {
            let until = (at + random.below(40)).min(line.len());
            let again = line[at..until].to_vec();
            let to = random.below(line.len());
            line.splice(to..to, again);
        }
    }
}
