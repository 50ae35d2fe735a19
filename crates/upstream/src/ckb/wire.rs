//! What CKB writes: an envelope around the answers of its tools.

use std::collections::HashMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::shortened;

/// Every answer. CKB says errors in here and nowhere else.
#[derive(Debug, Deserialize)]
struct Envelope {
    #[serde(default)]
    data: Value,
    #[serde(default)]
    error: Value,
}

/// Why an envelope holds no answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoAnswer {
    /// CKB knows no such symbol.
    UnknownSymbol,
    Error(String),
}

/// What CKB writes into its messages where it does not know a symbol; it has no other place for that.
const UNKNOWN_SYMBOL: &str = "[SYMBOL_NOT_FOUND]";

pub(super) fn open<T: DeserializeOwned>(text: &str) -> Result<T, NoAnswer> {
    let unreadable = |error: serde_json::Error| {
        let shown: String = text.chars().take(100).collect();
        NoAnswer::Error(format!("not an answer of CKB ({error}): {}", shortened(&shown)))
    };
    let envelope: Envelope = serde_json::from_str(text).map_err(unreadable)?;
    match &envelope.error {
        Value::Null => {}
        Value::String(message) if message.is_empty() => {}
        Value::String(message) if message.contains(UNKNOWN_SYMBOL) => return Err(NoAnswer::UnknownSymbol),
        Value::String(message) => return Err(NoAnswer::Error(shortened(message))),
        error @ (Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
            return Err(NoAnswer::Error(shortened(&error.to_string())));
        }
    }
    T::deserialize(envelope.data).map_err(unreadable)
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Status {
    pub(super) healthy: bool,
    #[serde(default)]
    pub(super) backends: Vec<Backend>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Backend {
    pub(super) id: String,
    #[serde(default)]
    pub(super) available: bool,
    #[serde(default)]
    pub(super) details: Option<String>,
}

/// The answer of `searchSymbols`.
#[derive(Debug, Deserialize)]
pub(super) struct Found {
    #[serde(default)]
    pub(super) symbols: Vec<FoundSymbol>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FoundSymbol {
    pub(super) stable_id: String,
    pub(super) name: String,
    #[serde(default)]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) score: f64,
    pub(super) location: Option<Location>,
}

/// Lines count from 1; 0 is CKB's word for not known.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    pub(super) file_id: String,
    #[serde(default)]
    pub(super) start_line: u32,
    #[serde(default)]
    pub(super) end_line: u32,
}

/// The answer of `findReferences`.
#[derive(Debug, Deserialize)]
pub(super) struct References {
    #[serde(default)]
    pub(super) references: Vec<Reference>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Reference {
    #[serde(default)]
    pub(super) kind: String,
    pub(super) location: Location,
}

/// The answer of `getCallGraph`.
#[derive(Debug, Deserialize)]
pub(super) struct Calls {
    #[serde(default)]
    pub(super) nodes: Vec<CallsNode>,
}

#[derive(Debug, Deserialize)]
pub(super) struct CallsNode {
    pub(super) id: String,
    #[serde(default)]
    pub(super) role: String,
    pub(super) location: Option<Location>,
}

/// The answer of `batchGet`.
#[derive(Debug, Deserialize)]
pub(super) struct Batch {
    #[serde(default)]
    pub(super) results: HashMap<String, BatchSymbol>,
}

#[derive(Debug, Deserialize)]
pub(super) struct BatchSymbol {
    pub(super) location: Option<Location>,
    #[serde(default)]
    pub(super) documentation: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let opened = open::<Found>(text).map(|found| found.symbols.len());
        assert!(format!("{opened:?}").starts_with(expected), "{opened:?}");
    }

    #[test]
    fn an_error_in_the_envelope_is_an_error() {
        check(r#"{"data": {"symbols": []}}"#, "Ok(0)");
        check(r#"{"data": {}, "error": null}"#, "Ok(0)");
        check(
            r#"{"data": null, "error": "[OPERATION_FAILED] it broke"}"#,
            r#"Err(Error("[OPERATION_FAILED] it broke"))"#,
        );
        check(r#"{"data": {"symbols": []}, "error": {"code": 1}}"#, r#"Err(Error("{\"code\":1}"))"#);
        check(r#"{"error": "[OPERATION_FAILED] [SYMBOL_NOT_FOUND] x"}"#, "Err(UnknownSymbol)");
    }

    #[test]
    fn what_is_no_envelope_is_an_error() {
        for text in [
            "",
            "hello",
            "[]",
            "{}",
            r#"{"data": null}"#,
            r#"{"data": {"symbols": 3}}"#,
            r#"{"data": {"symbols": [{}]}}"#,
        ] {
            check(text, "Err(Error(\"not an answer of CKB");
        }
    }
}
