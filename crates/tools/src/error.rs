//! How a tool fails: what kind of failure, in words, with what the caller can do about it.

use code_index::IndexError;
use serde_json::Value;
use store::StoreError;

/// A failed call. The family's style decides how it looks on the wire.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    pub kind: ErrorKind,
    /// The wire code, where the family has a more exact one than the kind gives.
    pub code: Option<&'static str>,
    pub message: String,
    /// Machine-readable facts about the failure.
    pub detail: Vec<(&'static str, Value)>,
    /// One entry per argument at fault.
    pub fields: Vec<FieldError>,
}

/// An argument at fault and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    pub field: String,
    pub message: String,
}

/// The kinds of failure a caller can meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    InvalidArgument,
    NotFound,
    Forbidden,
    Storage,
    Upstream,
    /// The tool's deadline passed.
    Timeout,
    /// Too many calls are under way.
    Overloaded,
    Internal,
}

impl ToolError {
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, code: None, message: message.into(), detail: Vec::new(), fields: Vec::new() }
    }

    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidArgument, message)
    }

    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::NotFound, message)
    }

    pub fn forbidden(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Forbidden, message)
    }

    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Internal, message)
    }

    /// Adds a machine-readable detail.
    #[must_use]
    pub fn with_detail(mut self, key: &'static str, value: impl Into<Value>) -> Self {
        self.detail.push((key, value.into()));
        self
    }

    /// What the caller or the operator can do about it.
    #[must_use]
    pub fn with_hint(self, hint: impl Into<String>) -> Self {
        self.with_detail("hint", hint.into())
    }

    /// The same error with a message that an answer can hold.
    pub(crate) fn shortened(mut self) -> Self {
        const LONGEST_MESSAGE: usize = 8_000;
        if self.message.len() > LONGEST_MESSAGE {
            self.message.truncate(self.message.floor_char_boundary(LONGEST_MESSAGE));
            self.message.push('…');
        }
        self
    }

    pub(crate) fn hint(&self) -> Option<&str> {
        self.detail.iter().find(|(key, _)| *key == "hint").and_then(|(_, hint)| hint.as_str())
    }

    pub(crate) fn detail_json(&self) -> Value {
        Value::Object(self.detail.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect())
    }

    /// Overrides the wire code that the kind would give.
    #[must_use]
    pub fn with_code(mut self, code: &'static str) -> Self {
        self.code = Some(code);
        self
    }
}

impl From<StoreError> for ToolError {
    fn from(error: StoreError) -> Self {
        let kind = match error.kind() {
            store::ErrorKind::NotFound => ErrorKind::NotFound,
            store::ErrorKind::InvalidInput => ErrorKind::InvalidArgument,
            store::ErrorKind::Conflict
            | store::ErrorKind::Unsupported
            | store::ErrorKind::Unavailable
            | store::ErrorKind::Corrupt
            | store::ErrorKind::Unexpected => ErrorKind::Storage,
        };
        let tool_error = Self::new(kind, error.to_string());
        match error.hint() {
            Some(hint) => tool_error.with_hint(hint),
            None => tool_error,
        }
    }
}

impl From<IndexError> for ToolError {
    fn from(error: IndexError) -> Self {
        let kind = match error {
            IndexError::Store(error) => return error.into(),
            IndexError::RootUnreadable { .. } | IndexError::NoSuchProject { .. } => ErrorKind::NotFound,
            IndexError::RootIsNoFolder { .. }
            | IndexError::RootIsNotUtf8 { .. }
            | IndexError::NameIsTaken { .. }
            | IndexError::NameIsEmpty => ErrorKind::InvalidArgument,
            IndexError::Cancelled => ErrorKind::Timeout,
            IndexError::NoThreads { .. } | IndexError::LinkerFailed { .. } => ErrorKind::Internal,
        };
        let tool_error = Self::new(kind, error.to_string());
        match error.hint() {
            Some(hint) => tool_error.with_hint(hint),
            None => tool_error,
        }
    }
}
