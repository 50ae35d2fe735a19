//! `cargo xtask tidy`: what a machine can check about this repository, so that people need not.
//!
//! One file and one row of [`CHECKS`] per check. A check reads a [`Tree`] and returns [`Violation`]s; it never stops at
//! the first.

mod contracts;
mod dependencies;
mod links;
mod machine_paths;
mod map;
mod names;
mod readme;
mod sizes;
mod sources;
mod syntax;
mod tree;

use std::fmt;
use std::path::Path;

use anyhow::Result;

use crate::docs;
use tree::Tree;

type Check = fn(&Tree) -> Vec<Violation>;

/// The rows that need nothing but the files. Whether the generated documents are fresh needs the built binary: see
/// [`docs::check`].
const CHECKS: &[(&str, Check)] = &[
    ("every crate is in the map and the map is true", map::check),
    ("dependencies follow the map", dependencies::check),
    ("every source file opens by saying what it is for", sources::check),
    ("files and functions are small", sizes::check),
    ("modules have names that say something", names::check),
    ("no test is ignored and nothing is left to do", syntax::check),
    ("every tool has a contract and a snapshot", contracts::check),
    ("links lead somewhere", links::check),
    ("the README is short and has its two commands", readme::check),
    ("no path of a developer's machine", machine_paths::check),
];

#[derive(Debug)]
struct Violation {
    path: String,
    line: usize,
    problem: String,
    fix: String,
}

impl Violation {
    fn new(path: impl Into<String>, line: usize, problem: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { path: path.into(), line, problem: problem.into(), fix: fix.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}\n    fix: {}", self.path, self.line, self.problem, self.fix)
    }
}

/// All checks, and whether the generated documents are fresh.
pub(crate) fn run(root: &Path) -> Result<bool> {
    let files_are_tidy = check_files(root)?;
    let documents_are_fresh = docs::check(root)?;
    Ok(files_are_tidy && documents_are_fresh)
}

/// All checks that need only the files.
pub(crate) fn check_files(root: &Path) -> Result<bool> {
    let tree = Tree::of_repository(root)?;
    let mut count = 0;
    for (promise, check) in CHECKS {
        let violations = check(&tree);
        println!("{}: {promise}", if violations.is_empty() { "ok" } else { "BROKEN" });
        violations.iter().for_each(|violation| println!("{violation}"));
        count += violations.len();
    }
    println!("tidy: {} checks, {count} violations", CHECKS.len());
    Ok(count == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_repository_is_tidy() {
        let root = crate::workspace::root().unwrap();
        assert!(check_files(&root).unwrap(), "see the violations above");
    }

    #[test]
    fn a_violation_says_where_what_and_how_to_fix_it() {
        let violation = Violation::new("README.md", 3, "too long", "shorten it");
        assert_eq!(violation.to_string(), "README.md:3: too long\n    fix: shorten it");
    }
}
