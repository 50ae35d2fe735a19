//! Recording calls without slowing them: the call hands over what happened, a task redacts it and writes it in batches.

mod redact;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;
use store::{AuditEntry, AuditLog, Outcome, TraceId};
use tokio::sync::{mpsc, oneshot};

use crate::dispatch::Origin;

/// Entries that may wait to be written; more are dropped and counted, so that a slow disk never holds up a call.
const QUEUE: usize = 16_384;
/// How long entries are gathered before they are written together: writing costs more than calling, and a client that
/// calls in a loop should not share the processor with its own records.
const GATHER: Duration = Duration::from_millis(50);
/// The longest answer that is kept for a later replay.
const LONGEST_ANSWER: usize = 64 * 1024;

/// Takes calls to the audit log.
#[derive(Debug, Clone)]
pub struct Recorder {
    queue: Option<mpsc::Sender<Record>>,
    flushes: mpsc::Sender<oneshot::Sender<()>>,
    dropped: Arc<AtomicU64>,
}

type Record = Box<(Call, Ending)>;

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

impl Recorder {
    /// Starts the writing task on the current runtime.
    pub fn start(log: Arc<dyn AuditLog>) -> Self {
        let (queue, records) = mpsc::channel(QUEUE);
        let (flushes, flush_requests) = mpsc::channel(1);
        tokio::spawn(write_all(log, records, flush_requests));
        Self { queue: Some(queue), flushes, dropped: Arc::default() }
    }

    /// Records nothing, for a server whose audit log is switched off.
    pub fn off() -> Self {
        Self { queue: None, flushes: mpsc::channel(1).0, dropped: Arc::default() }
    }

    pub(crate) fn record(&self, call: Call, ending: Ending) {
        let Some(queue) = &self.queue else { return };
        if queue.try_send(Box::new((call, ending))).is_err() {
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

async fn write_all(
    log: Arc<dyn AuditLog>,
    mut records: mpsc::Receiver<Record>,
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
        let entries = gathered.drain(..).map(|record| entry(record.0, record.1)).collect();
        append(&*log, entries).await;
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

fn entry(call: Call, ending: Ending) -> AuditEntry {
    let (arguments, arguments_redacted) = redact::json(call.arguments);
    let (outcome, answer) = match ending {
        Ending::Answered(answer) => (Outcome::Ok, Some(answer)),
        Ending::Refused { code, message, answer } => {
            (Outcome::Error { code: code.to_owned(), message: redact::text(&message).0 }, Some(answer))
        }
        Ending::Failed { code, message } => (Outcome::Error { code: code.to_owned(), message }, None),
    };
    let answer = answer.filter(|answer| answer.len() <= LONGEST_ANSWER).map(|answer| redact::text(&answer));
    let answer_redacted = answer.as_ref().is_some_and(|(_, redacted)| *redacted);
    AuditEntry {
        trace_id: call.trace_id,
        time: call.time,
        client: call.origin.client,
        transport: call.origin.transport.to_owned(),
        tool: call.tool,
        arguments: arguments.to_string(),
        outcome,
        duration: call.duration,
        answer: answer.map(|(text, _)| text),
        redacted: arguments_redacted || answer_redacted,
    }
}
