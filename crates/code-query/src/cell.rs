//! Values of rows, without the graph they came from.

use cypher::Value;
use graph::{EdgeKey, GraphRead, NodeKey, ReadResult};

/// What stands in one column of one row.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Cell>),
    /// Names and values, in their order. Nodes, relationships and paths become this too.
    Map(Vec<(String, Cell)>),
}

impl Cell {
    pub(crate) fn of(value: &Value, graph: &dyn GraphRead) -> ReadResult<Self> {
        Ok(match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Int(value) => Self::Int(*value),
            Value::Float(value) => Self::Float(*value),
            Value::Text(value) => Self::Text(value.to_string()),
            Value::List(values) => {
                Self::List(values.iter().map(|value| Self::of(value, graph)).collect::<Result<_, _>>()?)
            }
            Value::Map(entries) => {
                let entry =
                    |(name, value): (&std::sync::Arc<str>, &Value)| Ok((name.to_string(), Self::of(value, graph)?));
                Self::Map(entries.iter().map(entry).collect::<ReadResult<_>>()?)
            }
            Value::Node(node) => node_cell(*node, graph)?,
            Value::Relationship(edge) => edge_cell(*edge, graph)?,
            Value::Path(path) => {
                let nodes = path.nodes.iter().map(|node| short_node(*node, graph)).collect::<ReadResult<_>>()?;
                let edges = path.relationships.iter().map(|edge| edge_cell(*edge, graph)).collect::<ReadResult<_>>()?;
                Self::Map(vec![
                    ("nodes".to_owned(), Self::List(nodes)),
                    ("relationships".to_owned(), Self::List(edges)),
                ])
            }
        })
    }

    pub(crate) fn stored(value: graph::Value) -> Self {
        match value {
            graph::Value::Null => Self::Null,
            graph::Value::Bool(value) => Self::Bool(value),
            graph::Value::Int(value) => Self::Int(value),
            graph::Value::Float(value) => Self::Float(value),
            graph::Value::Text(value) => Self::Text(value.to_string()),
            graph::Value::List(values) => Self::List(values.iter().cloned().map(Self::stored).collect()),
        }
    }
}

/// A node that was asked for as a whole: its label and everything it has.
fn node_cell(node: NodeKey, graph: &dyn GraphRead) -> ReadResult<Cell> {
    let mut entries = vec![("label".to_owned(), Cell::Text(label_of(node, graph)?))];
    let names = graph.property_names();
    for (key, value) in graph.node_properties(node)? {
        if let Some((_, name)) = names.iter().find(|(known, _)| *known == key) {
            entries.push((name.to_string(), Cell::stored(value)));
        }
    }
    Ok(Cell::Map(entries))
}

/// A node on a path: what an agent needs to go on from there.
fn short_node(node: NodeKey, graph: &dyn GraphRead) -> ReadResult<Cell> {
    let mut entries = vec![("label".to_owned(), Cell::Text(label_of(node, graph)?))];
    for name in ["qualified_name", "file_path", "line_start"] {
        if let Some(key) = graph.property(name) {
            match graph.node_property(node, key)? {
                graph::Value::Null => {}
                value => entries.push((name.to_owned(), Cell::stored(value))),
            }
        }
    }
    Ok(Cell::Map(entries))
}

fn edge_cell(edge: EdgeKey, graph: &dyn GraphRead) -> ReadResult<Cell> {
    let relation = graph.edge_ends(edge)?.relation;
    let names = graph.relation_names();
    let relation = names.iter().find(|(known, _)| *known == relation).map(|(_, name)| name.to_string());
    let mut entries = vec![("type".to_owned(), relation.map_or(Cell::Null, Cell::Text))];
    let names = graph.property_names();
    for (key, value) in graph.edge_properties(edge)? {
        if let Some((_, name)) = names.iter().find(|(known, _)| *known == key) {
            entries.push((name.to_string(), Cell::stored(value)));
        }
    }
    Ok(Cell::Map(entries))
}

pub(crate) fn label_of(node: NodeKey, graph: &dyn GraphRead) -> ReadResult<String> {
    let mut labels = Vec::new();
    graph.node_labels(node, &mut labels)?;
    let names = graph.label_names();
    let found = labels.first().and_then(|label| names.iter().find(|(known, _)| known == label));
    Ok(found.map(|(_, name)| name.to_string()).unwrap_or_default())
}
