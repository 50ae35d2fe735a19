//! Every question has the same answer from SQL, from a snapshot, and from lists in memory, and while a snapshot comes in between.

use std::collections::{BTreeMap, HashMap};

use graph::{
    Confidence, Direction, Edge, EdgeKey, GraphRead, Label, Node, NodeFilter, NodeId, NodeKey, Relation, RelationKey,
    Resolution, Step, Value,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use store::projects::file_id;
use store::{FileUpdate, GraphUpdate, Part};
use store_sqlite::Reading;

use super::{SNAPSHOT, SQL, Sample, scan, text};
use crate::sample::{node, record};

const RELATIONS: [Relation; 3] = [Relation::Defines, Relation::Calls, Relation::References];
const DIRECTIONS: [Direction; 3] = [Direction::Outgoing, Direction::Incoming, Direction::Either];
const PATH: &str = "src/a.py";

fn id(number: usize) -> NodeId {
    NodeId::of(Label::Function, &format!("function {number}"))
}

/// Edges between so many functions and one that does not exist.
fn any_edges() -> impl Strategy<Value = (usize, Vec<Edge>)> {
    (1..12_usize).prop_flat_map(|count| {
        let ends = (0..count, select(&RELATIONS[..]), 0..=count, 0..3_u32);
        let edge = ends.prop_map(|(from, relation, to, line)| Edge {
            from: id(from),
            relation,
            to: id(to),
            line,
            resolution: if line == 1 { Resolution::Import } else { Resolution::Type },
            confidence: Confidence(u8::try_from(line).unwrap() * 50),
        });
        (Just(count), vec(edge, 0..60))
    })
}

fn update(count: usize, edges: &[Edge]) -> GraphUpdate {
    let file = file_id(PATH);
    let nodes = (0..count)
        .map(|number| Node {
            start_line: u32::try_from(number).unwrap(),
            docstring: (number % 2 == 1).then(|| format!("says {number}")),
            modifiers: vec!["async".to_owned(); number % 3],
            ..node(Label::Function, &format!("function {number}"), Some(file))
        })
        .collect();
    let part = Some(Part { nodes, edges: edges.to_vec() });
    GraphUpdate {
        files: vec![FileUpdate { record: record(PATH), facts: None, part, words: None }],
        ..GraphUpdate::default()
    }
}

/// What a step is, whatever its key.
type Met = (u8, i64, bool, u32);

fn expected(edges: &[Edge], node: NodeId, direction: Direction, relations: &[Relation]) -> Vec<Met> {
    let mut met = Vec::new();
    for edge in edges.iter().filter(|edge| relations.is_empty() || relations.contains(&edge.relation)) {
        if edge.from == node && direction != Direction::Incoming {
            met.push((edge.relation.code(), edge.to.0, true, edge.line));
        }
        let is_second = direction == Direction::Either && edge.from == edge.to;
        if edge.to == node && direction != Direction::Outgoing && !is_second {
            met.push((edge.relation.code(), edge.from.0, false, edge.line));
        }
    }
    met.sort_unstable();
    met
}

/// What the reader's keys of relationships stand for; a key never changes its meaning, nor a relationship its key.
#[derive(Default)]
struct Keys(HashMap<EdgeKey, (i64, u8, i64, u32)>, HashMap<(i64, u8, i64, u32), EdgeKey>);

impl Keys {
    fn check(&mut self, reader: &dyn GraphRead, near: NodeKey, step: &Step) -> Met {
        let line = reader.edge_property(step.edge, reader.property("line").unwrap()).unwrap();
        let Value::Int(line) = line else { panic!("{line:?} is no line") };
        let line = u32::try_from(line).unwrap();
        let (from, to) = if step.outgoing { (near, step.far) } else { (step.far, near) };
        let ends = reader.edge_ends(step.edge).unwrap();
        assert_eq!((ends.from, ends.relation, ends.to), (from, step.relation, to));
        let relation = u8::try_from(step.relation.0).unwrap();
        let id = |key: NodeKey| i64::try_from(key.0).unwrap();
        let edge = (id(from), relation, id(to), line);
        assert_eq!(*self.0.entry(step.edge).or_insert(edge), edge);
        assert_eq!(*self.1.entry(edge).or_insert(step.edge), step.edge);
        (relation, id(step.far), step.outgoing, line)
    }
}

fn check_edges(reader: &dyn GraphRead, edges: &[Edge], keys: &mut Keys) {
    let wanted: [&[Relation]; 4] =
        [&[], &RELATIONS[1..2], &[Relation::References, Relation::Defines], &[Relation::Inherits]];
    for node in scan(reader, &NodeFilter::default(), 4) {
        for (direction, relations) in
            DIRECTIONS.into_iter().flat_map(|direction| wanted.map(|wanted| (direction, wanted)))
        {
            let numbers: Vec<_> = relations.iter().map(|relation| reader.relation(relation.name()).unwrap()).collect();
            let repeated: Vec<RelationKey> = numbers.iter().chain(&numbers).copied().collect();
            let mut steps = Vec::new();
            reader.expand(node, direction, &repeated, &mut steps).unwrap();
            assert_eq!(reader.degree(node, direction, &numbers).unwrap(), steps.len() as u64);
            let mut met: Vec<_> = steps.iter().map(|step| keys.check(reader, node, step)).collect();
            met.sort_unstable();
            let id = NodeId(i64::try_from(node.0).unwrap());
            assert_eq!(met, expected(edges, id, direction, relations), "{direction:?} {relations:?}");
        }
    }
}

fn check_nodes(reader: &dyn GraphRead, count: usize) {
    for number in 0..count {
        let node = NodeKey(u64::try_from(id(number).0).unwrap());
        let all: BTreeMap<_, _> = reader.node_properties(node).unwrap().into_iter().collect();
        for (key, name) in reader.property_names() {
            let value = reader.node_property(node, key).unwrap();
            assert_eq!(all.get(&key), (value != Value::Null).then_some(&value), "{name}");
            let wanted = match &*name {
                "name" | "qualified_name" => text(&format!("function {number}")),
                "file_path" => text(PATH),
                "line_start" if number > 0 => Value::Int(i64::try_from(number).unwrap()),
                "docstring" if number % 2 == 1 => text(&format!("says {number}")),
                "modifiers" if number % 3 > 0 => Value::List(vec![text("async"); number % 3].into()),
                _ => Value::Null,
            };
            assert_eq!(value, wanted, "{name}");
        }
    }
}

fn stored(edges: &[Edge], count: usize) -> Vec<Edge> {
    let by_key: BTreeMap<_, _> =
        edges.iter().map(|edge| ((edge.from, edge.relation, edge.to, edge.line), *edge)).collect();
    by_key.into_values().filter(|edge| edge.to != id(count)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_reader_does_what_lists_do((count, edges) in any_edges()) {
        let sample = Sample::new();
        sample.project.apply(&update(count, &edges)).unwrap();
        let edges = stored(&edges, count);
        // By default a graph this small gets a snapshot after a few questions: in the midst of the others.
        for reading in [SQL, SNAPSHOT, Reading::default()] {
            let project = sample.read(reading);
            let reader = project.reader().unwrap();
            let mut keys = Keys::default();
            for _ in 0..3 {
                check_edges(&*reader, &edges, &mut keys);
                check_nodes(&*reader, count);
            }
        }
    }
}

#[test]
fn relationships_say_how_they_were_found() {
    let sample = Sample::new();
    let edge = |to, line| Edge {
        from: id(0),
        relation: Relation::Calls,
        to: id(to),
        line,
        resolution: Resolution::Import,
        confidence: Confidence(95),
    };
    sample.project.apply(&update(2, &[edge(1, 0), edge(1, 7)])).unwrap();
    for reading in [SQL, SNAPSHOT] {
        let project = sample.read(reading);
        let reader = project.reader().unwrap();
        let mut steps = Vec::new();
        reader.expand(NodeKey(u64::try_from(id(0).0).unwrap()), Direction::Outgoing, &[], &mut steps).unwrap();
        let properties = |step: &Step| {
            let named = |(key, value)| {
                let names = reader.property_names();
                (names.into_iter().find(|(other, _)| *other == key).unwrap().1.to_string(), value)
            };
            reader.edge_properties(step.edge).unwrap().into_iter().map(named).collect::<Vec<_>>()
        };
        let expected = |line| {
            let values =
                [("line", Value::Int(line)), ("resolution", text("import")), ("confidence", Value::Float(0.95))];
            values.map(|(name, value)| (name.to_owned(), value)).to_vec()
        };
        assert_eq!(steps.iter().map(properties).collect::<Vec<_>>(), [expected(0), expected(7)]);
    }
}
