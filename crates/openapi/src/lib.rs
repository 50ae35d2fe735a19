//! An OpenAPI document → operations with compact schemas, and calls of them over HTTP.
//!
//! In: a file or address of an OpenAPI 3.0, 3.1 or Swagger 2.0 document, and what the operator says about it ([`ApiSettings`]).
//! Out: an [`Api`] whose [`Operation`]s have names and schemas that every client accepts; [`Api::call`] turns arguments into a
//! request exactly as the document says, and hands back what the service answered. One bad operation is left out and said
//! ([`Skipped`]); the rest works. This crate knows no tool and no protocol.

mod api;
mod auth;
mod convert;
mod document;
mod error;
mod filter;
mod names;
mod net;
mod operation;
mod parse;
mod read;
mod request;
mod schema;
mod secret;
mod source;

pub use api::{Api, ApiIdentity, ApiSettings, Called, Reply, is_api_name, web_address};
pub use auth::{ClientCredentials, Credentials};
pub use document::Version;
pub use error::{CallError, DocumentError};
pub use filter::Filter;
pub use net::Reach;
pub use operation::{Method, Operation};
pub use parse::MOST_BYTES;
pub use read::Skipped;
pub use secret::Secret;
