//! A task in words becomes the code that matters to it.
//!
//! In: an issue, a stack trace, a question or a few identifiers ([`Query::read`]), and one state of a project's words and graph
//! ([`store::WordRead`]). Out: the files and definitions to look at, best first ([`retrieve`]). Words find files; the parts of the
//! best files are compared on their own; nearness in meaning adds to both; what the text names outright (paths, frames of a stack trace) counts more; then
//! what the best definitions use is raised, and relationships lead from them to their neighbours. This crate knows no storage and no protocol.

mod abbreviations;
mod anchors;
mod expand;
mod files;
mod frames;
mod hit;
mod near;
mod parts;
mod query;
mod retrieve;
mod stop_words;
mod support;
mod weights;
mod zones;

pub use hit::{FileHit, Hit, Retrieved, Source};
pub use query::Query;
pub use retrieve::{MAX_DEPTH, Options, retrieve};
pub use weights::Weights;
