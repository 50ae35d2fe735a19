//! Vectors that were paid for, in a file that all processes share.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior};
use search::embed::Vector;
use store::{Result, TextKey, VectorCache};

use crate::connection::{Access, Durability, PAGE_BYTES, Settings};
use crate::job::Outcome;
use crate::migrations::{self, Format};

/// `TMem`
const FORMAT: Format = Format { application_id: 0x544D_656D, first: 1, migrations: migrations::EMBEDDINGS };

const CACHE_KIBIBYTES: i64 = 2_000;

/// The oldest go when there are more.
const MOST_VECTORS: i64 = 1_000_000;

const MODEL: &str = "SELECT key FROM model WHERE fingerprint = ?";
const ADD_MODEL: &str = "INSERT OR IGNORE INTO model (fingerprint) VALUES (?)";
const FIND: &str = "SELECT vector FROM vector WHERE model = ? AND text = ?";
const KEEP: &str = "INSERT OR IGNORE INTO vector (model, text, vector) VALUES (?, ?, ?)";
const FORGET: &str = "DELETE FROM vector WHERE key <= (SELECT max(key) FROM vector) - ?";

/// The cache in a data folder. Nothing is opened or made before it is needed.
#[derive(Debug)]
pub struct SqliteVectors {
    settings: Settings,
    connection: Mutex<Option<Connection>>,
}

impl SqliteVectors {
    pub fn open(folder: impl Into<PathBuf>) -> Self {
        let settings = Settings {
            file: folder.into().join("embeddings.db"),
            format: FORMAT,
            durability: Durability::Process,
            shrinks: false,
            page_bytes: PAGE_BYTES,
            cache_kibibytes: CACHE_KIBIBYTES,
        };
        Self { settings, connection: Mutex::default() }
    }

    fn with<T>(&self, work: impl FnOnce(&mut Connection) -> Outcome<T>) -> Result<T> {
        let mut kept = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let done = (|| {
            let mut connection = match kept.take() {
                Some(connection) => connection,
                None => self.settings.open(Access::Write)?,
            };
            let done = work(&mut connection)?;
            *kept = Some(connection);
            Ok(done)
        })();
        done.map_err(|failure: crate::error::Failure| failure.explain(&self.settings.file))
    }
}

impl VectorCache for SqliteVectors {
    fn find(&self, fingerprint: &str, keys: &[TextKey]) -> Result<Vec<Option<Vector>>> {
        self.with(|connection| {
            let model: Option<i64> = connection.query_row(MODEL, [fingerprint], |row| row.get(0)).optional()?;
            let Some(model) = model else { return Ok(vec![None; keys.len()]) };
            let mut statement = connection.prepare_cached(FIND)?;
            let mut found = Vec::with_capacity(keys.len());
            for key in keys {
                let bytes: Option<Vec<u8>> = statement.query_row((model, key), |row| row.get(0)).optional()?;
                found.push(bytes.and_then(|bytes| {
                    let values: Vec<i8> = bytes.iter().map(|byte| byte.cast_signed()).collect();
                    Vector::of_values(&values)
                }));
            }
            Ok(found)
        })
    }

    fn keep(&self, fingerprint: &str, vectors: &[(TextKey, Vector)]) -> Result<()> {
        self.with(|connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            transaction.execute(ADD_MODEL, [fingerprint])?;
            let model: i64 = transaction.query_row(MODEL, [fingerprint], |row| row.get(0))?;
            for (key, vector) in vectors {
                let bytes: Vec<u8> = vector.values().iter().map(|value| value.cast_unsigned()).collect();
                transaction.prepare_cached(KEEP)?.execute((model, key, bytes))?;
            }
            transaction.execute(FORGET, [MOST_VECTORS])?;
            transaction.commit()?;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_process_kept_another_finds_for_the_same_model_only() {
        let folder = tempfile::tempdir().unwrap();
        let vector = Vector::new(&[0.5, -1.0, 0.25]).unwrap();
        let (first, second) = (SqliteVectors::open(folder.path()), SqliteVectors::open(folder.path()));
        assert_eq!(first.find("a", &[[1; 32]]).unwrap(), [None]);
        first.keep("a", &[([1; 32], vector.clone()), ([1; 32], vector.clone())]).unwrap();
        assert_eq!(second.find("a", &[[2; 32], [1; 32]]).unwrap(), [None, Some(vector)]);
        assert_eq!(second.find("b", &[[1; 32]]).unwrap(), [None]);
    }
}
