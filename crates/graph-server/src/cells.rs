//! Values as a server sends them → cells of rows, in the same shape as those of our own engine.

use std::collections::BTreeMap;

use code_query::Cell;
use graph::{NODE_PROPERTIES, RELATIONSHIP_PROPERTIES};
use graph_export::cypher::NODE;
use neo4rs::{BoltList, BoltMap, BoltNode, BoltPath, BoltType};

/// Of a node on a path: what an agent needs to go on from there.
const SHORT: &[&str] = &["qualified_name", "file_path", "line_start"];

#[expect(clippy::wildcard_enum_match_arm, reason = "times and points are in no code graph")]
pub(crate) fn cell(value: &BoltType) -> Cell {
    match value {
        BoltType::Null(_) => Cell::Null,
        BoltType::Boolean(value) => Cell::Bool(value.value),
        BoltType::Integer(value) => Cell::Int(value.value),
        BoltType::Float(value) => Cell::Float(value.value),
        BoltType::String(value) => Cell::Text(value.value.clone()),
        BoltType::List(values) => Cell::List(values.iter().map(cell).collect()),
        BoltType::Map(map) => {
            let sorted: BTreeMap<&str, &BoltType> = map.value.iter().map(|(key, value)| (&*key.value, value)).collect();
            Cell::Map(sorted.into_iter().map(|(key, value)| (key.to_owned(), cell(value))).collect())
        }
        BoltType::Node(node) => node_cell(node, NODE_PROPERTIES),
        BoltType::Relation(relation) => edge_cell(&relation.typ.value, &relation.properties),
        BoltType::UnboundedRelation(relation) => edge_cell(&relation.typ.value, &relation.properties),
        BoltType::Path(path) => path_cell(path),
        other => Cell::Text(format!("{other:?}")),
    }
}

fn node_cell(node: &BoltNode, wanted: &[&str]) -> Cell {
    let own = |label: &BoltType| if let BoltType::String(label) = label { Some(label.value.clone()) } else { None };
    let labels = node.labels.iter().filter_map(own).filter(|label| label != NODE);
    let label = labels.last().map_or(Cell::Null, Cell::Text);
    Cell::Map(std::iter::once(("label".to_owned(), label)).chain(properties(&node.properties, wanted)).collect())
}

fn edge_cell(kind: &str, map: &BoltMap) -> Cell {
    let kind = ("type".to_owned(), Cell::Text(kind.to_owned()));
    Cell::Map(std::iter::once(kind).chain(properties(map, RELATIONSHIP_PROPERTIES)).collect())
}

/// Those that code graphs have, in their order; what an import adds for itself is left out.
fn properties(map: &BoltMap, wanted: &[&str]) -> Vec<(String, Cell)> {
    let found = wanted.iter().filter_map(|name| Some((*name, map.value.get(*name)?)));
    let is_there = |value: &BoltType| !matches!(value, BoltType::Null(_));
    found.filter(|(_, value)| is_there(value)).map(|(name, value)| (name.to_owned(), cell(value))).collect()
}

/// A path comes as its different nodes and relationships, and the order in which it meets them.
fn path_cell(path: &BoltPath) -> Cell {
    let node = |place: usize| item(&path.nodes, place);
    let (mut nodes, mut relationships) = (vec![node(0)], Vec::new());
    let steps: Vec<i64> = path.indices.iter().filter_map(number).collect();
    for step in steps.chunks_exact(2) {
        let place = |number: i64| usize::try_from(number.unsigned_abs()).unwrap_or(usize::MAX);
        relationships.push(item(&path.rels, place(step[0]).wrapping_sub(1)));
        nodes.push(node(place(step[1])));
    }
    Cell::Map(vec![("nodes".to_owned(), Cell::List(nodes)), ("relationships".to_owned(), Cell::List(relationships))])
}

fn item(list: &BoltList, place: usize) -> Cell {
    match list.value.get(place) {
        Some(BoltType::Node(node)) => node_cell(node, SHORT),
        Some(other) => cell(other),
        None => Cell::Null,
    }
}

fn number(value: &BoltType) -> Option<i64> {
    if let BoltType::Integer(value) = value { Some(value.value) } else { None }
}

#[cfg(test)]
mod tests {
    use neo4rs::{BoltInteger, BoltString, BoltUnboundedRelation};

    use super::*;

    fn node(name: &str) -> BoltType {
        let mut map = BoltMap::new();
        map.put("qualified_name".into(), name.into());
        map.put("signature".into(), "f()".into());
        map.put("epoch".into(), 7.into());
        let labels = [NODE, "Function"].into_iter().collect::<BoltType>();
        let BoltType::List(labels) = labels else { panic!("a list of labels") };
        BoltType::Node(BoltNode::new(BoltInteger::new(1), labels, map))
    }

    fn text(name: &str, value: &str) -> (String, Cell) {
        (name.to_owned(), Cell::Text(value.to_owned()))
    }

    #[test]
    fn a_node_has_its_own_label_and_what_code_graphs_have() {
        let expected = vec![text("label", "Function"), text("qualified_name", "a"), text("signature", "f()")];
        assert_eq!(cell(&node("a")), Cell::Map(expected));
    }

    #[test]
    fn a_path_is_in_the_order_in_which_it_goes() {
        let calls = |line: i64| {
            let mut map = BoltMap::new();
            map.put("line".into(), line.into());
            BoltType::UnboundedRelation(BoltUnboundedRelation::new(BoltInteger::new(1), BoltString::from("CALLS"), map))
        };
        let list = |values: Vec<BoltType>| BoltList::from(values);
        let path = BoltPath {
            nodes: list(vec![node("a"), node("b")]),
            rels: list(vec![calls(3), calls(9)]),
            indices: list(vec![2.into(), 1.into(), (-1).into(), 0.into()]),
        };
        let Cell::Map(entries) = cell(&BoltType::Path(path)) else { panic!("a map") };
        let short = |name: &str| Cell::Map(vec![text("label", "Function"), text("qualified_name", name)]);
        assert_eq!(entries[0].1, Cell::List(vec![short("a"), short("b"), short("a")]));
        let step = |line: i64| Cell::Map(vec![text("type", "CALLS"), ("line".to_owned(), Cell::Int(line))]);
        assert_eq!(entries[1].1, Cell::List(vec![step(9), step(3)]));
    }
}
