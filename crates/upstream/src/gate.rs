//! Who may reach a server that may be broken, over all processes that share a store.
//!
//! A server that failed is left alone for a while. That alone would not help six processes that start together: all of
//! them would find nothing known and all would wait for the same broken server. So nobody reaches a server whose state is
//! unknown without a claim, which the store gives to one caller at a time. Who has it must say how the server is
//! ([`Gate::proved`], [`Gate::failed`]) as soon as that is known; the others wait a short while for the word. If it is good, all of
//! them go on at once, each without a claim, as long as the word is fresh. If it is bad, or does not come soon, they do
//! without the server. A claim of a process that died ends by itself.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use store::UpstreamState;
use store::upstream::{Entry, Rest, Visit, is_under_way};
use tokio::time::{Instant, sleep, timeout};

/// Time between two looks at whether the one who tries has said how it went.
const LOOK_AGAIN: Duration = Duration::from_millis(50);
/// How long the store may take: as long as it takes many processes to open it at once.
const STORE: Duration = Duration::from_secs(2);
/// The longest remaining time that is told.
const MOST_TOLD: u64 = 60;

/// How long things take at a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GateRules {
    /// How long a server that failed is left alone.
    pub cooldown: Duration,
    /// How long a trial may take before others may try.
    pub trial: Duration,
    /// How long a server that was well is taken to be well.
    pub proof: Duration,
    /// How long to wait for the word of another caller who is trying.
    pub patience: Duration,
}

/// The way to one server.
#[derive(Debug)]
pub struct Gate {
    state: Arc<dyn UpstreamState>,
    name: String,
    rules: GateRules,
    /// What this process knows by itself, for a store that cannot be read or written.
    own: Mutex<Option<Rest>>,
}

/// That a server may be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leave {
    /// It was well a moment ago.
    Open,
    /// Nobody knows how it is, and others wait for the word of who got this.
    Claimed,
}

/// Why a server may not be reached now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Whole seconds until it may be tried again, at most 60.
    pub remaining: u64,
    /// What was said of it when it failed.
    pub last_error: Option<String>,
}

impl Gate {
    pub fn new(state: Arc<dyn UpstreamState>, name: impl Into<String>, rules: GateRules) -> Self {
        Self { state, name: name.into(), rules, own: Mutex::new(None) }
    }

    /// Leave to reach the server. Who gets it says how the server is, by [`Gate::proved`] or [`Gate::failed`].
    pub async fn enter(&self) -> Result<Leave, Refusal> {
        let start = Instant::now();
        loop {
            match self.look().await {
                Entry::Open => return Ok(Leave::Open),
                Entry::Claimed => return Ok(Leave::Claimed),
                Entry::Resting(rest) => return Err(refusal(rest.until, rest.last_error)),
                Entry::Tried { until } if start.elapsed() >= self.rules.patience => {
                    return Err(refusal(until, Some("another process is still waiting for its answer".to_owned())));
                }
                Entry::Tried { .. } => sleep(LOOK_AGAIN).await,
            }
        }
    }

    /// The server is well.
    pub async fn proved(&self) {
        let keeping = self.state.proved(&self.name, Timestamp::now());
        if let Err(error) = in_time(keeping).await {
            tracing::warn!(server = self.name, error, "cannot keep that a server is well");
        }
    }

    /// The server failed: from now on it is left alone.
    pub async fn failed(&self, reason: &str, last_error: &str) {
        let since = Timestamp::now();
        let until = since + SignedDuration::try_from(self.rules.cooldown).unwrap_or(SignedDuration::MAX);
        let rest = Rest { since, until, reason: reason.to_owned(), last_error: Some(last_error.to_owned()) };
        *self.own() = Some(rest.clone());
        if let Err(error) = in_time(self.state.rested(&self.name, rest)).await {
            tracing::warn!(server = self.name, error, "cannot keep that a server failed");
        }
    }

    async fn look(&self) -> Entry {
        let now = Timestamp::now();
        let visit = Visit { now, trial: self.rules.trial, proof: self.rules.proof };
        let entry = in_time(self.state.enter(&self.name, visit)).await;
        entry.unwrap_or_else(|error| {
            tracing::warn!(server = self.name, error, "cannot look up the state of a server");
            let own = self.own().clone().filter(|rest| is_under_way(rest.since, rest.until, now));
            own.map_or(Entry::Open, Entry::Resting)
        })
    }

    fn own(&self) -> std::sync::MutexGuard<'_, Option<Rest>> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A store that is busy holds nobody up for long.
async fn in_time<T>(asking: impl Future<Output = store::Result<T>>) -> Result<T, String> {
    match timeout(STORE, asking).await {
        Ok(result) => result.map_err(|error| error.to_string()),
        Err(_elapsed) => Err("the store is busy".to_owned()),
    }
}

fn refusal(until: Timestamp, last_error: Option<String>) -> Refusal {
    let milliseconds = until.duration_since(Timestamp::now()).as_millis();
    let seconds = u64::try_from(milliseconds).unwrap_or_default().div_ceil(1_000);
    Refusal { remaining: seconds.min(MOST_TOLD), last_error }
}
