//! The openCypher conformance suite over SQLite: what a filter leaves out changes no answer.

use cypher_tck::{
    Backend, Group, Hints, InMemory, NodeData, Outcome, RelationshipData, Report, bench_folder, group_of,
    read_scenarios, run_scenario,
};
use graph::GraphRead;

use super::{NewNode, NewRelationship, PropertyGraph};

struct InSqlite {
    uses_filters: bool,
}

impl Backend for InSqlite {
    fn graph(&self, nodes: &[NodeData], relationships: &[RelationshipData]) -> Box<dyn GraphRead> {
        let nodes: Vec<_> = nodes
            .iter()
            .map(|node| NewNode {
                labels: node.labels.iter().map(ToString::to_string).collect(),
                properties: node.properties.iter().map(|(name, value)| (name.to_string(), value.clone())).collect(),
            })
            .collect();
        let relationships: Vec<_> = relationships
            .iter()
            .map(|edge| NewRelationship {
                from: edge.from,
                to: edge.to,
                relation: edge.kind.to_string(),
                properties: edge.properties.iter().map(|(name, value)| (name.to_string(), value.clone())).collect(),
            })
            .collect();
        Box::new(PropertyGraph::new(&nodes, &relationships, self.uses_filters).unwrap())
    }
}

/// Scenarios that the engine passes on a graph in memory pass here too.
fn check(uses_filters: bool) {
    let Some(folder) = bench_folder() else {
        assert!(std::env::var_os("CI").is_none(), "the folder of benchmarks is absent");
        return;
    };
    let mut report = Report::default();
    for scenario in &read_scenarios(&folder).unwrap() {
        let group = group_of(scenario);
        if group != Group::Core {
            continue;
        }
        let outcome = run_scenario(scenario, &InSqlite { uses_filters });
        if matches!(outcome, Outcome::Failed(_)) {
            let in_memory = run_scenario(scenario, &InMemory(Hints::Ignored));
            assert!(matches!(in_memory, Outcome::Failed(_)), "{} fails over SQLite only: {outcome:?}", scenario.id());
        }
        report.add(scenario, group, &outcome);
    }
    let core = report.tally(Group::Core);
    assert!(core.total > 1_800 && core.percent() >= 97.0, "{report}");
}

#[test]
fn the_suite_passes_with_filters() {
    check(true);
}

#[test]
fn the_suite_passes_without_filters() {
    check(false);
}
