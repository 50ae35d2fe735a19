//! Vectors of experiences: kept beside them in one transaction, compared in memory.

use std::sync::{Mutex, PoisonError};

use experience::meaning::{NEAREST, Near};
use experience::vectors::Made;
use rusqlite::{Connection, OptionalExtension as _};
use search::embed::{Nearest, Vector};
use store::{Experience, ExperienceId};

use super::find;
use crate::error;
use crate::job::Outcome;

/// Keeps vectors of the experiences with these keys.
pub(super) fn add(connection: &Connection, fingerprint: &str, vectors: &[(u64, &Vector)]) -> Outcome<()> {
    let sql = "INSERT INTO experience_embedder (fingerprint) VALUES (?) ON CONFLICT DO NOTHING";
    connection.prepare_cached(sql)?.execute([fingerprint])?;
    let Some(embedder) = embedder(connection, fingerprint)? else { return Ok(()) };
    let sql = "INSERT OR REPLACE INTO experience_vector (embedder, key, vector) VALUES (?, ?, ?)";
    let mut insert = connection.prepare_cached(sql)?;
    for (key, vector) in vectors {
        let bytes: Vec<u8> = vector.values().iter().map(|value| value.cast_unsigned()).collect();
        insert.execute((embedder, key, bytes))?;
    }
    Ok(())
}

/// Those that are kept, but have no vector by this embedder.
pub(super) fn without(
    connection: &Connection,
    fingerprint: &str,
    experiences: Vec<Experience>,
) -> Outcome<Vec<Experience>> {
    // No embedder has a number below 1.
    let embedder = embedder(connection, fingerprint)?.unwrap_or(0);
    let mut statement = connection.prepare_cached(
        "SELECT 1 FROM experience WHERE id = ? AND NOT EXISTS (
             SELECT 1 FROM experience_vector WHERE embedder = ? AND experience_vector.key = experience.key)",
    )?;
    let mut missing = Vec::new();
    for experience in experiences {
        if statement.exists((experience.id.as_uuid().as_bytes(), embedder))? {
            missing.push(experience);
        }
    }
    Ok(missing)
}

/// Keeps vectors of these experiences.
pub(super) fn add_to(connection: &Connection, ids: &[ExperienceId], made: &Made) -> Outcome<usize> {
    let mut kept = Vec::new();
    for (id, vector) in ids.iter().zip(&made.vectors) {
        kept.extend(find::key(connection, *id)?.map(|key| (key, vector)));
    }
    add(connection, &made.fingerprint, &kept)?;
    Ok(kept.len())
}

fn embedder(connection: &Connection, fingerprint: &str) -> Outcome<Option<i64>> {
    let mut statement = connection.prepare_cached("SELECT number FROM experience_embedder WHERE fingerprint = ?")?;
    Ok(statement.query_row([fingerprint], |row| row.get(0)).optional()?)
}

/// The vectors that a process has compared before.
#[derive(Debug, Default)]
pub(super) struct Vectors {
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    /// Of what file and of what embedder.
    identity: Vec<u8>,
    embedder: i64,
    /// The place of the last one.
    last: i64,
    keys: Vec<usize>,
    nearest: Nearest,
}

impl Vectors {
    /// The nearest experiences, the nearest first.
    pub(super) fn nearest(&self, connection: &Connection, identity: &[u8], made: &Made) -> Outcome<Vec<Near>> {
        let Some(embedder) = embedder(connection, &made.fingerprint)? else { return Ok(Vec::new()) };
        let Some(question) = made.vectors.first() else { return Ok(Vec::new()) };
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let is_other = held.identity != identity || held.embedder != embedder;
        if is_other || held.nearest.dimensions() != question.dimensions() {
            let nearest = Nearest::new(question.dimensions(), 0);
            *held = Held { identity: identity.to_vec(), embedder, last: 0, keys: Vec::new(), nearest };
        }
        held.read_new(connection)?;
        let near = held.nearest.nearest(question, NEAREST);
        Ok(near.into_iter().map(|near| Near { key: held.keys[near.place], nearness: near.nearness }).collect())
    }

    pub(super) fn forget(&self) {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = Held::default();
    }
}

impl Held {
    fn read_new(&mut self, connection: &Connection) -> Outcome<()> {
        let sql = "SELECT place, key, vector FROM experience_vector WHERE place > ? AND embedder = ? ORDER BY place";
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query((self.last, self.embedder))?;
        while let Some(row) = rows.next()? {
            self.last = row.get(0)?;
            let bytes = row.get_ref(2)?.as_blob().map_err(|cause| error::unreadable("a vector", cause))?;
            let values: Vec<i8> = bytes.iter().map(|byte| byte.cast_signed()).collect();
            let Some(vector) = Vector::of_values(&values) else { continue };
            if self.nearest.add(vector.values(), vector.factor()) {
                self.keys.push(row.get(1)?);
            }
        }
        Ok(())
    }
}
