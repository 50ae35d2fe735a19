//! A Cypher script, and the statements that put nodes and relationships into any graph server.
//!
//! Statements are openCypher as Neo4j, Memgraph and ArcadeDB have it. Each one may be run again: what is there is changed,
//! what is not there is made. Every node has the label [`NODE`] beside its own, and under it an `id` made of the project and
//! its id there, so that one index finds every node and projects never mix.

mod batches;
mod literal;
mod statements;

use std::io::{self, Write};

use graph::Edge;

use self::batches::Batches;
use self::literal::{map, text};
pub use self::statements::{INDEX, NODE, UNIQUE, put_edges, put_nodes, server_id};
use crate::{NodeRecord, Source, Value, of_edge, of_node};

/// Between two rows of a statement, each on a line of its own.
const SEPARATOR: &str = ",\n  ";

pub(crate) fn write(source: &dyn Source, output: &mut dyn Write) -> io::Result<()> {
    let project = source.project();
    write_head(project, output)?;
    let mut nodes = Batches::new(SEPARATOR);
    source.nodes(&mut |record| {
        let label = record.node.label;
        nodes.add(label, &node_row(project, record)).map_or(Ok(()), |rows| write_nodes(output, label, &rows))
    })?;
    nodes.rest().try_for_each(|(label, rows)| write_nodes(output, label, &rows))?;
    let mut edges = Batches::new(SEPARATOR);
    source.edges(&mut |edge| {
        let relation = edge.relation;
        edges.add(relation, &edge_row(project, edge)).map_or(Ok(()), |rows| write_edges(output, relation, &rows))
    })?;
    edges.rest().try_for_each(|(relation, rows)| write_edges(output, relation, &rows))
}

/// Schema statements are left to the reader: each server has its own, and some refuse them beside others.
fn write_head(project: &str, output: &mut dyn Write) -> io::Result<()> {
    writeln!(output, "// The code graph of {}, made by Trailmark. It may be run again.", text(project))?;
    writeln!(output, "// Large graphs need an index; run first, once, as your server has it:")?;
    writeln!(output, "//   Neo4j, ArcadeDB:  {UNIQUE};")?;
    writeln!(output, "//   Memgraph:         {INDEX};")
}

fn write_nodes(output: &mut dyn Write, label: graph::Label, rows: &str) -> io::Result<()> {
    writeln!(output, "{};", put_nodes(label, &inline(rows)))
}

fn write_edges(output: &mut dyn Write, relation: graph::Relation, rows: &str) -> io::Result<()> {
    writeln!(output, "{};", put_edges(relation, &inline(rows), &[]))
}

fn inline(rows: &str) -> String {
    format!("[\n  {rows}\n]")
}

fn node_row(project: &str, record: &NodeRecord<'_>) -> String {
    let id = server_id(project, record.node.id);
    let own = [("id", Value::Text(&id)), ("project", Value::Text(project))];
    map(own.into_iter().chain(of_node(record)))
}

fn edge_row(project: &str, edge: &Edge) -> String {
    let (from, to) = (server_id(project, edge.from), server_id(project, edge.to));
    let own = [("from", Value::Text(&from)), ("to", Value::Text(&to))];
    map(own.into_iter().chain(of_edge(edge)))
}

#[cfg(test)]
mod tests {
    use crate::sample::{self, exported};

    #[test]
    fn a_graph_is_a_script_of_statements() {
        let expected = r#"// The code graph of 'a "b"\n', made by Trailmark. It may be run again.
// Large graphs need an index; run first, once, as your server has it:
//   Neo4j, ArcadeDB:  CREATE CONSTRAINT trailmark_code_node IF NOT EXISTS FOR (n:CodeNode) REQUIRE n.id IS UNIQUE;
//   Memgraph:         CREATE INDEX ON :CodeNode(id);
UNWIND [
  {id: 'a "b"\n:0000000000000001', project: 'a "b"\n', qualified_name: 'a.py', name: 'a.py', file_path: 'a.py'}
] AS row
OPTIONAL MATCH (present:CodeNode {id: row.id})
FOREACH (absent IN CASE WHEN present IS NULL THEN [1] ELSE [] END | CREATE (made:CodeNode:File) SET made = row)
SET present = row;
UNWIND [
  {id: 'a "b"\n:0000000000000002', project: 'a "b"\n', qualified_name: 'a.f', name: 'f', file_path: 'a.py', line_start: 1, line_end: 3, signature: 'def f(x: \'<T>\') -> "\\' + 'u0027"', docstring: '线 \u001b[1m\r\n]]> & \\', decorators: ['@a(\'x\', 1)', '@b'], modifiers: ['async']}
] AS row
OPTIONAL MATCH (present:CodeNode {id: row.id})
FOREACH (absent IN CASE WHEN present IS NULL THEN [1] ELSE [] END | CREATE (made:CodeNode:Function) SET made = row)
SET present = row;
UNWIND [
  {from: 'a "b"\n:0000000000000001', to: 'a "b"\n:0000000000000002', line: 0, resolution: 'syntax', confidence: 1.0}
] AS row
MATCH (source:CodeNode {id: row.from})
MATCH (target:CodeNode {id: row.to})
MERGE (source)-[found:DEFINES {line: row.line}]->(target)
SET found.resolution = row.resolution, found.confidence = row.confidence;
UNWIND [
  {from: 'a "b"\n:0000000000000002', to: 'a "b"\n:0000000000000002', line: 2, resolution: 'flow', confidence: 0.95}
] AS row
MATCH (source:CodeNode {id: row.from})
MATCH (target:CodeNode {id: row.to})
MERGE (source)-[found:CALLS {line: row.line}]->(target)
SET found.resolution = row.resolution, found.confidence = row.confidence;
"#;
        assert_eq!(exported("cypher", &sample::Sample), expected);
    }

    #[test]
    fn an_empty_graph_is_a_script_of_comments() {
        assert!(exported("cypher", &sample::Empty).lines().all(|line| line.starts_with("//")));
    }
}
