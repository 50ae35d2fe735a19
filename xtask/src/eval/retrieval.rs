//! `cargo xtask eval retrieval`: do tasks in words find the files and functions that their solution changed?
//!
//! The queries are in the bench folder. Their trees are in git repositories (`--repositories FOLDER`, in which each is called `OWNER+NAME`;
//! one commit at a time is written out, indexed and removed), or given one by one (`--tree OWNER/NAME@COMMIT=FOLDER`), or in one folder
//! (`--trees FOLDER`, in which each is called `OWNER+NAME@COMMIT`); queries without a tree are left out and counted. What is
//! indexed is thrown away afterwards unless `--data FOLDER` says where to keep it. Figures are as `score_retrieval.py` there
//! defines them, and targets are those of its README. `--peers` asks one of the sets of other programs instead.

mod peers;
mod scores;
mod trees;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use tempfile::TempDir;

use self::scores::{Row, Scores, Targets, Times};
use self::trees::Tree;
use super::Options;
use super::bench_folder::BenchFolder;
use crate::{process, release};

/// The file of each set, its name, and what it must reach.
const SETS: &[(&str, &str, Targets)] = &[
    (
        "swebench_lite",
        "SWE-bench Lite",
        Targets { recall_1: Some(0.60), recall_10: Some(0.90), gain: None, functions_10: Some(0.60) },
    ),
    (
        "swebench_multilingual",
        "SWE-bench Multilingual",
        Targets { recall_1: None, recall_10: Some(0.80), gain: None, functions_10: None },
    ),
    ("commits", "commits", Targets { recall_1: None, recall_10: None, gain: None, functions_10: None }),
    ("semble", "Semble", Targets { recall_1: None, recall_10: None, gain: Some(0.86), functions_10: None }),
];

/// Depths that are compared.
const DEPTHS: &[&str] = &[DEFAULT_DEPTH, "0"];

/// That of `ci_graph_rag`.
const DEFAULT_DEPTH: &str = "1";

const LONGEST: Duration = Duration::from_secs(4 * 60 * 60);

/// A tree that takes longer is not indexed, and its queries find nothing.
const INDEXING: Duration = Duration::from_secs(3 * 60);

const NO_TREE: &str = "no query has its tree: say where they are with --repositories FOLDER, --trees FOLDER or --tree REPOSITORY@COMMIT=FOLDER";

/// Whether every target is reached at the depth that is the default, and nothing is worse there than without the graph; or whether
/// no peer is better.
pub(super) fn run(root: &Path, options: &Options) -> Result<bool> {
    let Some(bench) = BenchFolder::find(root) else { bail!("{}", BenchFolder::ABSENT) };
    let rank = Rank::build(root, options)?;
    if options.peers { peers::compare(&rank, &bench, options) } else { measure(&rank, &bench, options) }
}

fn measure(rank: &Rank, bench: &BenchFolder, options: &Options) -> Result<bool> {
    let mut trees = Trees::new();
    let mut sets = Sets::new();
    for &(file, ..) in SETS {
        sets.insert(file, read_set(file, bench, options, &mut trees)?);
    }
    ensure!(sets.values().any(|set| !set.asked.is_empty()), NO_TREE);
    rank.index(&trees)?;
    let mut lines = vec![Scores::HEADING.to_owned()];
    let mut times = Vec::new();
    let mut rows = Vec::new();
    let mut holds = true;
    for depth in DEPTHS {
        let answers = rank.ask(depth, &jobs_of(sets.values()))?;
        for (file, name, targets) in SETS {
            let Some(set) = sets.get(file).filter(|set| !set.asked.is_empty()) else { continue };
            let (name, targets) = match *depth {
                DEFAULT_DEPTH => ((*name).to_owned(), *targets),
                depth => (format!("{name}, depth {depth}"), Targets::default()),
            };
            let row = Scores::of(&set.asked, &answers).row(&name, set.all, targets);
            holds &= row.holds();
            lines.push(row.line());
            rows.push((*file, row));
        }
        times.push(Times::of(&answers).line(depth));
    }
    println!("{}\n\n{}", lines.join("\n"), times.join("\n"));
    let behind = behind(&rows);
    if !behind.is_empty() {
        println!("behind what is found without the graph: {}", behind.join(", "));
    }
    Ok(holds && behind.is_empty())
}

