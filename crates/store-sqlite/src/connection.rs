//! How a connection is opened and tuned.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::error::{self, Failure};
use crate::file_system;
use crate::migrations::{Format, Found, pragma};

/// What SQLite itself would choose.
pub(crate) const PAGE_BYTES: u32 = 4096;

/// How long to wait for another process's lock.
pub(crate) const BUSY_PATIENCE: Duration = Duration::from_secs(4);

/// Everything needed to open one database file. Making one touches no disk.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) file: PathBuf,
    pub(crate) format: Format,
    pub(crate) durability: Durability,
    /// Whether deleted rows give their space back to the disk.
    pub(crate) shrinks: bool,
    /// What is read and written at a time; only matters to a file that is made.
    pub(crate) page_bytes: u32,
    /// How much of the file each connection keeps in memory.
    pub(crate) cache_kibibytes: i64,
}

/// What an acknowledged change survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Durability {
    /// Power loss.
    Machine,
    /// The end of the process, however sudden.
    Process,
}

/// What the connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

impl Settings {
    /// The data folder.
    pub(crate) fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(&self.file)
    }

    /// Opens the file, making folder, file and tables where they are missing.
    pub(crate) fn open(&self, access: Access) -> Result<Connection, Failure> {
        file_system::create_folder(self.folder()).map_err(|error| error::no_folder(error, self.folder()))?;
        let mut connection = self.connect(OpenFlags::SQLITE_OPEN_CREATE, access)?;
        self.prepare(&mut connection)?;
        self.tune(&connection, access)?;
        Ok(connection)
    }

    /// Makes a file that nobody else knows of yet. It has no journal until [`Settings::finish`]: where anything fails before that,
    /// it has to be thrown away.
    pub(crate) fn make(&self) -> Result<Connection, Failure> {
        let mut connection = self.connect(OpenFlags::SQLITE_OPEN_CREATE, Access::Write)?;
        self.format.accept(&connection, &self.file)?;
        self.lay_out(&connection)?;
        connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        connection.pragma_update(None, "journal_mode", "OFF")?;
        self.tune(&connection, Access::Write)?;
        connection.pragma_update(None, "synchronous", "OFF")?;
        self.format.migrate(&mut connection)?;
        Ok(connection)
    }

    /// What was made is whole now, and can be given to others.
    pub(crate) fn finish(&self, connection: Connection) -> Result<(), Failure> {
        connection.pragma_update(None, "locking_mode", "NORMAL")?;
        set_journal_mode(&connection, self.folder())?;
        Ok(connection.close().map_err(|(_, error)| error)?)
    }

    /// Opens a file that is there and has the newest format; makes and migrates nothing.
    pub(crate) fn open_current(&self, access: Access) -> Result<Connection, Failure> {
        let connection = self.connect(OpenFlags::empty(), access)?;
        if self.format.accept(&connection, &self.file)? != Found::Current {
            return Err(error::outdated(&self.file).into());
        }
        set_journal_mode(&connection, self.folder())?;
        self.tune(&connection, access)?;
        Ok(connection)
    }

    fn connect(&self, flags: OpenFlags, access: Access) -> Result<Connection, Failure> {
        let flags = flags | OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(&self.file, flags)?;
        if access == Access::Write && connection.is_readonly("main")? {
            // SQLite falls back to reading, and such a connection would stay read-only after the folder was fixed.
            return Err(error::read_only().into());
        }
        connection.busy_handler(Some(wait_for_lock()))?;
        Ok(connection)
    }

    fn prepare(&self, connection: &mut Connection) -> Result<(), Failure> {
        let found = self.format.accept(connection, &self.file)?;
        if found == Found::Empty {
            self.lay_out(connection)?;
        }
        set_journal_mode(connection, self.folder())?;
        if found != Found::Current {
            self.format.migrate(connection)?;
        }
        Ok(())
    }

    fn lay_out(&self, connection: &Connection) -> Result<(), Failure> {
        file_system::make_private(&self.file).map_err(|error| error::no_folder(error, self.folder()))?;
        // Both only take effect before the first page is written, and the write-ahead log writes it.
        connection.pragma_update(None, "page_size", self.page_bytes)?;
        connection.pragma_update(None, "auto_vacuum", if self.shrinks { "INCREMENTAL" } else { "NONE" })?;
        Ok(())
    }

    fn tune(&self, connection: &Connection, access: Access) -> rusqlite::Result<()> {
        let synchronous = match self.durability {
            Durability::Machine => "FULL",
            Durability::Process => "NORMAL",
        };
        connection.pragma_update(None, "synchronous", synchronous)?;
        // On macOS an ordinary sync does not reach the disk.
        connection.pragma_update(None, "fullfsync", self.durability == Durability::Machine)?;
        connection.pragma_update(None, "mmap_size", 0)?;
        connection.pragma_update(None, "temp_store", "MEMORY")?;
        connection.pragma_update(None, "cache_size", -self.cache_kibibytes)?;
        connection.pragma_update(None, "journal_size_limit", JOURNAL_BYTES)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.pragma_update(None, "trusted_schema", false)?;
        connection.pragma_update(None, "query_only", access == Access::Read)?;
        // Otherwise some statements are prepared anew for every value they are given.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        Ok(())
    }
}

