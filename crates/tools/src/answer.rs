//! What a tool call answers, before any protocol wraps it.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::content::ContentBlock;

/// The blocks of an answer, the same as structured JSON where the tool speaks JSON, and whether it reports a failure.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    pub content: Vec<ContentBlock>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structured_content: Option<Value>,
    pub is_error: bool,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Map<String, Value>>,
}

impl Answer {
    /// One text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self { content: vec![ContentBlock::text(text)], structured_content: None, is_error: false, meta: None }
    }

    /// JSON as indented text and, equal to it, as structured content.
    pub fn json(value: Value) -> Self {
        let mut answer = Self::text(indented(&value));
        answer.structured_content = Some(value);
        answer
    }

    /// The same answer, marked as a failure.
    #[must_use]
    pub fn failed(mut self) -> Self {
        self.is_error = true;
        self
    }

    /// All text blocks, one after the other.
    pub fn joined_text(&self) -> String {
        let texts: Vec<&str> = self.content.iter().filter_map(ContentBlock::as_text).collect();
        texts.join("\n")
    }
}

/// JSON the way every tool prints it: two spaces, non-ASCII characters as they are.
pub(crate) fn indented(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("a JSON value always serialises")
}
