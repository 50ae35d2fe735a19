//! `trailmark demo`: a real server process, real calls over its pipes, and how to connect a client. Nothing leaves the machine.

mod folder;
mod service;
mod session;
mod shown;

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use serde_json::{Value, json};

use self::folder::DemoFolder;
use self::service::Service;
use self::session::Session;
use crate::console::{Console, Paint};

/// Notes that the demo keeps and finds again.
const NOTES: &[(&str, &str)] = &[
    ("payment retries", "Retries are capped at 3 in PaymentClient; the gateway bans us after 5."),
    ("MongoDB 索引优化", "复合索引的字段顺序按 等值、排序、范围 排列；explain() 里看到 COLLSCAN 就说明没有用上索引。"),
];

/// An experience as it should be, and what must not be in one; the key is made up.
const EXPERIENCE: (&str, &str) =
    ("Cards are charged twice when the gateway is slow", "Send the order number as idempotency key with each retry.");
const SECRET: &str = "api_key = \"tm-4f9a1c7e2b8d6035e1a9c4d7\"";

/// The two clients of the demo, each with a server process of its own.
struct Clients {
    first: Session,
    second: Session,
}

pub(super) fn run(console: &Console) -> anyhow::Result<ExitCode> {
    let program = std::env::current_exe().context("this program cannot find itself")?;
    let (folder, service) = (DemoFolder::create()?, Service::start()?);
    folder.write_document(&service.document())?;
    heading(console, "A server, started as a client starts it");
    let started = Instant::now();
    let mut first = Session::start(&program, &folder, &service.address())?;
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
    let mut second = Session::start(&program, &folder, &service.address())?;
    second.initialize("another client")?;
    let mut clients = Clients { first, second };
    let calls = map(console, &folder, &mut clients)?;
    remember(console, &mut clients)?;
    reach(console, &mut clients, &calls)?;
    clients.first.end()?;
    clients.second.end()?;
    connect(console, &program);
    Ok(ExitCode::SUCCESS)
}

/// The calls around a function, for a chart of them.
fn map(console: &Console, folder: &DemoFolder, clients: &mut Clients) -> anyhow::Result<Value> {
    let Clients { first, second } = clients;
    heading(console, "The map: one agent has the code mapped, here a small sample");
    first.call(console, "index_repository", json!({}))?;

    heading(console, "Another client, in a process of its own, asks it in plain words, by name and by task");
    second.call(console, "query_code_graph", json!({"natural_language_query": "who calls charge?"}))?;
    let calls = second.call(console, "ci_call_chain", json!({"symbol": "charge", "depth": 2}))?;
    second.call(
        console,
        "ci_graph_rag",
        json!({"query": "the card is charged again after a failure", "limit": 3, "fusion_depth": 1}),
    )?;

    heading(console, "A file is changed by hand: the map follows");
    folder.change()?;
    second.call(console, "get_code_snippet", json!({"qualified_name": "refund"}))?;
    Ok(calls["structuredContent"].clone())
}

fn remember(console: &Console, clients: &mut Clients) -> anyhow::Result<()> {
    let Clients { first, second } = clients;
    heading(console, "Memory: one agent writes down what it learned");
    for (topic, content) in NOTES {
        first.call(console, "mongo_save_document", json!({"topic": topic, "content": content}))?;
    }
    let (title, solution) = EXPERIENCE;
    let experience = |solution: &str| json!({"title": title, "problem_description": "Retries after a timeout", "solution": solution});
    first.call(console, "submit_experience", experience(&format!("{solution} {SECRET}")))?;
    first.call(console, "submit_experience", experience(solution))?;
    let mut node = |name: &str| -> anyhow::Result<Value> {
        let made = json!({"label": "Entity", "properties": {"name": name}});
        Ok(first.call(console, "neo4j_create_node", made)?["structuredContent"]["data"]["id"].clone())
    };
    let (client, gateway) = (node("PaymentClient")?, node("payment gateway")?);
    first.call(
        console,
        "neo4j_create_relationship",
        json!({"fromId": client, "toId": gateway, "type": "RELATED_TO"}),
    )?;

    heading(console, "The other one finds it: in English, in Chinese, misspelt, by how things belong together");
    second.call(console, "mongo_find_by_topic", json!({"topic": "gateway retries"}))?;
    second.call(console, "mongo_find_by_topic", json!({"topic": "索引"}))?;
    second.call(console, "query_experiences", json!({"keywords": "charged twice retry", "limit": 3}))?;
    second.call(console, "neo4j_fuzzy_search", json!({"query": "PaymntClient"}))?;
    second.call(console, "neo4j_find_neighbors", json!({"id": client}))?;
    Ok(())
}

fn reach(console: &Console, clients: &mut Clients, calls: &Value) -> anyhow::Result<()> {
    let Clients { second, .. } = clients;
    heading(console, "Reach: an OpenAPI document that the server was given became a tool, and a service answers");
    second.call(console, "shop_getOrder", json!({"id": "A-17"}))?;
    second.call(console, "shop_getOrder", json!({"id": "../admin"}))?;

    heading(console, "The calls from above as a chart");
    let render = if chart::is_embedded() { "svg" } else { "none" };
    second.call(console, "echart_generate", json!({"chartType": "graph", "render": render, "graph": calls}))?;

    heading(console, "What is not set up, and what is asked wrongly, is answered with what to do");
    second.call(console, "web_search", json!({"query": "idempotency key"}))?;
    second.call(console, "mongo_find_by_topic", json!({"topc": "retries"}))?;
    Ok(())
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
