//! Documents from outside: read from files, called on a server that records what it is asked.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod auth;
mod bad_input;
mod recording;
mod schemas;
mod wire;
