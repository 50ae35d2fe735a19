//! The one road of every call, from whatever transport: known? valid? room? run, guarded; dress, bound, record.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use chart::Painter;
use futures::FutureExt;
use jiff::Timestamp;
use serde_json::{Map, Value};
use store::TraceId;
use tokio::sync::{Semaphore, watch};
use tokio_util::sync::CancellationToken;

use crate::answer::Answer;
use crate::api::Apis;
use crate::arguments;
use crate::audit::{Call, Ending, Recorder};
use crate::budget;
use crate::context::{ProgressSink, Reach, Stores, ToolContext};
use crate::error::{ErrorKind, ToolError};
use crate::experience::AnswerCounter;
use crate::knowledge::Vocabulary;
use crate::output::Payload;
use crate::registry::{Entry, Registry};
use crate::styles::CallFacts;
use crate::workspace::Workspace;

/// Runs tool calls.
#[derive(Debug)]
pub struct Dispatcher {
    offered: RwLock<Offered>,
    changes: watch::Sender<u64>,
    stores: Stores,
    vocabulary: Arc<Vocabulary>,
    workspace: Arc<Workspace>,
    reach: Reach,
    recorder: Recorder,
    counter: AnswerCounter,
    painter: Arc<Painter>,
    limits: Limits,
    room: Semaphore,
    waiting: AtomicUsize,
}

/// What there is to call, which may change while calls run.
#[derive(Debug, Clone)]
struct Offered {
    registry: Arc<Registry>,
    apis: Arc<Apis>,
}

/// Bounds that hold for every call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Calls that run at the same time; more wait.
    pub concurrent_calls: usize,
    /// Calls that may wait; more are refused.
    pub waiting_calls: usize,
    /// The longest answer in bytes.
    pub answer_bytes: usize,
}

/// One call as it comes from a transport.
#[derive(Debug)]
pub struct CallRequest {
    pub tool: String,
    pub arguments: Map<String, Value>,
    pub origin: Origin,
    /// Fires when the caller no longer wants the answer.
    pub cancel: CancellationToken,
    pub progress: Option<Arc<dyn ProgressSink>>,
}

/// Who called, for the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    pub client: String,
    pub transport: &'static str,
}

/// Why a call has no answer of the tool's own.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallFailure {
    #[error("Unknown tool: {name}")]
    UnknownTool { name: String },
    #[error("Error executing tool '{tool}': a bug in the server stopped this call; it is recorded under {trace_id}")]
    Panicked { tool: String, trace_id: TraceId },
    #[error("the call was cancelled before it ended; {UNCERTAIN}")]
    Cancelled,
}

impl Dispatcher {
    pub fn new(
        registry: Registry,
        stores: Stores,
        workspace: Arc<Workspace>,
        recorder: Recorder,
        limits: Limits,
    ) -> Self {
        Self {
            offered: RwLock::new(Offered { registry: Arc::new(registry), apis: Arc::default() }),
            changes: watch::Sender::new(0),
            stores,
            vocabulary: Arc::default(),
            workspace,
            reach: Reach::default(),
            painter: Arc::new(Painter::new(chart::Limits::default(), Vec::new())),
            recorder,
            counter: AnswerCounter::off(),
            limits,
            room: Semaphore::new(limits.concurrent_calls),
            waiting: AtomicUsize::new(0),
        }
    }

    /// With other labels and types in the knowledge graph than those that are allowed where nobody says otherwise.
    #[must_use]
    pub fn with_vocabulary(mut self, vocabulary: Vocabulary) -> Self {
        self.vocabulary = Arc::new(vocabulary);
        self
    }

    /// With what tools may ask beside the stores.
    #[must_use]
    pub fn with_reach(mut self, reach: Reach) -> Self {
        self.reach = reach;
        self
    }

    /// With another painter of charts.
    #[must_use]
    pub fn with_painter(mut self, painter: Arc<Painter>) -> Self {
        self.painter = painter;
        self
    }

    /// With somebody who counts what was answered.
    #[must_use]
    pub fn with_counter(mut self, counter: AnswerCounter) -> Self {
        self.counter = counter;
        self
    }

