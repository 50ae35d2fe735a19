//! Is every crate in the table of `ARCHITECTURE.md`, and does everything the table names exist?

use super::Violation;
use super::tree::{Tree, line_of};

const MAP: &str = "ARCHITECTURE.md";
const HEADER: [&str; 3] = ["crate", "one line", "may use"];

/// One row: the crates it describes and what they may depend on.
#[derive(Debug, PartialEq)]
pub(super) struct Row {
    pub(super) line: usize,
    pub(super) crates: Vec<String>,
    pub(super) may_use: Vec<String>,
}

impl Row {
    /// A name with `*` at its end stands for every crate that begins so.
    pub(super) fn allows(&self, dependency: &str) -> bool {
        self.may_use.iter().any(|allowed| matches(allowed, dependency))
    }
}

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let Some(text) = tree.text(MAP) else {
        return vec![Violation::new(MAP, 1, "the map is missing", "write it, with the crate table")];
    };
    let Some(rows) = rows(&text) else {
        let fix = format!("add a table with the columns `{}`", HEADER.join("`, `"));
        return vec![Violation::new(MAP, 1, "there is no crate table", fix)];
    };
    let mut violations = Vec::new();
    check_folders(tree, &rows, &mut violations);
    check_rows(tree, &rows, &mut violations);
    violations
}

/// The rows of the crate table, `None` if there is no such table.
pub(super) fn rows(text: &str) -> Option<Vec<Row>> {
    let mut lines = text.lines().zip(1..);
    lines.find(|(line, _)| cells(line).is_some_and(|cells| cells == HEADER))?;
    let body = lines.skip(1).map_while(|(line, number)| cells(line).map(|cells| (cells, number)));
    Some(body.map(|(cells, number)| row(&cells, number)).collect())
}

pub(super) fn of_tree(tree: &Tree) -> Vec<Row> {
    tree.text(MAP).and_then(|text| rows(&text)).unwrap_or_default()
}

fn cells(line: &str) -> Option<Vec<&str>> {
    let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    Some(inner.split('|').map(str::trim).collect())
}

fn row(cells: &[&str], line: usize) -> Row {
    let names = |cell: Option<&&str>| -> Vec<String> {
        let parts = cell.map_or("", |cell| *cell).split(',').map(plain_name);
        parts.filter(|name| !matches!(name.as_str(), "" | "–" | "-" | "—")).collect()
    };
    Row { line, crates: names(cells.first()), may_use: names(cells.last()) }
}

/// `` `testkit` (dev) `` is `testkit`: backticks and a remark in parentheses are not part of a name.
fn plain_name(part: &str) -> String {
    let name = part.split('(').next().unwrap_or_default();
    name.trim().trim_matches('`').to_owned()
}

fn matches(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |prefix| name.starts_with(prefix))
}

fn check_folders(tree: &Tree, rows: &[Row], violations: &mut Vec<Violation>) {
    for folder in tree.crates() {
        let described = rows.iter().filter(|row| row.crates.contains(&folder.name)).count();
        if described != 1 {
            let problem = format!("the folder `{}` is in {described} rows of the crate table", folder.path);
            violations.push(Violation::new(MAP, 1, problem, format!("keep exactly one row for `{}`", folder.name)));
        }
        let manifest = folder.manifest();
        match tree.text(&manifest).and_then(|text| package_name(&text)) {
            None => {
                let fix = "add a package with the folder's name, or remove the folder";
                violations.push(Violation::new(manifest, 1, "the folder holds no cargo package", fix));
            }
            Some(package) if package != folder.name => {
                let line = line_of(&tree.text(&manifest).unwrap_or_default(), "name");
                let problem = format!("the package is `{package}`, its folder `{}`", folder.name);
                violations.push(Violation::new(manifest, line, problem, "give both the same name"));
            }
            Some(_) => {}
        }
    }
}

fn check_rows(tree: &Tree, rows: &[Row], violations: &mut Vec<Violation>) {
    let folders: Vec<String> = tree.crates().into_iter().map(|folder| folder.name).collect();
    for row in rows {
        if row.crates.is_empty() {
            violations.push(Violation::new(MAP, row.line, "a row names no crate", "name one, in backticks"));
        }
        for name in row.crates.iter().filter(|name| !folders.contains(name)) {
            let fix = format!("remove the row or create `crates/{name}`");
            violations.push(Violation::new(MAP, row.line, format!("the crate `{name}` does not exist"), fix));
        }
        for name in row.may_use.iter().filter(|name| !folders.iter().any(|folder| matches(name, folder))) {
            let problem = format!("\"may use\" names `{name}`, which is no crate");
            let fix = "list crate names with commas between them, or `–` for none";
            violations.push(Violation::new(MAP, row.line, problem, fix));
        }
    }
}

fn package_name(manifest: &str) -> Option<String> {
    let manifest: toml::Table = manifest.parse().ok()?;
    Some(manifest.get("package")?.get("name")?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::fixture;

    const TABLE: &str = "# Map\n\n| crate | one line | may use |\n|---|---|---|\n";

    fn check_map(rows: &str, crates: &[&str], expected: &[&str]) {
        let map = format!("{TABLE}{rows}\nmore text\n");
        let manifests: Vec<(String, String)> = crates
            .iter()
            .map(|name| (format!("crates/{name}/Cargo.toml"), format!("[package]\nname = \"{name}\"\n")))
            .collect();
        let mut files = vec![(MAP, map.as_str())];
        files.extend(manifests.iter().map(|(path, text)| (path.as_str(), text.as_str())));
        fixture::check(check, &files, expected);
    }

    #[test]
    fn a_true_map_passes() {
        check_map("| `a` | x | – |\n| `b`, `c` (dev) | y | a, `b*` |\n", &["a", "b", "c"], &[]);
    }

    #[test]
    fn a_crate_that_is_not_in_the_map_fails() {
        check_map(
            "| `a` | x | – |\n",
            &["a", "b"],
            &["ARCHITECTURE.md:1: the folder `crates/b` is in 0 rows of the crate table"],
        );
    }

    #[test]
    fn a_row_for_a_crate_that_is_gone_fails() {
        check_map(
            "| `a` | x | gone |\n| `b` | y | – |\n",
            &["a"],
            &[
                "ARCHITECTURE.md:5: \"may use\" names `gone`, which is no crate",
                "ARCHITECTURE.md:6: the crate `b` does not exist",
            ],
        );
    }

    #[test]
    fn a_crate_in_two_rows_fails() {
        check_map(
            "| `a` | x | – |\n| `a` | y | – |\n",
            &["a"],
            &["ARCHITECTURE.md:1: the folder `crates/a` is in 2 rows of the crate table"],
        );
    }

    #[test]
    fn a_map_without_a_table_fails_and_so_does_a_missing_map() {
        fixture::check(check, &[(MAP, "# Map\n")], &["ARCHITECTURE.md:1: there is no crate table"]);
        fixture::check(check, &[], &["ARCHITECTURE.md:1: the map is missing"]);
    }

    #[test]
    fn a_folder_and_its_package_have_one_name() {
        let map = format!("{TABLE}| `a` | x | – |\n| `xtask` | y | – |\n");
        let files = [
            (MAP, map.as_str()),
            ("crates/a/Cargo.toml", "[package]\nname = \"b\"\n"),
            ("xtask/src/main.rs", "//! x\n"),
        ];
        let expected = [
            "crates/a/Cargo.toml:2: the package is `b`, its folder `a`",
            "xtask/Cargo.toml:1: the folder holds no cargo package",
        ];
        fixture::check(check, &files, &expected);
    }
}
