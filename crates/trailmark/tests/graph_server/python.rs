//! Other programs' view of a graph, by a script that uses their own libraries.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The interpreter that has the packages.
pub(crate) fn interpreter() -> PathBuf {
    let found = std::env::var_os("TRAILMARK_TEST_PYTHON");
    found.map(PathBuf::from).expect("run these tests with `cargo xtask test --only tests-with-graph-server`")
}

/// What the script prints, as JSON.
#[track_caller]
pub(crate) fn look(arguments: &[&str]) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/graph_server/look.py");
    let mut command = Command::new(interpreter());
    command.arg(script).args(arguments).env("PYTHONDONTWRITEBYTECODE", "1");
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {errors}"))
}
