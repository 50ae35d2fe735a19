//! Cypher over any property graph that can be read: text → tokens → syntax tree → checked plan → rows.
//!
//! Goes in: the text of a query, a [`graph::GraphRead`], parameters, limits. Comes out: rows, or an error that says where
//! and what to do. Knows no storage and changes nothing: clauses that write are refused while parsing.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "few of the many kinds of syntax and values matter to any one function"
)]

mod compile;
mod explain;
mod functions;
mod kind;
mod plan;
mod rows;
mod run;
mod value;

pub use cypher_syntax::{Confinement, Error, ErrorKind, Phase, Position, Query, parse};

pub use compile::{Parameters, Warning};
pub use functions::{Function, functions};
pub use rows::{Rows, check, run};
pub use run::Limits;
pub use value::{Map, Path, Value};
