//! What the driver's errors mean to the rest of Trailmark. Nothing else in this crate interprets one.

use std::error::Error as _;
use std::time::Duration;

use deadpool_postgres::{PoolError, TimeoutType};
use store::{ErrorKind, StoreError};
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use crate::pool::Pool;

/// How work on a connection ends.
pub(crate) type Outcome<T> = Result<T, Failure>;

/// How work on a connection ends early: the driver's error, or one that is already in Trailmark's terms.
#[derive(Debug)]
pub(crate) enum Failure {
    Postgres(Error),
    Store(StoreError),
    TooSlow(Duration),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Postgres(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Failure {
    /// Whether our tables are gone.
    pub(crate) fn is_missing_table(&self) -> bool {
        let Self::Postgres(error) = self else { return false };
        [Some(&SqlState::UNDEFINED_TABLE), Some(&SqlState::INVALID_SCHEMA_NAME)].contains(&error.code())
    }

    pub(crate) fn explain(self, pool: &Pool) -> StoreError {
        match self {
            Self::Postgres(error) => explain(error, pool),
            Self::Store(error) => error,
            Self::TooSlow(limit) => too_slow(limit, pool),
        }
    }
}

/// No connection can be had.
pub(crate) fn no_connection(error: PoolError, pool: &Pool) -> StoreError {
    match error {
        PoolError::Backend(error) => explain(error, pool),
        PoolError::PostCreateHook(hook) => match hook {
            deadpool_postgres::HookError::Backend(error) => explain(error, pool),
            deadpool_postgres::HookError::Message(message) => unreachable(&message, pool),
        },
        PoolError::Timeout(TimeoutType::Wait) => {
            let message = format!("all connections to PostgreSQL at {} are busy", pool.address().servers());
            StoreError::new(ErrorKind::Unavailable, message)
                .with_hint("try again; the server may be slow or overloaded")
        }
        PoolError::Timeout(TimeoutType::Create | TimeoutType::Recycle) => unreachable("no answer in time", pool),
        PoolError::Closed | PoolError::NoRuntimeSpecified => {
            StoreError::new(ErrorKind::Unexpected, "the connections to PostgreSQL are closed")
        }
    }
}

/// A stored value has a form that no version of Trailmark writes.
pub(crate) fn unreadable(what: &str, detail: impl std::fmt::Display) -> StoreError {
    StoreError::new(ErrorKind::Corrupt, format!("stored {what} cannot be read: {detail}"))
        .with_hint("restore the tables from a backup")
}

fn unreachable(reason: &str, pool: &Pool) -> StoreError {
    let message = format!("cannot reach PostgreSQL at {}: {reason}", pool.address().servers());
    let hint = format!("start the server, or correct the address in {}", pool.setting());
    StoreError::new(ErrorKind::Unavailable, message).with_hint(hint)
}

fn too_slow(limit: Duration, pool: &Pool) -> StoreError {
    let seconds = limit.as_secs_f64();
    let message = format!("PostgreSQL at {} did not answer within {seconds} s", pool.address().servers());
    StoreError::new(ErrorKind::Unavailable, message).with_hint(slow(pool))
}

fn slow(pool: &Pool) -> String {
    format!("try again; the server that {} names may be slow or overloaded", pool.setting())
}

fn explain(error: Error, pool: &Pool) -> StoreError {
    let Some(code) = error.code().cloned() else {
        return without_code(error, pool);
    };
    let told = error.as_db_error().map(|told| told.message().to_owned()).unwrap_or_default();
    let at = pool.address().servers();
    let setting = pool.setting();
    let (kind, message, hint) = match code.code() {
        "28P01" => (
            ErrorKind::Unavailable,
            format!("PostgreSQL at {at} does not let user `{}` in: user or password is wrong", pool.address().user()),
            Some(format!("correct user and password of the address in {setting}")),
        ),
        "28000" => (
            ErrorKind::Unavailable,
            format!("PostgreSQL at {at} does not let user `{}` in: {told}", pool.address().user()),
            Some(format!("correct user and password of the address in {setting}")),
        ),
        "3D000" => (
            ErrorKind::Unavailable,
            format!("PostgreSQL at {at} has no database `{}`", pool.address().database()),
            Some(format!("make it, or correct the address in {setting}")),
        ),
        "42501" => (
            ErrorKind::Unavailable,
            format!("PostgreSQL at {at} does not allow it to user `{}`: {told}", pool.address().user()),
            Some(format!("let that user use and change the schema `{}`, or make it for them", pool.address().schema())),
        ),
        "55P03" | "57014" | "25P03" => (
            ErrorKind::Unavailable,
            format!("PostgreSQL at {at} did not get it done in time: {told}"),
            Some(format!("try again; another program may hold a lock on the server that {setting} names")),
        ),
        "22021" | "22P05" | "54000" => (ErrorKind::InvalidInput, format!("PostgreSQL cannot keep this: {told}"), None),
        other => by_class(other, &at, &told, setting),
    };
    let error = StoreError::new(kind, message).with_source(error);
    match hint {
        Some(hint) => error.with_hint(hint),
        None => error,
    }
}

/// By the first two characters of the code, which say what kind of trouble it is.
fn by_class(code: &str, at: &str, told: &str, setting: &str) -> (ErrorKind, String, Option<String>) {
    let again = || Some(format!("try again; if it stays, look at the server that {setting} names"));
    match &code[..code.len().min(2)] {
        "08" | "57" | "53" | "58" | "25" => {
            (ErrorKind::Unavailable, format!("PostgreSQL at {at} cannot do it now: {told}"), again())
        }
        "40" => {
            (ErrorKind::Unavailable, format!("PostgreSQL at {at} was changed by others meanwhile: {told}"), again())
        }
        "23" => (ErrorKind::Conflict, format!("contradicts what is stored: {told}"), None),
        "XX" => (ErrorKind::Corrupt, format!("PostgreSQL at {at} reports damage: {told}"), again()),
        _ => (ErrorKind::Unexpected, format!("unexpected error of PostgreSQL at {at}: {told} ({code})"), None),
    }
}

/// The connection could not be made or broke.
fn without_code(error: Error, pool: &Pool) -> StoreError {
    let mut reason = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        reason = format!("{reason}: {inner}");
        cause = inner.source();
    }
    const OURS: [&str; 5] =
        ["error serializing", "error deserializing", "invalid column", "query returned", "expected"];
    if OURS.iter().any(|start| reason.starts_with(start)) {
        return StoreError::new(ErrorKind::Unexpected, format!("unexpected answer of PostgreSQL: {reason}"))
            .with_source(error);
    }
    let told = unreachable(&reason, pool);
    let told = if reason.contains("TLS") {
        let setting = pool.setting();
        told.with_hint(format!(
            "give the server a certificate that this system trusts, or add `sslmode=disable` to the address in {setting}"
        ))
    } else {
        told
    };
    told.with_source(error)
}
