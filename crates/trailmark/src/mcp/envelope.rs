//! The outside of a message: what is not JSON, or not JSON-RPC, is answered before the protocol library sees it.

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage, ProtocolVersion};
use serde_json::{Value, json};

/// A message that was refused, and the answer to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rejection {
    pub(crate) code: i32,
    pub(crate) message: String,
    /// The id of the request, where it could be read.
    pub(crate) id: Value,
    /// Notifications are never answered, right or wrong.
    pub(crate) of_notification: bool,
}

impl Rejection {
    const PARSE_ERROR: i32 = -32700;
    const INVALID_REQUEST: i32 = -32600;
    const INVALID_PARAMS: i32 = -32602;

    pub(crate) fn parse_error(message: impl Into<String>) -> Self {
        Self::new(Self::PARSE_ERROR, message, Value::Null)
    }

    pub(crate) fn invalid_request(message: impl Into<String>, id: Value) -> Self {
        Self::new(Self::INVALID_REQUEST, message, id)
    }

    /// A request from a client that has not introduced itself.
    pub(crate) fn not_initialized(id: Value) -> Self {
        let message = "Not initialized: send `initialize` first, or put io.modelcontextprotocol/protocolVersion and \
                       io.modelcontextprotocol/clientCapabilities into params._meta";
        Self::invalid_params(message, id)
    }

    fn invalid_params(message: impl Into<String>, id: Value) -> Self {
        Self::new(Self::INVALID_PARAMS, message, id)
    }

    fn new(code: i32, message: impl Into<String>, id: Value) -> Self {
        Self { code, message: message.into(), id, of_notification: false }
    }

    /// The answer as a JSON-RPC message.
    pub(crate) fn to_json(&self) -> Value {
        json!({"jsonrpc": "2.0", "id": self.id, "error": {"code": self.code, "message": self.message}})
    }
}

/// Reads one message, or says why it is none.
pub(crate) fn read(bytes: &[u8]) -> Result<ClientJsonRpcMessage, Rejection> {
    let value: Value = serde_json::from_slice(bytes).map_err(|error| unreadable(bytes, &error))?;
    let of_notification = value["jsonrpc"] == "2.0" && value["method"].is_string() && value.get("id").is_none();
    typed(value).map_err(|rejection| Rejection { of_notification, ..rejection })
}

fn typed(value: Value) -> Result<ClientJsonRpcMessage, Rejection> {
    check(&value)?;
    let id = value.get("id").cloned().unwrap_or_default();
    let is_stateless = is_stateless(&value);
    let message: ClientJsonRpcMessage = serde_json::from_value(value)
        .map_err(|error| Rejection::invalid_request(format!("Invalid request: {error}"), id.clone()))?;
    match misread_method(&message, is_stateless) {
        Some(method) => Err(Rejection::invalid_params(format!("Invalid params for {method}"), id)),
        None => Ok(message),
    }
}

fn unreadable(bytes: &[u8], error: &serde_json::Error) -> Rejection {
    if std::str::from_utf8(bytes).is_err() {
        return Rejection::parse_error("Parse error: the message is not UTF-8");
    }
    Rejection::parse_error(format!("Parse error: {error}"))
}

fn check(value: &Value) -> Result<(), Rejection> {
    let Value::Object(message) = value else {
        let what = if value.is_array() {
            "batches are not supported; send one message at a time"
        } else {
            "a message is an object"
        };
        return Err(Rejection::invalid_request(format!("Invalid request: {what}"), Value::Null));
    };
    if !message.contains_key("method") && message.contains_key("error") {
        // Errors answer messages whose id could not be read, too; they are never answered themselves.
        return Ok(());
    }
    let id = check_id(message.get("id"))?;
    if message.get("jsonrpc").is_none_or(|version| version != "2.0") {
        return Err(Rejection::invalid_request("Invalid request: `jsonrpc` must be \"2.0\"", id));
    }
    match message.get("method") {
        Some(Value::String(method)) => check_params(method, message.get("params"), id),
        Some(_) => Err(Rejection::invalid_request("Invalid request: `method` must be a string", id)),
        None if message.contains_key("result") || message.contains_key("error") => Ok(()),
        None => Err(Rejection::invalid_request("Invalid request: `method` is missing", id)),
    }
}

/// An id is a string or a whole number; notifications have none.
fn check_id(id: Option<&Value>) -> Result<Value, Rejection> {
    match id {
        None => Ok(Value::Null),
        Some(id @ Value::String(_)) => Ok(id.clone()),
        Some(id @ Value::Number(number)) if number.is_i64() => Ok(id.clone()),
        Some(other) => {
            let message = "Invalid request: `id` must be a string or a whole number from -2^63 to 2^63-1";
            let readable = if other.is_number() { other.clone() } else { Value::Null };
            Err(Rejection::invalid_request(message, readable))
        }
    }
}

