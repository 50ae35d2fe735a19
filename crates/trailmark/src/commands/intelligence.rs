//! `trailmark graph-rag` and `trailmark call-chain`: the tools of S0 for people and scripts, with its exit codes.

use std::process::ExitCode;

use anyhow::bail;
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;
use tools::{Answer, CallRequest, Origin};

use super::indexing::{self, Remarks};
use crate::command_line::Target;
use crate::console::{Console, Paint, printable};
use crate::settings::Settings;
use crate::wiring::{self, Backend};

/// What is wrong with the arguments is found before anything runs.
pub(crate) const BAD_ARGUMENT: u8 = 1;
const QUERY_FAILED: u8 = 3;

/// The commands with these exit codes.
pub(crate) const COMMANDS: [&str; 2] = ["graph-rag", "call-chain"];

#[derive(Debug, Args)]
pub(crate) struct GraphRag {
    /// The task, question, error text or names to find code for
    #[arg(long, short, value_parser = NonEmptyStringValueParser::new())]
    query: String,
    #[command(flatten)]
    target: Target,
    /// How many steps of the graph may lie between what is found and what is shown, from 0 to 5
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=5))]
    fusion_depth: u32,
    /// The most candidates, from 1 to 50
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=50))]
    limit: u32,
    /// The most tokens of code
    #[arg(long, default_value_t = 8000, value_parser = clap::value_parser!(u32).range(100..=100_000))]
    budget: u32,
    /// Leave out what is less relevant, from 0 to 1
    #[arg(long, default_value_t = 0.0, value_parser = fraction)]
    min_relevance: f64,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    format: AnswerFormat,
}