    /// With APIs behind some of its tools.
    #[must_use]
    pub fn with_apis(self, apis: Arc<Apis>) -> Self {
        self.offered.write().unwrap_or_else(PoisonError::into_inner).apis = apis;
        self
    }

    /// Offers other tools from now on. Calls under way end as they began.
    pub fn replace(&self, registry: Registry, apis: Arc<Apis>) {
        let offered = Offered { registry: Arc::new(registry), apis };
        *self.offered.write().unwrap_or_else(PoisonError::into_inner) = offered;
        self.changes.send_modify(|count| *count += 1);
    }

    /// Changes whenever other tools are offered.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    fn offered(&self) -> Offered {
        self.offered.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn registry(&self) -> Arc<Registry> {
        self.offered().registry
    }

    /// The APIs behind some of its tools.
    pub fn apis(&self) -> Arc<Apis> {
        self.offered().apis
    }

    pub fn stores(&self) -> &Stores {
        &self.stores
    }

    pub fn workspace(&self) -> &Arc<Workspace> {
        &self.workspace
    }

    /// Where calls are recorded.
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// Where answers are counted.
    pub fn counter(&self) -> &AnswerCounter {
        &self.counter
    }

    /// Runs one call and records it. Whatever panics on the way, the caller gets an answer.
    pub async fn call(&self, request: CallRequest) -> Result<Answer, CallFailure> {
        let clock = Clock::start();
        let (tool, origin) = (shortened(&request.tool), request.origin.clone());
        let guarded = AssertUnwindSafe(self.call_unguarded(&clock, request)).catch_unwind();
        guarded.await.unwrap_or_else(|_panic| {
            let failure = CallFailure::Panicked { tool: tool.clone(), trace_id: clock.trace_id };
            let call = clock.call(tool, Value::Object(Map::new()), origin);
            self.recorder.record(call, Ending::Failed { code: "PANIC", message: failure.to_string() });
            Err(failure)
        })
    }

    async fn call_unguarded(&self, clock: &Clock, request: CallRequest) -> Result<Answer, CallFailure> {
        let offered = self.offered();
        let Some(entry) = offered.registry.get(&request.tool) else {
            let name = shortened(&request.tool);
            let failure = CallFailure::UnknownTool { name: name.clone() };
            let call = clock.call(name, Value::Object(request.arguments), request.origin);
            self.recorder.record(call, Ending::Failed { code: "UNKNOWN_TOOL", message: failure.to_string() });
            return Err(failure);
        };
        let arguments = arguments::normalise(request.arguments, entry.input_schema());
        let context = ToolContext {
            stores: self.stores.clone(),
            vocabulary: self.vocabulary.clone(),
            workspace: self.workspace.clone(),
            reach: self.reach.clone(),
            counter: self.counter.clone(),
            apis: offered.apis.clone(),
            painter: self.painter.clone(),
            answer_bytes: self.limits.answer_bytes,
            trace_id: clock.trace_id,
            cancel: request.cancel.child_token(),
            progress: request.progress,
        };
        let ending = self.run(entry, &context, &arguments).await;
        let facts = CallFacts { trace_id: clock.trace_id, took: clock.started.elapsed() };
        let call = clock.call(request.tool, arguments, request.origin);
        self.finish(entry, ending, facts, call)
    }

    async fn run(&self, entry: &Entry, context: &ToolContext, arguments: &Value) -> RunEnding {
        let _stop_what_is_left = context.cancel.clone().drop_guard();
        let violations = arguments::violations(entry.validator(), arguments, entry.input_schema());
        if !violations.is_empty() {
            let error = entry.tool.refuse(&violations, arguments).unwrap_or_else(|| arguments::refuse(&violations));
            return RunEnding::Error(error);
        }
        let work = async {
            let _room = self.enter().await?;
            entry.tool.run(context, arguments).await
        };
        let guarded = AssertUnwindSafe(work).catch_unwind();
        tokio::select! {
            biased;
            () = context.cancel.cancelled() => RunEnding::Cancelled,
            ending = within(entry.info.deadline, guarded) => match ending {
                Some(Ok(Ok(payload))) => RunEnding::Done(payload),
                Some(Ok(Err(error))) => RunEnding::Error(error.shortened()),
                Some(Err(_panic)) => RunEnding::Panicked,
                None => RunEnding::Error(deadline_passed(entry)),
            },
        }
    }

