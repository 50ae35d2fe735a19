//! What an experience record may hold, what describes it, which other record says the same, and which comes first.
//!
//! In: texts, counters and times. Out: findings and a sanitised text ([`sanitizer`]). Everything here is a pure function; this
//! crate knows no storage.

pub mod sanitizer;
