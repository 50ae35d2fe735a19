//! The state of servers that are called, in SQLite.

mod row;

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, named_params};
use store::upstream::{Entry, Rest, Visit, is_under_way};
use store::{Result, UpstreamState};

use crate::documents::SqliteStore;
use crate::job::Outcome;
use row::Known;

/// What has not been touched for so long is forgotten.
const FORGOTTEN_AFTER: SignedDuration = SignedDuration::from_hours(24 * 7);

const KNOWN: &str = "SELECT * FROM upstream WHERE name = :name";
const FORGET: &str = "DELETE FROM upstream WHERE touched_at < :before";
const CLAIM: &str =
    "INSERT INTO upstream (name, touched_at, claimed_at, claimed_until) VALUES (:name, :now, :now, :until)
    ON CONFLICT (name) DO UPDATE SET touched_at = :now, claimed_at = :now, claimed_until = :until, proved_at = NULL,
    rested_at = NULL, rested_until = NULL, reason = NULL, last_error = NULL";
const PROVED: &str = "INSERT INTO upstream (name, touched_at, proved_at) VALUES (:name, :at, :at)
    ON CONFLICT (name) DO UPDATE SET touched_at = :at, proved_at = :at, claimed_at = NULL, claimed_until = NULL";
const RESTED: &str = "INSERT INTO upstream (name, touched_at, rested_at, rested_until, reason, last_error)
    VALUES (:name, :since, :since, :until, :reason, :last_error)
    ON CONFLICT (name) DO UPDATE SET touched_at = :since, proved_at = NULL, claimed_at = NULL, claimed_until = NULL,
    rested_at = :since, rested_until = :until, reason = :reason, last_error = :last_error";

#[async_trait]
impl UpstreamState for SqliteStore {
    async fn enter(&self, name: &str, visit: Visit) -> Result<Entry> {
        let name = name.to_owned();
        // The write lock makes looking and claiming one step for all processes; a look that claims nothing writes nothing.
        self.database().write(move |connection| enter(connection, &name, visit)).await
    }

    async fn proved(&self, name: &str, at: Timestamp) -> Result<()> {
        let name = name.to_owned();
        self.database().write(move |connection| proved(connection, &name, at)).await
    }

    async fn rested(&self, name: &str, rest: Rest) -> Result<()> {
        let name = name.to_owned();
        self.database().write(move |connection| rested(connection, &name, &rest)).await
    }
}

fn enter(connection: &Connection, name: &str, visit: Visit) -> Outcome<Entry> {
    let Visit { now, trial, proof } = visit;
    if let Some(known) = known(connection, name)? {
        if let Some(rest) = known.rest.filter(|rest| is_under_way(rest.since, rest.until, now)) {
            return Ok(Entry::Resting(rest));
        }
        if known.proved_at.is_some_and(|at| is_under_way(at, at + proof, now)) {
            return Ok(Entry::Open);
        }
        if let Some((since, until)) = known.trial
            && is_under_way(since, until, now)
        {
            return Ok(Entry::Tried { until });
        }
    }
    let before = now - FORGOTTEN_AFTER;
    connection.prepare_cached(FORGET)?.execute(named_params! { ":before": before.as_microsecond() })?;
    let until = (now + trial).as_microsecond();
    let parameters = named_params! { ":name": name, ":now": now.as_microsecond(), ":until": until };
    connection.prepare_cached(CLAIM)?.execute(parameters)?;
    Ok(Entry::Claimed)
}

fn proved(connection: &Connection, name: &str, at: Timestamp) -> Outcome<()> {
    let parameters = named_params! { ":name": name, ":at": at.as_microsecond() };
    connection.prepare_cached(PROVED)?.execute(parameters)?;
    Ok(())
}

fn rested(connection: &Connection, name: &str, rest: &Rest) -> Outcome<()> {
    connection.prepare_cached(RESTED)?.execute(named_params! {
        ":name": name,
        ":since": rest.since.as_microsecond(),
        ":until": rest.until.as_microsecond(),
        ":reason": rest.reason,
        ":last_error": rest.last_error,
    })?;
    Ok(())
}

fn known(connection: &Connection, name: &str) -> Outcome<Option<Known>> {
    let mut statement = connection.prepare_cached(KNOWN)?;
    let known = statement.query_row(named_params! { ":name": name }, |row| Ok(row::known(row))).optional()?;
    known.transpose()
}
