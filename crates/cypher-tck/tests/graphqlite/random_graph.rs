//! A small graph made at random: some nodes without a label or a property, loops, parallel relationships.

use cypher_tck::{Backend as _, Hints, InMemory, NodeData, RelationshipData};
use graph::{GraphRead, Value};

use crate::random::Random;

const LABELS: &[&str] = &["Function", "Class", "File"];
const NAMES: &[&str] = &["a", "b", "ab", "bc", "B", "cab"];
const KINDS: &[&str] = &["CALLS", "DEFINES"];

#[derive(Debug)]
pub(crate) struct RandomGraph {
    nodes: Vec<NodeData>,
    relationships: Vec<RelationshipData>,
}

impl RandomGraph {
    pub(crate) fn new(random: &mut Random) -> Self {
        let count = 3 + random.below(4);
        let nodes = (0..count).map(|number| node(number, random)).collect();
        let mut relationships: Vec<_> =
            (0..6 + random.below(8)).map(|number| relationship(number, count, random)).collect();
        if !random.one_in(4) {
            relationships.retain(|relationship| relationship.from != relationship.to);
        }
        if random.one_in(2) {
            relationships.sort_by_key(|relationship| (relationship.from, relationship.to));
            relationships.dedup_by_key(|relationship| (relationship.from, relationship.to));
        }
        Self { nodes, relationships }
    }

    pub(crate) fn read(&self) -> Box<dyn GraphRead> {
        InMemory(Hints::Honoured).graph(&self.nodes, &self.relationships)
    }

    pub(crate) fn has_loops(&self) -> bool {
        self.relationships.iter().any(|relationship| relationship.from == relationship.to)
    }

    /// Whether two relationships of a type join the same nodes.
    pub(crate) fn has_parallels(&self) -> bool {
        let ends = |relationship: &RelationshipData| {
            let RelationshipData { from, kind, to, .. } = relationship;
            (*from.min(to), kind.clone(), *from.max(to))
        };
        let mut seen = std::collections::HashSet::new();
        !self.relationships.iter().all(|relationship| seen.insert(ends(relationship)))
    }

    /// The clause that makes it.
    pub(crate) fn create(&self) -> String {
        let node = |(number, node): (usize, &NodeData)| {
            let labels: String = node.labels.iter().map(|label| format!(":{label}")).collect();
            format!("(n{number}{labels} {})", map(&node.properties))
        };
        let relationship = |relationship: &RelationshipData| {
            let RelationshipData { from, kind, to, properties } = relationship;
            format!("(n{from})-[:{kind} {}]->(n{to})", map(properties))
        };
        let nodes = self.nodes.iter().enumerate().map(node);
        let parts: Vec<String> = nodes.chain(self.relationships.iter().map(relationship)).collect();
        format!("CREATE {}", parts.join(", "))
    }
}

fn node(number: usize, random: &mut Random) -> NodeData {
    let mut properties = vec![("id".into(), Value::Int(number as i64))];
    if !random.one_in(6) {
        properties.push(("name".into(), Value::Text(random.pick(NAMES).into())));
    }
    if !random.one_in(4) {
        properties.push(("line".into(), Value::Int(random.below(5) as i64 * 10)));
    }
    if random.one_in(3) {
        properties.push(("share".into(), Value::Float(random.below(4) as f64 + 0.5)));
    }
    if random.one_in(3) {
        properties.push(("public".into(), Value::Bool(random.one_in(2))));
    }
    let mut labels = vec![];
    for label in LABELS {
        if random.one_in(2) && labels.len() < 2 {
            labels.push((*label).into());
        }
    }
    NodeData { labels, properties }
}

fn relationship(number: usize, nodes: usize, random: &mut Random) -> RelationshipData {
    let mut properties = vec![("id".into(), Value::Int(number as i64))];
    if !random.one_in(3) {
        properties.push(("line".into(), Value::Int(random.below(4) as i64)));
    }
    let kind = random.pick(KINDS).into();
    RelationshipData { from: random.below(nodes), kind, to: random.below(nodes), properties }
}

fn map(properties: &[(std::sync::Arc<str>, Value)]) -> String {
    let entry = |(name, value): &(std::sync::Arc<str>, Value)| match value {
        Value::Int(number) => format!("{name}: {number}"),
        Value::Float(number) => format!("{name}: {number:?}"),
        Value::Bool(truth) => format!("{name}: {truth}"),
        Value::Text(text) => format!("{name}: '{text}'"),
        Value::Null | Value::List(_) => panic!("a random graph has no {value:?}"),
    };
    format!("{{{}}}", properties.iter().map(entry).collect::<Vec<_>>().join(", "))
}
