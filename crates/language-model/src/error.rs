//! What can be wrong with an endpoint as it is set, and what can go wrong in asking it.

use std::error::Error as StdError;
use std::time::Duration;

/// Why a setting is no endpoint. No message repeats the address: it may hold a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    #[error("the address of the model is not one; it is written https://HOST/v1, the part before /chat/completions")]
    NotAnAddress,
    #[error("the address of the model may hold no user and no password; give the key by environment")]
    CredentialsInAddress,
    #[error("the key of the model would go unencrypted to another machine; use https://, or http:// without a key")]
    KeyInTheOpen,
    #[error("the key of the model has characters that no header can hold")]
    KeyNotSendable,
    #[error("the model has no name")]
    NoModel,
}

/// Why there is no reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("no connection to {host}: {reason}")]
    NoConnection { host: String, reason: String },
    #[error("{host} did not answer within {} s", .after.as_secs_f64())]
    Timeout { host: String, after: Duration },
    #[error("the connection to {host} was lost: {reason}")]
    Lost { host: String, reason: String },
    /// The answer's beginning, without the key should it have been repeated there.
    #[error("{host} answered with status {status}{}", after_colon(.body))]
    Status { host: String, status: u16, body: String },
    #[error("{host} answered with more than {most} bytes")]
    TooLong { host: String, most: usize },
    #[error("{host} answered with something that is not a vector of the same length for each text: {body}")]
    NotEmbeddings { host: String, body: String },
    #[error("{host} answered with something other than a chat completion{}", after_colon(.body))]
    NotACompletion { host: String, body: String },
    #[error("{host} gave an empty reply")]
    Empty { host: String },
    #[error("no secure connection can be made here: {reason}")]
    NoSecurity { reason: String },
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
