//! One database file with its threads: one that writes, a few that read.

use std::path::Path;
use std::sync::Arc;

use rusqlite::Connection;
use store::Result;

use crate::connection::Settings;
use crate::job::{Job, Outcome, job};
use crate::pool::Pool;
use crate::{reader, writer};

const READERS: usize = 2;

/// A database that is opened by the first call and whose threads end when it is dropped.
#[derive(Debug)]
pub(crate) struct Database {
    settings: Arc<Settings>,
    writer: Pool<Box<dyn Job>>,
    readers: Pool<Box<dyn Job>>,
}

impl Database {
    /// Touches no disk and starts no thread.
    pub(crate) fn new(settings: Settings) -> Self {
        let settings = Arc::new(settings);
        let (for_writer, for_readers) = (Arc::clone(&settings), Arc::clone(&settings));
        Self {
            settings,
            writer: Pool::new("trailmark-write", 1, move |queue| writer::serve(queue, &for_writer)),
            readers: Pool::new("trailmark-read", READERS, move |queue| reader::serve(queue, &for_readers)),
        }
    }

    pub(crate) fn file(&self) -> &Path {
        &self.settings.file
    }

    pub(crate) fn folder(&self) -> &Path {
        self.settings.folder()
    }

    /// Does this in a transaction. It is answered once the transaction is committed. A caller who stops waiting leaves it
    /// open whether the work was done.
    pub(crate) async fn write<T, W>(&self, work: W) -> Result<T>
    where
        T: Send + 'static,
        W: FnOnce(&Connection) -> Outcome<T> + Send + 'static,
    {
        let (job, answer) = job(work);
        self.writer.submit(job)?;
        answer.wait().await
    }

    /// Does this on one snapshot of the data. It is interrupted when the caller stops waiting.
    pub(crate) async fn read<T, W>(&self, work: W) -> Result<T>
    where
        T: Send + 'static,
        W: FnOnce(&Connection) -> Outcome<T> + Send + 'static,
    {
        let (job, answer) = job(work);
        self.readers.submit(job)?;
        answer.wait().await
    }

    /// Waits until the work at hand is done and the file is closed. A later call opens it again.
    pub(crate) async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}

#[cfg(test)]
mod tests;
