//! What the conformance suite reported: one `checks.json` per scenario, judged by us and not by its exit code alone.
//!
//! A scenario holds when at least one check succeeded and none failed or warned, save those that a baseline names. A
//! baseline entry that no longer fails, or names no check at all, is itself a failure.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

/// Length of `-2026-11-15T21-41-07-319Z`, which the suite adds to a scenario's name.
const STAMP: usize = 25;
const LONGEST: usize = 400;

#[derive(Debug, Default, PartialEq)]
pub(super) struct Scenario {
    pub(super) succeeded: usize,
    /// Failures and warnings: the id of the check and what was said.
    pub(super) complaints: BTreeMap<String, String>,
}

/// Scenario name → what it reported. A scenario that could not be run reports nothing and has no entry.
pub(super) fn read(folder: &Path) -> Result<BTreeMap<String, Scenario>> {
    let mut scenarios = BTreeMap::new();
    let entries = std::fs::read_dir(folder).context("the conformance suite saved no results")?;
    for entry in entries {
        let entry = entry?;
        let Some(name) = scenario_name(&entry.file_name().to_string_lossy()) else { continue };
        if let Ok(text) = std::fs::read_to_string(entry.path().join("checks.json")) {
            scenarios.insert(name, parse(&text)?);
        }
    }
    Ok(scenarios)
}

/// Everything that is wrong with `expected` scenarios, one line each.
pub(super) fn problems(
    reported: &BTreeMap<String, Scenario>,
    expected: &[String],
    baseline: &BTreeSet<(String, String)>,
) -> Vec<String> {
    let mut problems = Vec::new();
    for name in expected {
        match reported.get(name) {
            None => problems.push(format!("{name}: it reported nothing")),
            Some(scenario) if scenario.succeeded == 0 => problems.push(format!("{name}: not one check succeeded")),
            Some(_) => {}
        }
        let complaints = reported.get(name).into_iter().flat_map(|scenario| &scenario.complaints);
        let unexpected = complaints.filter(|(check, _)| !baseline.contains(&(name.clone(), (*check).clone())));
        problems.extend(unexpected.map(|(check, said)| format!("{name}: {check}: {said}")));
    }
    for (name, check) in baseline {
        if !reported.get(name).is_some_and(|scenario| scenario.complaints.contains_key(check)) {
            problems.push(format!("{name}: {check} is in the baseline but does not fail: remove the entry"));
        }
    }
    problems
}

/// The `scenario:check` entries of the suite's baseline format, which is a YAML list under `server:`.
pub(super) fn baseline(text: &str) -> Result<BTreeSet<(String, String)>> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let entries = lines.filter(|line| !line.is_empty() && *line != "server:");
    entries
        .map(|line| {
            let entry = line.strip_prefix("- ").and_then(|entry| entry.trim().split_once(':'));
            let (scenario, check) = entry.with_context(|| {
                format!("the baseline may only hold lines `- scenario:check-id` under `server:`, not `{line}`")
            })?;
            Ok((scenario.to_owned(), check.to_owned()))
        })
        .collect()
}

fn scenario_name(folder: &str) -> Option<String> {
    let name = folder.strip_prefix("server-")?;
    let (name, stamp) = name.split_at_checked(name.len().checked_sub(STAMP)?)?;
    (stamp.starts_with("-20") && stamp.ends_with('Z')).then(|| name.to_owned())
}

fn parse(text: &str) -> Result<Scenario> {
    let checks: Vec<Value> = serde_json::from_str(text).context("the suite's checks.json is not a list")?;
    let mut scenario = Scenario::default();
    for check in &checks {
        let field = |name: &str| check[name].as_str().unwrap_or_default().to_owned();
        match field("status").as_str() {
            "SUCCESS" => scenario.succeeded += 1,
            // Neither says that a requirement holds, nor that it does not.
            "INFO" | "SKIPPED" => {}
            status => {
                let said = [field("errorMessage"), field("description")].into_iter().find(|said| !said.is_empty());
                scenario.complaints.insert(field("id"), format!("{status}: {}", shorten(&said.unwrap_or_default())));
            }
        }
    }
    Ok(scenario)
}

