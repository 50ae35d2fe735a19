//! `docs/backends.md`: which promises about storage each backend kept, as the tests saw it.
//!
//! The tests write down how every case ended (`test_servers::record`); this turns what they wrote into a page. Nobody writes the
//! page by hand, and `cargo xtask test` fails where it says something else than the run.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use test_servers::PROGRAMS;

const PAGE: &str = "docs/backends.md";

/// What is promised about: the name in the results, the title, and who promises it.
const SUBJECTS: &[(&str, &str, &[&str])] = &[
    ("documents", "Documents", &["embedded", "mongodb", "postgres"]),
    ("knowledge", "The knowledge graph", &["embedded", "arcadedb", "postgres"]),
    ("experiences", "Experiences", &["embedded", "postgres"]),
    ("audit", "The audit log", &["embedded"]),
    ("projects", "Code graphs", &["embedded"]),
    ("upstream", "The state of servers that are called", &["embedded"]),
];

/// The name in the results, and for people.
const BACKENDS: &[(&str, &str)] =
    &[("embedded", "embedded"), ("mongodb", "MongoDB"), ("arcadedb", "Bolt (ArcadeDB)"), ("postgres", "PostgreSQL")];

/// Whether the page says what these results say.
pub(crate) fn is_fresh(root: &Path, results: &Path) -> Result<bool> {
    Ok(fs::read_to_string(root.join(PAGE)).unwrap_or_default() == page(results)?)
}

/// Writes the page.
pub(crate) fn write(root: &Path, results: &Path) -> Result<()> {
    fs::write(root.join(PAGE), page(results)?).with_context(|| format!("cannot write {PAGE}"))?;
    println!("wrote {PAGE}");
    Ok(())
}

fn page(results: &Path) -> Result<String> {
    let mut text = String::from(
        "# Backends\n\n\
         Which promises about storage each backend keeps. This page is made of what the tests saw on real servers\n\
         (`cargo xtask backends table`); `cargo xtask test` fails where it is out of date. The cases are in\n\
         [crates/store/contract](../crates/store/contract/README.md) and `crates/store/src/behaviour/`.\n\n\
         ✓ kept, ✗ broken. A backend without a column does not promise it: MongoDB keeps documents, a Bolt server the knowledge\n\
         graph, PostgreSQL documents, the knowledge graph and experiences; the rest is always on the embedded store.\n\n\
         The servers, by the packages that hold them:\n\n",
    );
    for (backend, name) in BACKENDS {
        let Some(program) = PROGRAMS.iter().find(|program| program.name() == *backend) else { continue };
        let packages = program.packages().iter().map(|package| format!("`{}` {}", package.name, package.version));
        let _ = writeln!(text, "- {name}: {}", packages.collect::<Vec<_>>().join(", "));
    }
    for (subject, title, backends) in SUBJECTS {
        let _ = write!(text, "\n## {title}\n\n{}", table(results, subject, backends)?);
    }
    Ok(text)
}

fn table(results: &Path, subject: &str, backends: &[&str]) -> Result<String> {
    let seen = backends.iter().map(|backend| read(results, subject, backend)).collect::<Result<Vec<_>>>()?;
    let names: Vec<&str> = backends
        .iter()
        .map(|backend| BACKENDS.iter().find(|(known, _)| known == backend).map_or(*backend, |(_, name)| *name))
        .collect();
    let mut text = format!("| promise | {} |\n|---|{}\n", names.join(" | "), "---|".repeat(names.len()));
    let order = seen.first().map(|(order, _)| order).context("a subject has a backend")?;
    for case in order {
        let ends = seen.iter().map(|(_, ends)| match ends.get(case) {
            Some(true) => "✓",
            Some(false) => "✗",
            None => "not run",
        });
        let _ = writeln!(text, "| {} | {} |", case.replace('|', "\\|"), ends.collect::<Vec<_>>().join(" | "));
    }
    Ok(text)
}

/// The cases in their order, and how each ended.
fn read(results: &Path, subject: &str, backend: &str) -> Result<(Vec<String>, BTreeMap<String, bool>)> {
    let file = results.join(format!("{subject}.{backend}"));
    let text = fs::read_to_string(&file);
    let text = text.with_context(|| format!("no test wrote down what {backend} does with {subject}"))?;
    let (mut order, mut ends) = (Vec::new(), BTreeMap::new());
    for line in text.lines() {
        let (end, case) = line.split_once(' ').with_context(|| format!("not a result: {line}"))?;
        let passed = match end {
            "passed" => true,
            "failed" => false,
            _ => bail!("not a result: {line}"),
        };
        order.push(case.to_owned());
        ends.insert(case.to_owned(), passed);
    }
    Ok((order, ends))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_has_a_row_and_every_backend_a_column() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        put("documents.embedded", "passed it is kept\npassed a | b\n");
        put("documents.mongodb", "passed a | b\nfailed it is kept\n");
        put("documents.postgres", "passed it is kept\n");
        let table = table(folder.path(), "documents", SUBJECTS[0].2).unwrap();
        let expected = "| promise | embedded | MongoDB | PostgreSQL |\n|---|---|---|---|\n\
                        | it is kept | ✓ | ✗ | ✓ |\n| a \\| b | ✓ | ✓ | not run |\n";
        assert_eq!(table, expected);
    }

    #[test]
    fn a_backend_that_was_not_reached_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let error = page(folder.path()).unwrap_err().to_string();
        assert_eq!(error, "no test wrote down what embedded does with documents");
    }
}
