//! An audit entry as a row.

use std::time::Duration;

use rusqlite::Row;
use store::{AuditEntry, Outcome as CallOutcome};

use crate::job::Outcome;
use crate::rows;

/// The entry in a row of table `entry`.
pub(super) fn entry(row: &Row<'_>) -> Outcome<AuditEntry> {
    Ok(AuditEntry {
        trace_id: rows::uuid(row, "trace_id")?.into(),
        time: rows::time(row, "time")?,
        client: row.get("client")?,
        transport: row.get("transport")?,
        tool: row.get("tool")?,
        arguments: row.get("arguments")?,
        outcome: outcome(row)?,
        duration: Duration::from_micros(row.get("duration")?),
        answer: row.get("answer")?,
        redacted: row.get("redacted")?,
    })
}

fn outcome(row: &Row<'_>) -> Outcome<CallOutcome> {
    Ok(match row.get("error_code")? {
        Some(code) => CallOutcome::Error { code, message: row.get("error_message")? },
        None => CallOutcome::Ok,
    })
}
