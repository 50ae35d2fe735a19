//! Other MCP servers, called by Trailmark as their client.
//!
//! In: a program or an address, a tool and its arguments. Out: its answer, or why there is none, always in time. This crate
//! knows the protocol and processes; it does not know our tools, settings or graphs.
//!
//! - [`Client`] calls one server, any server: starts it when first needed, keeps it, replaces it when it has died.
//! - [`Gate`] keeps all processes from reaching a server that has just failed.
//! - [`Ckb`] asks a code knowledge server for symbols and calls through both, and says why where it cannot.

mod answer;
pub mod ckb;
mod client;
mod error;
mod forgiving;
mod gate;
mod http;
mod last_words;
mod process;
mod session;
mod target;

pub use answer::{Answer, Offer};
pub use ckb::{Ckb, CkbSettings};
pub use client::Client;
pub use error::Error;
pub use gate::{Gate, GateRules, Leave, Refusal};
pub use target::{Address, Program, Target};
