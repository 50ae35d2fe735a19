//! What all processes know of the servers that Trailmark calls: whether one may be reached just now.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;

use crate::error::Result;

/// The longest that a time in what is stored may lie ahead. What lies further ahead was written before the clock was set
/// back, and is not believed.
pub const CLOCK_TOLERANCE: Duration = Duration::from_secs(60);

/// Keeps, for each server by name, when it was last seen well, who is trying it, and until when it is left alone.
#[async_trait]
pub trait UpstreamState: Send + Sync + fmt::Debug {
    /// Asks whether the server may be reached, and takes the right to try it where that is not known. This is one step: of
    /// any number of callers at the same time, in any process, one gets [`Entry::Claimed`].
    async fn enter(&self, name: &str, visit: Visit) -> Result<Entry>;

    /// The server was well at this time. Ends a trial; does not end a rest that another caller has begun since.
    async fn proved(&self, name: &str, at: Timestamp) -> Result<()>;

    /// The server is to be left alone. Ends a trial.
    async fn rested(&self, name: &str, rest: Rest) -> Result<()>;
}

/// Who asks to reach a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visit {
    pub now: Timestamp,
    /// How long a trial may take; one that has not ended by then was left by a process that has gone.
    pub trial: Duration,
    /// How long a server that was well is taken to be well.
    pub proof: Duration,
}

/// Whether a server may be reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// It was well a moment ago: everybody may.
    Open,
    /// Nobody knows: the caller may, and must say how it went.
    Claimed,
    /// Another caller is finding out, and will have done so by then.
    Tried { until: Timestamp },
    /// It failed, and is left alone.
    Resting(Rest),
}

/// Why, and from when to when, a server is left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rest {
    pub since: Timestamp,
    pub until: Timestamp,
    /// One word for programs.
    pub reason: String,
    /// What people are told.
    pub last_error: Option<String>,
}

/// Whether a time span that was stored has begun and not ended, for a clock that may have been set back.
pub fn is_under_way(since: Timestamp, until: Timestamp, now: Timestamp) -> bool {
    now < until && since.duration_since(now) <= CLOCK_TOLERANCE.try_into().unwrap_or_default()
}
