//! `cargo xtask bench knowledge`: what the knowledge graph costs at 200 000 nodes and 1 000 000 relationships on the embedded store,
//! beside the same calls on a real Bolt server in one run. Times are on the clock, one caller at a time.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use test_servers::{ArcadeDb, Server};

use super::Options;
use super::report::{Figure, Limit, Report};
use crate::install::PythonTools;
use crate::process::{self, Show};
use crate::{cache, workspace};

const NODES: &str = "200000";
const RELATIONSHIPS: &str = "1000000";
const LONGEST: Duration = Duration::from_secs(120 * 60);
const PEER: &str = "ArcadeDB";

/// What is shown, the call it is taken from, its share, and the most it may be in milliseconds.
const FIGURES: &[(&str, &str, &str, Option<f64>)] = &[
    ("create a node, durable, p50", "create_node", "p50", Some(1.0)),
    ("find a node by id, p50", "find_by_id", "p50", Some(0.1)),
    ("find a node by a property, p50", "find_by_property", "p50", None),
    ("shortest path, depth 4, p50", "path", "p50", Some(5.0)),
    ("shortest path, depth 4, p99", "path", "p99", Some(50.0)),
    ("neighbours, depth 1, p50", "neighbors_1", "p50", None),
    ("neighbours, depth 2, 200 at most, p50", "neighbors_2", "p50", Some(10.0)),
    ("neighbours, depth 2, 200 at most, p99", "neighbors_2", "p99", None),
    ("neighbours of the largest node, depth 2, p50", "neighbors_2_of_largest", "p50", Some(10.0)),
    ("fuzzy search, one word misspelt, p50", "fuzzy_misspelt", "p50", Some(20.0)),
    ("fuzzy search, the beginning of a word, p50", "fuzzy_beginning", "p50", Some(20.0)),
    ("fuzzy search, a word of very many names, p50", "fuzzy_frequent", "p50", Some(20.0)),
    ("fuzzy search, Chinese, p50", "fuzzy_chinese", "p50", Some(20.0)),
];

pub(super) fn run(root: &Path, options: Options) -> Result<bool> {
    let folder = tempfile::Builder::new().prefix("trailmark-bench-").tempdir()?;
    let peer = if options.no_peers {
        None
    } else {
        let tools = PythonTools::for_server(&cache::test_cache_dir()?, &ArcadeDb)?;
        Some(Server::start_from(&ArcadeDb, tools.folder().to_path_buf())?)
    };
    let mut cargo = workspace::cargo(root);
    cargo.args(["bench", "--package", "store-sqlite", "--bench", "knowledge", "--", NODES, RELATIONSHIPS]);
    cargo.arg(folder.path()).args(peer.as_ref().map(Server::url));
    let finished = process::run(&mut cargo, LONGEST, Show::Nothing)?;
    ensure!(finished.status.success(), "the bench of store-sqlite failed:\n{}", finished.tail(20));
    let line = finished.stdout.lines().rfind(|line| line.starts_with('{')).context("the bench printed no figures")?;
    let report = report(&serde_json::from_str(line)?)?;
    report.print(options.json);
    Ok(report.holds())
}

fn report(figures: &Value) -> Result<Report> {
    let mut report = Report::default();
    for (name, call, share, most) in FIGURES {
        let pointer = format!("/calls/{call}/{share}");
        let ours = figures.pointer(&pointer).and_then(Value::as_f64).with_context(|| format!("no {pointer}"))?;
        let theirs = figures.pointer(&format!("/peer{pointer}")).and_then(Value::as_f64);
        let figure = Figure::time(name, Duration::from_secs_f64(ours / 1e3)).peers(theirs.map(|theirs| (PEER, theirs)));
        report.add(figure.held_to(most.map(Limit::Milliseconds)));
        if let Some(theirs) = theirs.filter(|_| most.is_some()) {
            report.add(Figure::ratio("  times as fast as the peer", theirs / ours));
        }
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_is_taken_from_what_the_bench_prints() {
        let cost = serde_json::json!({ "p50": 0.05, "p99": 2.0, "processor": 0.1 });
        let calls: serde_json::Map<String, Value> =
            FIGURES.iter().map(|(_, call, ..)| ((*call).to_owned(), cost.clone())).collect();
        let alone = serde_json::json!({ "calls": calls.clone(), "peer": null });
        assert!(report(&alone).unwrap().holds());
        let beside = serde_json::json!({ "calls": calls.clone(), "peer": { "calls": calls } });
        assert!(report(&beside).unwrap().holds());
        assert!(report(&serde_json::json!({ "calls": {} })).is_err());
    }
}
