//! The official conformance suite: both requirement sets on the build with fixtures, and what needs none on the real
//! surface.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::checks::{self, Scenario};
use super::report::Outcome;
use super::server::{Server, isolated};
use super::session::Session;
use crate::install::NodeTools;
use crate::process::{self, Show};

const LIST: Duration = Duration::from_secs(60);
const SET: Duration = Duration::from_secs(10 * 60);
const ONE: Duration = Duration::from_secs(90);

/// How many server scenarios each set requires; fewer would prove less without anyone noticing.
const REQUIRED: &[(&str, usize)] = &[("2026-07-28", 37), ("2025-11-25", 30)];

const BASELINE: &str = "crates/trailmark/contract/conformance-baseline.yml";

/// Scenarios that ask for no fixture, with the revisions they are run at. The real surface keeps no sessions, so what tests
/// those applies to the build with fixtures only.
const FIXTURE_FREE: &[(&str, &[&str])] = &[
    ("server-initialize", &["2025-11-25"]),
    ("ping", &["2025-11-25"]),
    ("completion-complete", &["2025-11-25", "2026-07-28"]),
    ("tools-list", &["2025-11-25", "2026-07-28"]),
    ("resources-list", &["2025-11-25", "2026-07-28"]),
    ("prompts-list", &["2025-11-25", "2026-07-28"]),
    ("dns-rebinding-protection", &["2025-11-25", "2026-07-28"]),
    ("server-sse-multiple-streams", &["2026-07-28"]),
    ("sep-2164-resource-not-found", &["2026-07-28"]),
    ("caching", &["2026-07-28"]),
    ("http-header-validation", &["2026-07-28"]),
    ("input-required-result-unsupported-methods", &["2026-07-28"]),
    ("server-stateless", &["2026-07-28"]),
];

/// Every scenario that `revision` requires passes on the build with fixtures. No baseline.
pub(super) fn required(session: &mut Session, revision: &str) -> Result<Outcome> {
    let node = session.node()?;
    let expected = required_scenarios(node, revision)?;
    let results = session.folder("conformance")?;
    let server = Server::start(&session.binaries()?.with_fixtures, &session.folder("home")?)?;
    let mut suite = node.conformance();
    suite.args(["server", "--url", &server.url, "--requirements", revision, "--output-dir"]).arg(&results);
    let finished = process::run(&mut suite, SET, Show::Nothing)?;
    let reported = checks::read(&results)?;
    let mut problems = checks::problems(&reported, &expected, &BTreeSet::new());
    problems.extend(server.stop().err().map(|error| error.to_string()));
    if !finished.status.success() && problems.is_empty() {
        problems.push(format!("the suite itself failed ({}):\n{}", finished.status, finished.tail(10)));
    }
    report_unscored(&reported, &expected);
    let scenarios: Vec<&Scenario> = expected.iter().filter_map(|name| reported.get(name)).collect();
    Ok(outcome(&problems, expected.len(), scenarios.iter().map(|scenario| scenario.succeeded).sum()))
}

/// What needs no fixture passes on the binary that users get, save the checks that the baseline names.
pub(super) fn real_surface(session: &mut Session) -> Result<Outcome> {
    let text =
        std::fs::read_to_string(session.root.join(BASELINE)).with_context(|| format!("cannot read {BASELINE}"))?;
    let baseline = checks::baseline(&text)?;
    let (binary, home) = (session.binaries()?.plain.clone(), session.folder("home")?);
    let document = r#"{"topic": "conformance", "content": "A text to be read as a resource."}"#;
    process::run_ok(isolated(&binary, &home).args(["call", "mongo_save_document", document]), ONE)?;
    let server = Server::start(&binary, &home)?;
    let (mut problems, mut succeeded, mut runs) = (Vec::new(), 0, 0);
    let strangers = baseline.iter().filter(|(scenario, _)| FIXTURE_FREE.iter().all(|(name, _)| name != scenario));
    problems
        .extend(strangers.map(|(scenario, _)| format!("{scenario}: in the baseline but not run on the real surface")));
    for (name, revision) in FIXTURE_FREE.iter().flat_map(|(name, at)| at.iter().map(move |revision| (*name, *revision)))
    {
        let results = session.folder("conformance")?;
        let mut suite = session.node()?.conformance();
        suite.args(["server", "--url", &server.url, "--scenario", name, "--spec-version", revision, "--output-dir"]);
        suite.arg(&results);
        let own: BTreeSet<(String, String)> =
            baseline.iter().filter(|(scenario, _)| scenario == name).cloned().collect();
        if !own.is_empty() {
            suite.arg("--expected-failures").arg(session.root.join(BASELINE));
        }
        let (count, found) = run_one(&mut suite, &results, name, &own)?;
        println!(
            "{name} at {revision}: {count} checks passed, {} baseline entries, {} problems",
            own.len(),
            found.len()
        );
        problems.extend(found.into_iter().map(|problem| format!("{revision} {problem}")));
        (succeeded, runs) = (succeeded + count, runs + 1);
    }
    problems.extend(server.stop().err().map(|error| error.to_string()));
    Ok(outcome(&problems, runs, succeeded))
}

