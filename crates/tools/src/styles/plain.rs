//! The code and code-intelligence families: the body as it is, errors as one sentence of text.

use serde_json::Value;

use crate::answer::Answer;
use crate::content::ContentBlock;
use crate::error::ToolError;

pub(super) fn success(data: Value, notes: Vec<String>, beside: Vec<ContentBlock>) -> Answer {
    let mut answer = Answer::json(data);
    answer.content.extend(beside);
    answer.content.extend(notes.into_iter().map(ContentBlock::text));
    answer
}

pub(super) fn error(tool: &str, error: &ToolError) -> Answer {
    Answer::text(sentence(tool, error)).failed()
}

/// The sentence that S1 prescribes for a failed call.
pub(super) fn sentence(tool: &str, error: &ToolError) -> String {
    let hint = error.hint().map(|hint| format!(" ({hint})")).unwrap_or_default();
    format!("Error: Error executing tool '{tool}': {}{hint}", error.message)
}
