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

pub use address::{Address, AddressError};

use crate::experiences::Memory;
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
}

impl PostgresStore {
    /// The store at this address. Nothing is connected before the first call. `setting` is what an operator has to look at when
    /// the server cannot be reached.
    pub fn open(address: Address, setting: &str) -> Self {
        let pool = Pool::new(address, setting);
        Self { inner: Arc::new(Inner { pool, experiences: Memory::default() }) }
    }

    /// Where the store is, without the password.
    pub fn address(&self) -> &Address {
        self.inner.pool.address()
    }

    /// What an operator wants to know when something seems wrong: the server's version, once it was reached and the tables are
    /// as they should be.
    pub async fn check(&self) -> store::Result<String> {
        let lease = self.pool().lease().await?;
        let version = async { Ok(lease.query_one("SHOW server_version", &[]).await?.try_get(0)?) };
        let outcome = in_time(lease.until(), version).await;
        lease.end(outcome)
    }

    /// Waits for work that goes on after its answer, and closes the connections. A later call opens new ones.
    pub async fn close(&self) {
        self.inner.experiences.close().await;
        self.inner.pool.close();
    }

    fn pool(&self) -> &Pool {
        &self.inner.pool
    }
}
