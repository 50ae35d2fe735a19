//! A folder on disk becomes a code graph, and stays one while its files change.
//!
//! In: a folder and a catalog of projects to keep the graph in. Out: one update of that graph for each run, and a report that
//! names every file that was left out and why. A run walks the folder, reads what changed, extracts facts from each changed
//! file on its own, links the facts of all files, and stores what differs. An update of the graph and a clean index give the
//! same graph. This crate knows no storage driver, no tool and no protocol.

mod analysis;
mod content;
mod decode;
mod error;
mod examine;
mod facts_format;
mod fingerprint;
mod folder_rules;
mod freshness;
mod glance;
mod ignore_files;
mod indexer;
pub mod link;
mod meaning;
mod naming;
mod observer;
mod report;
mod run;
mod state;
mod update;
mod walk;
mod watch;
mod words;

pub use error::IndexError;
pub use indexer::{IndexRequest, Indexer};
pub use meaning::{Meaning, vector_of_question};
pub use observer::{Observer, Stage};
pub use report::{IndexReport, SkipReason, Skipped, Timings};
pub use watch::{WatchError, WatchRequest, Watcher};
