//! `trailmark audit replay`: recorded calls, run again and compared.

use std::process::ExitCode;

use serde::Serialize;
use serde_json::{Map, Value};
use store::AuditEntry;
use tokio_util::sync::CancellationToken;
use tools::{CallRequest, Dispatcher, Origin};

use super::compare::differences;
use crate::console::{Console, Paint, printable};
use crate::settings::Settings;
use crate::wiring::{self, Backend};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Replayed {
    trace_id: String,
    tool: String,
    result: Result,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Result {
    Same,
    Different,
    Skipped,
}

pub(super) async fn run(
    entries: Vec<AuditEntry>,
    include_writes: bool,
    settings: &Settings,
    backend: &Backend,
    console: &Console,
) -> anyhow::Result<ExitCode> {
    // A replay is not a call of a client: it leaves no trace of its own.
    let unrecorded = Settings { audit: None, ..settings.clone() };
    let dispatcher = wiring::dispatcher(&unrecorded, backend)?;
    let mut replayed = Vec::new();
    for entry in entries {
        replayed.push(replay(&dispatcher, entry, include_writes).await);
    }
    let different = replayed.iter().any(|call| call.result == Result::Different);
    if console.json {
        console.json(&replayed);
    } else {
        print(&replayed, console);
    }
    Ok(if different { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

async fn replay(dispatcher: &Dispatcher, entry: AuditEntry, include_writes: bool) -> Replayed {
    let trace_id = entry.trace_id.to_string();
    let skipped = |tool: String, reason| Replayed {
        trace_id: trace_id.clone(),
        tool,
        result: Result::Skipped,
        differences: Vec::new(),
        reason: Some(reason),
    };
    if let Some(reason) = obstacle(dispatcher, &entry, include_writes) {
        return skipped(entry.tool, reason);
    }
    let (Some(before), Ok(arguments)) = (entry.answer, serde_json::from_str::<Map<String, Value>>(&entry.arguments))
    else {
        return skipped(entry.tool, "its answer was not kept");
    };
    let request = CallRequest {
        tool: entry.tool.clone(),
        arguments,
        origin: Origin { client: "trailmark audit replay".to_owned(), transport: "cli" },
        cancel: CancellationToken::new(),
        progress: None,
    };
    let differences = match dispatcher.call(request).await {
        Ok(answer) => differences(&before, &answer.joined_text()),
        Err(failure) => vec![failure.to_string()],
    };
    let result = if differences.is_empty() { Result::Same } else { Result::Different };
    Replayed { trace_id, tool: entry.tool, result, differences, reason: None }
}

/// Why this call is not run again.
fn obstacle(dispatcher: &Dispatcher, entry: &AuditEntry, include_writes: bool) -> Option<&'static str> {
    let registry = dispatcher.registry();
    let Some(tool) = registry.get(&entry.tool) else { return Some("its tool is switched off or unknown") };
    if entry.redacted {
        Some("it was not kept whole: secrets are redacted and long arguments cut")
    } else if !tool.info.effect.read_only && !include_writes {
        Some("it changes something; --include-writes runs it all the same")
    } else {
        None
    }
}

fn print(replayed: &[Replayed], console: &Console) {
    for call in replayed {
        let (paint, word) = match call.result {
            Result::Same => (Paint::Good, "same     "),
            Result::Different => (Paint::Bad, "different"),
            Result::Skipped => (Paint::Quiet, "skipped  "),
        };
        let reason = call.reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
        console.line(&format!("{}  {}  {}{reason}", console.paint(paint, word), call.trace_id, printable(&call.tool)));
        call.differences.iter().for_each(|difference| console.line(&format!("             {}", printable(difference))));
    }
    let count = |result: Result| replayed.iter().filter(|call| call.result == result).count();
    let (same, different, skipped) = (count(Result::Same), count(Result::Different), count(Result::Skipped));
    console.line(&format!("{same} same, {different} different, {skipped} skipped"));
}
