//! `cargo xtask docs [--check]`: the documents that the binary writes about itself, copied into the tree or compared
//! with it.
//!
//! `trailmark generate-docs DIR` writes `docs/*.md`, one snapshot per tool, and the README's table of tools.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use similar::TextDiff;

use crate::process;
use crate::test_run::binaries;

const DOCUMENTS: &str = "docs";
const SNAPSHOTS: &str = "crates/trailmark/contract/tools";
const README: &str = "README.md";
const README_BLOCK: &str = "README.tools.md";
const BLOCK_BEGIN: &str = "<!-- tools:begin -->";
const BLOCK_END: &str = "<!-- tools:end -->";

const RUN: Duration = Duration::from_secs(60);

/// What a path relative to the root should hold; `None` where nothing should be.
type Wanted = BTreeMap<String, Option<String>>;

/// True when the tree holds exactly what the binary writes; prints every difference.
pub(crate) fn check(root: &Path) -> Result<bool> {
    let stale = stale(root, &generate(root)?)?;
    for (path, wanted) in &stale {
        print!("{}", difference(path, &read(root, path)?, wanted.as_deref()));
    }
    match stale.len() {
        0 => println!("docs: every generated file is fresh"),
        count => println!("docs: {count} generated files are stale\n    fix: run `cargo xtask docs` and read the diff"),
    }
    Ok(stale.is_empty())
}

pub(crate) fn update(root: &Path) -> Result<()> {
    let stale = stale(root, &generate(root)?)?;
    for (path, wanted) in &stale {
        let file = root.join(path);
        match wanted {
            Some(text) => {
                let folder = file.parent().context("a generated file is in a folder")?;
                std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
                std::fs::write(&file, text).with_context(|| format!("cannot write {path}"))?;
                println!("wrote {path}");
            }
            None => {
                std::fs::remove_file(&file).with_context(|| format!("cannot remove {path}"))?;
                println!("removed {path}");
            }
        }
    }
    println!("docs: {} files changed", stale.len());
    Ok(())
}

fn generate(root: &Path) -> Result<Wanted> {
    let folder = tempfile::tempdir()?;
    let mut binary = Command::new(binaries::plain(root)?);
    binary.arg("generate-docs").arg(folder.path());
    process::run_ok(&mut binary, RUN).context("the binary could not write its documents")?;
    wanted(root, folder.path())
}

/// What the tree should hold, given what the binary wrote into `generated`.
fn wanted(root: &Path, generated: &Path) -> Result<Wanted> {
    let mut wanted = Wanted::new();
    for (folder, extension) in [(DOCUMENTS, "md"), (SNAPSHOTS, "json")] {
        let names = names(&generated.join(folder), extension)?;
        if names.is_empty() {
            bail!("`trailmark generate-docs` wrote no *.{extension} into {folder}/");
        }
        for name in names {
            let path = format!("{folder}/{name}");
            wanted.insert(path.clone(), Some(read(generated, &path)?.context("a listed file exists")?));
        }
    }
    // The folder of snapshots holds nothing else, so a tool that is gone shows as a file too many.
    for name in names(&root.join(SNAPSHOTS), "json")? {
        wanted.entry(format!("{SNAPSHOTS}/{name}")).or_insert(None);
    }
    let readme = read(root, README)?.context("there is no README.md")?;
    let block = read(generated, README_BLOCK)?.context("`trailmark generate-docs` wrote no README.tools.md")?;
    wanted.insert(README.to_owned(), Some(with_block(&readme, &block)?));
    Ok(wanted)
}

fn stale(root: &Path, wanted: &Wanted) -> Result<Wanted> {
    let mut stale = Wanted::new();
    for (path, text) in wanted {
        if read(root, path)? != *text {
            stale.insert(path.clone(), text.clone());
        }
    }
    Ok(stale)
}

