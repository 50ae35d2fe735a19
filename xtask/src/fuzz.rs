//! `cargo xtask fuzz`: the tests named `fuzz_*`, which go on for as many seconds as `TRAILMARK_FUZZ_SECONDS` says.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::process::{self, Show};
use crate::test_run::cargo_tests::Totals;
use crate::workspace;

const SECONDS: &str = "TRAILMARK_FUZZ_SECONDS";
const BUILD: Duration = Duration::from_secs(60 * 60);
/// No more targets than this are expected to run one after the other.
const TARGETS: u32 = 20;

pub(crate) fn run(root: &Path, seconds: u64) -> Result<bool> {
    let totals = run_targets(root, seconds, Some("fuzz"))?;
    println!("fuzz: {} targets passed, {} failed, {seconds} s each", totals.passed, totals.failed);
    Ok(totals.failed == 0)
}

/// Without a profile, the build that `cargo test` has already made is used.
pub(crate) fn run_targets(root: &Path, seconds: u64, profile: Option<&str>) -> Result<Totals> {
    let mut cargo = workspace::cargo(root);
    match profile {
        Some(profile) => cargo.args(["test", "--package", "trailmark", "--profile", profile]),
        None => cargo.args(["test", "--workspace"]),
    };
    cargo.args(["--test", "it"]);
    cargo.args(["--", "fuzz_", "--nocapture"]).env(SECONDS, seconds.to_string());
    let limit = BUILD + Duration::from_secs(seconds) * TARGETS;
    let finished = process::run(&mut cargo, limit, Show::Live)?;
    let totals = Totals::read(&finished.stdout).context("the fuzz targets did not compile")?;
    if totals.passed + totals.failed == 0 {
        bail!("no test has a name that begins with `fuzz_`");
    }
    if !finished.status.success() && totals.failed == 0 {
        bail!("a fuzz target ended the test program ({})", finished.status);
    }
    Ok(totals)
}
