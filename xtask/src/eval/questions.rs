//! `cargo xtask eval questions`: plain questions whose answers are known.
//!
//! Our own sets (`crates/questions/contract/questions`) give the answer as a query written by hand; those of the bench folder
//! give files and names. Flask comes from PyPI; other trees are given with `--tree`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use tempfile::TempDir;

use super::Options;
use super::bench_folder::BenchFolder;
use crate::{cache, process, release, sources, workspace};

const OWN: &str = "crates/questions/contract/questions";
const PUBLIC: &str = "cypher";
/// The public sets were made of this part of their trees; what is elsewhere is no mistake.
const PUBLIC_SCOPE: &str = "src/";
const ONE: Duration = Duration::from_secs(120);
/// The most rows that a question may have.
const LIMIT: &str = "500";
/// What part of the questions must be answered rightly.
const TARGET: f64 = 0.9;

/// True when every set that could be run reaches the target.
pub(super) fn run(root: &Path, options: &Options) -> Result<bool> {
    let outcome = measure(root, &release::binary(root)?, options)?;
    println!("{}", outcome.lines.join("\n"));
    Ok(outcome.holds())
}

/// How many questions of each set were answered rightly.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) lines: Vec<String>,
    right: usize,
    asked: usize,
}

impl Outcome {
    pub(crate) fn holds(&self) -> bool {
        self.asked > 0 && self.right as f64 >= TARGET * self.asked as f64
    }

    pub(crate) fn summary(&self) -> String {
        format!("{} of {} questions answered rightly", self.right, self.asked)
    }
}

/// Asks every question whose repository is there.
pub(crate) fn measure(root: &Path, binary: &Path, options: &Options) -> Result<Outcome> {
    let asker = Asker { binary, home: tempfile::Builder::new().prefix("trailmark-eval-").tempdir()? };
    let mut outcome = Outcome::default();
    for set in sets(root)? {
        let name = set.file_stem().unwrap_or_default().to_string_lossy().replace("questions_", "");
        let given = options.trees.iter().find(|(given, _)| *given == name).map(|(_, tree)| tree.clone());
        let tree = match (given, name.as_str()) {
            (Some(tree), _) => tree,
            (None, "flask") => sources::unpacked(&cache::test_cache_dir()?, &sources::FLASK)?,
            (None, _) => {
                outcome.lines.push(format!("{name}: not run, say where its tree is with --tree {name}=FOLDER"));
                continue;
            }
        };
        measure_set(&asker, &set, &tree, options.show, &mut outcome)?;
    }
    Ok(outcome)
}

fn sets(root: &Path) -> Result<Vec<PathBuf>> {
    let mut sets = Vec::new();
    for entry in std::fs::read_dir(root.join(OWN))? {
        sets.push(entry?.path());
    }
    sets.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    if let Some(bench) = BenchFolder::find(root) {
        let files = bench.files(PUBLIC, ".jsonl")?;
        sets.extend(files.into_iter().filter(|(name, _)| name.starts_with("questions_")).map(|(_, path)| path));
    }
    sets.sort();
    ensure!(!sets.is_empty(), "there are no questions in {OWN}");
    Ok(sets)
}

fn measure_set(asker: &Asker<'_>, set: &Path, tree: &Path, show: usize, outcome: &mut Outcome) -> Result<()> {
    let text = std::fs::read_to_string(set).with_context(|| format!("cannot read {}", set.display()))?;
    let mut families: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut shown = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let question: Value = serde_json::from_str(line)?;
        let verdict = judge(asker, &question, tree)?;
        let family = families.entry(question["family"].as_str().unwrap_or("?").to_owned()).or_default();
        family.1 += 1;
        match verdict {
            None => family.0 += 1,
            Some(problem) if shown < show => {
                shown += 1;
                println!("{}: {}\n    {problem}", question["id"], question["question"]);
            }
            Some(_) => {}
        }
    }
    let (right, asked) = families.values().fold((0, 0), |sum, family| (sum.0 + family.0, sum.1 + family.1));
    let wrong = families.iter().filter(|(_, (right, asked))| right < asked);
    let wrong: Vec<String> = wrong.map(|(name, (right, asked))| format!("{name} {right}/{asked}")).collect();
    let name = set.file_name().unwrap_or_default().to_string_lossy();
    outcome.lines.push(format!("{name}: {right} of {asked} right; less than all: {}", wrong.join(", ")));
    outcome.right += right;
    outcome.asked += asked;
    Ok(())
}