/// The README with the text between the two markers replaced.
fn with_block(readme: &str, block: &str) -> Result<String> {
    let markers =
        || format!("README.md needs the lines `{BLOCK_BEGIN}` and `{BLOCK_END}`, once each and in this order");
    let (before, rest) = readme.split_once(BLOCK_BEGIN).with_context(markers)?;
    let (_, after) = rest.split_once(BLOCK_END).with_context(markers)?;
    if after.contains(BLOCK_BEGIN) || after.contains(BLOCK_END) {
        bail!(markers());
    }
    Ok(format!("{before}{BLOCK_BEGIN}\n{}\n{BLOCK_END}{after}", block.trim_end()))
}

fn difference(path: &str, present: &Option<String>, wanted: Option<&str>) -> String {
    let (old, new) = (present.as_deref().unwrap_or_default(), wanted.unwrap_or_default());
    TextDiff::from_lines(old, new)
        .unified_diff()
        .header(&format!("{path} (in the tree)"), &format!("{path} (generated)"))
        .to_string()
}

/// The text of a file, `None` if it does not exist.
fn read(root: &Path, path: &str) -> Result<Option<String>> {
    match std::fs::read_to_string(root.join(path)) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {path}")),
    }
}

/// File names with this extension, sorted; none where the folder does not exist.
fn names(folder: &Path, extension: &str) -> Result<Vec<String>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| format!("cannot list {}", folder.display())),
    };
    let mut names = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|found| found == extension) {
            names.extend(path.file_name().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRESH_README: &str = "# T\n<!-- tools:begin -->\n| t |\n<!-- tools:end -->\nend\n";

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    fn generated() -> tempfile::TempDir {
        let snapshot = "crates/trailmark/contract/tools/t.json";
        folder(&[("docs/tools.md", "# Tools\n"), (snapshot, "{}\n"), ("README.tools.md", "| t |\n")])
    }

    fn check_stale(tree: &[(&str, &str)], expected: &[&str]) {
        let (root, generated) = (folder(tree), generated());
        let wanted = wanted(root.path(), generated.path()).unwrap();
        let stale = stale(root.path(), &wanted).unwrap();
        assert_eq!(stale.keys().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_fresh_tree_is_fresh_and_its_hand_written_documents_are_left_alone() {
        let snapshot = "crates/trailmark/contract/tools/t.json";
        let tree =
            [("docs/tools.md", "# Tools\n"), ("docs/hand.md", "x"), (snapshot, "{}\n"), ("README.md", FRESH_README)];
        check_stale(&tree, &[]);
    }

    #[test]
    fn changed_missing_and_left_over_files_are_stale() {
        let left_over = "crates/trailmark/contract/tools/gone.json";
        let tree = [
            ("docs/tools.md", "# Old\n"),
            (left_over, "{}\n"),
            ("README.md", "# T\n<!-- tools:begin -->\n<!-- tools:end -->\nend\n"),
        ];
        check_stale(&tree, &["README.md", left_over, "crates/trailmark/contract/tools/t.json", "docs/tools.md"]);
    }

    #[test]
    fn a_generator_that_writes_nothing_is_an_error() {
        let (root, generated) = (folder(&[("README.md", FRESH_README)]), folder(&[("README.tools.md", "")]));
        let error = wanted(root.path(), generated.path()).unwrap_err();
        assert_eq!(error.to_string(), "`trailmark generate-docs` wrote no *.md into docs/");
    }

    #[test]
    fn the_readme_needs_its_markers_once() {
        assert_eq!(
            with_block("a<!-- tools:begin -->old<!-- tools:end -->b", "new\n").unwrap(),
            "a<!-- tools:begin -->\nnew\n<!-- tools:end -->b"
        );
        for readme in ["", "<!-- tools:end --><!-- tools:begin -->", &FRESH_README.repeat(2)] {
            assert!(with_block(readme, "new").unwrap_err().to_string().starts_with("README.md needs the lines"));
        }
    }

    #[test]
    fn a_difference_shows_both_sides() {
        let text = difference("docs/a.md", &Some("one\ntwo\n".to_owned()), Some("one\nthree\n"));
        assert_eq!(
            text,
            "--- docs/a.md (in the tree)\n+++ docs/a.md (generated)\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n"
        );
    }
}
