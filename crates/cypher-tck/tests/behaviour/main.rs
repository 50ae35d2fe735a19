//! What the conformance suite does not cover: practical queries on a small graph of code.

mod checks;
mod errors;
mod limits;
mod paths;
mod planning;
mod practical;
mod random_queries;
mod random_text;
