//! What every language folder must hold, and what no text may do to any of them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod folders;
mod own_parsers;
mod recognition;
mod robustness;

use std::path::{Path, PathBuf};

/// The source files in a language's `fixtures/`.
fn fixtures(id: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("languages").join(id).join("fixtures");
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    files.sort();
    files
}
