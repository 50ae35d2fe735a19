//! Which promises a backend kept, written down for the table in `docs/backends.md`.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

/// The folder that results go to; without it they are not written down.
pub const RESULTS: &str = "TRAILMARK_TEST_RESULTS";

/// Writes down how every case about `subject` ended on `backend`.
///
/// # Panics
///
/// When the folder cannot be written.
pub fn record<'a>(backend: &str, subject: &str, passed: &[&str], failed: impl Iterator<Item = &'a str>) {
    let Some(folder) = std::env::var_os(RESULTS).map(PathBuf::from) else { return };
    let mut text = String::new();
    for name in passed {
        let _ = writeln!(text, "passed {name}");
    }
    for name in failed {
        let _ = writeln!(text, "failed {name}");
    }
    fs::create_dir_all(&folder).expect("the folder for results can be made");
    fs::write(folder.join(format!("{subject}.{backend}")), text).expect("results can be written");
}
