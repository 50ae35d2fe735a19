//! What SQLite's errors mean to the rest of Trailmark. Nothing else in this crate interprets a driver error.

use std::io;
use std::path::Path;

use rusqlite::ErrorCode;
use rusqlite::ffi;
use store::{ErrorKind, StoreError};

use crate::connection::BUSY_PATIENCE;
use crate::file_system;

/// How work on a connection ends early: SQLite's error, or one that is already in Trailmark's terms.
#[derive(Debug)]
pub(crate) enum Failure {
    Sqlite(rusqlite::Error),
    Store(StoreError),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Failure {
    /// The error for the caller, given the database file it concerns.
    pub(crate) fn explain(self, file: &Path) -> StoreError {
        match self {
            Self::Sqlite(error) => explain(error, file),
            Self::Store(error) => error,
        }
    }

    /// Whether another connection's lock is the cause.
    pub(crate) fn is_busy(&self) -> bool {
        match self {
            Self::Sqlite(error) => is_busy(error),
            Self::Store(_) => false,
        }
    }
}

/// Whether another connection's lock is the cause.
pub(crate) fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// What SQLite answers a change with when it could open the file for reading only.
pub(crate) fn read_only() -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_READONLY), None)
}

/// The same error once more, for another caller; the driver's own error stays with the first.
pub(crate) fn repeat(error: &StoreError) -> StoreError {
    let copy = StoreError::new(error.kind(), error.to_string());
    match error.hint() {
        Some(hint) => copy.with_hint(hint),
        None => copy,
    }
}

/// The storage thread is gone or answered nothing.
pub(crate) fn no_answer() -> StoreError {
    StoreError::new(ErrorKind::Unexpected, "the storage thread ended without an answer")
}

/// A thread could not be started.
pub(crate) fn no_thread(error: io::Error) -> StoreError {
    StoreError::new(ErrorKind::Unavailable, "cannot start a storage thread").with_source(error)
}

/// The data folder cannot be made.
pub(crate) fn no_folder(error: io::Error, folder: &Path) -> StoreError {
    let message = format!("cannot create the data folder `{}`: {error}", folder.display());
    StoreError::new(ErrorKind::Unavailable, message).with_hint(FOLDER_HINT).with_source(error)
}

/// The file belongs to a later version of Trailmark.
pub(crate) fn too_new(file: &Path, version: i64, known: i64) -> StoreError {
    let message = format!(
        "`{}` was written by a newer Trailmark: its format is {version}, this program knows up to {known}",
        file.display()
    );
    StoreError::new(ErrorKind::Unsupported, message)
        .with_hint("update Trailmark, or set TRAILMARK_HOME to another folder")
}

/// The file has a form that is not read any more.
pub(crate) fn outdated(file: &Path) -> StoreError {
    StoreError::new(ErrorKind::Unsupported, format!("`{}` was written by an older Trailmark", file.display()))
}

/// A file beside the databases, or their folder, cannot be used.
pub(crate) fn no_file(error: io::Error, file: &Path) -> StoreError {
    let folder = file.parent().unwrap_or(file);
    let (kind, message, hint) = if error.kind() == io::ErrorKind::StorageFull {
        disk_full(folder)
    } else {
        unavailable(format!("cannot use `{}`: {error}", file.display()))
    };
    told(kind, message, hint).with_source(error)
}

/// The file is a sound database, but not ours.
pub(crate) fn foreign(file: &Path) -> StoreError {
    let message = format!("`{}` is an SQLite database of another program", file.display());
    StoreError::new(ErrorKind::Corrupt, message)
        .with_hint("move the file away, or set TRAILMARK_HOME to another folder")
}

/// A stored value has a form that no version of Trailmark writes.
pub(crate) fn unreadable(what: &str, detail: impl std::fmt::Display) -> StoreError {
    StoreError::new(ErrorKind::Corrupt, format!("stored {what} cannot be read: {detail}")).with_hint(CORRUPT_HINT)
}

const FOLDER_HINT: &str = "fix the permissions of the folder, or set TRAILMARK_HOME to a folder that can be written";
const CORRUPT_HINT: &str =
    "run `trailmark doctor`; restore the file from a backup or move it away to start with an empty store";

fn explain(error: rusqlite::Error, file: &Path) -> StoreError {
    let Some(cause) = error.sqlite_error().copied() else {
        return StoreError::new(ErrorKind::Unexpected, format!("unexpected storage error: {error}")).with_source(error);
    };
    let (kind, message, hint) = describe(cause, &error, file);
    told(kind, message, hint).with_source(error)
}

fn told(kind: ErrorKind, message: String, hint: Option<&str>) -> StoreError {
    let error = StoreError::new(kind, message);
    match hint {
        Some(hint) => error.with_hint(hint),
        None => error,
    }
}