/// The number of checks that succeeded, and the problems.
fn run_one(
    suite: &mut Command,
    results: &Path,
    name: &str,
    baseline: &BTreeSet<(String, String)>,
) -> Result<(usize, Vec<String>)> {
    let finished = process::run(suite, ONE, Show::Nothing)?;
    let reported = checks::read(results).unwrap_or_default();
    let mut problems = checks::problems(&reported, &[name.to_owned()], baseline);
    if !finished.status.success() && problems.is_empty() {
        problems.push(format!("{name}: the suite itself failed ({}):\n{}", finished.status, finished.tail(10)));
    }
    Ok((reported.get(name).map_or(0, |scenario| scenario.succeeded), problems))
}

fn outcome(problems: &[String], scenarios: usize, succeeded: usize) -> Outcome {
    if problems.is_empty() {
        return Outcome::Passed(format!("{scenarios} scenarios, {succeeded} checks passed, 0 failed, 0 warnings"));
    }
    let list = problems.join("\n");
    Outcome::Failed(format!(
        "{} problems in {scenarios} scenarios ({succeeded} checks passed):\n{list}",
        problems.len()
    ))
}

/// What a set runs without requiring it is shown, so that a regression there is seen too.
fn report_unscored(reported: &BTreeMap<String, Scenario>, expected: &[String]) {
    for (name, scenario) in reported.iter().filter(|(name, _)| !expected.contains(name)) {
        println!("not required: {name}: {} passed, {} failed or warned", scenario.succeeded, scenario.complaints.len());
        scenario.complaints.iter().for_each(|(check, said)| println!("    {check}: {said}"));
    }
}

fn required_scenarios(node: &NodeTools, revision: &str) -> Result<Vec<String>> {
    let listed = process::run_ok(node.conformance().args(["list", "--requirements", revision]), LIST)?;
    let scenarios = server_scenarios(&listed.stdout);
    match REQUIRED.iter().find(|(known, _)| *known == revision) {
        Some((_, count)) if scenarios.len() == *count => Ok(scenarios),
        Some((_, count)) => bail!("{revision} requires {count} server scenarios, the suite lists {}", scenarios.len()),
        None => bail!("{revision} is no requirement set we know"),
    }
}

/// The entries of the section "Server scenarios" and of no other.
fn server_scenarios(listed: &str) -> Vec<String> {
    let section = listed.lines().skip_while(|line| !line.starts_with("Server scenarios")).skip(1);
    let entries = section.map_while(|line| line.trim().strip_prefix("- "));
    entries.map(|entry| entry.split_whitespace().next().unwrap_or_default().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_server_section_is_read() {
        let listed = "Required for 2026-07-28 (3 scenarios):\n\nServer scenarios (test against a server):\n  - ping\n  - tools-list [2025-11-25]\n\nClient scenarios (test against a client):\n  - initialize\n";
        assert_eq!(server_scenarios(listed), ["ping", "tools-list"]);
        assert!(server_scenarios("no such section").is_empty());
    }

    #[test]
    fn any_problem_fails_the_step() {
        assert!(matches!(outcome(&[], 37, 197), Outcome::Passed(_)));
        assert!(matches!(outcome(&["ping: x".to_owned()], 37, 197), Outcome::Failed(_)));
    }
}
