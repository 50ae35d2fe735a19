//! Recording calls without slowing them: the call hands over what happened, a task redacts it and writes it in batches.

mod bounds;
mod named;
mod redact;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;
use store::{AuditEntry, AuditLog, Outcome, TraceId};
use tokio::sync::{mpsc, oneshot};

use self::bounds::Share;
use crate::dispatch::Origin;

/// Entries that may wait to be written; more are dropped and counted, so that a slow disk never holds up a call.
const QUEUE: usize = 16_384;
/// Memory that entries may take until they are written.
const QUEUE_BYTES: usize = 32 * 1024 * 1024;
/// How long entries are gathered before they are written together: writing costs more than calling, and a client that
/// calls in a loop should not share the processor with its own records.
const GATHER: Duration = Duration::from_millis(50);
/// The longest answer that is kept for a later replay.
const LONGEST_ANSWER: usize = 64 * 1024;
/// The longest error message in bytes, and the longest name of a tool or client in characters.
const LONGEST_MESSAGE: usize = 2 * 1024;
const LONGEST_NAME: usize = 200;

/// What these tools refuse to keep, the log does not keep either.
const GATED: &[&str] = &["submit_experience", "query_experiences"];

/// Takes calls to the audit log.
#[derive(Debug, Clone)]
pub struct Recorder {
    queue: Option<mpsc::Sender<Waiting>>,
    flushes: mpsc::Sender<oneshot::Sender<()>>,
    held: Arc<AtomicUsize>,
    dropped: Arc<AtomicU64>,
}

type Waiting = (Box<Record>, Share);

/// What was called.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) trace_id: TraceId,
    pub(crate) time: Timestamp,
    pub(crate) duration: Duration,
    pub(crate) tool: String,
    pub(crate) arguments: Value,
    pub(crate) origin: Origin,
}

/// How a call ended.
#[derive(Debug)]
pub(crate) enum Ending {
    Answered(String),
    Refused { code: &'static str, message: String, answer: String },
    Failed { code: &'static str, message: String },
}

/// A call as it waits to be written: bounded, but not yet redacted.
#[derive(Debug)]
struct Record {
    call: Call,
    arguments_cut: bool,
    outcome: Outcome,
    answer: Option<String>,
}

impl Recorder {
    /// Starts the writing task on the current runtime.
    pub fn start(log: Arc<dyn AuditLog>) -> Self {
        let (queue, records) = mpsc::channel(QUEUE);
        let (flushes, flush_requests) = mpsc::channel(1);
        tokio::spawn(write_all(log, records, flush_requests));
        Self { queue: Some(queue), flushes, held: Arc::default(), dropped: Arc::default() }
    }

    /// Records nothing, for a server whose audit log is switched off.
    pub fn off() -> Self {
        Self { queue: None, flushes: mpsc::channel(1).0, held: Arc::default(), dropped: Arc::default() }
    }

    pub(crate) fn record(&self, call: Call, ending: Ending) {
        let Some(queue) = &self.queue else { return };
        let record = Box::new(Record::new(call, ending));
        let share = Share::take(record.held(), &self.held, QUEUE_BYTES);
        let queued = share.is_some_and(|share| queue.try_send((record, share)).is_ok());
        if !queued {
            let dropped = self.dropped.fetch_add(1, Ordering::Relaxed) + 1;
            if dropped.is_power_of_two() {
                tracing::warn!(dropped, "the audit log cannot keep up; entries are missing");
            }
        }
    }

    /// Waits until everything recorded so far is written.
    pub async fn flush(&self) {
        let (written, done) = oneshot::channel();
        if self.flushes.send(written).await.is_ok() {
            let _ = done.await;
        }
    }
}

impl Record {
    fn new(mut call: Call, ending: Ending) -> Self {
        let arguments_cut = bounds::cut_arguments(&mut call.arguments);
        bounds::cut_name(&mut call.tool, LONGEST_NAME);
        bounds::cut_name(&mut call.origin.client, LONGEST_NAME);
        let (outcome, answer) = match ending {
            Ending::Answered(answer) => (Outcome::Ok, Some(answer)),
            Ending::Refused { code, message, answer } => (error(code, message), Some(answer)),
            Ending::Failed { code, message } => (error(code, message), None),
        };
        Self { call, arguments_cut, outcome, answer: answer.filter(|answer| answer.len() <= LONGEST_ANSWER) }
    }

    /// About how much memory the record takes.
    fn held(&self) -> usize {
        let message = match &self.outcome {
            Outcome::Ok => 0,
            Outcome::Error { code, message } => code.len() + message.len(),
        };
        let names = self.call.tool.len() + self.call.origin.client.len();
        let answer = self.answer.as_ref().map_or(0, String::len);
        size_of::<Self>() + bounds::held_by(&self.call.arguments) + names + message + answer
    }
}

fn error(code: &str, mut message: String) -> Outcome {
    bounds::cut_text(&mut message, LONGEST_MESSAGE);
    Outcome::Error { code: code.to_owned(), message }
}

async fn write_all(
    log: Arc<dyn AuditLog>,
    mut records: mpsc::Receiver<Waiting>,
    mut flushes: mpsc::Receiver<oneshot::Sender<()>>,
) {
    let mut gathered = Vec::new();
    loop {
        let flush = tokio::select! {
            biased;
            Some(flush) = flushes.recv() => Some(flush),
            count = records.recv_many(&mut gathered, QUEUE) => {
                if count == 0 {
                    return;
                }
                gather(&mut flushes).await
            }
        };
        while let Ok(record) = records.try_recv() {
            gathered.push(record);
        }
        let (entries, shares): (_, Vec<Share>) =
            gathered.drain(..).map(|(record, share)| (entry(*record), share)).unzip();
        append(&*log, entries).await;
        drop(shares);
        if let Some(written) = flush {
            let _ = written.send(());
        }
    }
}

/// Lets more entries come, unless somebody waits for them to be written.
async fn gather(flushes: &mut mpsc::Receiver<oneshot::Sender<()>>) -> Option<oneshot::Sender<()>> {
    tokio::time::timeout(GATHER, flushes.recv()).await.ok().flatten()
}

async fn append(log: &dyn AuditLog, entries: Vec<AuditEntry>) {
    if entries.is_empty() {
        return;
    }
    let count = entries.len();
    if let Err(error) = log.append(entries).await {
        tracing::warn!(%error, count, "calls could not be written to the audit log");
    }
}

fn entry(record: Record) -> AuditEntry {
    let Record { call, arguments_cut, outcome, answer } = record;
    let (mut arguments, arguments_redacted) = redact::json(call.arguments);
    let arguments_refused = GATED.contains(&call.tool.as_str()) && redact::sanitise(&mut arguments);
    let (answer, answer_redacted) = answer.map(redact::answer).unzip();
    let outcome = match outcome {
        Outcome::Ok => Outcome::Ok,
        Outcome::Error { code, message } => Outcome::Error { code, message: redact::text(message).0 },
    };
    AuditEntry {
        trace_id: call.trace_id,
        time: call.time,
        client: redact::text(call.origin.client).0,
        transport: call.origin.transport.to_owned(),
        tool: redact::text(call.tool).0,
        arguments: arguments.to_string(),
        outcome,
        duration: call.duration,
        answer,
        redacted: arguments_cut || arguments_redacted || arguments_refused || answer_redacted.unwrap_or_default(),
    }
}
