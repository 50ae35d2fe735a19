//! CKB, a code knowledge server that people install themselves: symbols and calls as a compiler saw them.
//!
//! Every question gives an [`Outcome`]: what CKB knows, or why it was not asked or did not answer. All of it together takes
//! at most [`CkbSettings::timeout`]; callers do their own work meanwhile:
//!
//! ```no_run
//! # async fn own_work() {}
//! # async fn example(ckb: &upstream::Ckb, root: &std::path::Path) {
//! use upstream::ckb::{Direction, Outcome, Wanted};
//!
//! let wanted = Wanted { name: "checkout".to_owned(), file: None, line: None };
//! let question = ckb.call_graph(root, &wanted, Direction::Both, 2);
//! let (outcome, ()) = tokio::join!(question, own_work());
//! match outcome {
//!     Outcome::Available(graph) => drop(graph),
//!     Outcome::Fallback(fallback) => drop(fallback.reason.as_str()),
//! }
//! # }
//! ```

mod attribution;
mod call_graph;
mod conversation;
mod places;
mod settings;
mod symbol_id;
mod symbols;
mod wire;

use std::path::Path;
use std::sync::Arc;

use store::UpstreamState;
use tokio::time::Instant;

pub use call_graph::{CallEdge, CallGraph, CallNode, Direction};
pub use settings::CkbSettings;
pub use symbols::{Symbol, Wanted};

use conversation::{Conversation, Trouble};
use places::Places;

/// What CKB answered, or why not.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome<T> {
    Available(T),
    Fallback(Fallback),
}

/// Why there is no answer of CKB.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fallback {
    pub reason: FallbackReason,
    pub last_error: Option<String>,
    /// Whole seconds, 0 to 60; only with [`FallbackReason::Cooldown`].
    pub cooldown_remaining: Option<u64>,
}

/// The reasons that callers see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FallbackReason {
    /// No answer in time.
    ConnectionTimeout,
    /// A call failed.
    McpError,
    /// Not installed, does not start, or is not well.
    HealthCheckFailed,
    /// One of these was a short while ago.
    Cooldown,
    /// It is not to be asked.
    Disabled,
}

impl FallbackReason {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ConnectionTimeout => "connection_timeout",
            Self::McpError => "mcp_error",
            Self::HealthCheckFailed => "health_check_failed",
            Self::Cooldown => "cooldown",
            Self::Disabled => "disabled",
        }
    }
}

/// Asks CKB about projects. One per process; it keeps one CKB running for each of the last few projects.
#[derive(Debug)]
pub struct Ckb {
    settings: CkbSettings,
    places: Places,
}

impl Ckb {
    /// Starts nothing and touches nothing.
    pub fn new(settings: CkbSettings, state: Arc<dyn UpstreamState>) -> Self {
        Self { places: Places::new(&settings, state), settings }
    }

    /// Symbols whose name contains this, best first. Parameters and the like are left out.
    pub async fn symbols(&self, root: &Path, query: &str, limit: usize) -> Outcome<Vec<Symbol>> {
        self.ask(root, async |conversation| symbols::search(conversation, query, limit).await).await
    }

    /// Who calls this symbol and what it calls, to a depth of 1 to 5. `None` where CKB does not know the symbol, or knows
    /// several that are meant equally well.
    pub async fn call_graph(
        &self,
        root: &Path,
        wanted: &Wanted,
        direction: Direction,
        depth: u32,
    ) -> Outcome<Option<CallGraph>> {
        self.ask(root, async |conversation| call_graph::build(conversation, wanted, direction, depth).await).await
    }

    /// Ends every CKB that was started, politely at first. To be called before the process ends; dropping this kills them.
    pub async fn close(&self) {
        self.places.close().await;
    }

    async fn ask<T>(
        &self,
        root: &Path,
        question: impl AsyncFnOnce(&Conversation<'_>) -> Result<T, Trouble>,
    ) -> Outcome<T> {
        if !self.settings.enabled {
            return fallback(FallbackReason::Disabled, None);
        }
        let until = Instant::now() + self.settings.timeout;
        let place = self.places.at(root);
        let leave = match place.gate.enter().await {
            Ok(leave) => leave,
            Err(refusal) => {
                return Outcome::Fallback(Fallback {
                    reason: FallbackReason::Cooldown,
                    last_error: refusal.last_error,
                    cooldown_remaining: Some(refusal.remaining),
                });
            }
        };
        let conversation = Conversation { settings: &self.settings, place: &place, until };
        match conversation.hold(leave, question).await {
            Ok(answer) => Outcome::Available(answer),
            Err(trouble) => {
                place.gate.failed(trouble.reason.as_str(), &trouble.message).await;
                if trouble.reason != FallbackReason::McpError {
                    place.client.abandon();
                }
                fallback(trouble.reason, Some(trouble.message))
            }
        }
    }
}

fn fallback<T>(reason: FallbackReason, last_error: Option<String>) -> Outcome<T> {
    Outcome::Fallback(Fallback { reason, last_error, cooldown_remaining: None })
}
