//! The audit log: what was called, by whom, with what, and how it ended.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use uuid::Uuid;

use crate::error::{Result, StoreError};

/// Keeps audit entries, oldest thrown away first once the log is too old or too large.
#[async_trait]
pub trait AuditLog: Send + Sync + fmt::Debug {
    /// Adds entries in one step. They are durable against a crash of this process, not of the machine.
    async fn append(&self, entries: Vec<AuditEntry>) -> Result<()>;

    /// Entries that match, newest first.
    async fn list(&self, filter: AuditFilter) -> Result<Vec<AuditEntry>>;

    /// The entry with this trace id, or `NotFound`.
    async fn get(&self, trace_id: TraceId) -> Result<AuditEntry>;
}

/// One recorded call. Arguments and answer hold no secrets: they were redacted before they came here.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditEntry {
    pub trace_id: TraceId,
    pub time: Timestamp,
    /// Name and version the client gave, or the command that called.
    pub client: String,
    /// `stdio`, `http` or `cli`.
    pub transport: String,
    pub tool: String,
    /// The arguments as JSON text, redacted.
    pub arguments: String,
    pub outcome: Outcome,
    pub duration: Duration,
    /// The answer's body as text, redacted; `None` when it was too long to keep.
    pub answer: Option<String>,
    /// Whether arguments or answer were changed by redaction, so that a replay cannot be exact.
    pub redacted: bool,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Ok,
    /// The code and message of the error the caller saw.
    Error {
        code: String,
        message: String,
    },
}

/// Which entries to list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditFilter {
    pub limit: usize,
    pub tool: Option<String>,
    pub since: Option<Timestamp>,
    pub errors_only: bool,
}

/// Names one call in answers, logs and the audit log. Later ids sort after earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TraceId(Uuid);

impl TraceId {
    pub fn generate() -> Self {
        Self(Uuid::now_v7())
    }

    pub fn as_uuid(&self) -> &Uuid {
        &self.0
    }
}

impl From<Uuid> for TraceId {
    fn from(uuid: Uuid) -> Self {
        Self(uuid)
    }
}

impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for TraceId {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self> {
        Uuid::try_parse(text).map(Self).map_err(|_| StoreError::not_found("audit entry", text))
    }
}
