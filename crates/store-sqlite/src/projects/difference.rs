//! What to write so that a graph becomes the new one: rows that stay as they are cost no write.

use std::cmp::Reverse;

use graph::{Edge, Node, NodeId, Relation};
use rusqlite::{Connection, Statement, params, params_from_iter};
use rustc_hash::FxHashSet;
use store::projects::file_id;
use store::{GraphUpdate, Part};

use super::find::for_each;
use super::meta::ByCode;
use super::row::{self, edge_columns, list_column, node_columns};
use crate::job::Outcome;

const NODES_OF: &str = concat!("SELECT ", node_columns!(), " FROM node WHERE file IS ?");
const EDGES_OF: &str =
    concat!("SELECT ", edge_columns!(), " FROM node JOIN edge ON edge.src = node.id WHERE node.file IS ?");

const DELETE_NODE: &str = "DELETE FROM node WHERE id = ?";
const DELETE_EDGE: &str = "DELETE FROM edge WHERE src = ? AND type = ? AND dst = ? AND line = ?";

macro_rules! put_node {
    ($verb:literal) => {
        concat!(
            $verb,
            " INTO node (id, label, file, start_line, end_line, own_line, name, qualified_name, signature, docstring, \
             decorators, modifiers) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        )
    };
}

const EDGES_AT_ONCE: usize = 32;

/// How many rows there are more than before, by label and by type, and whether any was written.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Written {
    pub(super) labels: ByCode,
    pub(super) relations: ByCode,
    /// Whether an edge may now end at no node.
    pub(super) has_loose_ends: bool,
    /// Edges took the place of such that another file had brought, so that `relations` is not right.
    pub(super) must_count_relations: bool,
    pub(super) is_changed: bool,
}

impl Written {
    fn count_node(&mut self, node: &Node, change: i64) {
        self.labels[usize::from(node.label.code())] += change;
        self.is_changed = true;
    }

    fn count_edge(&mut self, edge: &Edge, change: i64) {
        self.relations[usize::from(edge.relation.code())] += change;
        self.is_changed = true;
    }
}

/// What is stored of everything an update names, in order.
#[derive(Debug, Default)]
pub(super) struct Stored {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

impl Stored {
    pub(super) fn read(connection: &Connection, update: &GraphUpdate) -> Outcome<Self> {
        let owners = owners(update);
        Ok(Self { nodes: old_nodes(connection, &owners)?, edges: old_edges(connection, &owners)? })
    }
}

/// Puts the nodes and edges of the update in place of what is stored. The update is taken as a whole, because a node may
/// move from one of its files to another. Of a node that is in several, the last one counts; of edges that differ only in
/// how they were found, the surest.
pub(super) fn write(connection: &Connection, old: &Stored, update: &GraphUpdate) -> Outcome<Written> {
    let (nodes, edges) = (new_nodes(update), new_edges(update));
    let mut written = Written::default();
    let gone = old.edges.iter().filter(|edge| edges.binary_search_by_key(&key(edge), key).is_err());
    delete_edges(connection, gone, &mut written)?;
    let gone = old.nodes.iter().filter(|node| nodes.binary_search_by_key(&node.id, |new| new.id).is_err());
    delete_nodes(connection, gone, &mut written)?;
    let is_new = |node: &&Node| match old.nodes.binary_search_by_key(&node.id, |old| old.id) {
        Ok(position) => old.nodes[position] != **node,
        Err(_) => true,
    };
    put_nodes(connection, nodes.iter().copied().filter(is_new), &mut written)?;
    let (replaced, added): (Vec<_>, Vec<_>) = edges
        .iter()
        .filter(|edge| old.edges.binary_search(edge).is_err())
        .partition(|edge| old.edges.binary_search_by_key(&key(edge), key).is_ok());
    replace_edges(connection, &replaced, &mut written)?;
    add_edges(connection, &added, &mut written)?;
    written.has_loose_ends = has_loose_ends(connection, old, &nodes, &added)?;
    Ok(written)
}

/// Whether what was written left an edge without a node at its end: a new edge that has none, or a node that has gone and is
/// still the end of one.
fn has_loose_ends(connection: &Connection, old: &Stored, nodes: &[&Node], added: &[&Edge]) -> Outcome<bool> {
    let written: FxHashSet<_> = nodes.iter().map(|node| node.id).collect();
    let far: FxHashSet<_> = added.iter().map(|edge| edge.to).filter(|id| !written.contains(id)).collect();
    let mut is_node = connection.prepare_cached("SELECT 1 FROM node WHERE id = ?")?;
    for id in far {
        if !is_node.exists([id.0])? {
            return Ok(true);
        }
    }
    let mut is_end = connection.prepare_cached("SELECT 1 FROM edge WHERE dst = ?")?;
    for node in old.nodes.iter().filter(|node| !written.contains(&node.id)) {
        if is_end.exists([node.id.0])? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The files whose nodes and edges are replaced or removed; `None` is the structure.
fn owners(update: &GraphUpdate) -> Vec<Option<i64>> {
    let removed = update.removed.iter().map(|path| Some(file_id(path).0));
    let replaced =
        update.files.iter().filter(|file| file.part.is_some()).map(|file| Some(file_id(&file.record.path).0));
    let mut owners: Vec<_> = removed.chain(replaced).chain(update.structure.as_ref().map(|_| None)).collect();
    owners.sort_unstable();
    owners.dedup();
    owners
}

fn old_nodes(connection: &Connection, owners: &[Option<i64>]) -> Outcome<Vec<Node>> {
    let mut nodes = Vec::new();
    for owner in owners {
        for_each(connection, NODES_OF, [owner], |row| {
            nodes.push(row::node(row)?);
            Ok(true)
        })?;
    }
    nodes.sort_unstable_by_key(|node| node.id);
    Ok(nodes)
}

fn old_edges(connection: &Connection, owners: &[Option<i64>]) -> Outcome<Vec<Edge>> {
    let mut edges = Vec::new();
    for owner in owners {
        for_each(connection, EDGES_OF, [owner], |row| {
            edges.push(row::edge(row)?);
            Ok(true)
        })?;
    }
    edges.sort_unstable();
    Ok(edges)
}

fn parts(update: &GraphUpdate) -> impl DoubleEndedIterator<Item = &Part> {
    update.files.iter().filter_map(|file| file.part.as_ref()).chain(&update.structure)
}

/// From the last to the first, because removing repeats keeps the first.
fn new_nodes(update: &GraphUpdate) -> Vec<&Node> {
    let mut nodes: Vec<_> = parts(update).flat_map(|part| &part.nodes).rev().collect();
    nodes.sort_by_key(|node| node.id);
    nodes.dedup_by_key(|node| node.id);
    nodes
}

fn new_edges(update: &GraphUpdate) -> Vec<Edge> {
    let mut edges = Vec::with_capacity(parts(update).map(|part| part.edges.len()).sum());
    edges.extend(parts(update).flat_map(|part| &part.edges));
    edges.sort_unstable_by_key(|edge| (key(edge), Reverse(edge.confidence), edge.resolution));
    edges.dedup_by_key(|edge| key(edge));
    edges
}

/// What names an edge, in the order in which edges are stored.
fn key(edge: &Edge) -> (NodeId, Relation, NodeId, u32) {
    (edge.from, edge.relation, edge.to, edge.line)
}

fn delete_nodes<'a>(
    connection: &Connection,
    nodes: impl Iterator<Item = &'a Node>,
    written: &mut Written,
) -> Outcome<()> {
    let mut statement = connection.prepare_cached(DELETE_NODE)?;
    for node in nodes {
        written.count_node(node, -i64::from(statement.execute([node.id.0])? > 0));
    }
    Ok(())
}

fn delete_edges<'a>(
    connection: &Connection,
    edges: impl Iterator<Item = &'a Edge>,
    written: &mut Written,
) -> Outcome<()> {
    let mut statement = connection.prepare_cached(DELETE_EDGE)?;
    for edge in edges {
        let deleted = statement.execute((edge.from.0, edge.relation.code(), edge.to.0, edge.line))?;
        written.count_edge(edge, -i64::from(deleted > 0));
    }
    Ok(())
}

fn put_nodes<'a>(connection: &Connection, nodes: impl Iterator<Item = &'a Node>, written: &mut Written) -> Outcome<()> {
    let mut insert = connection.prepare_cached(put_node!("INSERT OR IGNORE"))?;
    let mut replace = connection.prepare_cached(put_node!("REPLACE"))?;
    for node in nodes {
        let is_added = execute_node(&mut insert, node)? > 0;
        if !is_added {
            execute_node(&mut replace, node)?;
        }
        written.count_node(node, i64::from(is_added));
    }
    Ok(())
}

