//! What a server answers and offers.

use serde_json::Value;

/// What a tool answered; a tool that failed is an [`Error`](crate::Error).
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// All text blocks, one below the other.
    pub text: String,
    pub structured: Option<Value>,
}

/// A tool that a server offers.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    pub name: String,
    pub description: String,
    /// The JSON Schema of its arguments.
    pub input: Value,
}
