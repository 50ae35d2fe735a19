//! Test support: any property graph in SQLite, nodes with any labels and relationships of any type, their properties as JSONB.
//!
//! A code graph has one label for each node and a column for each property, so the tests of a query engine cannot run over it.
//! They run over this, through the same translation of filters into SQL.

mod conformance;
mod filters;
mod json;
mod layout;
mod names;
mod read;

use graph::{ReadResult, Value};
use rusqlite::Connection;

use self::names::Names;

/// A node to be stored; its place in the list is its key.
#[derive(Debug, Clone, Default)]
pub(super) struct NewNode {
    pub(super) labels: Vec<String>,
    pub(super) properties: Vec<(String, Value)>,
}

/// A relationship to be stored; its place in the list is its key.
#[derive(Debug, Clone)]
pub(super) struct NewRelationship {
    /// Places in the list of nodes.
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) relation: String,
    pub(super) properties: Vec<(String, Value)>,
}

/// A graph in a database of its own, in memory, that can be read.
#[derive(Debug)]
pub(super) struct PropertyGraph {
    connection: Connection,
    labels: Names,
    relations: Names,
    properties: Names,
    uses_filters: bool,
}

const TABLES: &str = "
    CREATE TABLE node (id INTEGER PRIMARY KEY, properties BLOB NOT NULL) STRICT;
    CREATE TABLE node_label (
        node  INTEGER NOT NULL,
        place INTEGER NOT NULL,
        label INTEGER NOT NULL,
        PRIMARY KEY (node, place)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE edge (
        id         INTEGER PRIMARY KEY,
        src        INTEGER NOT NULL,
        type       INTEGER NOT NULL,
        dst        INTEGER NOT NULL,
        properties BLOB NOT NULL
    ) STRICT;
    CREATE INDEX edge_out ON edge (src, type);
    CREATE INDEX edge_in ON edge (dst, type);";

impl PropertyGraph {
    /// Stores these. Without filters, scans give all nodes, whatever is known of those wanted.
    pub(super) fn new(nodes: &[NewNode], relationships: &[NewRelationship], uses_filters: bool) -> ReadResult<Self> {
        let connection = Connection::open_in_memory()?;
        connection.execute_batch(TABLES)?;
        let names = Names::default;
        let mut graph = Self { connection, labels: names(), relations: names(), properties: names(), uses_filters };
        graph.connection.execute_batch("BEGIN")?;
        (0..).zip(nodes).try_for_each(|(key, node)| graph.put_node(key, node))?;
        (0..).zip(relationships).try_for_each(|(key, relationship)| graph.put_edge(key, relationship))?;
        graph.connection.execute_batch("COMMIT")?;
        Ok(graph)
    }

    fn put_node(&mut self, key: i64, node: &NewNode) -> ReadResult<()> {
        let properties = self.encode(&node.properties)?;
        let mut statement = self.connection.prepare_cached("INSERT INTO node VALUES (?, jsonb(?))")?;
        statement.execute((key, properties))?;
        let mut statement = self.connection.prepare_cached("INSERT INTO node_label VALUES (?, ?, ?)")?;
        for (place, label) in node.labels.iter().enumerate() {
            statement.execute((key, place, self.labels.number(label)))?;
        }
        Ok(())
    }

    fn put_edge(&mut self, key: i64, edge: &NewRelationship) -> ReadResult<()> {
        let properties = self.encode(&edge.properties)?;
        let relation = self.relations.number(&edge.relation);
        let mut statement = self.connection.prepare_cached("INSERT INTO edge VALUES (?, ?, ?, ?, jsonb(?))")?;
        statement.execute((key, edge.from, relation, edge.to, properties))?;
        Ok(())
    }

    /// As JSON, under their numbers; what is null is not stored.
    fn encode(&mut self, properties: &[(String, Value)]) -> ReadResult<String> {
        let stored = properties.iter().filter(|(_, value)| *value != Value::Null);
        let stored = stored.map(|(name, value)| (self.properties.number(name).to_string(), json::of_value(value)));
        Ok(serde_json::to_string(&stored.collect::<serde_json::Map<_, _>>())?)
    }
}