fn execute_node(statement: &mut Statement<'_>, node: &Node) -> rusqlite::Result<usize> {
    statement.execute(params![
        node.id.0,
        node.label.code(),
        node.file.map(|file| file.0),
        node.start_line,
        node.end_line,
        node.own_line,
        node.name,
        node.qualified_name,
        node.signature,
        node.docstring,
        list_column(&node.decorators),
        list_column(&node.modifiers),
    ])
}

fn replace_edges(connection: &Connection, edges: &[&Edge], written: &mut Written) -> Outcome<()> {
    let mut replace = connection.prepare_cached(&put_edge("REPLACE", 1))?;
    for edge in edges {
        execute_edges(&mut replace, &[edge])?;
        written.is_changed = true;
    }
    Ok(())
}

/// Many rows with each statement: a statement for each would cost a seventh of a first index more.
fn add_edges(connection: &Connection, edges: &[&Edge], written: &mut Written) -> Outcome<()> {
    for edges in edges.chunks(EDGES_AT_ONCE) {
        let mut insert = connection.prepare_cached(&put_edge("INSERT OR IGNORE", edges.len()))?;
        let added = execute_edges(&mut insert, edges)?;
        edges.iter().for_each(|edge| written.count_edge(edge, 1));
        if added < edges.len() {
            replace_edges(connection, edges, written)?;
            written.must_count_relations = true;
        }
    }
    Ok(())
}

fn put_edge(verb: &str, count: usize) -> String {
    let rows = vec!["(?, ?, ?, ?, ?, ?)"; count].join(", ");
    format!("{verb} INTO edge (src, type, dst, line, resolution, confidence) VALUES {rows}")
}

fn execute_edges(statement: &mut Statement<'_>, edges: &[&Edge]) -> rusqlite::Result<usize> {
    let values = edges.iter().flat_map(|edge| {
        let codes = [edge.relation.code(), edge.resolution.code(), edge.confidence.0].map(i64::from);
        [edge.from.0, codes[0], edge.to.0, i64::from(edge.line), codes[1], codes[2]]
    });
    statement.execute(params_from_iter(values))
}