/// The sets in which the graph does harm.
fn behind<'a>(rows: &[(&'a str, Row)]) -> Vec<&'a str> {
    let (with, without) = rows.split_at(rows.len() / DEPTHS.len());
    with.iter()
        .zip(without)
        .filter(|((_, with), (_, without))| with.is_behind(without))
        .map(|((set, _), _)| *set)
        .collect()
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

/// The queries whose trees are there.
#[derive(Debug, Default)]
struct Set {
    asked: Vec<Asked>,
    /// How many there are with those whose tree is not there.
    all: usize,
}

type Sets = BTreeMap<&'static str, Set>;

/// By name.
type Trees = BTreeMap<String, Option<Tree>>;

fn read_set(file: &str, bench: &BenchFolder, options: &Options, trees: &mut Trees) -> Result<Set> {
    let path = bench.path(&format!("retrieval/{file}.jsonl"));
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut set = Set::default();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let asked = asked(file, &serde_json::from_str(line)?);
        set.all += 1;
        let tree = trees.entry(asked.tree.clone()).or_insert_with_key(|name| Tree::find(name, options));
        if tree.is_some() {
            set.asked.push(asked);
        }
    }
    Ok(set)
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

/// One job for each tree.
fn jobs_of<'a>(sets: impl Iterator<Item = &'a Set>) -> Vec<Value> {
    let mut by_tree: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for asked in sets.flat_map(|set| &set.asked) {
        by_tree.entry(&asked.tree).or_default().push(json!({"id": asked.id, "query": asked.text}));
    }
    by_tree.into_iter().map(|(name, queries)| json!({"project": name, "queries": queries})).collect()
}

/// The program that indexes and ranks, and where it keeps what is indexed.
struct Rank {
    program: PathBuf,
    data: PathBuf,
    scratch: TempDir,
}

impl Rank {
    fn build(root: &Path, options: &Options) -> Result<Self> {
        let program = release::example(root, "retrieval", "rank")?;
        let scratch = tempfile::Builder::new().prefix("trailmark-eval-").tempdir()?;
        let data = options.data.clone().unwrap_or_else(|| scratch.path().join("data"));
        Ok(Self { program, data, scratch })
    }

    /// Indexes what is not indexed yet. The files of a commit are there only while it is indexed.
    fn index(&self, trees: &Trees) -> Result<()> {
        let asked: Vec<Value> = trees.keys().map(|name| json!({"project": name})).collect();
        let said = self.run(DEFAULT_DEPTH, &asked, LONGEST)?;
        for name in said.iter().filter_map(|line| line["absent"].as_str()) {
            let begun = Instant::now();
            match trees.get(name) {
                Some(Some(Tree::Folder(folder))) => self.index_folder(name, folder),
                Some(Some(Tree::Commit { repository, commit })) => {
                    let folder = self.scratch.path().join("tree");
                    let absent = trees::write(repository, commit, &folder)?;
                    if absent > 0 {
                        println!("{name}: its repository lacks {absent} files");
                    }
                    self.index_folder(name, &folder);
                    fs::remove_dir_all(&folder)?;
                }
                Some(None) | None => continue,
            }
            println!("{name}: {:.1} s", begun.elapsed().as_secs_f64());
        }
        Ok(())
    }

    fn index_folder(&self, name: &str, folder: &Path) {
        if let Err(error) = self.run(DEFAULT_DEPTH, &[json!({"project": name, "tree": folder})], INDEXING) {
            println!("{name} was not indexed, and its queries find nothing: {error}");
        }
    }

    fn ask(&self, depth: &str, jobs: &[Value]) -> Result<BTreeMap<String, Answer>> {
        let mut answers = BTreeMap::new();
        for answer in self.run(depth, jobs, LONGEST)? {
            if let Some(id) = answer["id"].as_str() {
                let milliseconds = answer["ms"].as_f64().unwrap_or_default();
                let (files, functions) = (texts(&answer["files"]), texts(&answer["functions"]));
                answers.insert(id.to_owned(), Answer { files, functions, milliseconds });
            }
        }
        Ok(answers)
    }

    /// The lines that it prints.
    fn run(&self, depth: &str, jobs: &[Value], limit: Duration) -> Result<Vec<Value>> {
        let path = self.scratch.path().join("jobs.jsonl");
        fs::write(&path, jobs.iter().map(|job| job.to_string() + "\n").collect::<String>())?;
        let mut rank = Command::new(&self.program);
        rank.arg(&self.data).arg(&path).arg(depth);
        let printed = process::run_ok(&mut rank, limit)?.stdout;
        printed.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
    }
}
