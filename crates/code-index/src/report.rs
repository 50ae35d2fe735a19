//! What a run did, and what it left out.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// The outcome of one run.
#[derive(Debug, Clone)]
pub struct IndexReport {
    pub project: String,
    pub root: PathBuf,
    /// Files that are nodes of the graph.
    pub files: u64,
    /// Files that were read and analysed by this run.
    pub parsed: u64,
    /// Files that this run found as they were.
    pub unchanged: u64,
    /// Files that were in the graph and are no more.
    pub removed: u64,
    pub nodes: u64,
    pub relationships: u64,
    /// Names of languages with the number of their files, most first.
    pub languages: Vec<(String, u64)>,
    /// By path.
    pub skipped: Vec<Skipped>,
    /// Whether anything was stored.
    pub is_changed: bool,
    /// Why code is found by words alone, where an embedder was to make vectors and could not.
    pub without_meaning: Option<String>,
    pub timings: Timings,
}

/// How long each stage took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Timings {
    /// For whoever else indexed the project.
    pub waiting: Duration,
    pub scan: Duration,
    pub read: Duration,
    pub link: Duration,
    pub write: Duration,
}

impl Timings {
    pub fn total(&self) -> Duration {
        self.waiting + self.scan + self.read + self.link + self.write
    }
}

/// A file or folder that is not, or not wholly, in the graph.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// From the root, `/` between parts.
    pub path: String,
    /// A folder stands for everything in it.
    pub is_folder: bool,
    pub reason: SkipReason,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkipReason {
    /// By a rule in this file.
    Ignored {
        by: String,
    },
    /// By a rule for folders that hold no code of the project's own.
    NotOwnCode(&'static str),
    Hidden,
    SymbolicLink,
    /// A pipe, a socket or a device.
    NotRegular,
    NameIsNotUtf8,
    Unreadable {
        reason: String,
    },
    /// It is a node of the graph, but not everything in it is.
    Incomplete {
        problem: String,
    },
}

impl SkipReason {
    /// Whether the name alone decides, so that no change of the content matters.
    pub(crate) fn follows_from_name(&self) -> bool {
        match self {
            Self::Ignored { .. } | Self::NotOwnCode(_) | Self::Hidden => true,
            Self::SymbolicLink
            | Self::NotRegular
            | Self::NameIsNotUtf8
            | Self::Unreadable { .. }
            | Self::Incomplete { .. } => false,
        }
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ignored { by } => write!(f, "ignored by {by}"),
            Self::NotOwnCode(reason) => f.write_str(reason),
            Self::Hidden => f.write_str("hidden"),
            Self::SymbolicLink => f.write_str("a symbolic link, which is not followed"),
            Self::NotRegular => f.write_str("a pipe, socket or device"),
            Self::NameIsNotUtf8 => f.write_str("its name is not valid UTF-8"),
            Self::Unreadable { reason } => write!(f, "could not be read: {reason}"),
            Self::Incomplete { problem } => f.write_str(problem),
        }
    }
}
