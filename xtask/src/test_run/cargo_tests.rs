//! `cargo test`, and what its closing lines add up to.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use super::report::Outcome;
use crate::backends::Installed;
use crate::install::{NodeTools, PythonTools};
use crate::process::{self, Show};
use crate::workspace;

/// With compiling, also on a slow machine.
const LIMIT: Duration = Duration::from_secs(60 * 60);

/// Every test of the code that users get.
pub(super) fn run(root: &Path) -> Result<Outcome> {
    run_with(root, &["--workspace"])
}

/// The tests of the server that need tools which misbehave on purpose.
pub(super) fn run_with_fixtures(root: &Path) -> Result<Outcome> {
    run_with(root, &["--package", "trailmark", "--features", "conformance"])
}

/// Exports as other programs read them and imports as a real graph server takes them; one server at a time.
pub(super) fn run_with_graph_server(root: &Path, tools: &PythonTools, servers: &Installed) -> Result<Outcome> {
    let mut cargo = test_of(root, "trailmark/graph-server-tests", "graph_server");
    cargo.args(["--", "--test-threads=1"]);
    cargo.env("TRAILMARK_TEST_PYTHON", tools.python().get_program()).envs(servers.variables());
    run_cargo(&mut cargo)
}

/// Symbols and calls of a small project as the real CKB knows them.
pub(super) fn run_with_ckb(root: &Path, tools: &NodeTools) -> Result<Outcome> {
    let mut cargo = test_of(root, "upstream/ckb-tests", "ckb");
    let [ckb, indexer] = tools.ckb_scripts();
    cargo.env("TRAILMARK_TEST_NODE", tools.node().get_program());
    cargo.env("TRAILMARK_TEST_CKB", ckb).env("TRAILMARK_TEST_SCIP_TYPESCRIPT", indexer);
    run_cargo(&mut cargo)
}

const WITH_SERVERS: &str = "store-mongodb/server-tests,store-neo4j/server-tests,store-postgres/server-tests";

/// What is promised of storage, on every server that can keep it, and the whole program with each; two at a time, because each
/// starts its own.
pub(super) fn run_with_backends(root: &Path, servers: &Installed, results: &Path) -> Result<Outcome> {
    let mut cargo = test_of(root, &format!("{WITH_SERVERS},trailmark/server-tests"), "server");
    cargo.args(["--test", "promises"]).args(["--", "--test-threads=2"]);
    cargo.envs(servers.variables()).env(test_servers::RESULTS, results);
    run_cargo(&mut cargo)
}

/// Only what is promised of storage.
pub(crate) fn run_promises(root: &Path, servers: &Installed, results: &Path) -> Result<Outcome> {
    let mut cargo = workspace::cargo(root);
    cargo.args(["test", "--no-fail-fast", "--features", WITH_SERVERS, "--test", "promises", "--test", "server"]);
    for package in ["store-sqlite", "store-mongodb", "store-neo4j", "store-postgres"] {
        cargo.args(["--package", package]);
    }
    cargo.args(["--", "--test-threads=2", "promise"]);
    cargo.envs(servers.variables()).env(test_servers::RESULTS, results);
    run_cargo(&mut cargo)
}

/// Web search with a real SearXNG, and with a real mcp-searxng on top of it.
pub(super) fn run_with_web_search(root: &Path, tools: &NodeTools, servers: &Installed) -> Result<Outcome> {
    let mut cargo = test_of(root, "trailmark/web-search-tests", "web_search");
    cargo.env("TRAILMARK_TEST_NODE", tools.node().get_program());
    cargo.env("TRAILMARK_TEST_MCP_SEARXNG", tools.mcp_searxng_script()).envs(servers.variables());
    run_cargo(&mut cargo)
}

/// Every chart of the suite as ECharts draws it in Node, and Chinese signs as PNG.
pub(super) fn run_charts_in_node(root: &Path, tools: &NodeTools, fonts: &Path) -> Result<Outcome> {
    let mut cargo = workspace::cargo(root);
    cargo.args(["test", "--no-fail-fast", "--package", "chart", "--features", "node-tests"]);
    cargo.env("TRAILMARK_TEST_NODE", tools.node().get_program()).env("TRAILMARK_TEST_FONTS", fonts);
    run_cargo(&mut cargo)
}

/// A real static embedding model in a folder of its own.
pub(super) fn run_with_embedding(root: &Path, tools: &PythonTools, folder: &Path) -> Result<Outcome> {
    tools.copy_model(folder)?;
    let mut cargo = workspace::cargo(root);
    cargo.args(["test", "--package", "static-embedding", "--features", "model-tests", "--test", "it"]);
    cargo.env("TRAILMARK_TEST_MODEL", folder);
    run_cargo(&mut cargo)
}

