//! `cargo xtask bench server`: start, memory and calls of the server, beside a peer and the limits of the machine, in one run.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::machine;
use super::report::{Figure, Limit, Report};
use super::session::{HttpSession, StdioSession};
use crate::install::{NodeTools, Package};
use crate::{cache, process, workspace};

const PEER: Package = Package { name: "@modelcontextprotocol/server-memory", version: "2026.8.31" };
const STARTS: usize = 40;
const PEER_STARTS: usize = 8;
const CALLS: usize = 3_000;
/// Entities that the create/read script makes, and reads again one by one.
const SCRIPT: usize = 1_000;
const BUILD: Duration = Duration::from_secs(30 * 60);

pub(super) fn run(root: &Path, json: bool) -> Result<bool> {
    let binary = build(root)?;
    let tools = NodeTools::install(&cache::test_cache_dir()?, &[PEER])?;
    let bench = Bench { binary, tools, folder: tempfile::tempdir()? };
    let mut report = Report::default();
    bench.starts(&mut report)?;
    bench.memory(&mut report)?;
    bench.calls(&mut report)?;
    bench.script(&mut report)?;
    report.print(json);
    Ok(report.holds())
}

fn build(root: &Path) -> Result<PathBuf> {
    let mut cargo = workspace::cargo(root);
    cargo.args(["build", "--release", "--package", "trailmark", "--message-format=json"]);
    let finished = process::run_ok(&mut cargo, BUILD)?;
    let artifacts = finished.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut executables = artifacts.filter_map(|artifact| artifact["executable"].as_str().map(PathBuf::from));
    executables.next_back().context("cargo named no executable")
}

struct Bench {
    binary: PathBuf,
    tools: NodeTools,
    folder: tempfile::TempDir,
}

impl Bench {
    fn ours(&self, name: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        workspace::remove_settings(&mut command);
        command.arg("serve").args(arguments).env("TRAILMARK_HOME", self.folder.path().join(name));
        command
    }

    fn peer(&self, name: &str) -> Command {
        let mut command = self.tools.program(PEER, "dist/index.js");
        command.env("MEMORY_FILE_PATH", self.folder.path().join(format!("{name}.jsonl")));
        command
    }

    fn starts(&self, report: &mut Report) -> Result<()> {
        let time = |mut command: Command| -> Result<Duration> {
            let started = Instant::now();
            let mut session = StdioSession::start(&mut command)?;
            session.initialize()?;
            Ok(started.elapsed())
        };
        let ours = repeat(STARTS, || time(self.ours("starts", &[])))?;
        let peer = repeat(PEER_STARTS, || time(self.peer("starts")))?;
        let least = repeat(STARTS, machine::spawn_and_echo)?;
        report.add(
            Figure::time("spawn → first answer", median(&ours))
                .peer(median(&peer))
                .machine("spawning `cat` and one line through it", median(&least))
                .limit(Limit::Milliseconds(10.0)),
        );
        Ok(())
    }

    fn memory(&self, report: &mut Report) -> Result<()> {
        let idle = |mut command: Command| -> Result<f64> {
            let mut session = StdioSession::start(&mut command)?;
            session.initialize()?;
            std::thread::sleep(Duration::from_millis(500));
            machine::resident_megabytes(session.process())
        };
        let (ours, peer) = (idle(self.ours("memory", &[]))?, idle(self.peer("memory"))?);
        report.add(Figure::megabytes("idle memory (RSS)", ours).peer(peer).limit(Limit::Megabytes(15.0)));
        report.add(Figure::ratio("idle memory, peer ÷ ours", peer / ours).limit(Limit::AtLeast(5.0)));
        Ok(())
    }

