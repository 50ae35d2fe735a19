//! How a database file gets the tables this version of Trailmark expects.

use std::path::Path;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::error::{self, Failure};

/// One step from a version of a format to the next.
pub(crate) type Migration = &'static str;

pub(crate) const DOCUMENTS: &[Migration] = &[
    include_str!("../migrations/documents/0001_documents.sql"),
    include_str!("../migrations/documents/0002_upstream.sql"),
    include_str!("../migrations/documents/0003_experiences.sql"),
    include_str!("../migrations/documents/0004_knowledge.sql"),
    include_str!("../migrations/documents/0005_experience_meaning.sql"),
    include_str!("../migrations/documents/0006_word_families.sql"),
];

pub(crate) const AUDIT: &[Migration] = &[include_str!("../migrations/audit/0001_entries.sql")];

pub(crate) const EMBEDDINGS: &[Migration] = &[include_str!("../migrations/embeddings/0001_vectors.sql")];

/// Files of an older form are made anew from the source code, never migrated: a new form takes the place of the one before it.
pub(crate) const PROJECTS: &[Migration] = &[include_str!("../migrations/projects/0005_graph.sql")];

/// What a database file of ours is: who owns it, and how its tables come about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Format {
    /// SQLite's `application_id`, which `file(1)` and other tools show.
    pub(crate) application_id: i32,
    /// The version that the first migration makes of an empty file; each after it makes the next.
    pub(crate) first: i64,
    pub(crate) migrations: &'static [Migration],
}

impl Format {
    fn newest(&self) -> i64 {
        self.first + self.migrations.len() as i64 - 1
    }

    /// Refuses a file that another program or a newer Trailmark wrote, before anything is changed in it.
    pub(crate) fn accept(&self, connection: &Connection, file: &Path) -> Result<Found, Failure> {
        let snapshot = connection.unchecked_transaction()?;
        let application_id: i32 = pragma(&snapshot, "application_id")?;
        let version: i64 = pragma(&snapshot, "user_version")?;
        if version > self.newest() && application_id == self.application_id {
            return Err(error::too_new(file, version, self.newest()).into());
        }
        if application_id == self.application_id {
            return Ok(if version == self.newest() { Found::Current } else { Found::Old });
        }
        let objects: i64 = snapshot.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))?;
        if application_id != 0 || version != 0 || objects != 0 {
            return Err(error::foreign(file).into());
        }
        Ok(Found::Empty)
    }

    /// Runs the migrations that are missing, each in a transaction. Several processes may do this at once.
    pub(crate) fn migrate(&self, connection: &mut Connection) -> Result<(), Failure> {
        loop {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let version: i64 = pragma(&transaction, "user_version")?;
            let next = self.first.max(version + 1);
            let migration = usize::try_from(next - self.first).ok().and_then(|place| self.migrations.get(place));
            let Some(migration) = migration else { return Ok(()) };
            self.apply(transaction, migration, next)?;
        }
    }

    fn apply(&self, transaction: Transaction<'_>, migration: Migration, version: i64) -> Result<(), Failure> {
        transaction.execute_batch(migration)?;
        transaction.pragma_update(None, "application_id", self.application_id)?;
        transaction.pragma_update(None, "user_version", version)?;
        transaction.commit()?;
        tracing::debug!(version, "migrated");
        Ok(())
    }
}

/// What was in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    Empty,
    Old,
    Current,
}

/// The value of a pragma that has one.
pub(crate) fn pragma<T: rusqlite::types::FromSql>(connection: &Connection, name: &str) -> rusqlite::Result<T> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}
