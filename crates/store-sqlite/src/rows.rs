//! Values as they stand in columns.

use jiff::Timestamp;
use rusqlite::Row;
use uuid::Uuid;

use crate::error;
use crate::job::Outcome;

/// A limit as SQL wants it.
pub(crate) fn sql_limit(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

pub(crate) fn uuid(row: &Row<'_>, column: &str) -> Outcome<Uuid> {
    Ok(Uuid::from_bytes(row.get(column)?))
}

/// A time kept as microseconds since 1970.
pub(crate) fn time(row: &Row<'_>, column: &str) -> Outcome<Timestamp> {
    let microseconds: i64 = row.get(column)?;
    Ok(Timestamp::from_microsecond(microseconds).map_err(|cause| error::unreadable("time", cause))?)
}
