//! Vectors of experiences, in a column of pgvector's own type: the server compares them.
//!
//! Their tables are made when somebody first makes vectors, because the extension may come later than ours. Where there is none, and
//! we may not make it, experiences are kept and found by words alone, and the log says so once.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use deadpool_postgres::Client;
use experience::meaning::{NEAREST, Near};
use search::embed::Vector;
use store::{Experience, ExperienceId};
use uuid::Uuid;

use super::{signed, unsigned};
use crate::error::Outcome;
use crate::migrations::LOCK_CLASS;
use crate::text::sql_limit;

/// A block of its own keeps a failure to make the extension from undoing the rest.
const MAKE: &str = "
    DO $$ DECLARE place text; BEGIN
        PERFORM pg_advisory_xact_lock(LOCK, hashtext(current_schema() || '.experience_vector'));
        BEGIN
            CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public;
        EXCEPTION WHEN OTHERS THEN
            RAISE NOTICE 'no pgvector: %', SQLERRM;
        END;
        SELECT nspname INTO place FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'vector';
        IF place IS NOT NULL THEN
            CREATE TABLE IF NOT EXISTS experience_embedder (
                number      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                fingerprint text NOT NULL UNIQUE
            );
            EXECUTE format('CREATE TABLE IF NOT EXISTS experience_vector (
                embedder bigint NOT NULL REFERENCES experience_embedder (number),
                key      bigint NOT NULL REFERENCES experience (key),
                vector   %I.vector NOT NULL,
                PRIMARY KEY (embedder, key))', place);
        END IF;
    END $$";

const PLACE: &str = "
    SELECT quote_ident(nspname) FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'vector'";

const EMBEDDER: &str = "
    WITH new AS (
        INSERT INTO experience_embedder (fingerprint) VALUES ($1) ON CONFLICT DO NOTHING RETURNING number
    ) SELECT number FROM new UNION ALL SELECT number FROM experience_embedder WHERE fingerprint = $1 LIMIT 1";

/// Where vectors are kept, once that is known.
#[derive(Debug, Default)]
pub(crate) struct Vectors {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Unknown,
    Missing,
    Ready {
        fingerprint: String,
        table: Table,
    },
}

/// The column, and the number of the embedder in it.
#[derive(Debug, Clone)]
pub(super) struct Table {
    /// The schema of the extension, quoted.
    place: String,
    pub(super) embedder: i64,
}

impl Table {
    /// The type of the column.
    pub(super) fn kind(&self) -> String {
        format!("{}.vector", self.place)
    }

    /// The nearest experiences, the nearest first.
    pub(super) async fn nearest(&self, client: &Client, question: &Vector) -> Outcome<Vec<Near>> {
        let Self { place, embedder } = self;
        let distance = format!("vector OPERATOR({place}.<=>) $1::text::{place}.vector");
        let sql = format!(
            "SELECT key, (1 - ({distance}))::float4 FROM experience_vector
             WHERE embedder = $2 AND {place}.vector_dims(vector) = $3 ORDER BY {distance}, key LIMIT $4"
        );
        let select = client.prepare_cached(&sql).await?;
        let dimensions = i32::try_from(question.dimensions()).unwrap_or(i32::MAX);
        let rows = client.query(&select, &[&written(question), embedder, &dimensions, &sql_limit(NEAREST)]).await?;
        let near = rows.iter().map(|row| {
            let key = usize::try_from(unsigned(row.try_get(0)?)).unwrap_or(usize::MAX);
            Ok(Near { key, nearness: row.try_get(1)? })
        });
        near.collect()
    }

