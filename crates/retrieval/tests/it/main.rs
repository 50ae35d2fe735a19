//! A small project, indexed for real, and what is found in it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod finding;