const JOURNAL_BYTES: i64 = 4 << 20;
const STATEMENTS: usize = 128;

/// Sleeps in small steps, so that a short lock costs little, and gives up after [`BUSY_PATIENCE`].
fn wait_for_lock() -> impl FnMut(i32) -> bool + Send + 'static {
    let mut since = Instant::now();
    move |attempt| {
        if attempt == 0 {
            since = Instant::now();
        }
        thread::sleep(if attempt < 10 { Duration::from_micros(500) } else { Duration::from_millis(4) });
        since.elapsed() < BUSY_PATIENCE
    }
}

/// Asks for a write-ahead log; where there cannot be one, for a rollback journal.
fn set_journal_mode(connection: &Connection, folder: &Path) -> Result<(), Failure> {
    if file_system::is_remote(folder) {
        return use_rollback_journal(connection, folder, "the data folder is on a network file system");
    }
    match use_write_ahead_log(connection) {
        Ok(true) => Ok(()),
        Ok(false) => use_rollback_journal(connection, folder, "the file system has no shared memory"),
        Err(error) if is_without_shared_memory(&error) => {
            use_rollback_journal(connection, folder, "the file system's shared memory does not work")
        }
        Err(error) => Err(error.into()),
    }
}

/// Whether the log is in use now. SQLite can answer "locked" here without calling the busy handler, so this waits itself.
fn use_write_ahead_log(connection: &Connection) -> rusqlite::Result<bool> {
    if journal_mode(connection)? == "wal" {
        return Ok(true);
    }
    let mut wait = wait_for_lock();
    let mut attempt = 0;
    loop {
        match connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0)) {
            Err(error) if error::is_busy(&error) && wait(attempt) => attempt += 1,
            result => return result.map(|mode| mode == "wal"),
        }
    }
}

fn use_rollback_journal(connection: &Connection, folder: &Path, reason: &str) -> Result<(), Failure> {
    if journal_mode(connection)? != "truncate" {
        connection.pragma_update(None, "journal_mode", "TRUNCATE")?;
    }
    tracing::warn!(folder = %folder.display(), reason, "no write-ahead log: readers and writers will wait for each other");
    Ok(())
}

pub(crate) fn journal_mode(connection: &Connection) -> rusqlite::Result<String> {
    pragma(connection, "journal_mode")
}

fn is_without_shared_memory(error: &rusqlite::Error) -> bool {
    use rusqlite::ffi;
    const SHARED_MEMORY: [i32; 3] = [ffi::SQLITE_IOERR_SHMOPEN, ffi::SQLITE_IOERR_SHMLOCK, ffi::SQLITE_IOERR_SHMMAP];
    error.sqlite_error().is_some_and(|cause| {
        cause.code == ErrorCode::FileLockingProtocolFailed || SHARED_MEMORY.contains(&cause.extended_code)
    })
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn check(vfs: &std::ffi::CStr, expected: &str) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("some.db");
        let connection = Connection::open_with_flags_and_vfs(file, OpenFlags::default(), vfs).unwrap();
        set_journal_mode(&connection, folder.path()).unwrap();
        assert_eq!(journal_mode(&connection).unwrap(), expected);
        connection.execute_batch("CREATE TABLE t (x); INSERT INTO t VALUES (1)").unwrap();
    }

    #[test]
    fn a_local_file_system_gets_a_write_ahead_log() {
        check(c"unix", "wal");
    }

    /// This way of locking, like some network file systems, has no shared memory.
    #[test]
    fn without_shared_memory_there_is_a_rollback_journal() {
        check(c"unix-dotfile", "truncate");
    }
}
