//! When a snapshot is made: not for a few questions, before many have cost more than it does, and anew after a change.

use graph::{Condition, Direction, GraphRead as _, Label, Node, NodeFilter, NodeId, Test, Value};
use graph::{Confidence, Edge, Relation, Resolution};
use store::{GraphUpdate, Part, ProjectGraph as _};

use super::{GraphReader, Reading};
use crate::projects::SqliteProjects;
use crate::projects::paths::id_of;
use store::ProjectCatalog as _;

const FUNCTIONS: usize = 4_000;

fn id(number: usize) -> NodeId {
    NodeId::of(Label::Function, &format!("function_{number}"))
}

/// Functions that each call the next, the first one on this line.
fn update(line: u32) -> GraphUpdate {
    let node = |number: usize| {
        let name = format!("function_{number}");
        Node { id: id(number), label: Label::Function, name: name.clone(), qualified_name: name, ..Node::default() }
    };
    let edge = |number: usize| Edge {
        from: id(number),
        relation: Relation::Calls,
        to: id(number + 1),
        line: if number == 0 { line } else { 1 },
        resolution: Resolution::Scope,
        confidence: Confidence::CERTAIN,
    };
    let (nodes, edges) = ((0..FUNCTIONS).map(node).collect(), (0..FUNCTIONS - 1).map(edge).collect());
    GraphUpdate { structure: Some(Part { nodes, edges }), ..GraphUpdate::default() }
}

fn look_up_and_hop(reader: &GraphReader<'_>) {
    let name = reader.property("qualified_name").unwrap();
    let test = Test::Equals(Value::Text("function_7".into()));
    let filter = NodeFilter { labels: vec![], conditions: vec![Condition { property: name, test }] };
    let (mut nodes, mut steps) = (Vec::new(), Vec::new());
    reader.scan(&filter, None, 64, &mut nodes).unwrap();
    reader.expand(nodes[0], Direction::Either, &[], &mut steps).unwrap();
    assert_eq!(steps.len(), 2);
}

fn go_through_all(reader: &GraphReader<'_>) {
    let (mut nodes, mut calls) = (Vec::new(), 0);
    while nodes.len() < FUNCTIONS {
        let known = nodes.len();
        reader.scan(&NodeFilter::default(), nodes.last().copied(), 500, &mut nodes).unwrap();
        let degree = |node| reader.degree(node, Direction::Outgoing, &[]).unwrap();
        calls += nodes[known..].iter().copied().map(degree).sum::<u64>();
    }
    assert_eq!(calls, FUNCTIONS as u64 - 1);
}

#[test]
fn a_snapshot_is_made_when_it_is_worth_it() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = SqliteProjects::open(folder.path());
    catalog.create("sample", "/sample").unwrap();
    let project = catalog.project(&mut catalog.known(), &id_of("sample"));
    project.apply(&update(1)).unwrap();
    let open = || GraphReader::open(&project, Reading::default()).unwrap();

    for _ in 0..50 {
        let reader = open();
        look_up_and_hop(&reader);
        assert!(reader.snapshot().is_none());
    }
    let before = open();
    go_through_all(&before);
    assert!(before.snapshot().is_some());
    assert!(open().snapshot().is_some());

    project.apply(&update(2)).unwrap();
    let after = open();
    assert!(after.snapshot().is_none());
    look_up_and_hop(&after);
    look_up_and_hop(&before);
    go_through_all(&after);
    assert!(open().snapshot().is_some());
}
