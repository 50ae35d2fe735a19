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

/// CKB as the metadata of every answer shows it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub(super) struct State {
    #[serde(rename = "ckb_available")]
    available: bool,
    #[serde(rename = "ckb_fallback_reason", skip_serializing_if = "Option::is_none")]
    reason: Option<Reason>,
    #[serde(rename = "ckb_last_error", skip_serializing_if = "Option::is_none")]
    last_error: Option<String>,
    #[serde(rename = "ckb_cooldown_remaining_s", skip_serializing_if = "Option::is_none")]
    cooldown_remaining: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fallback_mode: Option<FallbackMode>,
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
        Self { answer: None, state: State { reason, ..State::default() } }
    }
}

impl State {
    fn available() -> Self {
        Self { available: true, ..Self::default() }
    }

    /// Says what answered in CKB's place, unless CKB did.
    pub(super) fn with_fallback(self, mode: FallbackMode) -> Self {
        let fallback_mode = (!self.available).then_some(mode);
        Self { fallback_mode, ..self }
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
        Self { reason, last_error, cooldown_remaining, ..Self::default() }
    }
}
