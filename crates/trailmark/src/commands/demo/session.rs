//! A server process of its own, and the client at the other end of its pipes.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use super::folder::DemoFolder;
use super::shown;
use crate::console::{Console, Paint};

/// A server process and the two pipes to it.
pub(super) struct Session {
    server: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last_id: u64,
}

impl Session {
    pub(super) fn start(program: &Path, folder: &DemoFolder, service: &str) -> anyhow::Result<Self> {
        let mut command = Command::new(program);
        // The demo shows Trailmark as it comes, whatever its user has set.
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("TRAILMARK_")) {
            command.env_remove(name);
        }
        let mut server = command
            .current_dir(folder.project())
            .arg("serve")
            .arg("--home")
            .arg(folder.home())
            .arg("--openapi")
            .arg(folder.document())
            .arg("--base-url")
            .arg(service)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("the server could not be started")?;
        let input = server.stdin.take();
        let output = BufReader::new(server.stdout.take().context("the server has no output")?);
        Ok(Self { server, input, output, last_id: 0 })
    }

    pub(super) fn initialize(&mut self, client: &str) -> anyhow::Result<Value> {
        let params = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": client, "version": env!("CARGO_PKG_VERSION")},
        });
        let info = self.request("initialize", params)?;
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(info)
    }

    /// Calls a tool, shows the call and the part of the answer that matters, and returns all of it.
    pub(super) fn call(&mut self, console: &Console, tool: &str, arguments: Value) -> anyhow::Result<Value> {
        let started = Instant::now();
        console.line(&format!("  → {tool} {}", shown::arguments(&arguments)));
        let result = self.request("tools/call", json!({"name": tool, "arguments": arguments}))?;
        let took = console.paint(Paint::Quiet, &format!("({:.1} ms)", started.elapsed().as_secs_f64() * 1000.0));
        let lines = shown::answer(&result, console).replace('\n', "\n    ");
        console.line(&format!("  ← {lines} {took}"));
        Ok(result)
    }

    pub(super) fn request(&mut self, method: &str, params: Value) -> anyhow::Result<Value> {
        self.last_id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}))?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let mut answer: Value =
            serde_json::from_str(&line).with_context(|| format!("no answer to {method}: {line:?}"))?;
        ensure!(answer.get("error").is_none(), "{method} failed: {}", answer["error"]);
        Ok(answer["result"].take())
    }

    fn send(&mut self, message: &Value) -> anyhow::Result<()> {
        let input = self.input.as_mut().context("the server was told to end")?;
        writeln!(input, "{message}").context("the server does not listen any more")
    }

    /// Closes the pipe, as a client does, and waits for the server to go.
    pub(super) fn end(mut self) -> anyhow::Result<()> {
        drop(self.input.take());
        let status = self.server.wait()?;
        ensure!(status.success(), "the server ended with {status}");
        Ok(())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