#[derive(Debug, Args)]
pub(crate) struct CallChain {
    /// A function, method, class or module: its qualified name, or the end of it if that is unique
    #[arg(long, short, value_parser = NonEmptyStringValueParser::new())]
    symbol: String,
    #[command(flatten)]
    target: Target,
    #[arg(long, value_enum, default_value_t = ChainDirection::Both)]
    direction: ChainDirection,
    /// How many calls to follow, from 1 to 5
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=5))]
    depth: u32,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    format: AnswerFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ChainDirection {
    Callers,
    Callees,
    Both,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AnswerFormat {
    /// The answer of the tool
    Json,
    /// For people
    Text,
}

pub(super) async fn graph_rag(asked: GraphRag, settings: &Settings, console: &Console) -> ExitCode {
    let GraphRag { query, target, fusion_depth, limit, budget, min_relevance, format } = asked;
    let arguments = json!({"query": query, "fusion_depth": fusion_depth, "limit": limit, "budget": budget, "min_relevance": min_relevance});
    let ended = ask("ci_graph_rag", arguments, target, settings, console).await;
    shown(ended, format, console, print_candidates)
}

pub(super) async fn call_chain(asked: CallChain, settings: &Settings, console: &Console) -> ExitCode {
    let CallChain { symbol, target, direction, depth, format } = asked;
    let direction = direction.to_possible_value().map(|value| value.get_name().to_owned());
    let arguments = json!({"symbol": symbol, "direction": direction, "depth": depth});
    let ended = ask("ci_call_chain", arguments, target, settings, console).await;
    shown(ended, format, console, print_chain)
}

/// Calls the tool on the same road as a client, for a repository that is brought up to date first, however long that takes.
async fn ask(
    tool: &str,
    mut arguments: Value,
    target: Target,
    settings: &Settings,
    console: &Console,
) -> anyhow::Result<Value> {
    let indexed = indexing::index(target, false, Remarks::Nothing, settings, console).await?;
    arguments["project"] = indexed.report.project.into();
    let arguments: Map<String, Value> = serde_json::from_value(arguments)?;
    let backend = Backend::new(settings);
    let dispatcher = wiring::dispatcher(settings, &backend)?;
    let origin = Origin { client: concat!("trailmark/", env!("CARGO_PKG_VERSION")).to_owned(), transport: "cli" };
    let request =
        CallRequest { tool: tool.to_owned(), arguments, origin, cancel: CancellationToken::new(), progress: None };
    let ending = dispatcher.call(request).await;
    dispatcher.recorder().flush().await;
    backend.close().await;
    let answer: Answer = ending?;
    match answer.structured_content {
        Some(body) if !answer.is_error => Ok(body),
        _ => {
            let text = answer.joined_text();
            bail!("{}", text.strip_prefix(&format!("Error: Error executing tool '{tool}': ")).unwrap_or(&text))
        }
    }
}

fn shown(
    ended: anyhow::Result<Value>,
    format: AnswerFormat,
    console: &Console,
    print: fn(&Value, &Console),
) -> ExitCode {
    match ended {
        Ok(body) if console.json || format == AnswerFormat::Json => console.json(&body),
        Ok(body) => print(&body, console),
        Err(error) => {
            console.error(&format!("{error:#}"));
            return ExitCode::from(QUERY_FAILED);
        }
    }
    ExitCode::SUCCESS
}

fn print_candidates(body: &Value, console: &Console) {
    for candidate in body["candidates"].as_array().into_iter().flatten() {
        let place = format!("{}:{}-{}", text(&candidate["file"]), candidate["start_line"], candidate["end_line"]);
        let how = format!("{:.2} {}", candidate["relevance"].as_f64().unwrap_or(0.0), text(&candidate["source"]));
        let symbol = text(&candidate["symbol"]);
        console.line(&format!(
            "{}  {symbol}  {}",
            console.paint(Paint::Strong, &place),
            console.paint(Paint::Quiet, &how)
        ));
        let lines = candidate["content"].as_str().unwrap_or_default().lines();
        console.lines(lines.map(|line| format!("    {}", printable(line))));
    }
    print_metadata(&body["metadata"], console);
}

fn print_chain(body: &Value, console: &Console) {
    for root in body["call_chain"].as_array().into_iter().flatten() {
        console.line(&console.paint(
            Paint::Strong,
            &format!("{} ({}:{})", text(&root["symbol_id"]), text(&root["file_path"]), root["line"]),
        ));
        for (key, sign) in [("callers", "←"), ("callees", "→")] {
            print_links(&root[key], key, sign, console);
        }
    }
    print_metadata(&body["metadata"], console);
}

fn print_links(links: &Value, key: &str, sign: &str, console: &Console) {
    for link in links.as_array().into_iter().flatten() {
        let depth = usize::try_from(link["depth"].as_u64().unwrap_or(1)).unwrap_or(1);
        let lines: Vec<String> = link["call_lines"].as_array().into_iter().flatten().map(Value::to_string).collect();
        let calls = if lines.is_empty() { String::new() } else { format!(", calls on {}", lines.join(", ")) };
        let mark = match (link["is_cycle"] == true, link["is_repeated"] == true) {
            (true, _) => "  cycle",
            (_, true) => "  shown elsewhere",
            (false, false) => "",
        };
        let place = format!("({}:{}{calls})", text(&link["file_path"]), link["line"]);
        let line = format!(
            "{}{sign} {} {}",
            "  ".repeat(depth),
            text(&link["symbol_id"]),
            console.paint(Paint::Quiet, &place)
        );
        console.line(&format!("{line}{}", console.paint(Paint::Attention, mark)));
        print_links(&link[key], key, sign, console);
    }
}

fn print_metadata(metadata: &Value, console: &Console) {
    if let Some(warning) = metadata["warning"].as_str() {
        console.remark(warning);
    }
    if let Some(reason) = metadata["ckb_fallback_reason"].as_str().filter(|reason| *reason != "disabled") {
        let error = metadata["ckb_last_error"].as_str().map(|error| format!(": {error}")).unwrap_or_default();
        console.remark(&console.paint(Paint::Quiet, &format!("without CKB ({reason}{error})")));
    }
}

fn text(value: &Value) -> String {
    printable(value.as_str().unwrap_or_default())
}

fn fraction(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("it must be a number from 0 to 1".to_owned()),
    }
}