type Description = (ErrorKind, String, Option<&'static str>);

#[expect(clippy::wildcard_enum_match_arm, reason = "the driver's list of codes is open")]
fn describe(cause: ffi::Error, error: &rusqlite::Error, file: &Path) -> Description {
    let folder = file.parent().unwrap_or(file);
    match cause.code {
        ErrorCode::DiskFull => disk_full(folder),
        ErrorCode::SystemIoFailure if file_system::is_full(folder) => disk_full(folder),
        ErrorCode::SystemIoFailure => unavailable(format!("cannot read or write `{}`: {error}", file.display())),
        ErrorCode::ReadOnly
        | ErrorCode::CannotOpen
        | ErrorCode::PermissionDenied
        | ErrorCode::AuthorizationForStatementDenied => {
            unavailable(format!("cannot write to the data folder `{}`: {error}", folder.display()))
        }
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            let seconds = BUSY_PATIENCE.as_secs();
            let message = format!("another process has held the write lock for {seconds} s (`{}`)", file.display());
            (ErrorKind::Unavailable, message, Some("try again; if it stays, end the process that holds the lock"))
        }
        ErrorCode::FileLockingProtocolFailed => unavailable(format!("cannot lock `{}`: {error}", file.display())),
        ErrorCode::OutOfMemory => (ErrorKind::Unavailable, "out of memory".to_owned(), None),
        ErrorCode::NotADatabase => {
            (ErrorKind::Corrupt, format!("`{}` is not an SQLite database", file.display()), Some(CORRUPT_HINT))
        }
        ErrorCode::DatabaseCorrupt => {
            (ErrorKind::Corrupt, format!("`{}` is damaged: {error}", file.display()), Some(CORRUPT_HINT))
        }
        ErrorCode::ConstraintViolation => (ErrorKind::Conflict, format!("contradicts what is stored: {error}"), None),
        ErrorCode::TooBig => (ErrorKind::InvalidInput, "the value is too large to be stored".to_owned(), None),
        _ => (ErrorKind::Unexpected, format!("unexpected storage error: {error}"), None),
    }
}

fn disk_full(folder: &Path) -> Description {
    let message = format!("the disk is full (`{}`)", folder.display());
    (ErrorKind::Unavailable, message, Some("free some space, or set TRAILMARK_HOME to a folder on another disk"))
}

fn unavailable(message: String) -> Description {
    (ErrorKind::Unavailable, message, Some(FOLDER_HINT))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(code: i32, kind: ErrorKind, words: &str) {
        let failure = Failure::from(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None));
        let error = failure.explain(Path::new("/some/folder/trailmark.db"));
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(words), "{error}");
        assert!(error.hint().is_some() || matches!(kind, ErrorKind::Conflict | ErrorKind::Unexpected), "{error}");
    }

    #[test]
    fn driver_errors_are_told_in_our_words() {
        check(ffi::SQLITE_FULL, ErrorKind::Unavailable, "the disk is full (`/some/folder`)");
        check(ffi::SQLITE_READONLY, ErrorKind::Unavailable, "`/some/folder`");
        check(ffi::SQLITE_READONLY_DIRECTORY, ErrorKind::Unavailable, "`/some/folder`");
        check(ffi::SQLITE_CANTOPEN, ErrorKind::Unavailable, "`/some/folder`");
        check(ffi::SQLITE_PERM, ErrorKind::Unavailable, "`/some/folder`");
        check(ffi::SQLITE_IOERR_WRITE, ErrorKind::Unavailable, "`/some/folder/trailmark.db`");
        check(ffi::SQLITE_BUSY, ErrorKind::Unavailable, "another process has held the write lock for 4 s");
        check(ffi::SQLITE_LOCKED, ErrorKind::Unavailable, "another process has held the write lock for 4 s");
        check(ffi::SQLITE_NOTADB, ErrorKind::Corrupt, "is not an SQLite database");
        check(ffi::SQLITE_CORRUPT, ErrorKind::Corrupt, "is damaged");
        check(ffi::SQLITE_CONSTRAINT_UNIQUE, ErrorKind::Conflict, "contradicts what is stored");
        check(ffi::SQLITE_ERROR, ErrorKind::Unexpected, "unexpected storage error");
    }

    #[test]
    fn a_repeated_error_says_the_same() {
        let error = StoreError::new(ErrorKind::Unavailable, "message").with_hint("hint");
        let again = repeat(&error);
        assert_eq!((again.kind(), again.retry(), again.hint()), (error.kind(), error.retry(), error.hint()));
        assert_eq!(again.to_string(), "message");
    }
}
