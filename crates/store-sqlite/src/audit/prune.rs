//! How the log stays young and small enough.

use std::sync::atomic::{AtomicUsize, Ordering};

use jiff::Timestamp;
use rusqlite::Connection;

use super::AuditLimits;
use crate::job::Outcome;
use crate::migrations::pragma;

/// How many entries pass between two looks at their age. The size is looked at every time: that is one number in memory.
const ENTRIES_BETWEEN_LOOKS: usize = 256;

/// Deletes what is too much, as part of the transaction that added something.
#[derive(Debug)]
pub(super) struct Pruner {
    limits: AuditLimits,
    appended: AtomicUsize,
}

impl Pruner {
    pub(super) fn new(limits: AuditLimits) -> Self {
        Self { limits, appended: AtomicUsize::new(0) }
    }

    /// To be called after `count` entries were added.
    pub(super) fn after_append(&self, connection: &Connection, count: usize) -> Outcome<()> {
        let before = self.appended.fetch_add(count, Ordering::Relaxed);
        let due = before == 0 || before / ENTRIES_BETWEEN_LOOKS != (before + count) / ENTRIES_BETWEEN_LOOKS;
        if due {
            self.delete_old(connection)?;
        }
        if used_bytes(connection)? > self.limits.max_bytes {
            self.delete_excess(connection)?;
        }
        return_free_pages(connection)
    }

    fn delete_old(&self, connection: &Connection) -> Outcome<()> {
        let now = Timestamp::now().as_microsecond();
        let max_age = i64::try_from(self.limits.max_age.as_micros()).unwrap_or(i64::MAX);
        connection.prepare_cached("DELETE FROM entry WHERE time < ?")?.execute([now.saturating_sub(max_age)])?;
        Ok(())
    }

    /// Deletes the oldest entries until a tenth of the room is free again, so that not every append has to delete.
    fn delete_excess(&self, connection: &Connection) -> Outcome<()> {
        let target = self.limits.max_bytes / 10 * 9;
        loop {
            let used = used_bytes(connection)?;
            let entries: u64 = connection.query_row("SELECT count(*) FROM entry", (), |row| row.get(0))?;
            if used <= target || entries == 0 {
                return Ok(());
            }
            let excess = entries.saturating_mul(used - target) / used;
            delete_oldest(connection, excess.max(1))?;
        }
    }
}

fn delete_oldest(connection: &Connection, count: u64) -> Outcome<()> {
    const DELETE: &str = "DELETE FROM entry WHERE key IN (SELECT key FROM entry ORDER BY time, trace_id LIMIT ?)";
    connection.prepare_cached(DELETE)?.execute([count])?;
    Ok(())
}

/// The bytes of the pages that hold something.
fn used_bytes(connection: &Connection) -> Outcome<u64> {
    let pages: u64 = pragma(connection, "page_count")?;
    let free: u64 = pragma(connection, "freelist_count")?;
    let page_size: u64 = pragma(connection, "page_size")?;
    Ok((pages - free) * page_size)
}

/// Cuts the free pages off the end of the file. SQLite gives one page back per row of this statement.
fn return_free_pages(connection: &Connection) -> Outcome<()> {
    let free: u64 = pragma(connection, "freelist_count")?;
    if free == 0 {
        return Ok(());
    }
    let mut statement = connection.prepare("PRAGMA incremental_vacuum")?;
    let mut rows = statement.query(())?;
    while rows.next()?.is_some() {}
    Ok(())
}
