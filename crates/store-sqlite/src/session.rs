//! A thread's own connection: opened when first needed, given up when it can no longer be trusted.

use rusqlite::Connection;

use crate::connection::{Access, Settings};
use crate::error::Failure;
use crate::file_system::{FileIdentity, identity};

/// A connection that opens itself again after it was lost.
#[derive(Debug)]
pub(crate) struct Session<'a> {
    settings: &'a Settings,
    access: Access,
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    connection: Connection,
    identity: Option<FileIdentity>,
}

impl<'a> Session<'a> {
    pub(crate) fn new(settings: &'a Settings, access: Access) -> Self {
        Self { settings, access, open: None }
    }

    /// The connection to the file that is at the path now. A file that was deleted or replaced under an open connection
    /// would swallow every later change.
    pub(crate) fn connection(&mut self) -> Result<&mut Connection, Failure> {
        if self.open.as_ref().is_some_and(|open| open.identity != identity(&self.settings.file)) {
            self.discard();
        }
        let open = match self.open.take() {
            Some(open) => open,
            None => self.open()?,
        };
        Ok(&mut self.open.insert(open).connection)
    }

    /// Gives the connection up; the next use opens a new one.
    pub(crate) fn discard(&mut self) {
        self.open = None;
    }

    /// Gives cached memory back while there is nothing to do.
    pub(crate) fn rest(&mut self) {
        if let Some(open) = &self.open {
            open.connection.flush_prepared_statement_cache();
            let _ = open.connection.release_memory();
        }
    }

    fn open(&self) -> Result<Open, Failure> {
        let connection = self.settings.open(self.access)?;
        Ok(Open { connection, identity: identity(&self.settings.file) })
    }
}
