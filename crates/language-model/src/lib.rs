//! A language model behind an endpoint that speaks the chat completions of OpenAI: what was said in, what it replies out.
//!
//! In: an [`Endpoint`] that was checked once, instructions, and what was said so far. Out: the text of the reply, or an [`Error`]
//! that says what happened. Every request is bounded in time and size. The key leaves this crate in one header only: it is
//! in no error, no `Debug` form and no log. This crate knows nothing of graphs or queries.

mod client;
mod connection;
mod embeddings;
mod endpoint;
mod error;
mod wire;

pub use client::{Client, Limits};
pub use endpoint::Endpoint;
pub use error::{EndpointError, Error};
