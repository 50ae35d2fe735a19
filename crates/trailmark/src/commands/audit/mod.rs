//! `trailmark audit`: the recorded calls.

mod compare;
mod replay;

use std::process::ExitCode;

use anyhow::Context;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use store::{AuditEntry, AuditFilter, AuditLog, Outcome, TraceId};

use crate::command_line::Audit;
use crate::console::{Console, Paint, printable};
use crate::settings::Settings;
use crate::wiring::Backend;

pub(super) async fn run(command: Audit, settings: &Settings, console: &Console) -> anyhow::Result<ExitCode> {
    let backend = Backend::new(settings);
    let code = match command {
        Audit::List { limit, tool, errors, since } => {
            let since = since.as_deref().map(parse_since).transpose()?;
            let entries = backend.audit.list(AuditFilter { limit, tool, since, errors_only: errors }).await?;
            list(&entries, console);
            ExitCode::SUCCESS
        }
        Audit::Show { trace_id } => {
            let id: TraceId = trace_id.parse()?;
            show(&backend.audit.get(id).await?, console);
            ExitCode::SUCCESS
        }
        Audit::Replay { trace_ids, last, include_writes } => {
            let entries = chosen(&backend, &trace_ids, last).await?;
            replay::run(entries, include_writes, settings, &backend, console).await?
        }
    };
    backend.close().await;
    Ok(code)
}

async fn chosen(backend: &Backend, trace_ids: &[String], last: usize) -> anyhow::Result<Vec<AuditEntry>> {
    if trace_ids.is_empty() {
        let newest = AuditFilter { limit: last, tool: None, since: None, errors_only: false };
        let mut entries = backend.audit.list(newest).await?;
        entries.reverse();
        return Ok(entries);
    }
    let mut entries = Vec::new();
    for trace_id in trace_ids {
        let id: TraceId = trace_id.parse()?;
        entries.push(backend.audit.get(id).await?);
    }
    Ok(entries)
}

/// A time, or an age such as `90m`.
fn parse_since(text: &str) -> anyhow::Result<Timestamp> {
    if let Ok(time) = text.parse::<Timestamp>() {
        return Ok(time);
    }
    let age: SignedDuration = match text.strip_suffix('d').and_then(|days| days.parse::<i64>().ok()) {
        Some(days) => SignedDuration::try_from_hours(days.saturating_mul(24)).unwrap_or(SignedDuration::MAX),
        None => text.parse().with_context(|| format!("`{text}` is neither a time nor an age such as 90m, 24h, 7d"))?,
    };
    Ok(Timestamp::now().checked_sub(age).unwrap_or(Timestamp::MIN))
}

fn list(entries: &[AuditEntry], console: &Console) {
    if console.json {
        console.json(&entries.iter().map(as_json).collect::<Vec<Value>>());
        return;
    }
    if entries.is_empty() {
        console.remark("No calls are recorded.");
    }
    let rows: Vec<Vec<String>> = entries
        .iter()
        .map(|entry| {
            let duration = format!("{:.1} ms", entry.duration.as_secs_f64() * 1000.0);
            let client = entry.client.clone();
            vec![entry.trace_id.to_string(), short(entry.time), entry.tool.clone(), outcome(entry), duration, client]
        })
        .collect();
    console.table(&rows);
}

fn show(entry: &AuditEntry, console: &Console) {
    if console.json {
        console.json(&as_json(entry));
        return;
    }
    let heading = |text: &str| console.paint(Paint::Strong, text);
    console.line(&format!("{} {}", heading("trace id "), entry.trace_id));
    console.line(&format!("{} {}", heading("time     "), entry.time));
    console.line(&format!("{} {} over {}", heading("client   "), printable(&entry.client), entry.transport));
    console.line(&format!("{} {}", heading("tool     "), printable(&entry.tool)));
    console.line(&format!("{} {:.3} ms", heading("duration "), entry.duration.as_secs_f64() * 1000.0));
    console.line(&format!("{} {}", heading("outcome  "), outcome(entry)));
    if let Outcome::Error { message, .. } = &entry.outcome {
        console.line(&format!("{} {}", heading("message  "), printable(message)));
    }
    console.line(&format!("{} {}", heading("arguments"), entry.arguments));
    console.line(&heading("answer"));
    let answer = entry.answer.as_deref().unwrap_or("(none, or too long to keep)");
    answer.lines().for_each(|line| console.line(&printable(line)));
}

fn short(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

fn outcome(entry: &AuditEntry) -> String {
    match &entry.outcome {
        Outcome::Ok => "ok".to_owned(),
        Outcome::Error { code, .. } => code.clone(),
    }
}

fn as_json(entry: &AuditEntry) -> Value {
    let arguments: Value = serde_json::from_str(&entry.arguments).unwrap_or_else(|_| json!(entry.arguments));
    let (code, message) = match &entry.outcome {
        Outcome::Ok => (Value::Null, Value::Null),
        Outcome::Error { code, message } => (json!(code), json!(message)),
    };
    json!({
        "traceId": entry.trace_id.to_string(),
        "time": entry.time.to_string(),
        "client": entry.client,
        "transport": entry.transport,
        "tool": entry.tool,
        "arguments": arguments,
        "ok": entry.outcome == Outcome::Ok,
        "code": code,
        "message": message,
        "durationMs": entry.duration.as_secs_f64() * 1000.0,
        "answer": entry.answer,
        "redacted": entry.redacted,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn since_takes_a_time_or_an_age() {
        assert_eq!(parse_since("2026-01-31T12:00:00Z").unwrap().to_string(), "2026-01-31T12:00:00Z");
        for age in ["90m", "24h", "7d", "99999999999999999d"] {
            assert!(parse_since(age).unwrap() < Timestamp::now(), "{age}");
        }
        assert!(parse_since("yesterday").unwrap_err().to_string().contains("neither a time nor an age"));
    }
}
