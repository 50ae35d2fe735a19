//! Which properties nodes and relationships have outside, under which names and of which kind.
//!
//! What a node lacks is left out: no empty text, no empty list, no line 0. A relationship always has all of its properties,
//! and its line is 0 where it has none, because the line is part of what tells two relationships apart.

use graph::Edge;

use crate::NodeRecord;

/// A value of one of the kinds that every format and every graph server knows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    Text(&'a str),
    List(&'a [String]),
    Number(u32),
    Fraction(f64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    Text,
    List,
    Number,
    Fraction,
}

pub const LINE: &str = "line";
pub const RESOLUTION: &str = "resolution";
pub const CONFIDENCE: &str = "confidence";

/// Every property of a node, in the order in which they are written.
pub const NODE_KEYS: &[(&str, ValueKind)] = &[
    ("qualified_name", ValueKind::Text),
    ("name", ValueKind::Text),
    ("file_path", ValueKind::Text),
    ("line_start", ValueKind::Number),
    ("line_end", ValueKind::Number),
    ("signature", ValueKind::Text),
    ("docstring", ValueKind::Text),
    ("decorators", ValueKind::List),
    ("modifiers", ValueKind::List),
];

/// Every property of a relationship, in the order in which they are written.
pub const EDGE_KEYS: &[(&str, ValueKind)] =
    &[(LINE, ValueKind::Number), (RESOLUTION, ValueKind::Text), (CONFIDENCE, ValueKind::Fraction)];

/// The properties that this node has, in the order of [`NODE_KEYS`].
pub fn of_node<'a>(record: &NodeRecord<'a>) -> impl Iterator<Item = (&'static str, Value<'a>)> {
    let node = record.node;
    let line = |line: u32| (line > 0).then_some(Value::Number(line));
    let list = |list: &'a [String]| (!list.is_empty()).then_some(Value::List(list));
    let values = [
        Some(Value::Text(&node.qualified_name)),
        Some(Value::Text(&node.name)),
        record.path.map(Value::Text),
        line(node.start_line),
        line(node.end_line),
        node.signature.as_deref().map(Value::Text),
        node.docstring.as_deref().map(Value::Text),
        list(&node.decorators),
        list(&node.modifiers),
    ];
    NODE_KEYS.iter().zip(values).filter_map(|((key, _), value)| Some((*key, value?)))
}

/// The properties of this relationship, in the order of [`EDGE_KEYS`].
pub fn of_edge(edge: &Edge) -> [(&'static str, Value<'static>); 3] {
    [
        (LINE, Value::Number(edge.line)),
        (RESOLUTION, Value::Text(edge.resolution.name())),
        (CONFIDENCE, Value::Fraction(edge.confidence.as_fraction())),
    ]
}

impl Value<'_> {
    pub fn kind(&self) -> ValueKind {
        match self {
            Self::Text(_) => ValueKind::Text,
            Self::List(_) => ValueKind::List,
            Self::Number(_) => ValueKind::Number,
            Self::Fraction(_) => ValueKind::Fraction,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn values_have_the_kinds_that_the_lists_of_keys_promise() {
        let node = sample::full_node();
        let record = NodeRecord { node: &node, path: Some("a.py") };
        let found: Vec<_> = of_node(&record).map(|(key, value)| (key, value.kind())).collect();
        assert_eq!(found, NODE_KEYS);
        let found = of_edge(&sample::edges()[0]).map(|(key, value)| (key, value.kind()));
        assert_eq!(found, *EDGE_KEYS);
    }

    #[test]
    fn properties_have_the_names_that_queries_use() {
        let mut names: Vec<&str> = NODE_KEYS.iter().map(|(key, _)| *key).collect();
        let mut known = graph::NODE_PROPERTIES.to_vec();
        names.sort_unstable();
        known.sort_unstable();
        assert_eq!(names, known);
        assert!(EDGE_KEYS.iter().map(|(key, _)| key).eq(graph::RELATIONSHIP_PROPERTIES));
    }

    #[test]
    fn what_a_node_lacks_is_left_out() {
        let node = sample::bare_node();
        let record = NodeRecord { node: &node, path: None };
        assert_eq!(of_node(&record).map(|(key, _)| key).collect::<Vec<_>>(), ["qualified_name", "name"]);
    }
}
