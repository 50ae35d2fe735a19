//! `cargo xtask bench retrieval`: what finding code for a task costs: a query, the vectors that are learned while a project is indexed,
//! and the memory of a process that searches, alone and as a server. Without CKB, at the default depth.

mod server;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use tempfile::TempDir;

use self::server::Server;
use super::Options;
use super::report::{Figure, Limit, Report};
use super::usage::{self, Usage};
use crate::eval::bench_folder::BenchFolder;
use crate::sources::{self, Tree};
use crate::{cache, release};

const LONGEST: Duration = Duration::from_secs(60 * 60);

/// How often Django is indexed with vectors, and how often without, one after the other.
const RUNS: usize = 3;

/// How often all questions are asked; the first time warms up.
const ROUNDS: usize = 4;

const DEPTH: &str = "1";
const WITHOUT_VECTORS: &str = "embedder=none";

pub(super) fn run(root: &Path, options: Options) -> Result<bool> {
    let Some(bench) = BenchFolder::find(root) else { bail!("{}", BenchFolder::ABSENT) };
    let questions = questions(&bench)?;
    let subject = Subject { program: release::example(root, "retrieval", "rank")?, folder: tempfile::tempdir()? };
    let cache = cache::test_cache_dir()?;
    let mut report = Report::default();
    let django = sources::unpacked(&cache, &sources::DJANGO)?;
    index_time(&subject, &django, &mut report)?;
    query_time(&subject, &django, &questions, &mut report)?;
    let large = sources::unpacked(&cache, &sources::LARGE)?;
    memory(&subject, &large, &sources::LARGE, &questions, &mut report)?;
    let server = Server::build(root)?;
    server.time(&django, &sources::DJANGO, &questions, true, &mut report)?;
    server.memory(&django, &sources::DJANGO, &questions, false, &mut report)?;
    server.time(&large, &sources::LARGE, &questions, false, &mut report)?;
    server.memory(&large, &sources::LARGE, &questions, true, &mut report)?;
    report.print(options.json);
    Ok(report.holds())
}

/// Real issues of Django, each also by its title alone, as a person would ask.
fn questions(bench: &BenchFolder) -> Result<Vec<String>> {
    let path = bench.path("retrieval/swebench_lite.jsonl");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut questions = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let query: Value = serde_json::from_str(line)?;
        if query["repo"] == "django/django" {
            let issue = query["query"].as_str().context("a query has a text")?;
            questions.extend(issue.lines().next().map(str::to_owned));
            questions.push(issue.to_owned());
        }
    }
    ensure!(!questions.is_empty(), "{} has no issue of Django", path.display());
    Ok(questions)
}

struct Subject {
    program: PathBuf,
    folder: TempDir,
}

impl Subject {
    /// Indexes the tree where that was not done, and asks.
    fn rank(&self, data: &str, tree: &Path, queries: &[Value], more: &[&str]) -> Result<(Usage, Vec<Value>)> {
        let jobs = self.folder.path().join("jobs.jsonl");
        fs::write(&jobs, json!({"project": "bench", "tree": tree, "queries": queries}).to_string())?;
        let mut rank = Command::new(&self.program);
        rank.arg(self.folder.path().join(data)).arg(&jobs).arg(DEPTH).args(more);
        let (usage, printed) = usage::of(&mut rank, None, LONGEST)?;
        let lines = printed.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
        Ok((usage, lines))
    }

    fn index(&self, data: &str, tree: &Path, more: &[&str]) -> Result<Usage> {
        let folder = self.folder.path().join(data);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        Ok(self.rank(data, tree, &[], more)?.0)
    }
}

/// The least of several runs each, since what else the machine does only adds.
fn index_time(subject: &Subject, django: &Path, report: &mut Report) -> Result<()> {
    let (mut with, mut without) = (Duration::MAX, Duration::MAX);
    for _ in 0..RUNS {
        without = without.min(subject.index("without", django, &[WITHOUT_VECTORS])?.processor);
        with = with.min(subject.index("with", django, &[])?.processor);
    }
    report.add(Figure::seconds("index Django with learned vectors, processor time", with));
    report.add(Figure::seconds("index Django without vectors, processor time", without));
    let ratio = with.as_secs_f64() / without.as_secs_f64();
    report.add(Figure::ratio("index time with ÷ without vectors", ratio).held_to(Some(Limit::AtMost(1.3))));
    Ok(())
}

fn query_time(subject: &Subject, django: &Path, questions: &[String], report: &mut Report) -> Result<()> {
    let queries: Vec<Value> = (0..ROUNDS)
        .flat_map(|round| questions.iter().map(move |text| json!({"id": round.to_string(), "query": text})))
        .collect();
    let (_, answers) = subject.rank("with", django, &queries, &[])?;
    let times = |key: &str| {
        let warm = answers.iter().filter(|answer| answer["id"].as_str().is_some_and(|round| round != "0"));
        let mut times: Vec<f64> = warm.filter_map(|answer| answer[key].as_f64()).collect();
        times.sort_by(f64::total_cmp);
        times
    };
    let what = format!("Django, {} issues and their titles, {} times", questions.len() / 2, ROUNDS - 1);
    for (key, median, tail) in [
        ("cpu_ms", "query p50, processor time", "query p99, processor time"),
        ("ms", "query p50, on the clock", "query p99, on the clock"),
    ] {
        let times = times(key);
        ensure!(!times.is_empty(), "this system does not say how much processor time a thread had");
        let at = |part: f64| Duration::from_secs_f64(times[((times.len() - 1) as f64 * part) as usize] / 1e3);
        report.add(Figure::time(median, at(0.5)).under(&what).held_to(Some(Limit::Milliseconds(30.0))));
        report.add(Figure::time(tail, at(0.99)).under(&what).held_to(Some(Limit::Milliseconds(100.0))));
    }
    Ok(())
}

/// The graph itself stays on disk, so all that a process has is what searching needs.
fn memory(subject: &Subject, tree: &Path, source: &Tree, questions: &[String], report: &mut Report) -> Result<()> {
    let (_, indexed) = subject.rank("large", tree, &[], &[])?;
    let nodes = indexed.iter().find_map(|line| line["nodes"].as_u64()).context("nothing was indexed")?;
    let queries: Vec<Value> = questions.iter().map(|text| json!({"id": "", "query": text})).collect();
    let (usage, _) = subject.rank("large", tree, &queries, &[])?;
    let what = format!("{}, {nodes} nodes", source.name);
    let figure = Figure::megabytes("memory of a process that searches", usage.megabytes).under(&what);
    report.add(figure.held_to(Some(Limit::Megabytes(150.0))));
    Ok(())
}
