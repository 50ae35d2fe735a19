//! Trailmark from outside, for tests: the real binary on real pipes and sockets, and the runner of the tool contracts.
//!
//! In: the path of the binary and a folder of contracts. Out: what the server wrote, as JSON, and what a contract found
//! wrong. Every wait is bounded and every process is killed after a minute at the latest, so that no test can hang. This
//! crate knows no protocol library and no storage driver: it checks both from the other side of the wire.

pub mod contract;
#[cfg(target_os = "linux")]
mod disk;
mod http;
mod installation;
mod model_server;
mod process;
mod protocol;
mod proxy;
mod stand_in;
mod stdio;

#[cfg(target_os = "linux")]
pub use disk::Disk;
pub use http::{Connection, HttpClient, HttpRequest, HttpResponse, HttpServer};
pub use installation::{Installation, Ran};
pub use model_server::{ModelReply, ModelRequest, ModelServer};
pub use process::Process;
pub use protocol::Era;
pub use proxy::{Proxy, Then};
pub use stand_in::{Manner, Reply, StandIn};
pub use stdio::StdioServer;

/// How long a test waits for something that must come.
pub const PATIENCE: std::time::Duration = std::time::Duration::from_secs(20);
