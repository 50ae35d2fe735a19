//! Servers that misbehave, and what becomes of the calls to them.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod ckb;
mod client;
mod http;
mod sharing;
