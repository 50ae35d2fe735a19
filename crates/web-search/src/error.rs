//! Why a search has no answer, in words without secrets, and what can be done about it.

use std::error::Error as StdError;
use std::time::Duration;

use crate::answer::EngineFailure;

/// A search that could not be asked. `place` is what the provider is called, with its host and without its credentials.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("no connection to {place}: {reason}")]
    NoConnection { place: String, reason: String },
    #[error("{place} did not answer within {} s", .after.as_secs_f64())]
    Timeout { place: String, after: Duration },
    #[error("the connection to {place} was lost: {reason}")]
    Lost { place: String, reason: String },
    #[error("{place} does not answer in JSON (status 403)")]
    JsonRefused { place: String },
    #[error("{place} wants a user name and a password, or other ones (status 401)")]
    Unauthorised { place: String },
    #[error("{place} wants fewer requests (status 429); try again {}", when(*.retry_after))]
    TooManyRequests { place: String, retry_after: Option<Duration> },
    #[error("{place} answered with status {status}{}", after_colon(.said))]
    Status { place: String, status: u16, said: String },
    #[error("{place} sends on to {to}; a search goes to the host that was set and to no other")]
    Redirected { place: String, to: String },
    #[error("{place} answered with more than {most} bytes, which is no list of results")]
    TooLong { place: String, most: usize },
    #[error("the answer of {place} cannot be understood: {reason}")]
    Malformed { place: String, reason: String },
    /// An empty answer behind which engines have failed.
    #[error("{place} found nothing, and {}", told(.engines, *.is_all))]
    NothingRan {
        place: String,
        engines: Vec<EngineFailure>,
        /// Whether no other engine can have answered.
        is_all: bool,
    },
    /// Our own limit.
    #[error("too many searches at once for {place}; try again {}", when(Some(*.retry_after)))]
    Crowded { place: String, retry_after: Duration },
    #[error("{place} asked for a pause; try again {}", when(Some(*.retry_after)))]
    Resting { place: String, retry_after: Duration },
    /// An MCP server that could not be started, reached or understood, or that refused.
    #[error("the search server failed: {message}")]
    Server { message: String, is_passing: bool },
    #[error("{place} has no tool that searches the web; it offers {}", list(.offered))]
    NoSearchTool { place: String, offered: Vec<String> },
    #[error("no secure connection can be made here: {reason}")]
    NoSecurity { reason: String },
}

impl Error {
    /// What the operator or the caller can do.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::JsonRefused { .. } => Some(
                "Add `json` to `search.formats` in SearXNG's settings.yml and restart it. If it is there, the instance blocks this \
                 client: use an instance of your own.",
            ),
            Self::Unauthorised { .. } => {
                Some("Put them into the address: TRAILMARK_SEARXNG_URL=https://USER:PASSWORD@HOST.")
            }
            Self::TooManyRequests { .. } => Some(
                "SearXNG's limiter does this: add the address of this machine to `pass_ip` in its limiter.toml, or use an instance of \
                 your own.",
            ),
            Self::Status { status: 404, .. } => Some(
                "Is the address right? It is the part before /search, such as https://HOST or https://HOST/searxng.",
            ),
            Self::Redirected { .. } => Some(
                "Set the address that it leads to, if you trust it. Words that begin with !! leave SearXNG too: search without them.",
            ),
            Self::NoConnection { .. } => Some("Is it running, and is TRAILMARK_SEARXNG_URL right?"),
            Self::Malformed { .. } => {
                Some("Is there a SearXNG at this address, and does a proxy in front of it change its answers?")
            }
            Self::NothingRan { .. } => Some(
                "The engines block or limit the search server; this often passes. Try again later, or switch other engines on there.",
            ),
            Self::NoSearchTool { .. } => Some("Name the tool with `tool` under [web_search] in trailmark.toml."),
            Self::Timeout { .. }
            | Self::Lost { .. }
            | Self::Status { .. }
            | Self::TooLong { .. }
            | Self::Crowded { .. }
            | Self::Resting { .. }
            | Self::Server { .. }
            | Self::NoSecurity { .. } => None,
        }
    }

    /// When it may be tried again, where that is known.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::TooManyRequests { retry_after, .. } => *retry_after,
            Self::Crowded { retry_after, .. } | Self::Resting { retry_after, .. } => Some(*retry_after),
            Self::NoConnection { .. }
            | Self::Timeout { .. }
            | Self::Lost { .. }
            | Self::JsonRefused { .. }
            | Self::Unauthorised { .. }
            | Self::Status { .. }
            | Self::Redirected { .. }
            | Self::TooLong { .. }
            | Self::Malformed { .. }
            | Self::NothingRan { .. }
            | Self::Server { .. }
            | Self::NoSearchTool { .. }
            | Self::NoSecurity { .. } => None,
        }
    }

    /// The engines that failed, where they are why.
    pub fn engines(&self) -> &[EngineFailure] {
        if let Self::NothingRan { engines, .. } = self { engines } else { &[] }
    }

    /// Whether the same request may well succeed a moment later.
    pub(crate) fn is_passing(&self) -> bool {
        match self {
            Self::NoConnection { .. } | Self::Lost { .. } => true,
            Self::Status { status, .. } => matches!(status, 500 | 502 | 503 | 504),
            Self::Server { is_passing, .. } => *is_passing,
            Self::Timeout { .. }
            | Self::JsonRefused { .. }
            | Self::Unauthorised { .. }
            | Self::TooManyRequests { .. }
            | Self::Redirected { .. }
            | Self::TooLong { .. }
            | Self::Malformed { .. }
            | Self::NothingRan { .. }
            | Self::Crowded { .. }
            | Self::Resting { .. }
            | Self::NoSearchTool { .. }
            | Self::NoSecurity { .. } => false,
        }
    }
}

fn when(after: Option<Duration>) -> String {
    match after {
        Some(after) => format!("in {} s", after.as_secs_f64().ceil().max(1.0)),
        None => "in a minute or later".to_owned(),
    }
}

fn told(engines: &[EngineFailure], is_all: bool) -> String {
    if engines.is_empty() {
        return "no engine is switched on there".to_owned();
    }
    let who = if is_all { "none of its engines answered" } else { "some of its engines did not answer" };
    let engines: Vec<String> =
        engines.iter().map(|failure| format!("{} ({})", failure.engine, failure.reason)).collect();
    format!("{who}: {}", engines.join(", "))
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "no tools".to_owned() } else { names.join(", ") }
}

fn after_colon(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(": {text}") }
}

/// The first cause of an error, which says most.
pub(crate) fn first_cause(error: &dyn StdError) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
