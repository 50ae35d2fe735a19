//! The right to index a project: a lock on a file that the system gives back when its holder ends, however sudden.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use store::Result;

use crate::error;
use crate::file_system;

/// What this process has reserved.
#[derive(Debug, Clone, Default)]
pub(super) struct Reservations(Arc<Mutex<HashSet<String>>>);

/// One reservation, until it is dropped.
#[derive(Debug)]
pub(super) struct Reserved {
    id: String,
    file: File,
    all: Reservations,
}

impl Reservations {
    /// Takes the lock, or tells which process has it. Its file stays: removing it while another process opens it would let
    /// two hold the lock.
    pub(super) fn take(&self, id: &str, lock: &Path) -> Result<std::result::Result<Reserved, Option<u32>>> {
        let failed = |error| error::no_file(error, lock);
        let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(lock).map_err(failed)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Ok(Err(holder(lock))),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
            Ok(()) => {}
        }
        file_system::make_private(lock).map_err(failed)?;
        file.set_len(0).map_err(failed)?;
        write!(file, "{}", std::process::id()).map_err(failed)?;
        self.lock().insert(id.to_owned());
        Ok(Ok(Reserved { id: id.to_owned(), file, all: self.clone() }))
    }

    pub(super) fn contains(&self, id: &str) -> bool {
        self.lock().contains(id)
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.all.lock().remove(&self.id);
        // Closing would not be enough while a child process, between its fork and its exec, has the file too.
        let _ = self.file.set_len(0);
        let _ = self.file.unlock();
    }
}

fn holder(lock: &Path) -> Option<u32> {
    fs::read_to_string(lock).ok()?.trim().parse().ok()
}