/// Some complaints quote a whole message of the protocol.
fn shorten(said: &str) -> String {
    let mut line: String =
        said.chars().take(LONGEST).map(|character| if character == '\n' { ' ' } else { character }).collect();
    if said.chars().nth(LONGEST).is_some() {
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reported(scenario: &str, statuses: &[(&str, &str)]) -> BTreeMap<String, Scenario> {
        let folder = tempfile::tempdir().unwrap();
        let results = folder.path().join(format!("server-{scenario}-2026-11-15T21-41-07-319Z"));
        std::fs::create_dir_all(&results).unwrap();
        let checks: Vec<Value> = statuses
            .iter()
            .map(|(id, status)| serde_json::json!({ "id": id, "status": status, "description": "d", "errorMessage": "e" }))
            .collect();
        std::fs::write(results.join("checks.json"), Value::from(checks).to_string()).unwrap();
        std::fs::create_dir_all(folder.path().join("server-broken-2026-11-15T21-41-07-319Z")).unwrap();
        read(folder.path()).unwrap()
    }

    fn check(statuses: &[(&str, &str)], entries: &[&str], expected: &[&str]) {
        let text = entries.iter().fold("server:\n".to_owned(), |text, entry| text + "  - " + entry + "\n");
        let found = problems(&reported("ping", statuses), &["ping".to_owned()], &baseline(&text).unwrap());
        assert_eq!(found, expected);
    }

    #[test]
    fn a_scenario_with_successes_only_holds() {
        check(&[("a", "SUCCESS"), ("b", "INFO"), ("c", "SKIPPED")], &[], &[]);
    }

    #[test]
    fn failures_warnings_and_unknown_words_do_not_hold() {
        for status in ["FAILURE", "WARNING", "PERHAPS"] {
            check(&[("a", "SUCCESS"), ("b", status)], &[], &[&format!("ping: b: {status}: e")]);
        }
    }

    #[test]
    fn a_scenario_without_success_or_without_report_does_not_hold() {
        check(&[("c", "SKIPPED")], &[], &["ping: not one check succeeded"]);
        let found = problems(&reported("ping", &[]), &["broken".to_owned(), "absent".to_owned()], &BTreeSet::new());
        assert_eq!(found, ["broken: it reported nothing", "absent: it reported nothing"]);
    }

    #[test]
    fn the_baseline_excuses_exactly_what_fails() {
        check(&[("a", "SUCCESS"), ("b", "FAILURE")], &["ping:b # no fixture"], &[]);
        check(
            &[("a", "SUCCESS"), ("b", "FAILURE")],
            &["ping:c"],
            &["ping: b: FAILURE: e", "ping: c is in the baseline but does not fail: remove the entry"],
        );
        check(&[("a", "SUCCESS")], &["ping:a"], &["ping: a is in the baseline but does not fail: remove the entry"]);
    }

    #[test]
    fn a_baseline_cannot_excuse_a_whole_scenario() {
        let error = baseline("server:\n  - ping\n").unwrap_err().to_string();
        assert!(error.ends_with("not `- ping`"), "{error}");
    }

    #[test]
    fn a_long_complaint_becomes_one_short_line() {
        assert_eq!(shorten("a\nb"), "a b");
        assert_eq!(shorten(&"é".repeat(500)).chars().count(), LONGEST + 1);
    }

    #[test]
    fn the_time_stamp_is_not_part_of_the_name() {
        assert_eq!(
            scenario_name("server-server-stateless-2026-11-15T21-41-07-319Z").as_deref(),
            Some("server-stateless")
        );
        assert_eq!(scenario_name("notes"), None);
    }
}
