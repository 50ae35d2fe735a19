//! What can go wrong with a document, and with a call of one of its operations. No message holds a secret.

use std::error::Error;
use std::time::Duration;

/// Why a document gives no operations.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DocumentError {
    #[error("it is empty")]
    Empty,
    #[error("it is not UTF-8 text")]
    NotText,
    #[error("it is longer than {} MB, the most that is read", most / 1_000_000)]
    TooLong { most: usize },
    #[error("it is neither JSON nor YAML: {reason}")]
    NotParsed { reason: String },
    #[error("it is nested more than {most} levels deep")]
    TooDeep { most: usize },
    #[error("its YAML aliases stand for more than {most} values; write them out, or fewer of them")]
    TooManyAliases { most: usize },
    #[error("it is not an OpenAPI document: {reason}")]
    NotOpenApi { reason: String },
    #[error("cannot read it: {reason}")]
    Unreadable { reason: String },
    #[error("`{given}` is not an http or https address: {reason}")]
    BadAddress { given: String, reason: String },
    #[error("it refers to `{reference}`, which is outside of it; allow-external-refs lets it read files beside it")]
    ExternalReference { reference: String },
    #[error("`{reference}` is {reason}")]
    ExternalRefused { reference: String, reason: String },
}

/// Why a call was not answered by the service.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// The caller can mend it.
    #[error("`{argument}` {problem}")]
    Argument { argument: String, problem: String },
    /// The operator can mend it.
    #[error("{problem}")]
    Setup { problem: String },
    /// It is not allowed, whoever asks.
    #[error("{problem}")]
    Refused { problem: String },
    #[error("{host} does not answer: {reason}")]
    NoConnection { host: String, reason: String },
    #[error("{host} did not answer within {} s", after.as_secs_f64())]
    Timeout { host: String, after: Duration },
}

impl CallError {
    pub(crate) fn argument(argument: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Argument { argument: argument.into(), problem: problem.into() }
    }

    pub(crate) fn refused(problem: impl Into<String>) -> Self {
        Self::Refused { problem: problem.into() }
    }

    pub(crate) fn setup(problem: impl Into<String>) -> Self {
        Self::Setup { problem: problem.into() }
    }
}

/// The innermost reason, which is the one that tells something.
pub(crate) fn first_cause(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}
