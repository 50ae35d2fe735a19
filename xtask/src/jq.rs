//! jq, which the scripts of a specification pipe into: the one on the machine, or else Debian's package.

use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::process;

const ASK: Duration = Duration::from_secs(10);
const INSTALL: Duration = Duration::from_secs(5 * 60);

/// The version that will answer.
pub(crate) fn install() -> Result<String> {
    if let Ok(version) = version() {
        return Ok(version);
    }
    for arguments in [&["update"][..], &["install", "--yes", "jq"]] {
        process::run_ok(Command::new("apt-get").args(arguments), INSTALL)
            .context("there is no jq, and Debian's package `jq` could not be installed")?;
    }
    version()
}

fn version() -> Result<String> {
    Ok(process::run_ok(Command::new("jq").arg("--version"), ASK)?.stdout.trim().to_owned())
}
