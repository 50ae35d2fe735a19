//! A graph of any size, the same each time.

use std::collections::BTreeMap;

use jiff::Timestamp;
use store::knowledge::{List, Name, Properties, Value};
use store::{KnowledgeGraph, NewNode, Node, NodeId, Relationship, RelationshipId};

/// How many are put at once.
const BATCH: usize = 2_000;

/// Numbers that look random.
#[derive(Debug)]
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }
}

/// Makes the graph, unless it is there already, and gives the ids of its nodes, the one with the most relationships first.
pub(crate) async fn fill(graph: &dyn KnowledgeGraph, nodes: usize, relationships: usize) -> Vec<NodeId> {
    if graph.size().await.unwrap().nodes == 0 {
        return fill_empty(graph, nodes, relationships).await;
    }
    let mut ids = Vec::new();
    while ids.len() < nodes {
        let page = graph.nodes_in_order(ids.last().copied(), 10_000).await.unwrap();
        ids.extend(page.into_iter().map(|node| node.id));
    }
    ids.truncate(nodes);
    ids
}

async fn fill_empty(graph: &dyn KnowledgeGraph, nodes: usize, relationships: usize) -> Vec<NodeId> {
    let now = Timestamp::from_second(1_700_000_000).unwrap();
    let mut ids = Vec::with_capacity(nodes);
    for first in (0..nodes).step_by(BATCH) {
        let batch: Vec<Node> = (first..nodes.min(first + BATCH))
            .map(|number| {
                let NewNode { label, properties } = node(number);
                Node { id: NodeId::generate(), label, properties, created_at: now, updated_at: now }
            })
            .collect();
        ids.extend(batch.iter().map(|node| node.id));
        graph.import_nodes(batch).await.unwrap();
    }
    let mut numbers = Numbers(3);
    let kinds = ["RELATED_TO", "MENTIONS"].map(|kind| Name::parse(kind).unwrap());
    for first in (0..relationships).step_by(BATCH) {
        let batch = (first..relationships.min(first + BATCH)).map(|number| Relationship {
            id: RelationshipId::generate(),
            from: ids[numbers.below(ids.len())],
            to: ids[popular(&mut numbers, ids.len())],
            kind: kinds[number % 2].clone(),
            properties: Properties::default(),
            created_at: now,
            updated_at: now,
        });
        graph.import_relationships(batch.collect()).await.unwrap();
    }
    ids
}

/// A number below the bound; the lower, the likelier, so that the degrees of nodes follow a power law.
fn popular(numbers: &mut Numbers, bound: usize) -> usize {
    let share = (numbers.below(1 << 30) as f64 + 1.0) / f64::from(1 << 30);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and the bound")]
    let number = (share.powi(3) * bound as f64) as usize;
    number.min(bound - 1)
}

pub(crate) fn node(number: usize) -> NewNode {
    let mut numbers = Numbers(number as u64 + 1);
    let mut some = |bound: usize| popular(&mut numbers, bound);
    let name = if number.is_multiple_of(5) {
        chinese(some(50_000))
    } else {
        format!("{} {}", word(some(4_000)), word(some(20_000)))
    };
    let alias = word(some(20_000));
    let values = [
        ("name", Value::Text(name)),
        ("aliases", Value::List(List::Texts(vec![alias]))),
        ("kind", Value::Text(word(some(50)))),
        ("number", Value::Integer(i64::try_from(number).unwrap())),
    ];
    let values: BTreeMap<Name, Value> =
        values.into_iter().map(|(name, value)| (Name::parse(name).unwrap(), value)).collect();
    NewNode { label: Name::parse("Entity").unwrap(), properties: Properties::new(values).unwrap() }
}

/// A word of its own for each number, of six to nine letters.
pub(crate) fn word(number: usize) -> String {
    const PARTS: [&str; 20] = [
        "ba", "cor", "di", "fen", "gul", "ha", "jin", "kel", "lo", "mar", "nu", "pol", "qui", "ra", "sten", "ti", "ul",
        "vex", "wy", "zan",
    ];
    let mut rest = number * 7 + 3;
    let mut word = String::new();
    for _ in 0..4 {
        word.push_str(PARTS[rest % PARTS.len()]);
        rest /= PARTS.len();
    }
    word
}

/// A Chinese name for each number.
pub(crate) fn chinese(number: usize) -> String {
    let mut numbers = Numbers(number as u64 + 5);
    (0..4).filter_map(|_| char::from_u32(0x4e00 + u32::try_from(numbers.below(3_000)).ok()?)).collect()
}
