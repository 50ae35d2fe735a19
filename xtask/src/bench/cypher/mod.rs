//! `cargo xtask bench cypher`: what questions in Cypher cost on a generated graph, at two sizes, beside statements written by hand
//! for the same file and beside LadybugDB, in one run. All times are processor time.

mod answers;

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::Options;
use super::report::{Figure, Limit, Report};
use crate::install::PythonTools;
use crate::process::{self, Show};
use crate::{cache, workspace};
use answers::{Answers, Cost, Peer};

const SCRIPT: &str = include_str!("peer.py");
const PEER: &str = "LadybugDB";
const LONGEST: Duration = Duration::from_secs(30 * 60);

/// Times 200 000 nodes and 1 000 000 relationships.
const FACTORS: [u32; 2] = [1, 5];
/// The names that the bench in `store-sqlite` gives its questions, and the median each is held to, in milliseconds.
const QUESTIONS: &[(&str, f64)] = &[
    ("parse and plan", 0.2),
    ("look-up", 0.1),
    ("look-up as WHERE", 0.1),
    ("one hop", 0.1),
    ("name CONTAINS, counted", 5.0),
    ("three hops, distinct", 0.5),
    ("shortest path, at most 4 hops", 0.5),
    ("20 most called", 20.0),
    ("20 most called names", 20.0),
];
const SNAPSHOT_MEGABYTES: f64 = 60.0;

pub(super) fn run(root: &Path, options: Options) -> Result<bool> {
    let peer = if options.no_peers { None } else { install() };
    let mut report = Report::default();
    for factor in FACTORS {
        let folder = tempfile::Builder::new().prefix("trailmark-bench-").tempdir()?;
        eprintln!("{factor} × the size: ours");
        let ours = measure_ours(root, factor, folder.path())?;
        let theirs = peer.as_ref().map(|tools| {
            eprintln!("{factor} × the size: {PEER}");
            measure_peer(tools, folder.path())
        });
        let theirs = theirs.transpose()?;
        agree(&ours, theirs.as_ref())?;
        add(factor, &ours, theirs.as_ref(), &mut report)?;
    }
    report.print(options.json);
    Ok(report.holds())
}

/// A peer that cannot be had leaves its column empty; the run says why.
fn install() -> Option<PythonTools> {
    let installed = cache::test_cache_dir().and_then(|cache| PythonTools::for_ladybug(&cache));
    installed.map_err(|error| eprintln!("{PEER} was not run: {error:#}")).ok()
}

fn measure_ours(root: &Path, factor: u32, folder: &Path) -> Result<Answers> {
    let mut cargo = workspace::cargo(root);
    cargo.args(["bench", "--package", "store-sqlite", "--bench", "cypher", "--", &factor.to_string()]).arg(folder);
    let finished = process::run(&mut cargo, LONGEST, Show::Nothing)?;
    ensure!(finished.status.success(), "the bench of store-sqlite failed:\n{}", finished.tail(20));
    let line = finished.stdout.lines().rfind(|line| line.starts_with('{')).context("the bench printed no figures")?;
    Answers::read(line)
}

fn measure_peer(tools: &PythonTools, folder: &Path) -> Result<Peer> {
    let script = folder.join("peer.py");
    std::fs::write(&script, SCRIPT)?;
    let finished = process::run_ok(tools.python().arg(&script).arg(folder), LONGEST)?;
    Peer::read(&finished.stdout)
}

/// Figures of engines that answer differently cannot be compared.
fn agree(ours: &Answers, theirs: Option<&Peer>) -> Result<()> {
    for (name, _) in QUESTIONS {
        let snapshot = ours.snapshot.cost(name)?;
        let by_hand = ours.by_hand.find(name);
        let peer = theirs.and_then(|peer| peer.questions.find(name));
        let others = [Some(ours.sql.cost(name)?), by_hand, peer];
        for other in others.into_iter().flatten() {
            let (wanted, given) = ((snapshot.rows, snapshot.sum), (other.rows, other.sum));
            ensure!(wanted == given, "{name}: rows and sum should be {wanted:?} but are {given:?}");
        }
    }
    Ok(())
}

fn add(factor: u32, ours: &Answers, theirs: Option<&Peer>, report: &mut Report) -> Result<()> {
    let size = format!("{} nodes, {} relationships", ours.nodes, ours.relationships);
    let held = |limit: Limit| (factor == 1).then_some(limit);
    for (name, limit) in QUESTIONS {
        let peer = theirs.and_then(|peer| peer.questions.find(name));
        let by_hand = ours.by_hand.find(name);
        let limit = held(Limit::Milliseconds(*limit));
        let kinds = [("from a snapshot", &ours.snapshot, limit), ("SQL only", &ours.sql, None)];
        for (kind, costs, limit) in kinds {
            let cost = costs.cost(name)?;
            let under = format!("{size}; {kind}; p99 {:.3} ms", cost.p99);
            let mut figure = Figure::time(name, cost.median()).under(&under).held_to(limit);
            figure = figure.peers(peer.map(|peer| (PEER, peer.p50)));
            if let Some(by_hand) = by_hand {
                figure = figure.machine("SQL by hand", by_hand.median());
            }
            report.add(figure);
        }
        let mine = ours.snapshot.cost(name)?;
        if let Some(peer) = peer {
            report.add(Figure::ratio(name, peer.p50 / mine.p50).under(&format!("{size}; {PEER} ÷ ours")));
        }
        if let Some(by_hand) = by_hand {
            report.add(Figure::ratio(name, mine.p50 / by_hand.p50).under(&format!("{size}; ours ÷ SQL by hand")));
        }
    }
    let megabytes = held(Limit::Megabytes(SNAPSHOT_MEGABYTES));
    report.add(Figure::megabytes("memory of a snapshot", ours.snapshot_megabytes).under(&size).held_to(megabytes));
    report.add(Figure::seconds("making a snapshot", ours.snapshot_time).under(&size));
    let peer = theirs.map(|peer| (PEER, peer.load.as_secs_f64()));
    report.add(Figure::seconds("storing the graph", ours.load).under(&size).peers(peer));
    Ok(())
}

impl Cost {
    fn median(&self) -> Duration {
        Duration::from_secs_f64(self.p50 / 1000.0)
    }
}
