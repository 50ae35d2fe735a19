//! The two builds under test: as users get it, and with the conformance suite's fixtures.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::process::{self, Show};
use crate::workspace;

const PACKAGE: &str = "trailmark";
const FIXTURES: &str = "trailmark/conformance";
const BUILD: Duration = Duration::from_secs(60 * 60);

/// Copies, because the second build replaces the file of the first.
#[derive(Debug)]
pub(super) struct Binaries {
    pub(super) plain: PathBuf,
    pub(super) with_fixtures: PathBuf,
}

impl Binaries {
    pub(super) fn build(root: &Path, folder: &Path) -> Result<Self> {
        let with_fixtures = build_one(root, &folder.join("fixtures"), &["--features", FIXTURES])?;
        let plain = build_one(root, &folder.join("plain"), &[])?;
        Ok(Self { plain, with_fixtures })
    }
}

fn build_one(root: &Path, folder: &Path, features: &[&str]) -> Result<PathBuf> {
    let mut cargo = build_command(root);
    cargo.args(features);
    let built = built(&mut cargo)?;
    std::fs::create_dir_all(folder)?;
    let copy = folder.join(built.file_name().context("an executable has a name")?);
    std::fs::copy(&built, &copy).with_context(|| format!("cannot copy {}", built.display()))?;
    Ok(copy)
}

/// The binary as users get it.
pub(crate) fn plain(root: &Path) -> Result<PathBuf> {
    built(&mut build_command(root))
}

fn build_command(root: &Path) -> Command {
    let mut cargo = workspace::cargo(root);
    // With the whole workspace, so that what the tests have built is used and not built anew with fewer features.
    cargo.args(["build", "--workspace", "--bin", PACKAGE, "--message-format=json-render-diagnostics"]);
    cargo
}

fn built(cargo: &mut Command) -> Result<PathBuf> {
    let finished = process::run(cargo, BUILD, Show::Nothing)?;
    if !finished.status.success() {
        bail!("`{}` failed:\n{}", process::describe(cargo), finished.stderr.trim_end());
    }
    executable(&finished.stdout).context("cargo named no executable that it had built")
}

/// The executable named in cargo's messages, one JSON object per line.
fn executable(messages: &str) -> Option<PathBuf> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let executables =
        messages.filter(|message| message["reason"] == "compiler-artifact" && message["target"]["name"] == PACKAGE);
    executables.filter_map(|message| message["executable"].as_str().map(PathBuf::from)).next_back()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_executable_is_found_among_cargos_messages() {
        let messages = r#"{"reason":"compiler-artifact","target":{"name":"trailmark"},"executable":null}
{"reason":"compiler-artifact","target":{"name":"other"},"executable":"/target/debug/other"}
not json
{"reason":"compiler-artifact","target":{"name":"trailmark"},"executable":"/target/debug/trailmark"}
{"reason":"build-finished","success":true}"#;
        assert_eq!(executable(messages), Some(PathBuf::from("/target/debug/trailmark")));
        assert_eq!(executable(""), None);
    }
}