/// Random queries on our engine and on that of others.
pub(super) fn run_with_graphqlite(root: &Path, tools: &PythonTools) -> Result<Outcome> {
    let mut cargo = test_of(root, "cypher-tck/graphqlite-tests", "graphqlite");
    cargo.env("TRAILMARK_TEST_PYTHON", tools.python().get_program());
    run_cargo(&mut cargo)
}

/// One test program that needs more than the code. Built with the whole workspace, so that what it uses is not built anew.
fn test_of(root: &Path, features: &str, program: &str) -> Command {
    let mut cargo = workspace::cargo(root);
    cargo.args(["test", "--no-fail-fast", "--workspace", "--features", features, "--test", program]);
    cargo
}

fn run_with(root: &Path, arguments: &[&str]) -> Result<Outcome> {
    let mut cargo = workspace::cargo(root);
    cargo.args(["test", "--no-fail-fast"]).args(arguments);
    run_cargo(&mut cargo)
}

fn run_cargo(cargo: &mut Command) -> Result<Outcome> {
    let finished = process::run(cargo, LIMIT, Show::Live)?;
    let totals = Totals::read(&finished.stdout).context("no test ran: the tests do not compile")?;
    let blamed = blamed(&finished.stdout, &finished.stderr);
    Ok(match totals.outcome() {
        Outcome::Passed(counts) if !finished.status.success() => Outcome::Failed(format!(
            "a test program did not compile or ended early ({}); of the others {counts}{blamed}",
            finished.status
        )),
        Outcome::Failed(counts) => Outcome::Failed(counts + &blamed),
        outcome @ (Outcome::Passed(_) | Outcome::NotRun(_)) => outcome,
    })
}

/// The tests that failed and the programs that did not come to their end, a line each.
fn blamed(stdout: &str, stderr: &str) -> String {
    let tests = stdout.lines().filter(|line| line.starts_with("test ") && line.ends_with(" ... FAILED"));
    let programs = stderr.lines().map(str::trim).filter(|line| {
        line.starts_with("error: test failed")
            || line.starts_with("error: could not compile")
            || line.contains("(signal: ")
    });
    tests.chain(programs).map(|line| format!("\n    {line}")).collect()
}

/// The sum over all lines such as `test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 2 filtered out`.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Totals {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) ignored: usize,
}

impl Totals {
    /// `None` if no test program came to its end.
    pub(crate) fn read(output: &str) -> Option<Self> {
        let mut totals = None;
        for line in output.lines().filter_map(|line| line.trim().strip_prefix("test result: ")) {
            let totals: &mut Self = totals.get_or_insert_default();
            let (_, counts) = line.split_once(". ").unwrap_or(("", line));
            for (count, word) in counts.split("; ").filter_map(|part| part.split_once(' ')) {
                let count = count.parse().unwrap_or(0);
                match word {
                    "passed" => totals.passed += count,
                    "failed" => totals.failed += count,
                    "ignored" => totals.ignored += count,
                    _ => {}
                }
            }
        }
        totals
    }

    pub(crate) fn outcome(&self) -> Outcome {
        let Self { passed, failed, ignored } = self;
        let counts = format!("{passed} passed, {failed} failed, {ignored} ignored");
        if *failed == 0 && *ignored == 0 && *passed > 0 { Outcome::Passed(counts) } else { Outcome::Failed(counts) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OK: &str = "running 2 tests\ntest a ... ok\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 7 filtered out; finished in 0.01s\n";

    fn check(output: &str, expected: Option<Outcome>) {
        assert_eq!(Totals::read(output).map(|totals| totals.outcome()), expected);
    }

    #[test]
    fn the_closing_lines_of_all_programs_are_added_up() {
        check(&OK.repeat(2), Some(Outcome::Passed("4 passed, 0 failed, 0 ignored".to_owned())));
        let failed = "test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0s\n";
        check(&(OK.to_owned() + failed), Some(Outcome::Failed("3 passed, 1 failed, 0 ignored".to_owned())));
    }

    #[test]
    fn what_failed_is_named() {
        let stderr = "  Running x\nerror: test failed, to rerun pass `-p a --test it`\n\nCaused by:\n  \
                      process didn't exit successfully: `it` (signal: 11, SIGSEGV: invalid memory reference)\n";
        assert_eq!(
            blamed("test a ... ok\ntest b ... FAILED\n", stderr),
            "\n    test b ... FAILED\n    error: test failed, to rerun pass `-p a --test it`\n    \
             process didn't exit successfully: `it` (signal: 11, SIGSEGV: invalid memory reference)"
        );
    }

    #[test]
    fn ignored_tests_no_tests_and_no_end_do_not_pass() {
        let ignored = "test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n";
        check(ignored, Some(Outcome::Failed("2 passed, 0 failed, 1 ignored".to_owned())));
        let none = "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
        check(none, Some(Outcome::Failed("0 passed, 0 failed, 0 ignored".to_owned())));
        check("error: could not compile `x`\n", None);
    }
}
