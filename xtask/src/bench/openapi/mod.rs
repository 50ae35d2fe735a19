//! `cargo xtask bench openapi`: one large document, GitHub's, from its file to the list of tools that a client gets, beside FastMCP.
//!
//! Both are whole processes that read the same file. Ours is a server that is asked over stdio; FastMCP makes its list in its own
//! process, and the time of importing it is told apart.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::Options;
use super::report::{Figure, Limit, Report};
use super::usage::{self, Usage};
use crate::install::{NodeTools, PythonTools};
use crate::{cache, release, workspace};

const SCRIPT: &str = include_str!("peer.py");
const DOCUMENT: &str = "@octokit/openapi/generated/api.github.com.json";
const OPERATIONS: usize = 1223;
const LONGEST: Duration = Duration::from_secs(10 * 60);
/// How often ours is started; the median counts.
const STARTS: usize = 5;

pub(super) fn run(root: &Path, options: Options) -> Result<bool> {
    let cache = cache::test_cache_dir()?;
    let packages = NodeTools::for_github_document(&cache)?;
    let document = packages.folder().join("node_modules").join(DOCUMENT);
    let binary = release::binary(root)?;
    let folder = tempfile::tempdir()?;
    let ours = ours(&binary, &document, folder.path())?;
    let peer = if options.no_peers { None } else { Some(peer(&cache, &document, folder.path())?) };
    let report = report(&ours, peer.as_ref());
    report.print(options.json);
    Ok(report.holds())
}

/// What one program made of the document.
struct Made {
    usage: Usage,
    /// Of each tool, in bytes, shortest first.
    lengths: Vec<usize>,
    /// Processor time without starting the program and reading its own code, where that is known.
    without_importing: Option<Duration>,
}

impl Made {
    fn of(usage: Usage, mut lengths: Vec<usize>, without_importing: Option<Duration>) -> Result<Self> {
        ensure!(lengths.len() == OPERATIONS, "{} tools of {OPERATIONS} operations", lengths.len());
        lengths.sort_unstable();
        Ok(Self { usage, lengths, without_importing })
    }

    fn megabytes(&self) -> f64 {
        self.lengths.iter().sum::<usize>() as f64 / 1e6
    }

    fn median(&self) -> f64 {
        self.lengths[self.lengths.len() / 2] as f64 / 1e6
    }
}

/// A server with every operation as a tool of its own, asked for its tools and left.
fn ours(binary: &Path, document: &Path, folder: &Path) -> Result<Made> {
    let requests = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"},
        }}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}),
    ];
    let requests: String = requests.iter().map(|message| format!("{message}\n")).collect();
    let mut runs = Vec::new();
    for _ in 0..STARTS {
        let mut command = Command::new(binary);
        workspace::remove_settings(&mut command);
        command.env("TRAILMARK_HOME", folder.join("home"));
        command.args(["serve", "--toolsets", "api", "--api-tools", "100000", "--openapi"]).arg(document);
        runs.push(usage::of_server(&mut command, &requests, 2)?);
    }
    runs.sort_by_key(|(usage, _)| usage.processor);
    let (usage, lines) = runs.swap_remove(STARTS / 2);
    let answers = lines.iter().map(|line| serde_json::from_str(line)).collect::<Result<Vec<Value>, _>>()?;
    let tools = answers.iter().find(|answer| answer["id"] == 2).context("the server did not list its tools")?;
    let tools = tools["result"]["tools"].as_array().context("the server's list of tools is none")?;
    Made::of(usage, tools.iter().map(|tool| tool.to_string().len()).collect(), None)
}

fn peer(cache: &Path, document: &Path, folder: &Path) -> Result<Made> {
    let tools = PythonTools::for_fastmcp(cache)?;
    let script: PathBuf = folder.join("peer.py");
    std::fs::write(&script, SCRIPT)?;
    let (usage, printed) = usage::of(tools.python().arg(&script).arg(document), None, LONGEST)?;
    let said: Value = serde_json::from_str(&printed).context("FastMCP printed what is no JSON")?;
    let lengths = said["lengths"].as_array().into_iter().flatten().filter_map(Value::as_u64);
    let loading = said["loading"].as_f64().map(Duration::from_secs_f64);
    Made::of(usage, lengths.map(|length| length as usize).collect(), loading)
}

fn report(ours: &Made, peer: Option<&Made>) -> Report {
    let mut report = Report::default();
    let under = format!("{OPERATIONS} operations");
    let beside = |figure: Figure, of: &dyn Fn(&Made) -> f64| match peer {
        Some(peer) => figure.under(&under).peer(of(peer)),
        None => figure.under(&under),
    };
    let seconds = |made: &Made| made.usage.processor.as_secs_f64();
    let time = Figure::seconds("document → list of tools, processor time", ours.usage.processor);
    report.add(beside(time, &seconds).held_to(Some(Limit::Seconds(1.0))));
    let clock = Figure::seconds("the same, on the clock", ours.usage.clock);
    report.add(beside(clock, &|made| made.usage.clock.as_secs_f64()).held_to(Some(Limit::Seconds(1.0))));
    let memory = Figure::megabytes("memory at most", ours.usage.megabytes);
    report.add(beside(memory, &|made| made.usage.megabytes).held_to(Some(Limit::Megabytes(200.0))));
    report.add(beside(Figure::megabytes("all tools together", ours.megabytes()), &Made::megabytes));
    let median = Figure::kilobytes("a tool, median", ours.median() * 1e3);
    // With annotations and all that a client gets; `cargo xtask eval openapi` holds the tool alone to its limit.
    report.add(beside(median, &|made| made.median() * 1e3));
    if let Some(peer) = peer {
        let ratio = |name, of: &dyn Fn(&Made) -> f64| Figure::ratio(name, of(peer) / of(ours)).under(&under);
        report.add(ratio("processor time, peer ÷ ours", &seconds));
        let loading = peer.without_importing.unwrap_or(peer.usage.processor).as_secs_f64();
        report.add(
            Figure::ratio("processor time, peer without its import ÷ ours", loading / seconds(ours)).under(&under),
        );
        report.add(ratio("memory, peer ÷ ours", &|made| made.usage.megabytes));
        report.add(ratio("bytes of all tools, peer ÷ ours", &Made::megabytes));
    }
    report
}
