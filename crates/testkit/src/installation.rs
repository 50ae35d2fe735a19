//! The binary with a data folder of its own: one user's machine, as far as Trailmark can see.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::http::HttpServer;
use crate::process::Process;
use crate::stdio::StdioServer;
use crate::{Era, PATIENCE};

/// A binary, a data folder and an empty project. The data folder is the current folder of every command, and nothing else
/// of this machine's settings reaches them.
#[derive(Debug)]
pub struct Installation {
    binary: PathBuf,
    home: PathBuf,
    root: PathBuf,
    _folders: Vec<TempDir>,
}

/// A command that has ended.
#[derive(Debug)]
pub struct Ran {
    /// The exit code; `None` after a signal.
    pub code: Option<i32>,
    pub output: String,
    pub errors: String,
}

impl Installation {
    /// With an empty folder that goes when the installation does.
    pub fn new(binary: impl Into<PathBuf>) -> Self {
        let folder = temporary_folder();
        let mut installation = Self::at(binary, folder.path());
        installation._folders.push(folder);
        installation
    }

    /// With a folder that stays.
    pub fn at(binary: impl Into<PathBuf>, home: impl Into<PathBuf>) -> Self {
        let around_root = temporary_folder();
        let root = around_root.path().join("root");
        std::fs::create_dir(&root).expect("a folder can be made");
        Self { binary: binary.into(), home: home.into(), root, _folders: vec![around_root] }
    }

    /// The data folder.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The folder that file tools work in; it is alone in a folder of its own.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A command of the binary, ready to be started.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("TRAILMARK_")) {
            command.env_remove(name);
        }
        command.args(arguments).env("TRAILMARK_HOME", &self.home).env("TRAILMARK_ROOT", &self.root);
        command.env_remove("NO_COLOR").env("CKB_UNAVAILABLE", "1").current_dir(&self.home);
        command
    }

    /// Runs a command to its end.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command(arguments), "")
    }

    /// A server on pipes, whose client has not introduced itself yet.
    pub fn serve_stdio(&self, arguments: &[&str]) -> StdioServer {
        StdioServer::start(self.command(&[&["serve"], arguments].concat()))
    }

    /// A server on pipes, ready for calls.
    pub fn open_stdio(&self, era: Era) -> StdioServer {
        let mut server = self.serve_stdio(&[]);
        server.open(era);
        server
    }

    /// A server on a free port.
    pub fn serve_http(&self, arguments: &[&str]) -> HttpServer {
        let command = self.command(&[&["serve", "--http", "127.0.0.1:0"], arguments].concat());
        HttpServer::start(command, Some(&self.home.join("http-token")))
    }
}

fn temporary_folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder can be made")
}

impl Ran {
    /// Runs a command to its end with this on standard input.
    pub fn of(command: Command, input: &str) -> Self {
        let mut process = Process::start(command);
        process.write(input.as_bytes());
        process.close_input();
        let mut output = Vec::new();
        while let Some(line) = process.read_line(PATIENCE) {
            output.extend(line);
        }
        let output = String::from_utf8(output).expect("standard output is UTF-8");
        let code = process.wait_for_exit(PATIENCE).code();
        Self { code, output, errors: process.errors() }
    }

    /// Standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.output).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The same, if the exit code was this one; a failed test otherwise.
    #[track_caller]
    pub fn expect_code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }
}