/// What is wrong with the answer, if anything is.
fn judge(asker: &Asker<'_>, question: &Value, tree: &Path) -> Result<Option<String>> {
    let text = question["question"].as_str().context("a question has words")?;
    let answer = match asker.rows("ask", text, tree) {
        Ok(answer) => answer,
        Err(error) => return Ok(Some(format!("{error:#}"))),
    };
    if let Some(count) = question["answer"]["count"].as_u64() {
        let said = answer.rows.first().and_then(|row| row.as_object()?.values().find_map(Value::as_u64));
        let said = if answer.rows.len() == 1 { said } else { None };
        return Ok((said != Some(count)).then(|| format!("{count} expected, {said:?} said by {}", answer.query)));
    }
    let (expected, said) = match (&question["answer"], &question["reference"], &question["rows"]) {
        (Value::Array(items), ..) => {
            let said: BTreeSet<String> =
                answer.rows.iter().map(place).filter(|place| place.starts_with(PUBLIC_SCOPE)).collect();
            (items.iter().map(place).collect(), said)
        }
        (_, Value::String(reference), _) => compared(&asker.rows("cypher", reference, tree)?.rows, &answer.rows),
        (_, _, Value::Array(rows)) => compared(rows, &answer.rows),
        _ => bail!("{} has no answer", question["id"]),
    };
    let missing: Vec<&String> = expected.difference(&said).take(3).collect();
    let surplus: Vec<&String> = said.difference(&expected).take(3).collect();
    let problem = format!("missing {missing:?}, too much {surplus:?}, by {}", answer.query);
    Ok((expected != said).then_some(problem))
}

/// File and last part of the name, as the public sets compare them.
fn place(row: &Value) -> String {
    let text = |names: &[&str]| names.iter().find_map(|name| row[*name].as_str()).unwrap_or_default().to_owned();
    let name = text(&["name"]);
    let name = name.rsplit(['.', ':']).next().unwrap_or_default();
    format!("{} {name}", text(&["file", "file_path"]).trim_start_matches("./"))
}

/// The rows of both as sets, each row reduced to the columns of the expected ones.
fn compared(expected: &[Value], said: &[Value]) -> (BTreeSet<String>, BTreeSet<String>) {
    let columns: Vec<&String> =
        expected.first().and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name).collect();
    let reduced =
        |row: &Value| columns.iter().map(|column| row[column.as_str()].to_string()).collect::<Vec<_>>().join(" ");
    (expected.iter().map(reduced).collect(), said.iter().map(reduced).collect())
}

struct Asker<'a> {
    binary: &'a Path,
    home: TempDir,
}

struct Answered {
    query: String,
    rows: Vec<Value>,
}

impl Asker<'_> {
    fn rows(&self, command: &str, question: &str, tree: &Path) -> Result<Answered> {
        let mut trailmark = Command::new(self.binary);
        workspace::remove_settings(&mut trailmark);
        trailmark.env("TRAILMARK_HOME", self.home.path()).env("NO_COLOR", "1");
        trailmark.args(["--json", command, "--limit", LIMIT, "--", question]).arg(tree);
        let printed: Value = serde_json::from_str(&process::run_ok(&mut trailmark, ONE)?.stdout)?;
        let rows = printed["results"].as_array().cloned().unwrap_or_default();
        let query = printed["query_used"].as_str().unwrap_or_default().to_owned();
        let rows = rows.into_iter().map(|row| self.with_file(row, tree)).collect::<Result<_>>()?;
        Ok(Answered { query, rows })
    }

    /// A row that names a thing but not its file is completed, as a reader would do who wants to see it.
    fn with_file(&self, mut row: Value, tree: &Path) -> Result<Value> {
        let name = row["qualified_name"].as_str().map(str::to_owned);
        if let (Some(name), Some(columns), Value::Null) =
            (name, row.as_object().map(serde_json::Map::len), &row["file_path"])
            && columns == 2
        {
            let quoted = name.replace('\\', "\\\\").replace('\'', "\\'");
            let query = format!(
                "MATCH (n) WHERE n.qualified_name = '{quoted}' AND n.file_path IS NOT NULL RETURN n.file_path AS f, 1 AS a, 2 AS b"
            );
            let found = self.rows("cypher", &query, tree)?;
            row["file_path"] = found.rows.first().map_or(Value::Null, |found| found["f"].clone());
        }
        Ok(row)
    }
}
