//! Documents, experiences and a knowledge graph on a PostgreSQL server.
//!
//! In: the calls of the `store` traits, from any number of tasks, processes and machines at once. Out: rows in a schema of our
//! own. This crate is the only one that names the PostgreSQL driver; it does not know tools, protocols or settings.
//!
//! - Nothing is connected before the first call. A server that is down fails that call; the next one tries again.
//! - Tables are made and brought up to date by the first call, under a lock that all processes share.
//! - A call that nobody waits for any more is cancelled on the server, and its connection is given up.
//! - The password is in no message, no log and no `Debug`.

mod address;
mod documents;
mod error;
mod experiences;
mod knowledge;
mod migrations;
mod pool;
mod text;
mod tls;

use std::sync::Arc;

use ::experience::meaning::Meaning;
pub use address::{Address, AddressError};

use search::embed::Embedder;

use crate::experiences::{Memory, Vectors};
use crate::pool::{Pool, in_time};

/// What is kept in one schema of one PostgreSQL database.
#[derive(Debug, Clone)]
pub struct PostgresStore {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    pool: Pool,
    experiences: Memory,
    meaning: Option<Meaning>,
    vectors: Vectors,
}

impl PostgresStore {
    /// The store at this address. Nothing is connected before the first call. `setting` is what an operator has to look at when
    /// the server cannot be reached.
    pub fn open(address: Address, setting: &str) -> Self {
        Self::new(Pool::new(address, setting), None)
    }

    /// Keeps vectors of experiences that this embedder makes, and finds experiences by them beside their words, where the server has
    /// pgvector. To be called before anything else.
    pub fn with_embedder(self, embedder: Arc<dyn Embedder>) -> Self {
        let pool = Pool::new(self.address().clone(), self.pool().setting());
        Self::new(pool, Some(Meaning::new(embedder)))
    }

    fn new(pool: Pool, meaning: Option<Meaning>) -> Self {
        let (experiences, vectors) = (Memory::default(), Vectors::default());
        Self { inner: Arc::new(Inner { pool, experiences, meaning, vectors }) }
    }

    /// Where the store is, without the password.
    pub fn address(&self) -> &Address {
        self.inner.pool.address()
    }

    /// What an operator wants to know when something seems wrong: the server's version and that of pgvector, once it was reached and the tables are
    /// as they should be.
    pub async fn check(&self) -> store::Result<String> {
        let lease = self.pool().lease().await?;
        let version = async {
            let version: String = lease.query_one("SHOW server_version", &[]).await?.try_get(0)?;
            let extension = "SELECT extversion FROM pg_extension WHERE extname = 'vector'";
            Ok(match lease.query_opt(extension, &[]).await? {
                Some(row) => format!("{version} with pgvector {}", row.try_get::<_, String>(0)?),
                None if self.inner.meaning.is_some() => {
                    format!("{version} without pgvector, so that experiences are found by words alone")
                }
                None => version,
            })
        };
        let outcome = in_time(lease.until(), version).await;
        lease.end(outcome)
    }

    /// Waits for work that goes on after its answer, and closes the connections. A later call opens new ones.
    pub async fn close(&self) {
        self.inner.experiences.close().await;
        self.inner.vectors.forget();
        self.inner.pool.close();
    }

    fn pool(&self) -> &Pool {
        &self.inner.pool
    }
}
