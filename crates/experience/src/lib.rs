//! What an experience record may hold, what describes it, which other record says the same, and which comes first.
//!
//! In: texts, counters and times. Out: findings and a text without them ([`sanitizer`]), [`keywords`], keys and a measure for
//! records that say the same ([`duplicates`]), the parts of an index of their words ([`index`]), nearness in
//! [`meaning`], and scores ([`ranking`]).
//! Everything here is a pure function; this crate knows no storage.

pub mod duplicates;
pub mod index;
pub mod keywords;
pub mod meaning;
pub mod ranking;
pub mod sanitizer;
pub mod vectors;
