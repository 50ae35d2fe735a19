//! The release build: the binary as users get it, and the programs that are measured beside it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::{process, workspace};

const BUILD: Duration = Duration::from_secs(30 * 60);

/// Built now, unless `TRAILMARK_BIN` names one that is there already, such as that of another commit.
pub(crate) fn binary(root: &Path) -> Result<PathBuf> {
    if let Some(given) = std::env::var_os("TRAILMARK_BIN").filter(|value| !value.is_empty()) {
        let given = PathBuf::from(given);
        return given.canonicalize().with_context(|| format!("TRAILMARK_BIN: there is no {}", given.display()));
    }
    build(root, &["--package", "trailmark", "--bin", "trailmark"])
}

/// An example of a crate.
pub(crate) fn example(root: &Path, package: &str, name: &str) -> Result<PathBuf> {
    build(root, &["--package", package, "--example", name])
}

fn build(root: &Path, selection: &[&str]) -> Result<PathBuf> {
    let mut cargo = workspace::cargo(root);
    cargo.args(["build", "--release", "--message-format=json"]).args(selection);
    let finished = process::run_ok(&mut cargo, BUILD)?;
    let artifacts = finished.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut executables = artifacts.filter_map(|artifact| artifact["executable"].as_str().map(PathBuf::from));
    executables.next_back().context("cargo named no executable")
}