    fn calls(&self, report: &mut Report) -> Result<()> {
        let pipe = machine::pipe_round_trip(CALLS)?;
        let mut recorded = StdioSession::start(&mut self.ours("calls", &[]))?;
        recorded.initialize()?;
        let id = save(&mut recorded, 0)?;
        let stdio = times(CALLS, || recorded.call("mongo_find_by_id", json!({ "id": id })).map(drop))?;
        let mut unrecorded = StdioSession::start(&mut self.ours("calls", &["--audit=false"]))?;
        unrecorded.initialize()?;
        let bare = times(CALLS, || unrecorded.call("mongo_find_by_id", json!({ "id": id })).map(drop))?;
        report.add(
            Figure::time("one read over stdio, validated and audited", median(&stdio))
                .machine("one line through two pipes", pipe)
                .limit(Limit::Milliseconds(0.1)),
        );
        let cost = median(&stdio).saturating_sub(median(&bare));
        report.add(Figure::time("what the audit log adds to a call", cost).limit(Limit::Milliseconds(0.1)));
        let mut http = HttpSession::start(&mut self.ours("calls", &["--http", "127.0.0.1:0", "--no-auth"]))?;
        let over_http = times(CALLS, || http.call("mongo_find_by_id", json!({ "id": id })).map(drop))?;
        report.add(
            Figure::time("one read over HTTP, validated and audited", median(&over_http))
                .limit(Limit::Milliseconds(0.5)),
        );
        Ok(())
    }

    fn script(&self, report: &mut Report) -> Result<()> {
        let mut ours = StdioSession::start(&mut self.ours("script", &[]))?;
        ours.initialize()?;
        let started = Instant::now();
        let ids = (0..SCRIPT).map(|n| save(&mut ours, n)).collect::<Result<Vec<Value>>>()?;
        for id in &ids {
            ours.call("mongo_find_by_id", json!({ "id": id }))?;
        }
        let our_rate = rate(started.elapsed());
        let our_memory = machine::resident_megabytes(ours.process())?;
        let mut peer = StdioSession::start(&mut self.peer("script"))?;
        peer.initialize()?;
        let started = Instant::now();
        for n in 0..SCRIPT {
            let entity = json!({"name": name(n), "entityType": "note", "observations": [content(n)]});
            peer.call("create_entities", json!({ "entities": [entity] }))?;
        }
        for n in 0..SCRIPT {
            peer.call("open_nodes", json!({ "names": [name(n)] }))?;
        }
        let peer_rate = rate(started.elapsed());
        let peer_memory = machine::resident_megabytes(peer.process())?;
        let disk = machine::durable_write(self.folder.path(), 300)?;
        report.add(Figure::per_second("create/read script, one after the other", our_rate).peer_rate(peer_rate));
        report.add(Figure::ratio("script throughput, ours ÷ peer", our_rate / peer_rate).limit(Limit::AtLeast(10.0)));
        report.add(Figure::megabytes("memory after the script", our_memory).peer(peer_memory));
        report.add(
            Figure::ratio("memory after the script, peer ÷ ours", peer_memory / our_memory).limit(Limit::AtLeast(5.0)),
        );
        report.add(Figure::time("the disk: 4 KiB appended and synced", disk));
        Ok(())
    }
}

fn save(session: &mut StdioSession, n: usize) -> Result<Value> {
    let saved = session.call("mongo_save_document", json!({"topic": name(n), "content": content(n)}))?;
    Ok(saved["structuredContent"]["data"]["id"].clone())
}

fn name(n: usize) -> String {
    format!("benchmark note {n}")
}

fn content(n: usize) -> String {
    format!(
        "What was learned in step {n}: the cache is filled before the first request, and emptied after the last one."
    )
}

fn rate(elapsed: Duration) -> f64 {
    (2 * SCRIPT) as f64 / elapsed.as_secs_f64()
}

fn repeat<T>(count: usize, mut measure: impl FnMut() -> Result<T>) -> Result<Vec<T>> {
    (0..count).map(|_| measure()).collect()
}

/// How long each of `count` calls took, after as many more as it takes to be warm.
fn times(count: usize, mut call: impl FnMut() -> Result<()>) -> Result<Vec<Duration>> {
    for _ in 0..count / 10 {
        call()?;
    }
    repeat(count, || {
        let started = Instant::now();
        call()?;
        Ok(started.elapsed())
    })
}

fn median(times: &[Duration]) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}
