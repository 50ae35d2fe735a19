//! The whole program with real servers: what it does when one fails, and how what is kept moves from one to another.
//!
//! `cargo xtask test --only tests-with-backends` installs the servers and runs this. The Bolt server is ArcadeDB; Neo4j and
//! Memgraph are in no registry that tests can rely on.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod content;
mod faults;
mod moving;
mod subject;

use testkit::{Installation, Ran};

fn installation() -> Installation {
    Installation::new(env!("CARGO_BIN_EXE_trailmark"))
}

/// Moves, however long that takes: the program itself bounds every wait for a server.
#[track_caller]
fn move_between(installation: &Installation, from: &str, to: &str, code: i32) -> Ran {
    let output = installation.command(&["move", "--from", from, "--to", to, "--json"]).output().unwrap();
    let [said, errors] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    let ran = Ran { code: output.status.code(), output: said, errors }.expect_code(code);
    subject::assert_no_password(&format!("{ran:?}"));
    ran
}
