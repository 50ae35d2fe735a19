//! Asking a code graph: Cypher, a plain question that becomes Cypher, or the calls around a symbol.
//!
//! In: a project's graph, the words of whoever asks, limits. Out: an [`Answer`] with the query that really ran, its rows and a
//! sentence about them, or an [`AskError`] that says what to ask instead. Knows no storage, no protocol and no model: whoever
//! has one makes a query of a question with it and hands that to [`run`].

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "few of the many kinds of values and errors matter to any one function"
)]

mod answer;
mod ask;
mod call_chain;
mod cell;
mod model;
mod names;
mod server;
mod wording;

pub use answer::{Answer, Row, Total};
pub use ask::{AskError, Asking, Question, ask, run, translate};
pub use call_chain::{CallChain, Following, Link, call_chain};
pub use cell::Cell;
pub use model::{Conversation, ReplyError, accept, cypher_in};
pub use names::GraphNames;
pub use server::{CypherServer, ServerError, ServerGraphs, ServerRows};
pub use wording::is_cypher;
