//! The web through a search provider that somebody has configured: words in, pages out, each with a title, an address and a
//! snippet, and a date only where it is known.
//!
//! In: a [`Configuration`] that is checked once, and a [`Query`]. Out: an [`Answer`], which tells "nothing was found" from
//! "nothing was asked", or an [`Error`] that says what happened and what can be done about it. Nothing is started or reached
//! before the first search. Every search is bounded in time, size and pace. Credentials leave this crate in one header, or in
//! the environment of one program, and are in no error, no `Debug` form and no log. This crate reads no page that it finds, and knows nothing
//! of tools and stores.
//!
//! To add a provider: one file in `providers/` and one row in [`PROVIDERS`].

mod answer;
mod cache;
mod canonical;
mod cleaning;
mod configuration;
mod connection;
mod error;
mod markup;
mod pace;
mod providers;
mod published;
mod query;
mod rows;
mod search;
mod secrets;
mod sifting;

pub use answer::{Answer, EngineFailure, Item};
pub use configuration::{Configuration, ConfigurationError};
pub use error::Error;
pub use providers::{PROVIDERS, ProviderInfo};
pub use query::Query;
pub use search::{Limits, WebSearch};
pub use secrets::without_credentials;
