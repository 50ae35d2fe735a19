//! The grammar of Cypher: text → tokens → syntax tree, and the tree → canonical text.
//!
//! Goes in: the text of a query. Comes out: a [`Query`], or an error that says where and what was expected. Clauses that
//! write are refused here. Knows nothing of graphs, values or how a query is answered; that is the crate `cypher`, which is
//! what others use.

#![expect(clippy::wildcard_enum_match_arm, reason = "few of the many kinds of syntax matter to any one function")]

pub mod ast;
mod confine;
mod error;
mod lexer;
mod parser;
mod print;
mod query;
pub mod suggest;

pub use confine::Confinement;
pub use error::{Error, ErrorKind, Phase, Position, Result, Span};
pub use query::{Query, parse};
