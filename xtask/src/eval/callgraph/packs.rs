//! Small programs with their call edges: each is written to a folder of its own, and what we find there is scored.

use std::collections::BTreeMap;
use std::path::{Component, Path};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::super::Options;
use super::{BenchFolder, Score, Scores, Subject, scored};

const FOLDER: &str = "callgraph/packs";
const SCORER: &str = "callgraph/score_cg.py";

pub(super) fn measure(subject: &Subject, bench: &BenchFolder, options: &Options, scores: &mut Scores) -> Result<()> {
    let all = bench.files(FOLDER, ".jsonl")?;
    let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    if let Some(unknown) = options.packs.iter().find(|pack| !names.contains(&pack.as_str())) {
        bail!("unknown pack `{unknown}`; the packs are {}", names.join(", "));
    }
    for (name, path) in all.iter().filter(|(name, _)| options.packs.is_empty() || options.packs.contains(name)) {
        let predictions = subject.file(&format!("{name}.jsonl"));
        std::fs::write(&predictions, predict(subject, name, path)?)?;
        scores.add(score(subject, bench, name, path, &predictions, options.show)?);
    }
    Ok(())
}

/// One line for each case: its name and the edges that we find.
fn predict(subject: &Subject, pack: &str, path: &Path) -> Result<String> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let cases = text.lines().filter(|line| !line.trim().is_empty());
    let cases = cases.map(serde_json::from_str).collect::<Result<Vec<Value>, _>>()?;
    let programs = programs(&cases);
    let edges = in_parallel(programs.len(), |number| {
        let (name, program) = programs.iter().nth(number).context("there are that many programs")?;
        let folder = subject.file("cases").join(pack).join(number.to_string());
        write_files(&folder, program)?;
        let printed = subject.ask("calls", &folder, "json", &format!("{pack}-{number}"));
        let printed = printed.with_context(|| format!("{pack}: {name}"))?;
        let mut printed: Value = serde_json::from_str(&printed).with_context(|| format!("{pack}: {name}: not JSON"))?;
        Ok((*name, printed["edges"].take()))
    })?;
    let edges: BTreeMap<&str, Value> = edges.into_iter().collect();
    let line = |case: &Value| {
        let name = format!("{}/{}", text_of(case, "category"), text_of(case, "case"));
        json!({ "case": name, "edges": edges[program_of(case)] }).to_string() + "\n"
    };
    Ok(cases.iter().map(line).collect())
}

/// The files of each program. Cases of one workspace share a program, which the first of them brings.
fn programs(cases: &[Value]) -> BTreeMap<&str, &Value> {
    let whole = cases.iter().filter(|case| case["files"].as_object().is_some_and(|files| !files.is_empty()));
    whole.map(|case| (own_name(case), &case["files"])).collect()
}

fn program_of(case: &Value) -> &str {
    let own = case["files"].as_object().is_some_and(|files| !files.is_empty());
    if own { own_name(case) } else { text_of(case, "workspace") }
}

/// Within a pack, the same name may stand in two categories; workspaces are named by their case alone.
fn own_name(case: &Value) -> &str {
    case["source"].as_str().filter(|_| case["workspace"].is_null()).unwrap_or_else(|| text_of(case, "case"))
}

fn text_of<'a>(case: &'a Value, field: &str) -> &'a str {
    case[field].as_str().unwrap_or_default()
}

fn write_files(folder: &Path, files: &Value) -> Result<()> {
    for (path, text) in files.as_object().into_iter().flatten() {
        let inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        ensure!(inside, "`{path}` is not a path inside a folder");
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().context("a file is in a folder")?)?;
        std::fs::write(path, text.as_str().unwrap_or_default())?;
    }
    Ok(())
}

fn score(
    subject: &Subject,
    bench: &BenchFolder,
    pack: &str,
    path: &Path,
    predictions: &Path,
    show: usize,
) -> Result<Score> {
    let totals = |fold: bool| -> Result<Value> {
        let out = subject.file("score.json");
        let said = scored(&bench.path(SCORER), |scorer| {
            scorer.arg("--pack").arg(path).arg("--pred").arg(predictions).arg("--json").arg(&out);
            scorer.args(["--show-misses", &show.to_string()]).args(fold.then_some("--collapse-anon"));
        })?;
        if show > 0 && !fold {
            println!("{pack}\n{said}");
        }
        let mut scores: Value = serde_json::from_str(&std::fs::read_to_string(&out)?)?;
        Ok(scores["TOTAL"].take())
    };
    let (total, folded) = (totals(false)?, totals(true)?);
    let is_partial = total["kind"] == "partial";
    let names: &[&'static str] = if is_partial { &["recall"] } else { &["precision", "recall", "f1"] };
    let last = names.last().copied().unwrap_or("recall");
    let figure = |total: &Value, name: &str| total[name].as_f64().with_context(|| format!("{pack}: no {name}"));
    let figures = names.iter().map(|name| Ok((*name, figure(&total, name)?))).collect::<Result<_>>()?;
    let size = format!(
        "{} cases, {} edges",
        total["cases"],
        total["tp"].as_u64().unwrap_or(0) + total["fn"].as_u64().unwrap_or(0)
    );
    let what = if is_partial { "recall" } else { "F1" };
    let beside = format!("without anonymous functions {what} {:.3}", figure(&folded, last)?);
    Ok(Score { set: pack.to_owned(), size, figures, beside })
}

/// The results for 0 to `count`, in any order, with as many at a time as there are cores.
fn in_parallel<T: Send>(count: usize, work: impl Fn(usize) -> Result<T> + Sync) -> Result<Vec<T>> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(count)));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let next = &next;
    std::thread::scope(|scope| {
        for _ in 0..cores.min(count) {
            let numbers = move || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|number| *number < count);
            let (work, done) = (&work, &done);
            scope.spawn(move || {
                for number in std::iter::from_fn(numbers) {
                    let result = work(number);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push(result);
                }
            });
        }
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_of_one_workspace_share_its_program() {
        let cases = [
            json!({"category": "a", "case": "x", "source": "s1", "files": {"x.py": ""}}),
            json!({"category": "b", "case": "x", "source": "s2", "files": {"x.py": ""}}),
            json!({"category": "c", "case": "w", "source": "s3", "workspace": "w", "files": {"w.rs": ""}}),
            json!({"category": "c", "case": "v", "source": "s4", "workspace": "w", "files": {}}),
        ];
        assert_eq!(programs(&cases).into_keys().collect::<Vec<_>>(), ["s1", "s2", "w"]);
        assert_eq!(cases.each_ref().map(program_of), ["s1", "s2", "w", "w"]);
    }

    #[test]
    fn a_case_cannot_write_outside_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["../x", "/x", "a/../../x"] {
            assert!(write_files(folder.path(), &json!({ path: "" })).is_err(), "{path}");
        }
        write_files(folder.path(), &json!({"a/b.py": "x"})).unwrap();
        assert_eq!(std::fs::read_to_string(folder.path().join("a/b.py")).unwrap(), "x");
    }

    #[test]
    fn work_in_parallel_is_done_once_each_and_reports_what_failed() {
        let mut done = in_parallel(9, Ok).unwrap();
        done.sort_unstable();
        assert_eq!(done, (0..9).collect::<Vec<_>>());
        assert!(in_parallel(9, |number| if number == 5 { bail!("five") } else { Ok(()) }).is_err());
    }
}
