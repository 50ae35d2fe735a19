//! `cargo xtask bench server`: start, memory and calls of the server, beside a peer and the limits of the machine, in one run.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::report::{Figure, Limit, Report};
use super::session::{HttpSession, StdioSession};
use super::{Options, machine};
use crate::install::{NodeTools, Package};
use crate::{cache, release, workspace};

const PEER: Package = Package { name: "@modelcontextprotocol/server-memory", version: "2026.8.31" };
const STARTS: usize = 40;
const PEER_STARTS: usize = 8;
const CALLS: usize = 3_000;
/// Notes that the create/read script makes, and reads again one by one.
const SCRIPTS: &[Script] = &[
    Script { notes: 1_000, in_flight: 1, limit: None },
    Script { notes: 1_000, in_flight: 32, limit: None },
    Script { notes: 4_000, in_flight: 1, limit: Some(Limit::AtLeast(10.0)) },
];

pub(super) fn run(root: &Path, options: Options) -> Result<bool> {
    ensure!(!options.no_peers, "the limits of this benchmark are ratios to its peer");
    let binary = release::binary(root)?;
    let tools = NodeTools::install(&cache::test_cache_dir()?, &[PEER])?;
    let bench = Bench { binary, tools, folder: tempfile::tempdir()? };
    let mut report = Report::default();
    bench.starts(&mut report)?;
    bench.memory(&mut report)?;
    bench.calls(&mut report)?;
    bench.scripts(&mut report)?;
    report.print(options.json);
    Ok(report.holds())
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
                .held_to(Some(Limit::Milliseconds(10.0))),
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
        report.add(Figure::megabytes("idle memory (RSS)", ours).peer(peer).held_to(Some(Limit::Megabytes(15.0))));
        report.add(Figure::ratio("idle memory, peer ÷ ours", peer / ours).held_to(Some(Limit::AtLeast(5.0))));
        Ok(())
    }

    fn calls(&self, report: &mut Report) -> Result<()> {
        let mut recorded = StdioSession::start(&mut self.ours("calls", &[]))?;
        recorded.initialize()?;
        let id = save(&mut recorded, 0)?;
        let mut unrecorded = StdioSession::start(&mut self.ours("calls", &["--audit=false"]))?;
        unrecorded.initialize()?;
        let mut http = HttpSession::start(&mut self.ours("calls", &["--http", "127.0.0.1:0", "--no-auth"]))?;
        for (cores, awake) in
            [("cores asleep between calls", None), ("cores kept awake", Some(machine::Awake::start()?))]
        {
            let pipe = machine::pipe_round_trip(CALLS)?;
            let trivial = times(CALLS, || recorded.refused("mongo_find_by_id", json!({})))?;
            let stdio = times(CALLS, || recorded.call("mongo_find_by_id", json!({ "id": id })).map(drop))?;
            let bare = times(CALLS, || unrecorded.call("mongo_find_by_id", json!({ "id": id })).map(drop))?;
            let over_http = times(CALLS, || http.call("mongo_find_by_id", json!({ "id": id })).map(drop))?;
            let held_to = |limit: f64| awake.is_some().then_some(Limit::Milliseconds(limit));
            let cost = median(&stdio).saturating_sub(median(&bare));
            let pipes = "one line through two pipes";
            report.add(
                Figure::time("a call over stdio that needs no storage", median(&trivial))
                    .under(cores)
                    .machine(pipes, pipe)
                    .held_to(held_to(0.1)),
            );
            report.add(Figure::time("one document read over stdio", median(&stdio)).under(cores).machine(pipes, pipe));
            report.add(
                Figure::time("one document read over HTTP", median(&over_http)).under(cores).held_to(held_to(0.5)),
            );
            report.add(Figure::time("what the audit log adds to a call", cost).under(cores).held_to(held_to(0.1)));
        }
        Ok(())
    }

    fn scripts(&self, report: &mut Report) -> Result<()> {
        let disk = machine::durable_write(self.folder.path(), 300)?;
        report.add(Figure::time("the disk: 4 KiB appended and synced", disk));
        SCRIPTS.iter().try_for_each(|script| self.script(script, report))
    }

    fn script(&self, script: &Script, report: &mut Report) -> Result<()> {
        let name = format!("script-{}-{}", script.notes, script.in_flight);
        let mut ours = StdioSession::start(&mut self.ours(&name, &[]))?;
        ours.initialize()?;
        let note = |n: usize| ("mongo_save_document", json!({"topic": topic(n), "content": content(n)}));
        let started = Instant::now();
        let saved = ours.call_all(script.notes, script.in_flight, note)?;
        let ids: Vec<Value> = saved.iter().map(|result| result["structuredContent"]["data"]["id"].clone()).collect();
        ours.call_all(script.notes, script.in_flight, |n| ("mongo_find_by_id", json!({ "id": ids[n] })))?;
        let our_rate = script.rate(started.elapsed());
        let our_memory = machine::resident_megabytes(ours.process())?;

        let mut peer = StdioSession::start(&mut self.peer(&name))?;
        peer.initialize()?;
        let entity = |n: usize| {
            let entity = json!({"name": topic(n), "entityType": "note", "observations": [content(n)]});
            ("create_entities", json!({ "entities": [entity] }))
        };
        let started = Instant::now();
        peer.call_all(script.notes, script.in_flight, entity)?;
        let found =
            peer.call_all(script.notes, script.in_flight, |n| ("open_nodes", json!({ "names": [topic(n)] })))?;
        let peer_rate = script.rate(started.elapsed());
        let peer_memory = machine::resident_megabytes(peer.process())?;
        let kept = found.iter().filter(|result| result.to_string().contains("benchmark note")).count();

        let what = script.describe(kept);
        report.add(Figure::per_second("create and read notes", our_rate).under(&what).peer(peer_rate));
        report.add(Figure::ratio("throughput, ours ÷ peer", our_rate / peer_rate).under(&what).held_to(script.limit));
        report.add(Figure::megabytes("memory afterwards", our_memory).under(&what).peer(peer_memory));
        let memory = peer_memory / our_memory;
        report.add(Figure::ratio("memory, peer ÷ ours", memory).under(&what).held_to(Some(Limit::AtLeast(5.0))));
        Ok(())
    }
}

/// One run of the create/read script.
struct Script {
    notes: usize,
    in_flight: usize,
    limit: Option<Limit>,
}

impl Script {
    fn rate(&self, elapsed: Duration) -> f64 {
        (2 * self.notes) as f64 / elapsed.as_secs_f64()
    }

    fn describe(&self, kept_by_peer: usize) -> String {
        let kept = if kept_by_peer == self.notes { String::new() } else { format!("; the peer kept {kept_by_peer}") };
        format!("{} notes, {} in flight{kept}", self.notes, self.in_flight)
    }
}

fn save(session: &mut StdioSession, n: usize) -> Result<Value> {
    let saved = session.call("mongo_save_document", json!({"topic": topic(n), "content": content(n)}))?;
    Ok(saved["structuredContent"]["data"]["id"].clone())
}

fn topic(n: usize) -> String {
    format!("benchmark note {n}")
}

fn content(n: usize) -> String {
    format!(
        "What was learned in step {n}: the cache is filled before the first request, and emptied after the last one."
    )
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
