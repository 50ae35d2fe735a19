//! `cargo xtask eval callgraph`: call edges and definitions beside what others say they are.
//!
//! The packs, their scorers and the targets are in the bench folder (`../shared/bench`, or where `TRAILMARK_BENCH` points);
//! Django comes from PyPI; other trees are given with `--tree`.

mod baseline;
mod caller_files;
mod packs;
mod scores;
mod targets;
mod trees;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};
use tempfile::TempDir;

use super::bench_folder::BenchFolder;
use super::{Options, Then};
use crate::{process, release, workspace};
use baseline::Baseline;
use scores::{Score, Scores};

/// No tree that is measured here takes as long, not even in a debug build.
const LONGEST: Duration = Duration::from_secs(10 * 60);

/// True unless figures were to be checked and one is worse than before.
pub(super) fn run(root: &Path, options: &Options) -> Result<bool> {
    let Some(bench) = BenchFolder::find(root) else { bail!("{}", BenchFolder::ABSENT) };
    let measured = Subject::new(release::binary(root)?)?;
    let mut scores = Scores::default();
    packs::measure(&measured, &bench, options, &mut scores)?;
    if options.packs.is_empty() {
        trees::measure(&measured, &bench, options, &mut scores)?;
        caller_files::measure(&measured, root, options.show, &mut scores)?;
    }
    println!("{scores}");
    match options.then {
        Then::Report => Ok(true),
        Then::Check => Ok(report(&Baseline::read(root)?.falls(&scores))),
        Then::Update => Baseline::read(root)?.with(&scores).write(root).map(|()| true),
    }
}

/// What became of the check of the packs.
#[derive(Debug)]
pub(crate) enum Checked {
    /// With a line on what was compared.
    Holds(String),
    Fell(Vec<String>),
    /// With the reason.
    NotRun(&'static str),
}

/// The packs alone, on a binary that is there already: no figure may be worse than at the last commit.
pub(crate) fn check_packs(root: &Path, binary: &Path) -> Result<Checked> {
    let Some(bench) = BenchFolder::find(root) else { return Ok(Checked::NotRun(BenchFolder::ABSENT)) };
    let measured = Subject::new(binary.to_path_buf())?;
    let mut scores = Scores::default();
    packs::measure(&measured, &bench, &Options::default(), &mut scores)?;
    println!("{scores}");
    let falls = Baseline::read(root)?.falls(&scores);
    Ok(if falls.is_empty() { Checked::Holds(scores.summary()) } else { Checked::Fell(falls) })
}

fn report(falls: &[String]) -> bool {
    falls.iter().for_each(|fall| println!("{fall}"));
    println!("callgraph: {} figures are worse than at the last commit", falls.len());
    falls.is_empty()
}

/// The binary that is measured, and room for what it writes.
#[derive(Debug)]
struct Subject {
    binary: PathBuf,
    scratch: TempDir,
}

impl Subject {
    fn new(binary: PathBuf) -> Result<Self> {
        Ok(Self { binary, scratch: tempfile::Builder::new().prefix("trailmark-eval-").tempdir()? })
    }

    /// What it prints about a folder, with a data folder of this name.
    fn ask(&self, command: &str, folder: &Path, format: &str, home: &str) -> Result<String> {
        let mut trailmark = Command::new(&self.binary);
        workspace::remove_settings(&mut trailmark);
        trailmark.env("TRAILMARK_HOME", self.scratch.path().join("homes").join(home)).env("NO_COLOR", "1");
        trailmark.current_dir(folder).arg(command).arg(folder).args(["--format", format]);
        Ok(process::run_ok(&mut trailmark, LONGEST)?.stdout)
    }

    /// A file for what is handed to a scorer.
    fn file(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }
}

/// Runs a scorer and returns what it prints.
fn scored(script: &Path, configure: impl FnOnce(&mut Command)) -> Result<String> {
    let (python, _) = crate::install::system_python()?;
    let mut scorer = Command::new(python);
    scorer.arg(script);
    configure(&mut scorer);
    Ok(process::run_ok(&mut scorer, LONGEST)?.stdout)
}