fn check_params(method: &str, params: Option<&Value>, id: Value) -> Result<(), Rejection> {
    let Some(params) = params else { return Ok(()) };
    if !params.is_object() {
        return Err(Rejection::invalid_params(format!("Invalid params for {method}: `params` must be an object"), id));
    }
    if params.get("_meta").is_some_and(|meta| !meta.is_object()) {
        return Err(Rejection::invalid_params(format!("Invalid params for {method}: `_meta` must be an object"), id));
    }
    if method == "tools/call" {
        if !params["name"].is_string() {
            return Err(Rejection::invalid_params("Invalid params for tools/call: `name` must be a string", id));
        }
        if params.get("arguments").is_some_and(|arguments| !arguments.is_object() && !arguments.is_null()) {
            return Err(Rejection::invalid_params("Invalid params for tools/call: `arguments` must be an object", id));
        }
    }
    Ok(())
}

/// Whether the request says that it is of a revision without sessions.
fn is_stateless(message: &Value) -> bool {
    let version = message.pointer("/params/_meta/io.modelcontextprotocol~1protocolVersion").and_then(Value::as_str);
    version.is_some_and(|version| version >= ProtocolVersion::V_2026_07_28.as_str())
}

/// Known methods whose parameters the library could not read come back from it as custom requests. Those that a revision
/// without sessions removed are unknown there, whatever their parameters.
fn misread_method(message: &ClientJsonRpcMessage, is_stateless: bool) -> Option<&str> {
    const WITH_SESSIONS: &[&str] =
        &["initialize", "ping", "resources/subscribe", "resources/unsubscribe", "logging/setLevel"];
    const KNOWN: &[&str] = &[
        "server/discover",
        "tools/call",
        "tools/list",
        "resources/list",
        "resources/read",
        "resources/templates/list",
        "prompts/list",
        "prompts/get",
        "completion/complete",
        "subscriptions/listen",
    ];
    let JsonRpcMessage::Request(request) = message else { return None };
    let ClientRequest::CustomRequest(custom) = &request.request else { return None };
    let method = custom.method.as_str();
    let is_known = KNOWN.contains(&method) || (!is_stateless && WITH_SESSIONS.contains(&method));
    is_known.then_some(method)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], code: i32, id: Value, message: &str) {
        let rejection = read(bytes).unwrap_err();
        assert_eq!((rejection.code, rejection.id), (code, id), "{}", rejection.message);
        assert!(rejection.message.contains(message), "{}", rejection.message);
    }

    #[test]
    fn what_is_not_json_is_a_parse_error() {
        check(b"{", -32700, Value::Null, "EOF");
        check(b"hello", -32700, Value::Null, "Parse error");
        check(b"{\"a\":\"\xff\"}", -32700, Value::Null, "not UTF-8");
        check("[".repeat(100_000).as_bytes(), -32700, Value::Null, "recursion limit");
    }

    #[test]
    fn what_is_not_json_rpc_is_an_invalid_request() {
        check(b"[]", -32600, Value::Null, "batches");
        check(b"7", -32600, Value::Null, "object");
        check(br#"{"id":1,"method":"ping"}"#, -32600, json!(1), "jsonrpc");
        check(br#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600, json!(1), "jsonrpc");
        check(br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, Value::Null, "`id`");
        check(br#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600, json!(1.5), "`id`");
        check(br#"{"jsonrpc":"2.0","id":"a","method":7}"#, -32600, json!("a"), "`method`");
        check(br#"{"jsonrpc":"2.0","id":"a"}"#, -32600, json!("a"), "`method` is missing");
    }

    #[test]
    fn parameters_of_the_wrong_shape_are_invalid_params() {
        check(br#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}"#, -32602, json!(1), "`params`");
        check(br#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":[]}}"#, -32602, json!(1), "`_meta`");
        check(br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#, -32602, json!(1), "`name`");
        check(
            br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":[]}}"#,
            -32602,
            json!(1),
            "`arguments`",
        );
        check(
            br#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":7}}"#,
            -32602,
            json!(1),
            "resources/read",
        );
        check(br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#, -32602, json!(1), "initialize");
    }

    #[test]
    fn what_is_wrong_with_a_notification_is_not_answered() {
        for message in [
            r#"{"jsonrpc":"2.0","method":"notifications/x","params":[]}"#,
            r#"{"jsonrpc":"2.0","method":"tools/call","params":{"arguments":{}}}"#,
        ] {
            assert!(read(message.as_bytes()).unwrap_err().of_notification, "{message}");
        }
        assert!(!read(br#"{"jsonrpc":"2.0","id":1,"method":"x","params":[]}"#).unwrap_err().of_notification);
    }

    #[test]
    fn removed_methods_are_left_to_the_library_in_stateless_requests() {
        let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#;
        for method in ["initialize", "resources/subscribe", "resources/unsubscribe", "logging/setLevel"] {
            let message = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{meta}}}}}"#);
            read(message.as_bytes()).unwrap();
        }
        let message = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{{{meta}}}}}"#);
        check(message.as_bytes(), -32602, json!(1), "resources/read");
    }

    #[test]
    fn good_messages_pass() {
        for message in [
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"t","arguments":{"a":1}}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"no/such/method"}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#,
        ] {
            read(message.as_bytes()).unwrap();
        }
    }
}
