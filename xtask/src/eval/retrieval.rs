//! `cargo xtask eval retrieval`: do tasks in words find the files and functions that their solution changed?
//!
//! The queries are in the bench folder. Their trees are given one by one (`--tree OWNER/NAME@COMMIT=FOLDER`) or in one folder
//! (`--trees FOLDER`, in which each is called `OWNER+NAME@COMMIT`); queries without a tree are left out and counted. Figures are as
//! `score_retrieval.py` there defines them.

mod scores;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use self::scores::{Scores, Times};
use super::Options;
use super::bench_folder::BenchFolder;
use crate::{process, release};

const SETS: &[&str] = &["swebench_lite", "swebench_multilingual", "commits", "semble"];

/// Depths that are compared.
const DEPTHS: &[&str] = &["0", "1"];

const LONGEST: Duration = Duration::from_secs(4 * 60 * 60);

/// True unless nothing could be measured.
pub(super) fn run(root: &Path, options: &Options) -> Result<bool> {
    let Some(bench) = BenchFolder::find(root) else { bail!("{}", BenchFolder::ABSENT) };
    let program = release::example(root, "retrieval", "rank")?;
    let scratch = tempfile::Builder::new().prefix("trailmark-eval-").tempdir()?;
    let (sets, absent) = read_sets(&bench, options)?;
    ensure!(
        !sets.is_empty(),
        "no query has its tree: say where trees are with --trees FOLDER or --tree REPOSITORY@COMMIT=FOLDER"
    );
    let jobs = scratch.path().join("jobs.jsonl");
    fs::write(&jobs, jobs_of(&sets, options))?;
    let mut lines = vec![Scores::HEADING.to_owned()];
    for depth in DEPTHS {
        let answers = ask(&program, scratch.path(), depth, &jobs)?;
        for (set, queries) in &sets {
            lines.push(Scores::of(queries, &answers).line(&format!("{set}, depth {depth}")));
        }
        lines.push(Times::of(&answers).line(depth));
    }
    println!("{}\n{absent} queries left out, whose tree is not there", lines.join("\n"));
    Ok(true)
}

/// A query, and what it should find.
#[derive(Debug)]
struct Asked {
    id: String,
    text: String,
    /// Name of the tree.
    tree: String,
    /// Only what is below this folder counts.
    root: Option<String>,
    files: Vec<String>,
    functions: Vec<String>,
}

/// What a program answered to one query.
#[derive(Debug, Default)]
struct Answer {
    files: Vec<String>,
    functions: Vec<String>,
    milliseconds: f64,
}

type Sets = BTreeMap<&'static str, Vec<Asked>>;

/// The queries whose trees are there, and how many have none.
fn read_sets(bench: &BenchFolder, options: &Options) -> Result<(Sets, usize)> {
    let mut sets = Sets::new();
    let mut absent = 0;
    for &set in SETS {
        let path = bench.path(&format!("retrieval/{set}.jsonl"));
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let asked = asked(set, &serde_json::from_str(line)?);
            if tree(&asked.tree, options).is_some() {
                sets.entry(set).or_default().push(asked);
            } else {
                absent += 1;
            }
        }
    }
    Ok((sets, absent))
}

fn asked(set: &str, query: &Value) -> Asked {
    let text = |key: &str| query[key].as_str().unwrap_or_default().to_owned();
    Asked {
        id: format!("{set}/{}", text("id")),
        text: text("query"),
        tree: format!("{}@{}", text("repo"), text("base_commit")),
        root: query["root"].as_str().map(str::to_owned),
        files: texts(&query["gold_files"]),
        functions: texts(&query["gold_functions"]),
    }
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned)).collect()
}

fn tree(name: &str, options: &Options) -> Option<PathBuf> {
    let given = options.trees.iter().find(|(given, _)| given == name).map(|(_, folder)| folder.clone());
    let in_folder = || Some(options.tree_folder.as_ref()?.join(name.replace('/', "+")));
    given.or_else(in_folder).filter(|folder| folder.is_dir())
}

/// One job for each tree.
fn jobs_of(sets: &Sets, options: &Options) -> String {
    let mut by_tree: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for asked in sets.values().flatten() {
        by_tree.entry(&asked.tree).or_default().push(json!({"id": asked.id, "query": asked.text}));
    }
    let job = |(name, queries): (&str, Vec<Value>)| {
        let folder = tree(name, options).unwrap_or_default();
        json!({"project": name, "tree": folder, "queries": queries}).to_string() + "\n"
    };
    by_tree.into_iter().map(job).collect()
}

fn ask(program: &Path, scratch: &Path, depth: &str, jobs: &Path) -> Result<BTreeMap<String, Answer>> {
    let mut rank = Command::new(program);
    rank.arg(scratch.join("data")).arg(jobs).arg(depth);
    let printed = process::run_ok(&mut rank, LONGEST)?.stdout;
    let mut answers = BTreeMap::new();
    for line in printed.lines() {
        let answer: Value = serde_json::from_str(line)?;
        if let Some(id) = answer["id"].as_str() {
            let milliseconds = answer["ms"].as_f64().unwrap_or_default();
            let answer =
                Answer { files: texts(&answer["files"]), functions: texts(&answer["functions"]), milliseconds };
            answers.insert(id.to_owned(), answer);
        }
    }
    Ok(answers)
}
