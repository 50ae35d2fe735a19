//! The store on a real PostgreSQL server: what every backend promises, and what happens when the server is hurt.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod behaviour;
mod experiences;
mod faults;
mod opening;

use std::sync::atomic::{AtomicUsize, Ordering};

use store_postgres::{Address, PostgresStore};
use test_servers::{Postgres, Server};

/// What the tests give for the name of the setting that holds the address.
pub(crate) const SETTING: &str = "TRAILMARK_EXAMPLE";

/// A server that runs until the test ends.
pub(crate) fn server() -> Server {
    Server::start(&Postgres).unwrap()
}

pub(crate) fn address(server: &Server) -> Address {
    server.url().parse().unwrap()
}

/// An empty store on this server.
pub(crate) fn fresh(server: &Server) -> PostgresStore {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let schema = format!("case_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
    PostgresStore::open(address(server).with_schema(&schema).unwrap(), SETTING)
}
