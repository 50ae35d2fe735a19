//! Real servers for tests: which package of which registry holds each, and how one is started, stopped and hurt.
//!
//! In: the folder of a Python environment that holds the packages (`cargo xtask` makes it). Out: a server on loopback, on
//! ports that were free, with its data in a temporary folder and a password of its own. One file and one row of
//! [`PROGRAMS`] per server; this crate knows no driver and speaks to a server only as far as starting it needs that.

mod arcadedb;
mod left;
mod mongodb;
mod mongodb_wire;
mod postgres;
mod program;
mod results;
mod searxng;
mod server;
mod signals;

pub use arcadedb::ArcadeDb;
pub use left::Left;
pub use mongodb::MongoDb;
pub use postgres::Postgres;
pub use program::{Package, Place, Program};
pub use results::{RESULTS, record};
pub use searxng::SearxNg;
pub use server::Server;

/// What `cargo xtask backends` starts when it is given no name.
pub const PROGRAMS: &[&dyn Program] = &[&MongoDb, &ArcadeDb, &Postgres, &SearxNg];

/// The password of every server that has one.
pub const PASSWORD: &str = "playwithdata";
