//! Does every dependency between our crates stand in the "may use" column, and does the protocol stay at the edge?

use std::collections::BTreeSet;

use super::tree::{CrateFolder, Tree};
use super::{Violation, map};

/// Only this crate knows HTTP and the storage drivers.
const EDGE: &str = "trailmark";
/// What may name the protocol beside it: the way out to other servers.
const CALLER: &str = "upstream";
const PROTOCOL: &[&str] = &["rmcp"];
const HTTP: &[&str] = &["axum", "hyper"];
const DRIVERS: &str = "store-";
/// What only few crates may name, and these.
const OWNERS: &[(&str, &[&str])] = &[
    ("neo4rs", &["graph-server", "store-neo4j"]),
    ("tokio-postgres", &["store-postgres"]),
    ("deadpool-postgres", &["store-postgres"]),
    ("mongodb", &["store-mongodb"]),
    ("graph-server", &[EDGE]),
    ("reqwest", &["language-model", CALLER, "openapi", "web-search"]),
    ("language-model", &[EDGE]),
];
/// Any crate's tests may use these.
const FOR_TESTS: &[&str] = &["testkit", "test-servers"];

const DEV: &str = "dev-dependencies";
const TABLES: &[&str] = &["dependencies", "build-dependencies", DEV];

#[derive(Debug)]
struct Dependency {
    /// The name in the manifest, which is not the package's where it is renamed.
    key: String,
    package: String,
    table: &'static str,
}

impl Dependency {
    fn is_dev(&self) -> bool {
        self.table == DEV
    }

    /// The line of the manifest that brings it in.
    fn line(&self, manifest: &str) -> usize {
        let ends_in_table = |header: &str| header.rsplit('.').next() == Some(self.table);
        let mut in_table = false;
        let found = manifest.lines().map(str::trim).position(|line| {
            if let Some(header) = line.strip_prefix('[').map(|header| header.trim_end_matches(']')) {
                in_table = ends_in_table(header);
                return header.rsplit_once('.').is_some_and(|(table, key)| key == self.key && ends_in_table(table));
            }
            let rest = line.strip_prefix(&self.key);
            in_table && rest.is_some_and(|rest| rest.starts_with([' ', '=', '.']))
        });
        found.map_or(1, |index| index + 1)
    }
}

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let folders = tree.crates();
    let ours: BTreeSet<&str> = folders.iter().map(|folder| folder.name.as_str()).collect();
    let rows = map::of_tree(tree);
    let mut violations = Vec::new();
    for folder in &folders {
        let manifest = folder.manifest();
        let Some(text) = tree.text(&manifest) else { continue };
        let parsed: toml::Table = match text.parse() {
            Ok(parsed) => parsed,
            Err(error) => {
                let problem = format!("not readable as TOML: {}", error.message());
                violations.push(Violation::new(manifest, 1, problem, "correct the manifest"));
                continue;
            }
        };
        for dependency in dependencies(&parsed) {
            let reason = at_the_edge(folder, &dependency)
                .or_else(|| of_another(folder, &dependency))
                .or_else(|| not_in_map(&rows, &ours, folder, &dependency));
            if let Some((problem, fix)) = reason {
                violations.push(Violation::new(&manifest, dependency.line(&text), problem, fix));
            }
        }
    }
    violations
}

/// Every entry of every dependency table, those for single targets included.
fn dependencies(manifest: &toml::Table) -> Vec<Dependency> {
    let targets = manifest.get("target").and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::values);
    let parts = std::iter::once(manifest).chain(targets.filter_map(toml::Value::as_table));
    let tables = parts.flat_map(|part| TABLES.iter().filter_map(|table| Some((*table, part.get(*table)?.as_table()?))));
    tables.flat_map(|(table, entries)| entries.iter().map(move |(key, value)| dependency(table, key, value))).collect()
}

fn dependency(table: &'static str, key: &str, value: &toml::Value) -> Dependency {
    let package = value.get("package").and_then(toml::Value::as_str).unwrap_or(key);
    Dependency { key: key.to_owned(), package: package.to_owned(), table }
}

fn at_the_edge(folder: &CrateFolder, dependency: &Dependency) -> Option<(String, String)> {
    let package = &dependency.package;
    let is_family = |families: &[&str]| {
        families
            .iter()
            .any(|family| package.strip_prefix(family).is_some_and(|rest| rest.is_empty() || rest.starts_with('-')))
    };
    let forbidden = (is_family(PROTOCOL) && folder.name != CALLER)
        || (!dependency.is_dev() && (is_family(HTTP) || package.starts_with(DRIVERS)));
    (folder.name != EDGE && forbidden).then(|| {
        (
            format!("`{}` depends on `{package}`, which only `{EDGE}` may name", folder.name),
            format!("move the code that needs it to `{EDGE}`, behind a trait of `{}`", folder.name),
        )
    })
}

