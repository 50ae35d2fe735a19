//! What is wrong with a request: which argument, which row, and what would be right.

use serde_json::Value;

/// The longest piece of what was given that a message repeats, in characters.
const LONGEST_SHOWN: usize = 60;

/// An argument that no chart can be made of.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{field}`{} {problem}", row_in_words(*row))]
pub struct Invalid {
    /// The argument as a path, such as `data[2].sales` or `mapping.xField`.
    pub field: String,
    /// The row at fault, counted from 0.
    pub row: Option<usize>,
    pub problem: String,
}

impl Invalid {
    pub(crate) fn new(field: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { field: field.into(), row: None, problem: problem.into() }
    }

    /// A cell of the rows.
    pub(crate) fn cell(row: usize, column: &str, problem: impl Into<String>) -> Self {
        Self { field: format!("data[{row}].{}", shortened(column)), row: Some(row), problem: problem.into() }
    }

    /// An entry of a list in the graph.
    pub(crate) fn entry(path: impl Into<String>, row: usize, problem: impl Into<String>) -> Self {
        Self { field: path.into(), row: Some(row), problem: problem.into() }
    }
}

fn row_in_words(row: Option<usize>) -> String {
    row.map(|row| format!(" (row {})", row + 1)).unwrap_or_default()
}

/// A value short enough to repeat to the caller.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => format!("the boolean {value}"),
        Value::Number(_) => format!("the number {value}"),
        Value::String(text) => format!("the text {}", quoted(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

pub(crate) fn quoted(text: &str) -> String {
    Value::from(shortened(text)).to_string()
}

pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
