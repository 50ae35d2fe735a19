//! Does every tool have a committed snapshot and a contract, and nothing else either of them?

use std::collections::BTreeMap;

use super::Violation;
use super::tree::Tree;

const SNAPSHOTS: &str = "crates/trailmark/contract/tools/";
const CONTRACTS: &str = "crates/tools/contract/";
const CASE: &str = "```json call";

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    let snapshots = snapshots(tree, &mut violations);
    let contracts = contracts(tree, &mut violations);
    if snapshots.is_empty() && contracts.is_empty() {
        violations.push(Violation::new(
            SNAPSHOTS,
            1,
            "there is no tool",
            "run `cargo xtask docs` to write the snapshots",
        ));
    }
    for (tool, path) in snapshots.iter().filter(|(tool, _)| !contracts.contains_key(*tool)) {
        let fix = format!("write {CONTRACTS}<family>/{tool}.md");
        violations.push(Violation::new(path, 1, format!("the tool `{tool}` has no contract"), fix));
    }
    for (tool, path) in contracts.iter().filter(|(tool, _)| !snapshots.contains_key(*tool)) {
        let fix = "run `cargo xtask docs`; if the tool is gone, delete its contract";
        violations.push(Violation::new(path, 1, format!("the tool `{tool}` has no snapshot"), fix));
    }
    violations
}

/// Tool name → file.
fn snapshots(tree: &Tree, violations: &mut Vec<Violation>) -> BTreeMap<String, String> {
    let mut tools = BTreeMap::new();
    for path in tree.files().filter(|path| path.starts_with(SNAPSHOTS)) {
        let Some(tool) = path[SNAPSHOTS.len()..].strip_suffix(".json").filter(|tool| !tool.contains('/')) else {
            let fix = "keep one <tool>.json per tool in this folder and nothing else";
            violations.push(Violation::new(path, 1, "not a snapshot of a tool", fix));
            continue;
        };
        let named = serde_json::from_str::<serde_json::Value>(&tree.text(path).unwrap_or_default())
            .ok()
            .and_then(|snapshot| Some(snapshot.get("name")?.as_str()?.to_owned()));
        if named.as_deref() != Some(tool) {
            let problem = format!("the snapshot does not carry the name `{tool}`");
            violations.push(Violation::new(path, 1, problem, "run `cargo xtask docs`"));
        }
        tools.insert(tool.to_owned(), path.to_owned());
    }
    tools
}

/// Tool name → file.
fn contracts(tree: &Tree, violations: &mut Vec<Violation>) -> BTreeMap<String, String> {
    let mut tools: BTreeMap<String, String> = BTreeMap::new();
    for path in tree.files().filter(|path| path.starts_with(CONTRACTS)) {
        let tool = path[CONTRACTS.len()..].strip_suffix(".md").and_then(|rest| rest.split_once('/'));
        let Some(tool) = tool.map(|(_, tool)| tool).filter(|tool| !tool.contains('/')) else {
            let fix = "keep contracts as <family>/<tool>.md and nothing else";
            violations.push(Violation::new(path, 1, "not the contract of a tool", fix));
            continue;
        };
        if !tree.text(path).unwrap_or_default().lines().any(|line| line.trim_end() == CASE) {
            let problem = format!("the contract has no case: no `{CASE}` block");
            violations.push(Violation::new(path, 1, problem, "write at least one call and its result"));
        }
        if let Some(other) = tools.insert(tool.to_owned(), path.to_owned()) {
            violations.push(Violation::new(path, 1, format!("the tool has a contract in {other} too"), "keep one"));
        }
    }
    tools
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::fixture;

    const CONTRACT: &str = "## works\n\n```json call\n{}\n```\n";
    const SNAPSHOT: &str = r#"{ "name": "t" }"#;

    #[test]
    fn a_tool_with_both_passes() {
        let files = [("crates/tools/contract/f/t.md", CONTRACT), ("crates/trailmark/contract/tools/t.json", SNAPSHOT)];
        fixture::check(check, &files, &[]);
    }

    #[test]
    fn a_tool_without_a_contract_or_without_a_snapshot_fails() {
        let snapshot = [("crates/trailmark/contract/tools/t.json", SNAPSHOT)];
        fixture::check(check, &snapshot, &["crates/trailmark/contract/tools/t.json:1: the tool `t` has no contract"]);
        let contract = [("crates/tools/contract/f/t.md", CONTRACT)];
        fixture::check(check, &contract, &["crates/tools/contract/f/t.md:1: the tool `t` has no snapshot"]);
    }

    #[test]
    fn no_tool_at_all_fails() {
        fixture::check(check, &[], &["crates/trailmark/contract/tools/:1: there is no tool"]);
    }

    #[test]
    fn empty_double_and_stray_files_fail() {
        let files = [
            ("crates/tools/contract/f/t.md", "# nothing\n"),
            ("crates/tools/contract/g/t.md", CONTRACT),
            ("crates/tools/contract/t.md", CONTRACT),
            ("crates/trailmark/contract/tools/old/t.json", SNAPSHOT),
            ("crates/trailmark/contract/tools/t.json", r#"{ "name": "u" }"#),
        ];
        let expected = [
            "crates/trailmark/contract/tools/old/t.json:1: not a snapshot of a tool",
            "crates/trailmark/contract/tools/t.json:1: the snapshot does not carry the name `t`",
            "crates/tools/contract/f/t.md:1: the contract has no case: no ````json call` block",
            "crates/tools/contract/g/t.md:1: the tool has a contract in crates/tools/contract/f/t.md too",
            "crates/tools/contract/t.md:1: not the contract of a tool",
        ];
        fixture::check(check, &files, &expected);
    }
}
