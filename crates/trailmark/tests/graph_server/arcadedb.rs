//! A real graph server on loopback, with an empty database, ended when dropped.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::python;

pub(crate) const PASSWORD: &str = "playwithdata";
const OUTPUT: &str = "output.txt";
const START: Duration = Duration::from_secs(90);

#[derive(Debug)]
pub(crate) struct ArcadeDb {
    process: Child,
    folder: TempDir,
    pub(crate) bolt: u16,
    pub(crate) http: u16,
}

impl ArcadeDb {
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let [bolt, http] = free_ports();
        let package = package();
        fs::create_dir(folder.path().join("log")).unwrap();
        let log = File::create(folder.path().join(OUTPUT)).unwrap();
        let mut command = Command::new(java(&package));
        command.args(["-Xmx512m", "--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"]);
        command.args(["--add-opens", "java.base/java.util.concurrent.atomic=ALL-UNNAMED"]);
        command.args(["--add-opens", "java.base/java.nio.channels.spi=ALL-UNNAMED"]);
        for (key, value) in settings(folder.path(), bolt, http) {
            command.arg(format!("-Darcadedb.{key}={value}"));
        }
        command.arg("-cp").arg(package.join("jars").join("*")).arg("com.arcadedb.server.ArcadeDBServer");
        command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log).current_dir(folder.path());
        let mut server = Self { process: command.spawn().unwrap(), folder, bolt, http };
        server.wait_until_started();
        server
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

    fn wait_until_started(&mut self) {
        let until = Instant::now() + START;
        loop {
            let log = fs::read_to_string(self.folder.path().join(OUTPUT)).unwrap();
            if log.contains("ArcadeDB Server started in") {
                return;
            }
            let ended = self.process.try_wait().unwrap();
            assert!(ended.is_none() && Instant::now() < until, "the server did not start ({ended:?}): {log}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for ArcadeDb {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn settings(folder: &Path, bolt: u16, http: u16) -> [(&'static str, String); 11] {
    let below = |name: &str| folder.join(name).display().to_string();
    let loopback = || "127.0.0.1".to_owned();
    [
        ("server.rootPath", folder.display().to_string()),
        ("server.databaseDirectory", below("databases")),
        ("server.rootPassword", PASSWORD.to_owned()),
        ("server.mode", "development".to_owned()),
        ("server.httpIncomingHost", loopback()),
        ("server.httpIncomingPort", http.to_string()),
        ("bolt.host", loopback()),
        ("bolt.port", bolt.to_string()),
        ("bolt.defaultDatabase", "graph".to_owned()),
        ("server.defaultDatabases", "graph[root]".to_owned()),
        ("server.plugins", "Bolt:com.arcadedb.bolt.BoltProtocolPlugin".to_owned()),
    ]
}

/// Where the wheel with the server and its Java was unpacked.
fn package() -> PathBuf {
    let script = "import importlib.util as u; print(u.find_spec('arcadedb_embedded').submodule_search_locations[0])";
    let output = Command::new(python::interpreter()).args(["-c", script]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    PathBuf::from(String::from_utf8(output.stdout).unwrap().trim())
}

fn java(package: &Path) -> PathBuf {
    package.join("jre/bin").join(if cfg!(windows) { "java.exe" } else { "java" })
}

/// Both held until both are known, so that they differ.
fn free_ports() -> [u16; 2] {
    let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    listeners.each_ref().map(|listener| listener.local_addr().unwrap().port())
}