fn of_another(folder: &CrateFolder, dependency: &Dependency) -> Option<(String, String)> {
    let (package, owners) = OWNERS.iter().find(|(package, _)| *package == dependency.package)?;
    (!owners.contains(&folder.name.as_str())).then(|| {
        let owner = owners.join("` and `");
        (
            format!("`{}` depends on `{package}`, which only `{owner}` may name", folder.name),
            format!("move the code that needs it to `{}`", owners[0]),
        )
    })
}

fn not_in_map(
    rows: &[map::Row],
    ours: &BTreeSet<&str>,
    folder: &CrateFolder,
    dependency: &Dependency,
) -> Option<(String, String)> {
    let package = dependency.package.as_str();
    if !ours.contains(package) || (dependency.is_dev() && FOR_TESTS.contains(&package)) {
        return None;
    }
    let allowed = rows.iter().any(|row| row.crates.contains(&folder.name) && row.allows(package));
    (!allowed).then(|| {
        (
            format!("`{}` depends on `{package}`, which its row in ARCHITECTURE.md does not allow", folder.name),
            "remove the dependency, or decide on it: add it to \"may use\" in the same commit".to_owned(),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::fixture;

    const MAP: &str = "| crate | one line | may use |\n|---|---|---|\n\
        | `a` | x | – |\n| `b` | x | a |\n| `store-x` | x | a |\n| `testkit` | x | – |\n| `trailmark` | x | b, `store-*` |\n";

    fn check_manifest(name: &str, tables: &str, expected: &[&str]) {
        let manifest = format!("crates/{name}/Cargo.toml");
        let others = ["a", "b", "store-x", "testkit", "trailmark"].map(|other| format!("crates/{other}/Cargo.toml"));
        let mut files = vec![("ARCHITECTURE.md", MAP), (manifest.as_str(), tables)];
        files.extend(others.iter().filter(|other| **other != manifest).map(|other| (other.as_str(), "")));
        fixture::check(check, &files, expected);
    }

    #[test]
    fn what_the_map_allows_passes() {
        check_manifest(
            "b",
            "[dependencies]\na.workspace = true\nserde = \"1\"\n[dev-dependencies]\ntestkit = {}\n",
            &[],
        );
        check_manifest(
            "trailmark",
            "[dependencies]\nb = {}\nstore-x = {}\nrmcp = \"3\"\naxum = \"0\"\nhyper = \"1\"\n",
            &[],
        );
    }

    #[test]
    fn a_dependency_that_the_map_does_not_allow_fails_in_every_table() {
        let problem = "`a` depends on `b`, which its row in ARCHITECTURE.md does not allow";
        for table in ["dependencies", "dev-dependencies", "build-dependencies", "target.'cfg(unix)'.dependencies"] {
            check_manifest("a", &format!("[{table}]\nb = {{}}\n"), &[&format!("crates/a/Cargo.toml:2: {problem}")]);
        }
        check_manifest(
            "a",
            "[dependencies]\nx = { package = \"b\" }\n",
            &[&format!("crates/a/Cargo.toml:2: {problem}")],
        );
    }

    #[test]
    fn the_test_kit_is_for_tests_only() {
        let problem = "`a` depends on `testkit`, which its row in ARCHITECTURE.md does not allow";
        check_manifest("a", "[dependencies]\ntestkit = {}\n", &[&format!("crates/a/Cargo.toml:2: {problem}")]);
    }

    #[test]
    fn the_protocol_http_and_drivers_stay_at_the_edge() {
        for package in ["rmcp", "rmcp-macros", "axum", "hyper-util", "store-x"] {
            let problem = format!("`b` depends on `{package}`, which only `trailmark` may name");
            let expected = format!("crates/b/Cargo.toml:2: {problem}");
            check_manifest("b", &format!("[dependencies]\n{package} = \"1\"\n"), &[&expected]);
        }
        check_manifest("b", "[dev-dependencies]\naxum = \"1\"\n", &[]);
        let problem = "crates/b/Cargo.toml:2: `b` depends on `rmcp`, which only `trailmark` may name";
        check_manifest("b", "[dev-dependencies]\nrmcp = \"1\"\n", &[problem]);
    }

    #[test]
    fn what_belongs_to_one_crate_is_named_by_no_other() {
        for (package, owners) in OWNERS {
            let owner = owners.join("` and `");
            let problem = format!("`b` depends on `{package}`, which only `{owner}` may name");
            let expected = format!("crates/b/Cargo.toml:2: {problem}");
            for table in ["dependencies", "dev-dependencies"] {
                check_manifest("b", &format!("[{table}]\n{package} = \"1\"\n"), &[&expected]);
            }
        }
        check_manifest("trailmark", "[dependencies]\ngraph-server = {}\n", &[]);
        check_manifest("upstream", "[dependencies]\nreqwest = \"1\"\nrmcp = \"3\"\n", &[]);
    }

    #[test]
    fn a_manifest_that_is_not_toml_fails() {
        let expected = ["crates/a/Cargo.toml:1: not readable as TOML: unclosed table, expected `]`"];
        fixture::check(check, &[("crates/a/Cargo.toml", "[dependencies\n")], &expected);
    }
}
