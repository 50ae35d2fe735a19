//! The whole program with real servers: what it does when one fails, and how what is kept moves from one to another.
//!
//! `cargo xtask test --only tests-with-backends` installs the servers and runs this. The Bolt server is ArcadeDB; Neo4j and
//! Memgraph are in no registry that tests can rely on.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod content;
mod faults;
mod moving;
mod subject;

use testkit::Installation;

fn installation() -> Installation {
    Installation::new(env!("CARGO_BIN_EXE_trailmark"))
}
