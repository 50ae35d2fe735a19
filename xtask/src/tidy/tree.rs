//! The files a check may look at: everything git tracks or would track, by path relative to the root.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::process;

#[derive(Debug)]
pub(super) struct Tree {
    root: PathBuf,
    /// Paths with `/` between their parts, sorted.
    files: BTreeSet<String>,
}

impl Tree {
    /// Files not yet added count too: a mistake should show before the commit, not after.
    pub(super) fn of_repository(root: &Path) -> Result<Self> {
        let mut git = Command::new("git");
        git.current_dir(root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        let files: Vec<String> = match process::run_ok(&mut git, Duration::from_secs(60)) {
            Ok(listed) => listed.stdout.split('\0').map(str::to_owned).collect(),
            // An unpacked archive, or a clone that git does not trust.
            Err(_) => walk(root)?,
        };
        let files = files.into_iter().filter(|path| root.join(path).is_file()).collect();
        Ok(Self { root: root.to_path_buf(), files })
    }

    pub(super) fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(String::as_str)
    }

    pub(super) fn files_ending(&self, suffix: &str) -> impl Iterator<Item = &str> {
        self.files().filter(move |path| path.ends_with(suffix))
    }

    pub(super) fn has_file(&self, path: &str) -> bool {
        self.files.contains(path)
    }

    /// A folder is there when a file is in it; the root is.
    pub(super) fn has_folder(&self, path: &str) -> bool {
        path.is_empty() || self.files().any(|file| file.strip_prefix(path).is_some_and(|rest| rest.starts_with('/')))
    }

    /// The text of a file; `None` for one that is missing or not UTF-8.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        if self.has_file(path) { std::fs::read_to_string(self.root.join(path)).ok() } else { None }
    }

    /// Every crate folder: those in `crates/`, and `xtask`.
    pub(super) fn crates(&self) -> Vec<CrateFolder> {
        let names: BTreeSet<&str> = self
            .files()
            .filter_map(|path| path.strip_prefix("crates/")?.split_once('/').map(|(name, _)| name))
            .collect();
        let mut folders: Vec<CrateFolder> = names
            .into_iter()
            .map(|name| CrateFolder { name: name.to_owned(), path: format!("crates/{name}") })
            .collect();
        if self.has_folder("xtask") {
            folders.push(CrateFolder { name: "xtask".to_owned(), path: "xtask".to_owned() });
        }
        folders
    }
}

/// Every file below the root but those of git and cargo.
fn walk(root: &Path) -> Result<Vec<String>> {
    let mut files = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(root.join(&folder)).with_context(|| format!("cannot list {folder:?}"))?;
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            match entry.file_type()? {
                kind if kind.is_dir() && path != ".git" && path != "target" => folders.push(path),
                kind if kind.is_file() => files.push(path),
                _ => {}
            }
        }
    }
    Ok(files)
}

#[derive(Debug)]
pub(super) struct CrateFolder {
    pub(super) name: String,
    pub(super) path: String,
}

impl CrateFolder {
    pub(super) fn manifest(&self) -> String {
        format!("{}/Cargo.toml", self.path)
    }
}

/// The line, counted from one, of the first line that contains `needle`; the first line if none does.
pub(super) fn line_of(text: &str, needle: &str) -> usize {
    text.lines().position(|line| line.contains(needle)).map_or(1, |index| index + 1)
}

#[cfg(test)]
pub(super) mod fixture {
    //! Made-up trees for the tests of the checks.

    use super::Tree;
    use crate::tidy::Violation;

    /// Runs one check over a tree with these files and compares its violations, each as `path:line: problem`.
    pub(in crate::tidy) fn check(check: fn(&Tree) -> Vec<Violation>, files: &[(&str, &str)], expected: &[&str]) {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let tree = Tree {
            root: folder.path().to_path_buf(),
            files: files.iter().map(|(path, _)| (*path).to_owned()).collect(),
        };
        let found = check(&tree);
        assert!(found.iter().all(|violation| !violation.fix.is_empty()), "a violation without a fix: {found:?}");
        let found: Vec<String> = found
            .iter()
            .map(|violation| format!("{}:{}: {}", violation.path, violation.line, violation.problem))
            .collect();
        assert_eq!(found, expected);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_files_are_seen_and_ignored_ones_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        process::run_ok(Command::new("git").current_dir(root).args(["init", "-q"]), Duration::from_secs(20)).unwrap();
        for (path, text) in [(".gitignore", "out\n"), ("crates/a/new.rs", "//! x\n"), ("out", "x")] {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let tree = Tree::of_repository(root).unwrap();
        assert_eq!(tree.files().collect::<Vec<_>>(), [".gitignore", "crates/a/new.rs"]);
        let mut walked = walk(root).unwrap();
        walked.sort();
        assert_eq!(walked, [".gitignore", "crates/a/new.rs", "out"]);
        assert!(tree.has_folder("crates/a") && !tree.has_folder("crates/a/new") && !tree.has_folder("cra"));
    }
}
