//! The audit log in SQLite.

mod prune;
mod row;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use rusqlite::{Connection, named_params};
use store::{AuditEntry, AuditFilter, AuditLog, Outcome as CallOutcome, Result, StoreError, TraceId};

use crate::connection::{Durability, PAGE_BYTES, Settings};
use crate::database::Database;
use crate::job::Outcome;
use crate::migrations::{self, Format};
use crate::rows::sql_limit;
use prune::Pruner;

/// `TMau`
const FORMAT: Format = Format { application_id: 0x544D_6175, first: 1, migrations: migrations::AUDIT };

/// What the log keeps; the oldest entries go first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuditLimits {
    /// Older entries are deleted.
    pub max_age: Duration,
    /// The size the file is kept below, without the write-ahead log beside it.
    pub max_bytes: u64,
}

/// The entries in `audit.db`.
#[derive(Debug)]
pub struct SqliteAuditLog {
    database: Database,
    pruner: Arc<Pruner>,
}

impl SqliteAuditLog {
    /// The log in this folder. Nothing is opened or made before the first call; a call that cannot open the log fails, and
    /// the next one tries again.
    pub fn open(folder: impl Into<PathBuf>, limits: AuditLimits) -> Self {
        let file = folder.into().join("audit.db");
        let settings = Settings {
            file,
            format: FORMAT,
            durability: Durability::Process,
            shrinks: true,
            page_bytes: PAGE_BYTES,
            cache_kibibytes: 256,
        };
        Self { database: Database::new(settings), pruner: Arc::new(Pruner::new(limits)) }
    }

    /// The database file.
    pub fn path(&self) -> &Path {
        self.database.file()
    }

    /// Waits until the calls at hand are done and the file is closed. A later call opens it again.
    pub async fn close(&self) {
        self.database.close().await;
    }
}

#[async_trait]
impl AuditLog for SqliteAuditLog {
    async fn append(&self, entries: Vec<AuditEntry>) -> Result<()> {
        let pruner = Arc::clone(&self.pruner);
        let work = move |connection: &Connection| {
            for entry in &entries {
                insert(connection, entry)?;
            }
            pruner.after_append(connection, entries.len())
        };
        self.database.write(work).await
    }

    async fn list(&self, filter: AuditFilter) -> Result<Vec<AuditEntry>> {
        self.database.read(move |connection| list(connection, &filter)).await
    }

    async fn get(&self, trace_id: TraceId) -> Result<AuditEntry> {
        self.database.read(move |connection| get(connection, trace_id)).await
    }
}

const INSERT: &str = "
    INSERT INTO entry (trace_id, time, client, transport, tool, error_code, error_message, duration, redacted, arguments, answer)
    VALUES (:trace_id, :time, :client, :transport, :tool, :error_code, :error_message, :duration, :redacted, :arguments, :answer)";

fn insert(connection: &Connection, entry: &AuditEntry) -> Outcome<()> {
    let (error_code, error_message) = match &entry.outcome {
        CallOutcome::Ok => (None, None),
        CallOutcome::Error { code, message } => (Some(code), Some(message)),
    };
    connection.prepare_cached(INSERT)?.execute(named_params! {
        ":trace_id": entry.trace_id.as_uuid().as_bytes(),
        ":time": entry.time.as_microsecond(),
        ":client": entry.client,
        ":transport": entry.transport,
        ":tool": entry.tool,
        ":error_code": error_code,
        ":error_message": error_message,
        ":duration": i64::try_from(entry.duration.as_micros()).unwrap_or(i64::MAX),
        ":redacted": entry.redacted,
        ":arguments": entry.arguments,
        ":answer": entry.answer,
    })?;
    Ok(())
}

/// Conditions are left out rather than made optional, so that each form uses the index made for it.
fn list(connection: &Connection, filter: &AuditFilter) -> Outcome<Vec<AuditEntry>> {
    let AuditFilter { limit, tool, since, errors_only } = filter;
    let tool_condition = if tool.is_some() { "tool = :tool" } else { ":tool IS NULL" };
    let error_condition = if *errors_only { "error_code IS NOT NULL" } else { "TRUE" };
    let sql = format!(
        "SELECT * FROM entry WHERE time >= :since AND {tool_condition} AND {error_condition}
         ORDER BY time DESC, trace_id DESC LIMIT :limit"
    );
    let since = since.map_or(i64::MIN, |since| since.as_microsecond());
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(named_params! { ":since": since, ":tool": tool, ":limit": sql_limit(*limit) })?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        entries.push(row::entry(row)?);
    }
    Ok(entries)
}

fn get(connection: &Connection, trace_id: TraceId) -> Outcome<AuditEntry> {
    let mut statement = connection.prepare_cached("SELECT * FROM entry WHERE trace_id = ?")?;
    let mut rows = statement.query([trace_id.as_uuid().as_bytes()])?;
    match rows.next()? {
        Some(row) => row::entry(row),
        None => Err(StoreError::not_found("audit entry", trace_id).into()),
    }
}
