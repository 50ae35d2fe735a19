//! Which files call a function, in Django: our graph and grep beside what the text decides (`xtask/eval/caller_files.py`).

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::{Score, Scores, Subject, scored};
use crate::{cache, sources};

const SCRIPT: &str = "xtask/eval/caller_files.py";
const SET: &str = "callers in Django";
/// The part of the tree on which code-graph-rag published its figure.
const PACKAGE: &str = "django";
const FIGURES: [&str; 3] = ["precision", "recall", "f1"];

pub(super) fn measure(subject: &Subject, root: &Path, show: usize, scores: &mut Scores) -> Result<()> {
    let tree = cache::test_cache_dir().and_then(|cache| sources::unpacked(&cache, &sources::DJANGO));
    let tree = match tree {
        Ok(tree) => tree,
        Err(error) => {
            scores.not_run(SET, format!("{error:#}"));
            return Ok(());
        }
    };
    let edges = subject.file("django.jsonl");
    std::fs::write(&edges, subject.ask("calls", &tree, "lines", "django")?)?;
    let measured = score(subject, root, &tree, &edges, show)?;
    scores.add(read(SET, &measured["by_definition"])?);
    scores.add(read(&format!("{SET} by name"), &measured["by_name"])?);
    Ok(())
}

fn score(subject: &Subject, root: &Path, tree: &Path, edges: &Path, show: usize) -> Result<Value> {
    let out = subject.file("caller-files.json");
    let said = scored(&root.join(SCRIPT), |scorer| {
        scorer.arg("--tree").arg(tree).arg("--pred").arg(edges).arg("--json").arg(&out);
        scorer.args(["--package", PACKAGE, "--show", &show.to_string()]);
    })?;
    if show > 0 {
        println!("{SET}\n{said}");
    }
    Ok(serde_json::from_str(&std::fs::read_to_string(&out)?)?)
}

fn read(set: &str, measured: &Value) -> Result<Score> {
    let figure = |kind: &str, name: &str| {
        measured[kind][name].as_f64().with_context(|| format!("{SCRIPT} wrote no {name} of {kind}"))
    };
    let count = |name: &str| measured["graph"][name].as_u64().unwrap_or(0);
    let size = format!("{} pairs", count("hits") + count("missed"));
    let figures = FIGURES.iter().map(|name| Ok((*name, figure("graph", name)?))).collect::<Result<_>>()?;
    let beside =
        format!("calls by grep F1 {:.3}, names by grep {:.3}", figure("call-grep", "f1")?, figure("name-grep", "f1")?);
    Ok(Score { set: set.to_owned(), size, figures, beside })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: &[(&str, &str)] = &[
        ("p/__init__.py", ""),
        (
            "p/shop.py",
            "from os.path import join\n\nclass Shop:\n    def open(self):\n        return self.sell()\n\n    def sell(self):\n        return join('a', 'b')\n",
        ),
        ("p/other.py", "def sell():\n    pass\n\ndef join():\n    pass\n"),
        (
            "use.py",
            "from p import other, shop as s\n\nother.sell()\ns.Shop().open()\n\ndef later(thing):\n    thing.join()\n",
        ),
    ];

    /// What the script says about the files above and these edges.
    fn judged(edges: &str) -> Value {
        let subject = Subject::new("unused".into()).unwrap();
        let tree = subject.file("tree");
        for (path, text) in FILES {
            let path = tree.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let predictions = subject.file("edges.jsonl");
        std::fs::write(&predictions, edges).unwrap();
        score(&subject, &crate::workspace::root().unwrap(), &tree, &predictions, 0).unwrap()
    }

    fn counts(measured: &Value) -> [u64; 3] {
        ["hits", "wrong", "missed"].map(|name| measured[name].as_u64().unwrap())
    }

    #[test]
    fn a_graph_that_knows_what_calls_mean_is_right() {
        let edges = "[\"p/shop.py\", 4, \"p/shop.py\", 7]\n[\"use.py\", 0, \"p/other.py\", 1]\n\
            [\"use.py\", 0, \"p/shop.py\", 3]\n[\"use.py\", 0, \"p/shop.py\", 4]\n";
        assert_eq!(counts(&judged(edges)["by_definition"]["graph"]), [4, 0, 0]);
    }

    #[test]
    fn a_namesake_is_wrong_and_what_is_undecided_is_not_scored() {
        // The library's `join`, the other `sell`, and a `join` of who knows what.
        let edges = "[\"p/shop.py\", 7, \"p/other.py\", 4]\n[\"p/shop.py\", 4, \"p/other.py\", 1]\n[\"use.py\", 6, \"p/other.py\", 4]\n";
        assert_eq!(counts(&judged(edges)["by_definition"]["graph"]), [0, 2, 4]);
    }

    #[test]
    fn grep_answers_with_every_namesake() {
        assert_eq!(counts(&judged("")["by_definition"]["call-grep"]), [4, 3, 0]);
    }
}