    /// Waits for room among the calls under way, unless too many wait already.
    async fn enter(&self) -> Result<tokio::sync::SemaphorePermit<'_>, ToolError> {
        if let Ok(permit) = self.room.try_acquire() {
            return Ok(permit);
        }
        let _place = self.queue()?;
        Ok(self.room.acquire().await.expect("the semaphore is never closed"))
    }

    fn queue(&self) -> Result<Place<'_>, ToolError> {
        let place = Place(&self.waiting);
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= self.limits.waiting_calls {
            let message = format!(
                "the server is busy: {} calls run and {} wait; try again in a moment",
                self.limits.concurrent_calls, self.limits.waiting_calls
            );
            return Err(ToolError::new(ErrorKind::Overloaded, message));
        }
        Ok(place)
    }

    fn finish(&self, entry: &Entry, ending: RunEnding, facts: CallFacts, call: Call) -> Result<Answer, CallFailure> {
        let style = entry.family.style;
        match ending {
            RunEnding::Done(payload) => {
                let answer = budget::render(style, payload, entry.info.records, facts, self.limits.answer_bytes);
                self.recorder.record(call, ending_of(&answer));
                Ok(answer)
            }
            RunEnding::Error(error) => {
                let answer = style.error(&entry.info.name, &error, facts);
                let code = style.code(&error);
                self.recorder
                    .record(call, Ending::Refused { code, message: error.message, answer: answer.joined_text() });
                Ok(answer)
            }
            RunEnding::Panicked => {
                let failure = CallFailure::Panicked { tool: entry.info.name.to_string(), trace_id: facts.trace_id };
                self.recorder.record(call, Ending::Failed { code: "PANIC", message: failure.to_string() });
                Err(failure)
            }
            RunEnding::Cancelled => {
                let failure = CallFailure::Cancelled;
                self.recorder.record(call, Ending::Failed { code: "CANCELLED", message: failure.to_string() });
                Err(failure)
            }
        }
    }
}

/// What another service refused is an answer that failed.
fn ending_of(answer: &Answer) -> Ending {
    let text = answer.joined_text();
    if !answer.is_error {
        return Ending::Answered(text);
    }
    let message = text.lines().next().unwrap_or_default().chars().take(200).collect();
    Ending::Refused { code: "UPSTREAM_ERROR", message, answer: text }
}

enum RunEnding {
    Done(Payload),
    Error(ToolError),
    Panicked,
    Cancelled,
}

/// A place among the waiting calls, given back when dropped.
struct Place<'a>(&'a AtomicUsize);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// When a call began and the id it got.
struct Clock {
    trace_id: TraceId,
    time: Timestamp,
    started: Instant,
}

impl Clock {
    fn start() -> Self {
        Self { trace_id: TraceId::generate(), time: Timestamp::now(), started: Instant::now() }
    }

    fn call(&self, tool: String, arguments: Value, origin: Origin) -> Call {
        let Self { trace_id, time, started } = *self;
        Call { trace_id, time, duration: started.elapsed(), tool, arguments, origin }
    }
}

async fn within<F: Future>(deadline: Option<Duration>, work: F) -> Option<F::Output> {
    match deadline {
        Some(deadline) => tokio::time::timeout(deadline, work).await.ok(),
        None => Some(work.await),
    }
}

fn deadline_passed(entry: &Entry) -> ToolError {
    let seconds = entry.info.deadline.unwrap_or_default().as_secs_f64();
    let advice = if entry.info.effect.read_only { "the call was stopped" } else { UNCERTAIN };
    ToolError::new(ErrorKind::Timeout, format!("no answer within {seconds} s; {advice}"))
}

/// What is true of a change whose end nobody saw.
const UNCERTAIN: &str = "the change may or may not have been made: look before you repeat it";

/// A name that came from outside, short enough to repeat.
fn shortened(name: &str) -> String {
    const LONGEST_NAME: usize = 200;
    name.chars().take(LONGEST_NAME).collect()
}
