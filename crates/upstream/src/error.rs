//! What can go wrong between Trailmark and a server that it calls.

use std::time::Duration;

/// A call that was not answered as it should be.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operator can fix this: there is no such program, or it cannot be run.
    #[error("cannot start `{server}`: {reason}")]
    NotStarted { server: String, reason: String },
    /// The program ran, and then it did not.
    #[error("`{server}` ended ({status}){}", said(last_line.as_deref()))]
    Ended {
        server: String,
        status: String,
        /// The last line on its standard error.
        last_line: Option<String>,
    },
    /// There is no connection, or it broke.
    #[error("no connection to {server}: {reason}")]
    NoConnection { server: String, reason: String },
    /// What answers does not speak the protocol.
    #[error("`{server}` does not speak MCP: {reason}{}", said(last_line.as_deref()))]
    NotMcp { server: String, reason: String, last_line: Option<String> },
    /// It did not answer in time.
    #[error("no answer from `{server}` within {} ms{}", after.as_millis(), said(last_line.as_deref()))]
    Timeout { server: String, after: Duration, last_line: Option<String> },
    /// It refused the call.
    #[error("`{server}` refused the call: {message} ({code})")]
    Refused { server: String, code: i32, message: String },
    /// The tool failed and said so.
    #[error("`{tool}` failed: {message}")]
    Tool { tool: String, message: String },
    /// The answer is none.
    #[error("the answer of `{server}` to `{tool}` cannot be understood: {reason}")]
    Malformed { server: String, tool: String, reason: String },
}

fn said(last_line: Option<&str>) -> String {
    last_line.map(|line| format!("; its last words: {line}")).unwrap_or_default()
}

/// Of a chain of causes the first, which says most in fewest words.
pub(crate) fn first_cause(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    shortened(&cause.to_string())
}

/// What others wrote, on one line and not too long.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 300;
    let words = text.split(|character: char| character.is_whitespace() || character.is_control());
    let line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
