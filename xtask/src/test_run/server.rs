//! A server of ours over HTTP, on a free port, in an empty data folder; ended when dropped.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::{process, workspace};

const START: Duration = Duration::from_secs(20);
const ANNOUNCEMENT: &str = "listening on ";
/// How a panic shows in the server's log: before and after its own hook is set.
const PANICS: &[&str] = &["panicked at", "a bug stopped a task"];

#[derive(Debug)]
pub(super) struct Server {
    child: Child,
    stderr: Receiver<String>,
    log: String,
    pub(super) url: String,
}

impl Server {
    pub(super) fn start(binary: &Path, home: &Path) -> Result<Self> {
        let mut command = isolated(binary, home);
        command.args(["serve", "--http", "127.0.0.1:0", "--no-auth"]);
        Self::spawn(&mut command)
    }

    fn spawn(command: &mut Command) -> Result<Self> {
        let name = process::describe(command);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let mut child = child.with_context(|| format!("cannot start `{name}`"))?;
        let stderr = child.stderr.take().context("the server's stderr was not piped")?;
        let stderr = process::read_lines(stderr, |_| {});
        let mut server = Self { child, stderr, log: String::new(), url: String::new() };
        let deadline = Instant::now() + START;
        while server.url.is_empty() {
            match server.stderr.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    server.url = announced(&line).unwrap_or_default();
                    server.log.push_str(&line);
                }
                Err(RecvTimeoutError::Timeout) => {
                    bail!("`{name}` did not say where it listens:\n{}", server.last_lines())
                }
                Err(RecvTimeoutError::Disconnected) => {
                    bail!("`{name}` ended before it listened:\n{}", server.last_lines())
                }
            }
        }
        Ok(server)
    }

    /// Ends the server. It is an error if it had ended before, or if anything in it had panicked.
    pub(super) fn stop(mut self) -> Result<()> {
        let ended_early = self.child.try_wait()?;
        self.end();
        while let Ok(line) = self.stderr.recv_timeout(Duration::from_secs(2)) {
            self.log.push_str(&line);
        }
        if let Some(status) = ended_early {
            bail!("the server ended by itself ({status}):\n{}", self.last_lines());
        }
        if let Some(panic) = self.log.lines().find(|line| PANICS.iter().any(|sign| line.contains(sign))) {
            bail!("something in the server panicked: {panic}");
        }
        Ok(())
    }

    fn last_lines(&self) -> String {
        let lines: Vec<&str> = self.log.lines().collect();
        lines[lines.len().saturating_sub(20)..].join("\n")
    }

    fn end(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

/// The binary with a data folder of its own and none of the developer's settings.
pub(super) fn isolated(binary: &Path, home: &Path) -> Command {
    let mut command = Command::new(binary);
    workspace::remove_settings(&mut command);
    command.current_dir(home).env("TRAILMARK_HOME", home).env("NO_COLOR", "1");
    command
}

fn announced(line: &str) -> Option<String> {
    let url = line.split_once(ANNOUNCEMENT)?.1.split_whitespace().next()?;
    (url.starts_with("http://") && url.ends_with("/mcp")).then(|| url.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    fn start(script: &str) -> Result<Server> {
        Server::spawn(Command::new("sh").args(["-c", script]))
    }

    #[test]
    fn the_address_is_read_from_the_announcement() {
        let line = "INFO listening on http://127.0.0.1:4711/mcp\n";
        assert_eq!(announced(line).as_deref(), Some("http://127.0.0.1:4711/mcp"));
        assert_eq!(announced("listening on a socket\n"), None);
    }

    #[test]
    #[cfg(unix)]
    fn a_server_that_listens_is_ended_by_us() {
        let server =
            start("echo warming up >&2; echo listening on http://127.0.0.1:1/mcp >&2; exec sleep 300").unwrap();
        assert_eq!(server.url, "http://127.0.0.1:1/mcp");
        server.stop().unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn a_server_that_dies_or_panics_is_an_error() {
        let error = start("echo no such port >&2; exit 1").unwrap_err().to_string();
        assert!(error.contains("ended before it listened") && error.contains("no such port"), "{error}");
        let server = start("echo listening on http://127.0.0.1:1/mcp >&2").unwrap();
        std::thread::sleep(Duration::from_millis(300));
        assert!(server.stop().unwrap_err().to_string().contains("ended by itself"));
        let panicking =
            "echo listening on http://127.0.0.1:1/mcp >&2; echo thread x panicked at a.rs:1 >&2; exec sleep 300";
        let server = start(panicking).unwrap();
        std::thread::sleep(Duration::from_millis(300));
        assert!(server.stop().unwrap_err().to_string().contains("panicked at a.rs:1"));
    }
}
