//! Real clients: the scripts in `crates/trailmark/tests/clients`, each with the binary as `TRAILMARK_BIN` and the
//! frozen surface as `TRAILMARK_SURFACE`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use super::report::Outcome;
use super::server::isolated;
use super::session::Session;
use crate::process::{self, Finished, Show};

const SCRIPTS: &str = "crates/trailmark/tests/clients";
/// Those that start a service beside the server.
const API_SCRIPTS: &str = "crates/trailmark/tests/clients/apis";
/// One file for each tool: what clients must see of it.
const SURFACE: &str = "crates/trailmark/contract/tools";

const LIMIT: Duration = Duration::from_secs(5 * 60);

pub(super) fn python(session: &mut Session) -> Result<Outcome> {
    let folder = session.root.join(SCRIPTS);
    let python = session.python()?;
    run_scripts(session, &folder, "py", || python.python())
}

/// A service from PyPI, driven by the Python client through its own document.
pub(super) fn apis(session: &mut Session) -> Result<Outcome> {
    let folder = session.root.join(API_SCRIPTS);
    let python = session.apis()?;
    run_scripts(session, &folder, "py", || python.python())
}

/// The scripts import the packages by name, so copies of them run below the folder where those are installed.
pub(super) fn node(session: &mut Session) -> Result<Outcome> {
    let node = session.node()?;
    let folder = tempfile::Builder::new().prefix("clients-").tempdir_in(node.folder())?;
    for script in scripts(&session.root.join(SCRIPTS), "")? {
        let name = script.file_name().context("a script has a name")?;
        std::fs::copy(&script, folder.path().join(name))
            .with_context(|| format!("cannot copy {}", script.display()))?;
    }
    run_scripts(session, folder.path(), "mjs", || node.node())
}

fn run_scripts(
    session: &Session,
    folder: &Path,
    extension: &str,
    interpreter: impl Fn() -> Command,
) -> Result<Outcome> {
    let scripts = scripts(folder, extension)?;
    let (mut passed, mut problems) = (0, Vec::new());
    for script in &scripts {
        let name = script.file_name().context("a script has a name")?.to_string_lossy();
        println!("-- {name}");
        let home = session.folder("home")?;
        let binary = &session.binaries()?.plain;
        let mut command = interpreter();
        for (variable, value) in isolated(binary, &home).get_envs() {
            match value {
                Some(value) => command.env(variable, value),
                None => command.env_remove(variable),
            };
        }
        command.arg(script).env("TRAILMARK_BIN", binary).env("TRAILMARK_SURFACE", session.root.join(SURFACE));
        command.env("PYTHONDONTWRITEBYTECODE", "1").current_dir(&home);
        match process::run(&mut command, LIMIT, Show::Live).map(|finished| judge(&finished)) {
            Ok(Ok(count)) => passed += count,
            Ok(Err(problem)) => problems.push(format!("{name}: {problem}")),
            Err(error) => problems.push(format!("{name}: {error:#}")),
        }
    }
    Ok(match (scripts.len(), problems.is_empty()) {
        (0, _) => Outcome::Failed(format!("there is no *.{extension} in {SCRIPTS}")),
        (count, true) => Outcome::Passed(format!("{count} scripts, {passed} checks passed")),
        (_, false) => Outcome::Failed(problems.join("\n")),
    })
}

/// The number of checks that passed, or why the script as a whole did not.
fn judge(finished: &Finished) -> Result<usize, String> {
    let closing = finished.stdout.lines().rev().find_map(closing_line);
    match closing {
        _ if !finished.status.success() => Err(format!("{}:\n{}", finished.status, finished.tail(15))),
        None => Err("it did not close with `N passed, M failed`".to_owned()),
        Some((0, _)) => Err("it checked nothing".to_owned()),
        Some((passed, 0)) => Ok(passed),
        Some((_, failed)) => Err(format!("{failed} checks failed")),
    }
}

/// `3 passed, 0 failed` → (3, 0).
fn closing_line(line: &str) -> Option<(usize, usize)> {
    let (passed, failed) = line.trim().split_once(", ")?;
    let count = |part: &str, word: &str| part.strip_suffix(word)?.trim_end().parse().ok();
    Some((count(passed, " passed")?, count(failed, " failed")?))
}

/// Files with this extension, or all files where it is empty, sorted.
fn scripts(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(Vec::new()) };
    let mut scripts = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let found = path.extension().unwrap_or_default();
        if path.is_file() && (extension.is_empty() || found == extension) {
            scripts.push(path);
        }
    }
    scripts.sort();
    Ok(scripts)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn check(script: &str, expected: Result<usize, &str>) {
        let finished =
            process::run(Command::new("sh").args(["-c", script]), Duration::from_secs(20), Show::Nothing).unwrap();
        let judged = judge(&finished);
        match expected {
            Ok(count) => assert_eq!(judged, Ok(count)),
            Err(problem) => assert!(judged.as_ref().unwrap_err().contains(problem), "{judged:?}"),
        }
    }

    #[test]
    fn a_script_passes_only_with_the_closing_line_and_the_exit_code() {
        check("echo x; echo '12 passed, 0 failed'", Ok(12));
        check("echo '12 passed, 0 failed'; echo oops >&2; exit 1", Err("oops"));
        check("echo '11 passed, 1 failed'", Err("1 checks failed"));
        check("echo '0 passed, 0 failed'", Err("it checked nothing"));
        check("echo fine", Err("it did not close with"));
    }
}
