//! `trailmark demo`: a real server process, real calls over its pipes, and how to connect a client.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use crate::console::{Console, Paint};

/// Notes that the demo keeps and finds again.
const NOTES: &[(&str, &str)] = &[
    ("payment retries", "Retries are capped at 3 in PaymentClient; the gateway bans us after 5."),
    ("MongoDB 索引优化", "复合索引的字段顺序按 等值、排序、范围 排列；explain() 里看到 COLLSCAN 就说明没有用上索引。"),
];

pub(super) fn run(console: &Console) -> anyhow::Result<ExitCode> {
    let program = std::env::current_exe().context("this program cannot find itself")?;
    let home = DemoFolder::create()?;
    heading(console, "A server, started as a client starts it");
    let started = Instant::now();
    let mut first = Session::start(&program, home.path())?;
    let info = first.initialize("demo")?;
    console.line(&format!(
        "  {} {} answered in {:.1} ms, protocol {}",
        info["serverInfo"]["name"].as_str().unwrap_or_default(),
        info["serverInfo"]["version"].as_str().unwrap_or_default(),
        started.elapsed().as_secs_f64() * 1000.0,
        info["protocolVersion"].as_str().unwrap_or_default()
    ));
    let tools = first.request("tools/list", json!({}))?;
    let names: Vec<&str> =
        tools["tools"].as_array().into_iter().flatten().filter_map(|tool| tool["name"].as_str()).collect();
    console.line(&format!("  {} tools: {}", names.len(), names.join(", ")));

    heading(console, "One agent writes down what it learned");
    for (topic, content) in NOTES {
        first.call(console, "mongo_save_document", json!({"topic": topic, "content": content}))?;
    }

    heading(console, "Another client, in a process of its own, finds it, in English and in Chinese");
    let mut second = Session::start(&program, home.path())?;
    second.initialize("another client")?;
    second.call(console, "mongo_find_by_topic", json!({"topic": "gateway retries"}))?;
    second.call(console, "mongo_find_by_topic", json!({"topic": "索引"}))?;

    heading(console, "A mistake is answered with what to change");
    second.call(console, "mongo_find_by_topic", json!({"topc": "retries"}))?;

    first.end()?;
    second.end()?;
    connect(console, &program);
    Ok(ExitCode::SUCCESS)
}

fn heading(console: &Console, text: &str) {
    console.line(&format!("\n{}", console.paint(Paint::Strong, text)));
}

fn connect(console: &Console, program: &Path) {
    let program = program.display().to_string();
    let entry = json!({"mcpServers": {"trailmark": {"command": program, "args": ["serve"]}}});
    heading(console, "Connect your client");
    console.line(&format!("  Claude Code   claude mcp add --scope user trailmark -- {program} serve"));
    console.line(&format!("  Codex         codex mcp add trailmark -- {program} serve"));
    console.line(&format!("  Gemini CLI    gemini mcp add trailmark {program} serve"));
    console.line(&format!(
        "  VS Code       code --add-mcp '{}'",
        json!({"name": "trailmark", "command": program, "args": ["serve"]})
    ));
    console.line("  Cursor, Claude Desktop and others: put this into their MCP settings");
    console.line(&format!("    {entry}"));
    console.line("\n  `trailmark doctor` checks your set-up; what the demo stored is already deleted.");
}

/// A data folder that is gone when the demo ends.
struct DemoFolder(PathBuf);

impl DemoFolder {
    fn create() -> anyhow::Result<Self> {
        let path = std::env::temp_dir().join(format!("trailmark-demo-{}", uuid::Uuid::new_v4().simple()));
        std::fs::create_dir(&path).with_context(|| format!("cannot make the folder {}", path.display()))?;
        Ok(Self(path))
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for DemoFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A server process and the two pipes to it.
struct Session {
    server: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last_id: u64,
}

impl Session {
    fn start(program: &Path, home: &Path) -> anyhow::Result<Self> {
        let mut command = Command::new(program);
        // The demo shows Trailmark as it comes, whatever its user has set.
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("TRAILMARK_")) {
            command.env_remove(name);
        }
        let mut server = command
            .current_dir(home)
            .arg("serve")
            .arg("--home")
            .arg(home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("the server could not be started")?;
        let input = server.stdin.take();
        let output = BufReader::new(server.stdout.take().context("the server has no output")?);
        Ok(Self { server, input, output, last_id: 0 })
    }

    fn initialize(&mut self, client: &str) -> anyhow::Result<Value> {
        let params = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": client, "version": env!("CARGO_PKG_VERSION")},
        });
        let info = self.request("initialize", params)?;
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(info)
    }

    /// Calls a tool and shows the call and the part of the answer that matters.
    fn call(&mut self, console: &Console, tool: &str, arguments: Value) -> anyhow::Result<()> {
        let started = Instant::now();
        console.line(&format!("  → {tool} {arguments}"));
        let result = self.request("tools/call", json!({"name": tool, "arguments": arguments}))?;
        let body = &result["structuredContent"];
        let took = console.paint(Paint::Quiet, &format!("({:.1} ms)", started.elapsed().as_secs_f64() * 1000.0));
        if result["isError"] == true {
            let error = &body["error"];
            let code = console.paint(Paint::Attention, error["code"].as_str().unwrap_or_default());
            console.line(&format!("  ← {code}: {} {took}", error["message"].as_str().unwrap_or_default()));
            return Ok(());
        }
        let items = body["data"]["items"].as_array();
        let shown = items.map_or(body["data"].to_string(), |items| {
            items
                .iter()
                .map(|item| format!("{}: {}", text(&item["topic"]), text(&item["content"])))
                .collect::<Vec<_>>()
                .join("\n    ")
        });
        console.line(&format!("  ← {shown} {took}"));
        Ok(())
    }

    fn request(&mut self, method: &str, params: Value) -> anyhow::Result<Value> {
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
    fn end(mut self) -> anyhow::Result<()> {
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

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
