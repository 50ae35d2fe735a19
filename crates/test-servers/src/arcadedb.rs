//! ArcadeDB: speaks Bolt and Cypher as Neo4j does, with the Java that it runs on.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::PASSWORD;
use crate::program::{Package, Place, Program};

/// `root` and the password, as HTTP wants them.
const ROOT: &str = "cm9vdDpwbGF5d2l0aGRhdGE=";
const ANSWER: Duration = Duration::from_secs(20);

#[derive(Debug, Clone, Copy)]
pub struct ArcadeDb;

impl ArcadeDb {
    /// Sends a command to its HTTP interface, in which it can do what it cannot do in Bolt.
    pub fn post(place: &Place, path: &str, body: &str) -> Result<()> {
        let mut stream = TcpStream::connect(("127.0.0.1", Self::http_port(place)))?;
        stream.set_read_timeout(Some(ANSWER))?;
        write!(
            stream,
            "POST /api/v1/{path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic {ROOT}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        if answer.starts_with("HTTP/1.1 200 ") { Ok(()) } else { bail!("ArcadeDB refused {path}: {answer}") }
    }

    /// Where it speaks HTTP; the first port is the one for Bolt.
    pub fn http_port(place: &Place) -> u16 {
        place.ports[1]
    }
}

impl Program for ArcadeDb {
    fn name(&self) -> &'static str {
        "arcadedb"
    }

    fn packages(&self) -> &'static [Package] {
        &[Package { name: "arcadedb-embedded", version: "26.10.2.post1" }]
    }

    fn settings(&self) -> &'static [&'static str] {
        &["TRAILMARK_KNOWLEDGE"]
    }

    fn ports(&self) -> usize {
        2
    }

    fn prepare(&self, place: &Place) -> Result<()> {
        Ok(fs::create_dir(place.folder.join("log"))?)
    }

    fn command(&self, place: &Place) -> Result<Command> {
        let package = place.packages()?.join("arcadedb_embedded");
        let mut command = Command::new(package.join("jre/bin").join(if cfg!(windows) { "java.exe" } else { "java" }));
        command.args(["-Xmx512m", "--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"]);
        command.args(["--add-opens", "java.base/java.util.concurrent.atomic=ALL-UNNAMED"]);
        command.args(["--add-opens", "java.base/java.nio.channels.spi=ALL-UNNAMED"]);
        for (key, value) in settings(place) {
            command.arg(format!("-Darcadedb.{key}={value}"));
        }
        command.arg("-cp").arg(package.join("jars").join("*")).arg("com.arcadedb.server.ArcadeDBServer");
        Ok(command)
    }

    fn is_ready(&self, _place: &Place, output: &str) -> bool {
        output.contains("ArcadeDB Server started in")
    }

    fn url(&self, place: &Place) -> String {
        format!("bolt://root:{PASSWORD}@127.0.0.1:{}", place.port())
    }

    fn fresh_database(&self, place: &Place, name: &str) -> Result<String> {
        Self::post(place, "server", &format!(r#"{{"command": "create database {name}"}}"#))?;
        Ok(format!("{}/{name}", self.url(place)))
    }
}

fn settings(place: &Place) -> [(&'static str, String); 11] {
    let below = |name: &str| place.folder.join(name).display().to_string();
    let loopback = || "127.0.0.1".to_owned();
    [
        ("server.rootPath", place.folder.display().to_string()),
        ("server.databaseDirectory", below("databases")),
        ("server.rootPassword", PASSWORD.to_owned()),
        ("server.mode", "development".to_owned()),
        ("server.httpIncomingHost", loopback()),
        ("server.httpIncomingPort", ArcadeDb::http_port(place).to_string()),
        ("bolt.host", loopback()),
        ("bolt.port", place.port().to_string()),
        ("bolt.defaultDatabase", "graph".to_owned()),
        ("server.defaultDatabases", "graph[root]".to_owned()),
        ("server.plugins", "Bolt:com.arcadedb.bolt.BoltProtocolPlugin".to_owned()),
    ]
}
