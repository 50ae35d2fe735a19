//! Is the store sound? For `trailmark doctor`.

use std::path::PathBuf;

use rusqlite::Connection;
use store::Result;

use crate::connection::journal_mode;
use crate::database::Database;
use crate::experiences;
use crate::file_system;
use crate::job::Outcome;
use crate::knowledge;

/// The state of the store, as far as it could be found out.
#[derive(Debug)]
pub struct StoreCheck {
    /// The database file.
    pub path: PathBuf,
    /// Its size, without the write-ahead log beside it.
    pub bytes: u64,
    /// Whether files can be made in the data folder now.
    pub folder_writable: bool,
    pub sqlite_version: &'static str,
    /// What is in the file, or why that cannot be told.
    pub database: Result<DatabaseCheck>,
}

/// The state of what is in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseCheck {
    pub documents: u64,
    /// `wal`, or `truncate` where the file system allows no write-ahead log.
    pub journal_mode: String,
    /// What SQLite's quick check found; empty when all is well.
    pub problems: Vec<String>,
}

pub(crate) async fn check(database: &Database) -> StoreCheck {
    let contents = database.read(check_contents).await;
    let (file, folder) = (database.file().to_owned(), database.folder().to_owned());
    let look = move || (file_system::size(&file), file_system::is_writable(&folder));
    let (bytes, folder_writable) = tokio::task::spawn_blocking(look).await.unwrap_or((0, false));
    StoreCheck {
        path: database.file().to_owned(),
        bytes,
        folder_writable,
        sqlite_version: rusqlite::version(),
        database: contents,
    }
}

fn check_contents(connection: &Connection) -> Outcome<DatabaseCheck> {
    let documents = connection.query_row("SELECT count(*) FROM document", (), |row| row.get(0))?;
    Ok(DatabaseCheck {
        documents,
        journal_mode: journal_mode(connection)?,
        problems: problems(connection, "PRAGMA quick_check")?,
    })
}

/// SQLite's own full check, and whether everything and its words belong together.
pub(crate) fn integrity_problems(connection: &Connection) -> Outcome<Vec<String>> {
    let mut found = problems(connection, "PRAGMA integrity_check")?;
    found.extend(problems(connection, DOCUMENTS_WITHOUT_WORDS)?);
    found.extend(problems(connection, WORDS_WITHOUT_DOCUMENT)?);
    found.extend(experiences::problems(connection)?);
    found.extend(knowledge::problems(connection)?);
    Ok(found)
}

const DOCUMENTS_WITHOUT_WORDS: &str = "
    SELECT 'document ' || key || ' cannot be searched' FROM document
    WHERE key NOT IN (SELECT id FROM document_words_docsize)";

const WORDS_WITHOUT_DOCUMENT: &str = "
    SELECT 'search entry ' || id || ' has no document' FROM document_words_docsize
    WHERE id NOT IN (SELECT key FROM document)";

fn problems(connection: &Connection, sql: &str) -> Outcome<Vec<String>> {
    refresh_word_index(connection)?;
    let mut statement = connection.prepare(sql)?;
    let lines = statement.query_map((), |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
    Ok(lines.into_iter().filter(|line| line != "ok").collect())
}

/// SQLite's checks take what this connection remembers of the word index for what is stored, even after another connection
/// changed it, and then report damage where there is none. Opening a cursor makes it look again.
fn refresh_word_index(connection: &Connection) -> Outcome<()> {
    connection.prepare("SELECT rowid FROM document_words WHERE rowid = 0")?.exists(())?;
    Ok(())
}
