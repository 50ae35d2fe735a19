//! `trailmark demo`: a real server process, real calls over its pipes, and how to connect a client.

mod session;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use serde_json::json;

use self::session::Session;
use crate::console::{Console, Paint};

/// A project to index, small enough to be shown.
const SAMPLE: &[(&str, &str)] = &[
    (
        "shop/payment.py",
        "def retry(action, times):\n    for _ in range(times):\n        action()\n\n\nclass PaymentClient:\n    \
         def charge(self, amount):\n        \"\"\"Charges the card, at most 3 times.\"\"\"\n        \
         retry(lambda: self.post(amount), times=3)\n\n    def post(self, amount):\n        print(amount)\n",
    ),
    (
        "shop/cart.py",
        "from shop.payment import PaymentClient\n\n\ndef check_out(total):\n    PaymentClient().charge(total)\n",
    ),
];

/// What is put above the class while a client is connected.
const NEW_FUNCTION: &str = "def refund(amount):\n    return -amount\n\n\n";

/// Notes that the demo keeps and finds again.
const NOTES: &[(&str, &str)] = &[
    ("payment retries", "Retries are capped at 3 in PaymentClient; the gateway bans us after 5."),
    ("MongoDB 索引优化", "复合索引的字段顺序按 等值、排序、范围 排列；explain() 里看到 COLLSCAN 就说明没有用上索引。"),
];

pub(super) fn run(console: &Console) -> anyhow::Result<ExitCode> {
    let program = std::env::current_exe().context("this program cannot find itself")?;
    let folder = DemoFolder::create()?;
    heading(console, "A server, started as a client starts it");
    let started = Instant::now();
    let mut first = Session::start(&program, &folder)?;
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
    let mut second = Session::start(&program, &folder)?;
    second.initialize("another client")?;
    map(console, &folder, &mut first, &mut second)?;
    remember(console, &mut first, &mut second)?;
    first.end()?;
    second.end()?;
    connect(console, &program);
    Ok(ExitCode::SUCCESS)
}

fn map(console: &Console, folder: &DemoFolder, first: &mut Session, second: &mut Session) -> anyhow::Result<()> {
    heading(console, "One agent has the code mapped, here a small sample");
    first.call(console, "index_repository", json!({}))?;

    heading(console, "Another client, in a process of its own, asks for code by name");
    second.call(console, "list_projects", json!({}))?;
    second.call(console, "get_code_snippet", json!({"qualified_name": "PaymentClient.charge"}))?;

    heading(console, "A file is changed by hand: the map follows");
    let (path, text) = SAMPLE[0];
    folder.write(path, &text.replace("class PaymentClient", &format!("{NEW_FUNCTION}class PaymentClient")))?;
    second.call(console, "get_code_snippet", json!({"qualified_name": "refund"}))
}

fn remember(console: &Console, first: &mut Session, second: &mut Session) -> anyhow::Result<()> {
    heading(console, "One agent writes down what it learned");
    for (topic, content) in NOTES {
        first.call(console, "mongo_save_document", json!({"topic": topic, "content": content}))?;
    }
    heading(console, "The other one finds it, in English and in Chinese");
    second.call(console, "mongo_find_by_topic", json!({"topic": "gateway retries"}))?;
    second.call(console, "mongo_find_by_topic", json!({"topic": "索引"}))?;

    heading(console, "A mistake is answered with what to change");
    second.call(console, "mongo_find_by_topic", json!({"topc": "retries"}))
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

/// A data folder and a sample project that are gone when the demo ends.
struct DemoFolder(PathBuf);

impl DemoFolder {
    fn create() -> anyhow::Result<Self> {
        let path = std::env::temp_dir().join(format!("trailmark-demo-{}", uuid::Uuid::new_v4().simple()));
        let folder = Self(path);
        SAMPLE.iter().try_for_each(|(path, text)| folder.write(path, text))?;
        fs::create_dir(folder.home())?;
        Ok(folder)
    }

    fn home(&self) -> PathBuf {
        self.0.join("data")
    }

    fn project(&self) -> PathBuf {
        self.0.join("sample")
    }

    fn write(&self, path: &str, text: &str) -> anyhow::Result<()> {
        let path = self.project().join(path);
        let parent = path.parent().unwrap_or(&path);
        fs::create_dir_all(parent).with_context(|| format!("cannot make the folder {}", parent.display()))?;
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    }
}

impl Drop for DemoFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
