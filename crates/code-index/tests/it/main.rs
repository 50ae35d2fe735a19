//! Real folders on disk, indexed into real stores.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod child;
mod edits;
mod embedding;
mod fixtures;
mod ignoring;
mod marks;
mod naming;
mod relinking;
mod robustness;
mod sharing;
mod watching;
mod workbench;
