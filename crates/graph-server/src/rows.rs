//! Nodes and relationships as rows of a statement.

use std::collections::BTreeMap;

use graph::{Edge, Label, Relation};
use graph_export::cypher::{put_edges, put_nodes, server_id};
use graph_export::{NodeRecord, Value, of_edge, of_node};
use neo4rs::{BoltMap, BoltType, Query};

use crate::Import;
use crate::marker::number;

/// Rows for one transaction: enough to be quick, few enough that little is lost.
const ROWS: u64 = 1_000;
const BYTES: usize = 1024 * 1024;

/// Which statement a row is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Node(Label),
    Relationship(Relation),
}

/// What goes into one transaction.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) rows: u64,
    bytes: usize,
    by_kind: BTreeMap<Kind, Vec<BoltType>>,
}

impl Batch {
    pub(crate) fn add_node(&mut self, import: &Import, record: &NodeRecord<'_>) {
        let mut map = BoltMap::with_capacity(12);
        map.put("id".into(), server_id(&import.project, record.node.id).into());
        map.put("project".into(), import.project.as_str().into());
        map.put("epoch".into(), number(import.epoch).into());
        self.add(Kind::Node(record.node.label), map, of_node(record));
    }

    pub(crate) fn add_edge(&mut self, import: &Import, edge: &Edge) {
        let mut map = BoltMap::with_capacity(6);
        map.put("from".into(), server_id(&import.project, edge.from).into());
        map.put("to".into(), server_id(&import.project, edge.to).into());
        map.put("epoch".into(), number(import.epoch).into());
        self.add(Kind::Relationship(edge.relation), map, of_edge(edge));
    }

    fn add<'a>(
        &mut self,
        kind: Kind,
        mut row: BoltMap,
        properties: impl IntoIterator<Item = (&'static str, Value<'a>)>,
    ) {
        for (key, value) in properties {
            self.bytes += size(value);
            row.put(key.into(), bolt(value));
        }
        self.by_kind.entry(kind).or_default().push(BoltType::Map(row));
        self.rows += 1;
    }

    pub(crate) fn is_full(&self) -> bool {
        self.rows >= ROWS || self.bytes >= BYTES
    }

    /// One statement for each kind of row.
    pub(crate) fn into_queries(self) -> Vec<Query> {
        let query = |(kind, rows): (Kind, Vec<BoltType>)| {
            let statement = match kind {
                Kind::Node(label) => put_nodes(label, "$rows"),
                Kind::Relationship(relation) => put_edges(relation, "$rows", &["epoch"]),
            };
            Query::new(statement).param("rows", BoltType::List(rows.into()))
        };
        self.by_kind.into_iter().map(query).collect()
    }
}

fn bolt(value: Value<'_>) -> BoltType {
    match value {
        Value::Text(text) => text.into(),
        Value::List(list) => list.iter().map(String::as_str).collect::<BoltType>(),
        Value::Number(number) => i64::from(number).into(),
        Value::Fraction(fraction) => fraction.into(),
    }
}

fn size(value: Value<'_>) -> usize {
    match value {
        Value::Text(text) => text.len(),
        Value::List(list) => list.iter().map(String::len).sum(),
        Value::Number(_) | Value::Fraction(_) => 8,
    }
}

#[cfg(test)]
mod tests {
    use graph::{Node, NodeId};

    use super::*;

    fn import() -> Import {
        Import { project: "p".to_owned(), epoch: 7, nodes: 0, relationships: 0 }
    }

    fn node(label: Label, docstring: usize) -> Node {
        let docstring = Some("x".repeat(docstring));
        Node { id: NodeId(1), label, name: "n".into(), qualified_name: "n".into(), docstring, ..Node::default() }
    }

    #[test]
    fn a_batch_is_full_by_rows_or_by_bytes() {
        let mut batch = Batch::default();
        let small = node(Label::Class, 1);
        while !batch.is_full() {
            batch.add_node(&import(), &NodeRecord { node: &small, path: None });
        }
        assert_eq!(batch.rows, ROWS);
        let mut batch = Batch::default();
        batch.add_node(&import(), &NodeRecord { node: &node(Label::Class, BYTES), path: None });
        assert!(batch.is_full());
    }

    #[test]
    fn each_label_has_a_statement_of_its_own() {
        let mut batch = Batch::default();
        for label in [Label::Method, Label::Class, Label::Method] {
            batch.add_node(&import(), &NodeRecord { node: &node(label, 1), path: Some("a.py") });
        }
        let queries = batch.into_queries();
        let texts: Vec<&str> = queries.iter().map(Query::query).collect();
        assert_eq!(texts, [put_nodes(Label::Class, "$rows"), put_nodes(Label::Method, "$rows")]);
    }
}
