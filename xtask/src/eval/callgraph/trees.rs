//! Real repositories: their call edges as compilers and indexers see them, and their definitions.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::super::Options;
use super::{BenchFolder, Score, Scores, Subject, scored};

const CALLS: Kind = Kind {
    what: "calls",
    folder: "callgraph/real",
    ending: ".json",
    scorer: "callgraph/score_real.py",
    arguments: &[],
    read: read_calls,
};
const SYMBOLS: Kind = Kind {
    what: "symbols",
    folder: "symbols",
    ending: ".jsonl",
    scorer: "symbols/score_symbols.py",
    arguments: &["--merge"],
    read: read_symbols,
};

/// One kind of truth about a repository.
struct Kind {
    what: &'static str,
    folder: &'static str,
    ending: &'static str,
    scorer: &'static str,
    arguments: &'static [&'static str],
    /// The size and the figures in what the scorer says.
    read: fn(&str) -> Option<Reading>,
}

/// The size of the truth, and the figures by name.
type Reading = (String, Vec<(&'static str, f64)>);

pub(super) fn measure(subject: &Subject, bench: &BenchFolder, options: &Options, scores: &mut Scores) -> Result<()> {
    let mut known = Vec::new();
    for kind in [&CALLS, &SYMBOLS] {
        for (name, gold) in bench.files(kind.folder, kind.ending)? {
            let set = format!("{} of {name}", kind.what);
            match options.trees.iter().find(|(given, _)| *given == name) {
                Some((_, tree)) => {
                    scores.add(kind.score(
                        subject,
                        &bench.path(kind.scorer),
                        Compared { set: &set, gold: &gold, tree },
                        options.show,
                    )?);
                }
                None => scores.not_run(&set, format!("where its tree is was not said with --tree {name}=FOLDER")),
            }
            known.push(name);
        }
    }
    match options.trees.iter().find(|(given, _)| !known.contains(given)) {
        Some((unknown, _)) => bail!("nothing is known of a tree `{unknown}`; the trees are {}", known.join(", ")),
        None => Ok(()),
    }
}

/// A tree, and the truth about it.
struct Compared<'a> {
    set: &'a str,
    gold: &'a Path,
    tree: &'a Path,
}

impl Kind {
    fn score(&self, subject: &Subject, scorer: &Path, compared: Compared<'_>, show: usize) -> Result<Score> {
        let Compared { set, gold, tree } = compared;
        let tree = tree.canonicalize().with_context(|| format!("there is no tree {}", tree.display()))?;
        let name = set.replace(' ', "-");
        let predictions: PathBuf = subject.file(&format!("{name}.jsonl"));
        std::fs::write(&predictions, subject.ask(self.what, &tree, "lines", &name)?)?;
        let said = scored(scorer, |scorer| {
            scorer.arg("--gold").arg(gold).arg("--pred").arg(&predictions).args(self.arguments);
            scorer.args(["--show", &show.to_string()]);
        })?;
        if show > 0 {
            println!("{set}\n{said}");
        }
        let (size, figures) = (self.read)(&said).with_context(|| format!("{set}: the scorer said:\n{said}"))?;
        Ok(Score { set: set.to_owned(), size, figures, beside: String::new() })
    }
}

/// `owner/name: gold 266  predicted 800  recall 0.940  contradicted 3 (0.004) … precision on decidable 0.990`
fn read_calls(said: &str) -> Option<Reading> {
    let line = said.lines().next()?;
    let precision = after(line, "precision on decidable ").or_else(|| after(line, "precision "))?;
    let size = format!("{} edges", after(line, "gold ")?);
    Some((size, vec![("precision", precision), ("recall", after(line, "recall ")?)]))
}

/// `ALL  gold TP FP FN  precision  recall`
fn read_symbols(said: &str) -> Option<Reading> {
    let line = said.lines().find(|line| line.starts_with("ALL "))?;
    let fields: Vec<&str> = line.split_whitespace().collect();
    let [_, gold, _, _, _, precision, recall] = fields.as_slice() else { return None };
    Some((format!("{gold} symbols"), vec![("precision", precision.parse().ok()?), ("recall", recall.parse().ok()?)]))
}

fn after(line: &str, words: &str) -> Option<f64> {
    line.split_once(words)?.1.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_scorers_say_is_read() {
        let calls = "a/b: gold 10  predicted 12  recall 0.900  contradicted 1 (0.083)  unconfirmed 2  precision on decidable 0.875\nmore";
        assert_eq!(read_calls(calls), Some(("10 edges".to_owned(), vec![("precision", 0.875), ("recall", 0.9)])));
        let symbols = "kind x\nALL              5      4     1     1  0.800  0.750\nEXTRA y";
        assert_eq!(read_symbols(symbols), Some(("5 symbols".to_owned(), vec![("precision", 0.8), ("recall", 0.75)])));
        assert_eq!((read_calls("oops"), read_symbols("oops")), (None, None));
    }
}
