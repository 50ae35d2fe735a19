//! Adding to the audit log and reading it.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp, Unit};

use super::expect::{Problem, all_at_once, equal, fails_with};
use super::{Case, Verdict};
use crate::{AuditEntry, AuditFilter, AuditLog, ErrorKind, Outcome, TraceId};

pub(super) const CASES: &[Case<dyn AuditLog>] = &[
    Case { name: "an entry reads back unchanged", run: |log| Box::pin(round_trip(log)) },
    Case { name: "an unknown trace id is not found", run: |log| Box::pin(not_found(log)) },
    Case { name: "entries are listed newest first", run: |log| Box::pin(newest_first(log)) },
    Case { name: "filters narrow the list, alone and together", run: |log| Box::pin(filters(log)) },
    Case { name: "appending nothing changes nothing", run: |log| Box::pin(empty_append(log)) },
    Case { name: "a trace id is used once", run: |log| Box::pin(used_once(log)) },
    Case { name: "200 appends at once are all kept", run: |log| Box::pin(concurrent_appends(log)) },
];

const EVERYTHING: AuditFilter = AuditFilter { limit: 1_000, tool: None, since: None, errors_only: false };

/// An entry of this many seconds ago. Times are kept to the microsecond.
fn entry(tool: &str, seconds_ago: i64, outcome: Outcome) -> Result<AuditEntry, Problem> {
    let now = Timestamp::now().round(Unit::Microsecond).map_err(|error| Problem::new(error.to_string()))?;
    Ok(AuditEntry {
        trace_id: TraceId::generate(),
        time: now - SignedDuration::from_secs(seconds_ago),
        client: "测试 client/1.0".to_owned(),
        transport: "stdio".to_owned(),
        tool: tool.to_owned(),
        arguments: r#"{"topic": "索引 🚀"}"#.to_owned(),
        outcome,
        duration: Duration::from_micros(1_234_567),
        answer: Some("{\n  \"ok\": true\n}".to_owned()),
        redacted: false,
    })
}

fn error() -> Outcome {
    Outcome::Error { code: "NOT_FOUND".to_owned(), message: "no document with id `索引`".to_owned() }
}

async fn round_trip(log: &dyn AuditLog) -> Verdict {
    let plain = entry("save", 0, Outcome::Ok)?;
    let failed = AuditEntry { answer: None, redacted: true, ..entry("find", 0, error())? };
    let empty = AuditEntry { client: String::new(), duration: Duration::ZERO, ..entry("", 0, Outcome::Ok)? };
    let entries = vec![plain, failed, empty];
    log.append(entries.clone()).await?;
    for entry in entries {
        equal("entry", log.get(entry.trace_id).await?, entry)?;
    }
    Ok(())
}

async fn not_found(log: &dyn AuditLog) -> Verdict {
    log.append(vec![entry("save", 0, Outcome::Ok)?]).await?;
    fails_with("get", ErrorKind::NotFound, log.get(TraceId::generate()).await)
}

async fn newest_first(log: &dyn AuditLog) -> Verdict {
    let mut entries = Vec::new();
    for seconds_ago in [30, 10, 50, 20, 40] {
        entries.push(entry("save", seconds_ago, Outcome::Ok)?);
    }
    log.append(entries[..2].to_vec()).await?;
    log.append(entries[2..].to_vec()).await?;
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.time));
    equal("list", log.list(EVERYTHING).await?, entries.clone())?;
    equal("limit", log.list(AuditFilter { limit: 2, ..EVERYTHING }).await?, entries[..2].to_vec())?;
    equal("limit 0", log.list(AuditFilter { limit: 0, ..EVERYTHING }).await?, vec![])
}

async fn filters(log: &dyn AuditLog) -> Verdict {
    let save = entry("save", 10, Outcome::Ok)?;
    let failed_save = entry("save", 20, error())?;
    let failed_find = entry("find", 30, error())?;
    let find = entry("find", 40, Outcome::Ok)?;
    log.append(vec![save.clone(), failed_save.clone(), failed_find.clone(), find.clone()]).await?;

    let tool = Some("save".to_owned());
    let since = Some(failed_find.time);
    let narrow = AuditFilter { limit: 10, tool: tool.clone(), since: Some(failed_save.time), errors_only: true };
    let expectations = [
        (AuditFilter { tool, ..EVERYTHING }, vec![&save, &failed_save]),
        (AuditFilter { tool: Some("sav".to_owned()), ..EVERYTHING }, vec![]),
        (AuditFilter { since, ..EVERYTHING }, vec![&save, &failed_save, &failed_find]),
        (AuditFilter { errors_only: true, ..EVERYTHING }, vec![&failed_save, &failed_find]),
        (AuditFilter { errors_only: true, limit: 1, ..EVERYTHING }, vec![&failed_save]),
        (narrow, vec![&failed_save]),
        (EVERYTHING, vec![&save, &failed_save, &failed_find, &find]),
    ];
    for (filter, expected) in expectations {
        equal(&format!("{filter:?}"), log.list(filter).await?, expected.into_iter().cloned().collect())?;
    }
    Ok(())
}

async fn empty_append(log: &dyn AuditLog) -> Verdict {
    log.append(Vec::new()).await?;
    equal("list", log.list(EVERYTHING).await?, vec![])
}

async fn used_once(log: &dyn AuditLog) -> Verdict {
    let first = entry("save", 0, Outcome::Ok)?;
    log.append(vec![first.clone()]).await?;
    let other = entry("find", 0, Outcome::Ok)?;
    let again = AuditEntry { trace_id: first.trace_id, ..other.clone() };
    fails_with("append", ErrorKind::Conflict, log.append(vec![other, again]).await)?;
    equal("list", log.list(EVERYTHING).await?, vec![first])
}

async fn concurrent_appends(log: &dyn AuditLog) -> Verdict {
    let entries = (0..200).map(|number| entry("save", number, Outcome::Ok)).collect::<Result<Vec<_>, _>>()?;
    let appends = all_at_once(entries.iter().map(|entry| log.append(vec![entry.clone()]))).await;
    appends.into_iter().collect::<crate::Result<Vec<()>>>()?;
    let mut listed = log.list(EVERYTHING).await?;
    listed.sort_by_key(|entry| entry.trace_id);
    equal("list", listed, entries)
}