    /// Those that are kept, but have no vector by this embedder.
    pub(super) async fn without(&self, client: &Client, experiences: Vec<Experience>) -> Outcome<Vec<Experience>> {
        let select = "SELECT id FROM experience WHERE id = ANY($1) AND NOT EXISTS (
             SELECT 1 FROM experience_vector WHERE embedder = $2 AND experience_vector.key = experience.key)";
        let ids: Vec<Uuid> = experiences.iter().map(|experience| *experience.id.as_uuid()).collect();
        let rows = client.query(&client.prepare_cached(select).await?, &[&ids, &self.embedder]).await?;
        let missing =
            rows.iter().map(|row| Ok(row.try_get::<_, Uuid>(0)?.into())).collect::<Outcome<HashSet<ExperienceId>>>()?;
        Ok(experiences.into_iter().filter(|experience| missing.contains(&experience.id)).collect())
    }

    /// Keeps vectors of these experiences; one that another process has made since stays.
    pub(super) async fn add_to(&self, client: &Client, ids: &[ExperienceId], vectors: &[Vector]) -> Outcome<usize> {
        let sql = format!(
            "INSERT INTO experience_vector (embedder, key, vector)
             SELECT $1, key, written::{} FROM unnest($2::uuid[], $3::text[]) AS new (id, written)
             JOIN experience USING (id) ON CONFLICT DO NOTHING",
            self.kind()
        );
        let ids: Vec<Uuid> = ids.iter().map(|id| *id.as_uuid()).collect();
        let texts: Vec<String> = vectors.iter().map(written).collect();
        let made = client.execute(&sql, &[&self.embedder, &ids, &texts]).await?;
        Ok(usize::try_from(made).unwrap_or(usize::MAX))
    }

    /// Keeps vectors of the experiences with these keys.
    pub(super) async fn add(&self, client: &deadpool_postgres::Transaction<'_>, new: &[(u64, &Vector)]) -> Outcome<()> {
        let sql = format!(
            "INSERT INTO experience_vector (embedder, key, vector)
             SELECT $1, key, written::{} FROM unnest($2::bigint[], $3::text[]) AS new (key, written)",
            self.kind()
        );
        let keys: Vec<i64> = new.iter().map(|(key, _)| signed(*key)).collect();
        let texts: Vec<String> = new.iter().map(|(_, vector)| written(vector)).collect();
        client.execute(&sql, &[&self.embedder, &keys, &texts]).await?;
        Ok(())
    }
}

impl Vectors {
    /// The table for vectors of this embedder; `None` where the server has no type for them.
    pub(super) async fn table(&self, client: &Client, fingerprint: &str) -> Outcome<Option<Table>> {
        match &*self.state.lock().unwrap_or_else(PoisonError::into_inner) {
            State::Missing => return Ok(None),
            State::Ready { fingerprint: known, table } if known == fingerprint => return Ok(Some(table.clone())),
            State::Ready { .. } | State::Unknown => {}
        }
        client.batch_execute(&MAKE.replace("LOCK", &LOCK_CLASS.to_string())).await?;
        let Some(row) = client.query_opt(PLACE, &[]).await? else {
            tracing::warn!(
                "the PostgreSQL server has no extension `vector` (pgvector): experiences are found by words alone"
            );
            *self.state.lock().unwrap_or_else(PoisonError::into_inner) = State::Missing;
            return Ok(None);
        };
        let embedder = client.query_one(EMBEDDER, &[&fingerprint]).await?.try_get(0)?;
        let table = Table { place: row.try_get(0)?, embedder };
        let ready = State::Ready { fingerprint: fingerprint.to_owned(), table: table.clone() };
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = ready;
        Ok(Some(table))
    }

    /// What is known may be of tables that are gone.
    pub(crate) fn forget(&self) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = State::Unknown;
    }
}

/// A vector as pgvector reads it.
pub(super) fn written(vector: &Vector) -> String {
    let mut text = String::from("[");
    for (at, value) in vector.values().iter().enumerate() {
        let _ = write!(text, "{}{value}", if at == 0 { "" } else { "," });
    }
    text.push(']');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_is_written_as_pgvector_reads_it() {
        assert_eq!(written(&Vector::new(&[1.0, -0.5, 0.0]).unwrap()), "[127,-64,0]");
    }
}
