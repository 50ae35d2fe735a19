//! A real graph server with an empty database, and what the official client sees in it.

use serde_json::Value;
use test_servers::Server;

use crate::python;

pub(crate) use test_servers::PASSWORD;

#[derive(Debug)]
pub(crate) struct ArcadeDb {
    _server: Server,
    pub(crate) bolt: u16,
    pub(crate) http: u16,
}

impl ArcadeDb {
    pub(crate) fn start() -> Self {
        let server = Server::start(&test_servers::ArcadeDb).unwrap();
        let (bolt, http) = (server.place().port(), test_servers::ArcadeDb::http_port(server.place()));
        Self { _server: server, bolt, http }
    }

    pub(crate) fn address(&self) -> String {
        format!("bolt://127.0.0.1:{}", self.bolt)
    }

    /// The project as the server has it.
    pub(crate) fn graph(&self, project: &str) -> Value {
        python::look(&["server", &self.address(), PASSWORD, project])
    }

    /// Runs one statement; the rows of its answer.
    pub(crate) fn ask(&self, statement: &str) -> Value {
        python::look(&["ask", &self.address(), PASSWORD, statement])
    }
}
