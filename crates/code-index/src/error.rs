//! Why a folder could not be indexed at all.

use std::io;
use std::path::PathBuf;

use store::StoreError;
use thiserror::Error;

/// A single file never causes one of these: it is reported as skipped.
#[derive(Debug, Error)]
pub enum IndexError {
    #[error("`{}` cannot be opened: {source}", root.display())]
    RootUnreadable { root: PathBuf, source: io::Error },
    #[error("`{}` is not a folder", root.display())]
    RootIsNoFolder { root: PathBuf },
    #[error("the path `{}` is not valid UTF-8", root.display())]
    RootIsNotUtf8 { root: PathBuf },
    #[error("the project `{name}` belongs to `{}`", root.display())]
    NameIsTaken { name: String, root: PathBuf },
    #[error("the name of a project cannot be empty")]
    NameIsEmpty,
    #[error("there is no project `{name}`")]
    NoSuchProject { name: String },
    #[error("the run was cancelled; the graph is as it was before")]
    Cancelled,
    #[error("no threads could be started: {source}")]
    NoThreads { source: rayon::ThreadPoolBuildError },
    #[error("the names of the project could not be resolved: {reason}")]
    LinkerFailed { reason: String },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl IndexError {
    /// What the reader can do about it.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::RootUnreadable { .. } | Self::RootIsNoFolder { .. } => Some("give the path of a folder you can read"),
            Self::RootIsNotUtf8 { .. } => Some("rename the folder"),
            Self::NameIsTaken { .. } => Some("choose another name, or delete that project first"),
            Self::LinkerFailed { .. } => Some("this is a bug in Trailmark; please report it"),
            Self::Store(error) => error.hint(),
            Self::NameIsEmpty | Self::NoSuchProject { .. } | Self::Cancelled | Self::NoThreads { .. } => None,
        }
    }
}
