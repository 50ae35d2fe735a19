//! What is known of one server, as a row.

use jiff::Timestamp;
use rusqlite::Row;
use store::upstream::Rest;

use crate::error;
use crate::job::Outcome;

pub(super) struct Known {
    pub(super) proved_at: Option<Timestamp>,
    /// From when to when somebody finds out.
    pub(super) trial: Option<(Timestamp, Timestamp)>,
    pub(super) rest: Option<Rest>,
}

/// What a row of table `upstream` says.
pub(super) fn known(row: &Row<'_>) -> Outcome<Known> {
    Ok(Known {
        proved_at: time(row, "proved_at")?,
        trial: time(row, "claimed_at")?.zip(time(row, "claimed_until")?),
        rest: rest(row)?,
    })
}

fn rest(row: &Row<'_>) -> Outcome<Option<Rest>> {
    let Some((since, until)) = time(row, "rested_at")?.zip(time(row, "rested_until")?) else { return Ok(None) };
    Ok(Some(Rest { since, until, reason: row.get("reason")?, last_error: row.get("last_error")? }))
}

fn time(row: &Row<'_>, column: &str) -> Outcome<Option<Timestamp>> {
    let microseconds: Option<i64> = row.get(column)?;
    let time = microseconds.map(Timestamp::from_microsecond).transpose();
    Ok(time.map_err(|cause| error::unreadable("time", cause))?)
}
