//! The way to a service: which addresses may be reached, the client that reaches no others, and every hop of a request.

mod address;
mod connection;
mod send;
#[cfg(test)]
mod tests;

pub use address::Reach;
pub(crate) use connection::{Connection, Lookup, SystemLookup};
pub(crate) use send::{Answer, Limits, Outgoing, send};
