//! The openCypher conformance suite, with and without taking hints.

use std::path::Path;

use cypher_tck::{
    Group, Hints, InMemory, KnownGaps, Report, bench_folder_for_test, group_of, read_scenarios, run_scenario,
};

const READING: &[Group] = &[Group::Core, Group::Error];

fn check(hints: Hints) {
    let Some(folder) = bench_folder_for_test() else { return };
    let gaps = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cypher/contract/known-gaps.toml");
    let gaps = KnownGaps::read(&gaps).expect("the list of gaps is readable");
    let scenarios = read_scenarios(&folder).expect("the features are readable");
    assert_eq!(scenarios.len(), 3897, "outlines expanded");
    let mut report = Report::default();
    for scenario in &scenarios {
        report.add(scenario, group_of(scenario), &run_scenario(scenario, &InMemory(hints)));
    }
    let failures: Vec<_> = report.failures(READING).collect();
    let unlisted: Vec<_> = failures.iter().filter(|(id, _)| !gaps.contains(id)).collect();
    assert!(unlisted.is_empty(), "failures that are no known gaps: {unlisted:#?}");
    let passing: Vec<_> = gaps.ids().filter(|gap| !failures.iter().any(|(id, _)| id == gap)).collect();
    assert!(passing.is_empty(), "known gaps that pass or do not exist: {passing:#?}");
    assert!(report.tally(Group::Core).percent() >= 97.0, "{report}");
    assert!(report.tally(Group::Error).percent() >= 90.0, "{report}");
    let writing = report.tally(Group::Writing);
    assert_eq!(writing.exact, writing.total, "queries that write are refused as such: {report}");
    let told = include_str!("../../cypher/contract/conformance.md");
    assert_eq!(report.to_string(), told, "the figures that the reference gives; `--example coverage` prints them");
}

#[test]
fn the_suite_passes_on_a_graph_that_takes_hints() {
    check(Hints::Honoured);
}

#[test]
fn the_suite_passes_on_a_graph_that_ignores_hints() {
    check(Hints::Ignored);
}
