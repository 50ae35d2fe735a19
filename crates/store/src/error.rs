//! One closed list of what can go wrong in any backend, and whether trying again can help.

use std::error::Error;
use std::fmt;

/// What a storage operation answers with.
pub type Result<T> = std::result::Result<T, StoreError>;

/// What happened, whatever the backend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The thing asked for by id does not exist.
    NotFound,
    /// The change contradicts what is stored.
    Conflict,
    /// This backend cannot do that.
    Unsupported,
    /// The values given can never be stored.
    InvalidInput,
    /// The store cannot be reached or written just now: locked, full, read-only, offline.
    Unavailable,
    /// What is stored cannot be read back.
    Corrupt,
    /// A bug in Trailmark or in the backend.
    Unexpected,
}

/// Whether the same call may succeed later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// It will fail the same way again.
    Never,
    /// It may succeed once the cause has gone.
    Later,
}

/// A failed storage operation: what happened, in words, and what the operator can do.
#[derive(Debug)]
pub struct StoreError {
    kind: ErrorKind,
    message: String,
    hint: Option<String>,
    retry: Retry,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl StoreError {
    /// An error of this kind; `Unavailable` may be retried, the others not.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        let retry = if kind == ErrorKind::Unavailable { Retry::Later } else { Retry::Never };
        Self { kind, message: message.into(), hint: None, retry, source: None }
    }

    /// Nothing of this `what` has this id.
    pub fn not_found(what: &str, id: impl fmt::Display) -> Self {
        Self::new(ErrorKind::NotFound, format!("no {what} with id `{id}`"))
    }

    /// Adds what the reader can do about it.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Keeps the driver's own error as the cause.
    #[must_use]
    pub fn with_source(mut self, source: impl Error + Send + Sync + 'static) -> Self {
        self.source = Some(Box::new(source));
        self
    }

    /// What happened.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Whether trying again can help.
    pub fn retry(&self) -> Retry {
        self.retry
    }

    /// What the reader can do about it.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
