//! The finding half of `cargo xtask eval experiences`: do questions find the text that holds their answer?
//!
//! CMRC 2018 (Chinese paragraphs) and LoCoMo (turns of English conversations) are public, but no registry has them: say where they are
//! with `--tree cmrc=FOLDER` and `--tree locomo=FOLDER`.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::Options;
use crate::process::{self, Show};
use crate::workspace;

const LONGEST: Duration = Duration::from_secs(20 * 60);

/// A set, the figure it is held to, and the least it must be.
struct Set {
    name: &'static str,
    file: &'static str,
    figure: &'static str,
    least: f64,
}

const SETS: &[Set] = &[
    Set { name: "cmrc", file: "cmrc2018_dev.json", figure: "at_1", least: 0.957 },
    Set { name: "locomo", file: "locomo10.json", figure: "at_5", least: 0.63 },
];

/// Prints the figures; true when every set that is there reaches its own.
pub(super) fn run(root: &Path, options: &Options) -> Result<bool> {
    let mut holds = true;
    for set in SETS {
        let given = options.trees.iter().find(|(name, _)| name == set.name).map(|(_, folder)| folder);
        match given {
            Some(folder) => holds &= measure(root, set, folder)?,
            None => println!("{}: not run, say where {} is with --tree {}=FOLDER", set.name, set.file, set.name),
        }
    }
    Ok(holds)
}

fn measure(root: &Path, set: &Set, folder: &Path) -> Result<bool> {
    let folder = folder.canonicalize().with_context(|| format!("cannot find {}", folder.display()))?;
    let mut cargo = workspace::cargo(root);
    cargo.args(["bench", "--package", "store-sqlite", "--bench", "experiences", "--", set.name]).arg(folder);
    let finished = process::run(&mut cargo, LONGEST, Show::Nothing)?;
    ensure!(finished.status.success(), "the bench of store-sqlite failed:\n{}", finished.tail(20));
    let line = finished.stdout.lines().rfind(|line| line.starts_with('{')).context("the bench printed no figures")?;
    let figures: Value = serde_json::from_str(line)?;
    let share = |name: &str| figures["found"][name].as_f64().unwrap_or_default();
    let percent = |name: &str| format!("{:.1} %", 100.0 * share(name));
    println!(
        "{}: {} questions, the answer is first for {}, among 5 for {}, among 10 for {}; {} find nothing",
        set.name,
        figures["questions"],
        percent("at_1"),
        percent("at_5"),
        percent("at_10"),
        percent("nothing")
    );
    Ok(share(set.figure) >= set.least && share("nothing") == 0.0)
}
