//! What an answer says of CKB: whether it was there, and if not, why.

use schemars::JsonSchema;
use serde::Serialize;
use upstream::ckb::{Fallback, FallbackReason, Outcome};

/// What CKB knew, and what to say of it.
#[derive(Debug)]
pub(super) struct Asked<T> {
    pub(super) answer: Option<T>,
    pub(super) state: State,
}

/// CKB as the metadata of an answer shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct State {
    pub(super) available: bool,
    pub(super) reason: Option<Reason>,
    pub(super) last_error: Option<String>,
    pub(super) cooldown_remaining: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reason {
    ConnectionTimeout,
    McpError,
    HealthCheckFailed,
    Cooldown,
    Disabled,
}

/// What answers in CKB's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum FallbackMode {
    LocalGraph,
    VectorOnly,
}

impl<T> From<Outcome<T>> for Asked<T> {
    fn from(outcome: Outcome<T>) -> Self {
        match outcome {
            Outcome::Available(answer) => Self { answer: Some(answer), state: State::available() },
            Outcome::Fallback(fallback) => Self { answer: None, state: fallback.into() },
        }
    }
}

impl<T> Asked<T> {
    /// Nobody set CKB up, or somebody switched it off.
    pub(super) fn disabled() -> Self {
        let reason = Some(Reason::Disabled);
        Self { answer: None, state: State { available: false, reason, last_error: None, cooldown_remaining: None } }
    }
}

impl State {
    fn available() -> Self {
        Self { available: true, reason: None, last_error: None, cooldown_remaining: None }
    }

    /// Nothing where CKB answered.
    pub(super) fn fallback_mode(&self, uses_graph: bool) -> Option<FallbackMode> {
        let mode = if uses_graph { FallbackMode::LocalGraph } else { FallbackMode::VectorOnly };
        (!self.available).then_some(mode)
    }
}

impl From<Fallback> for State {
    fn from(Fallback { reason, last_error, cooldown_remaining }: Fallback) -> Self {
        let reason = Some(match reason {
            FallbackReason::ConnectionTimeout => Reason::ConnectionTimeout,
            FallbackReason::McpError => Reason::McpError,
            FallbackReason::HealthCheckFailed => Reason::HealthCheckFailed,
            FallbackReason::Cooldown => Reason::Cooldown,
            FallbackReason::Disabled => Reason::Disabled,
        });
        Self { available: false, reason, last_error, cooldown_remaining }
    }
}
