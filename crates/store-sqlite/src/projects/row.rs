//! Nodes, edges and files as rows.

use graph::{Confidence, Edge, Label, Node, NodeId, Relation, Resolution};
use rusqlite::Row;
use store::{FileRecord, FoundNode};

use crate::error;
use crate::job::Outcome;

/// The columns of a node, in the order in which [`node`] reads them.
macro_rules! node_columns {
    () => {
        "node.id, node.label, node.file, node.start_line, node.end_line, node.own_line, node.name, \
         node.qualified_name, node.signature, node.docstring, node.decorators, node.modifiers"
    };
}
pub(super) use node_columns;

/// The columns of an edge, in the order in which [`edge`] reads them.
macro_rules! edge_columns {
    () => {
        "edge.src, edge.type, edge.dst, edge.line, edge.resolution, edge.confidence"
    };
}
pub(super) use edge_columns;

pub(super) fn node(row: &Row<'_>) -> Outcome<Node> {
    let code = row.get(1)?;
    Ok(Node {
        id: NodeId(row.get(0)?),
        label: Label::from_code(code).ok_or_else(|| error::unreadable("label", code))?,
        file: row.get::<_, Option<i64>>(2)?.map(NodeId),
        start_line: row.get(3)?,
        end_line: row.get(4)?,
        own_line: row.get(5)?,
        name: row.get(6)?,
        qualified_name: row.get(7)?,
        signature: row.get(8)?,
        docstring: row.get(9)?,
        decorators: list(row, 10)?,
        modifiers: list(row, 11)?,
    })
}

/// A node with the path of its file in the column after its own.
pub(super) fn found_node(row: &Row<'_>) -> Outcome<FoundNode> {
    Ok(FoundNode { node: node(row)?, path: row.get(12)? })
}

pub(super) fn edge(row: &Row<'_>) -> Outcome<Edge> {
    let (relation, resolution) = (row.get(1)?, row.get(4)?);
    Ok(Edge {
        from: NodeId(row.get(0)?),
        relation: Relation::from_code(relation).ok_or_else(|| error::unreadable("relationship", relation))?,
        to: NodeId(row.get(2)?),
        line: row.get(3)?,
        resolution: Resolution::from_code(resolution).ok_or_else(|| error::unreadable("resolution", resolution))?,
        confidence: Confidence(row.get(5)?),
    })
}

pub(super) fn file(row: &Row<'_>) -> Outcome<FileRecord> {
    Ok(FileRecord {
        path: row.get("path")?,
        language: row.get("language")?,
        size: row.get("size")?,
        modified: row.get("modified")?,
        content_hash: row.get("content_hash")?,
        graph_hash: row.get("graph_hash")?,
        lines: row.get("lines")?,
        problem: row.get("problem")?,
    })
}

/// A list as it is stored.
pub(super) fn list_column(list: &[String]) -> Option<String> {
    (!list.is_empty()).then(|| serde_json::Value::from(list).to_string())
}

fn list(row: &Row<'_>, column: usize) -> Outcome<Vec<String>> {
    let text = row.get_ref(column)?.as_str_or_null().map_err(rusqlite::Error::from)?;
    let Some(text) = text else { return Ok(Vec::new()) };
    Ok(serde_json::from_str(text).map_err(|cause| error::unreadable("list", cause))?)
}
