//! Our side of the comparison: the binary on a copy of a tree, and tree-sitter alone on the same files.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;
use tempfile::TempDir;

use super::Size;
use crate::bench::usage::{self, Usage};
use crate::{sources, workspace};

/// Far beyond what anything here needs; a peer that hangs must not hang the run.
pub(super) const LONGEST: Duration = Duration::from_secs(30 * 60);

#[derive(Debug)]
pub(super) struct Subject {
    binary: PathBuf,
    parse_only: PathBuf,
    folder: TempDir,
}

/// A tree that may be changed, and where its graph is kept.
#[derive(Debug)]
pub(super) struct Project {
    pub(super) tree: PathBuf,
    pub(super) home: PathBuf,
}

/// What each kind of run costs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Costs {
    /// From nothing.
    pub(super) cold: Usage,
    pub(super) unchanged: Usage,
    /// After one file was changed.
    pub(super) edited: Usage,
}

/// What tree-sitter alone needs for the files of a project.
#[derive(Debug)]
pub(super) struct Alone {
    pub(super) files: u64,
    pub(super) lines: u64,
    pub(super) processor: Duration,
}

impl Subject {
    pub(super) fn new(binary: PathBuf, parse_only: PathBuf) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("trailmark-bench-").tempdir()?;
        Ok(Self { binary, parse_only, folder })
    }

    /// Room for copies; deleted at the end.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn project(&self, number: usize, tree: &Path) -> Result<Project> {
        let folder = self.folder.path().join(number.to_string());
        let project = Project { tree: folder.join("tree"), home: folder.join("home") };
        sources::copy(tree, &project.tree)?;
        Ok(project)
    }

    pub(super) fn costs(&self, project: &Project, size: &Size) -> Result<Costs> {
        let mut cold = Vec::new();
        for _ in 0..size.runs {
            if project.home.exists() {
                std::fs::remove_dir_all(&project.home)?;
            }
            cold.push(self.index(project)?);
        }
        let unchanged = repeat(size.runs, || self.index(project))?;
        let edited = repeat(size.runs, || {
            edit(&project.tree.join(size.edited))?;
            self.index(project)
        })?;
        Ok(Costs { cold: middle(cold), unchanged: middle(unchanged), edited: middle(edited) })
    }

    fn index(&self, project: &Project) -> Result<Usage> {
        let mut index = self.trailmark(project);
        index.args(["index", "--json"]).arg(&project.tree);
        Ok(usage::of(&mut index, None, LONGEST)?.0)
    }

    /// The binary with the project's data folder and none of the developer's settings.
    pub(super) fn trailmark(&self, project: &Project) -> Command {
        let mut command = Command::new(&self.binary);
        workspace::remove_settings(&mut command);
        command.current_dir(&project.tree).env("TRAILMARK_HOME", &project.home).env("NO_COLOR", "1");
        command
    }

    /// The files that are in the index, parsed once, one after another.
    pub(super) fn parse_alone(&self, project: &Project) -> Result<Alone> {
        let (_, files) = usage::of(Command::new(&self.parse_only).arg("list").arg(&project.home), None, LONGEST)?;
        let list = self.folder.path().join("files.txt");
        std::fs::write(&list, files)?;
        let mut parse = Command::new(&self.parse_only);
        let (_, printed) = usage::of(parse.arg("parse").arg(&project.tree), Some(File::open(&list)?), LONGEST)?;
        let said: Value = serde_json::from_str(&printed)?;
        let count = |name: &str| said[name].as_u64().with_context(|| format!("parse_only printed no {name}"));
        let seconds = said["seconds"].as_f64().context("parse_only printed no seconds")?;
        Ok(Alone { files: count("files")?, lines: count("lines")?, processor: Duration::from_secs_f64(seconds) })
    }
}

/// Adds a function, as an editor would that saves in place.
pub(super) fn edit(file: &Path) -> Result<String> {
    static EDITS: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let name = format!("added_by_the_benchmark_{}", EDITS.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
    let mut open =
        File::options().append(true).open(file).with_context(|| format!("cannot change {}", file.display()))?;
    open.write_all(format!("\n\ndef {name}(value):\n    return str(value)\n").as_bytes())?;
    Ok(name)
}

pub(super) fn repeat<T>(count: usize, mut measure: impl FnMut() -> Result<T>) -> Result<Vec<T>> {
    (0..count).map(|_| measure()).collect()
}

/// The run with the median processor time.
pub(super) fn middle(mut runs: Vec<Usage>) -> Usage {
    runs.sort_by_key(|usage| usage.processor);
    runs[runs.len() / 2]
}
