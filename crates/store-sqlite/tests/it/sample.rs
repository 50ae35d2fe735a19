//! Documents, entries and graphs for tests that do not care what is in them.

use std::time::Duration;

use graph::{Confidence, Edge, Label, Node, NodeId, Relation, Resolution};
use jiff::Timestamp;
use store::projects::file_id;
use store::{AuditEntry, AuditFilter, DocumentId, DocumentStore as _, NewDocument, Outcome, TraceId};
use store::{FileRecord, FileUpdate, GraphUpdate, Part, ProjectGraph};
use store_sqlite::SqliteStore;

pub(crate) const EVERY_ENTRY: AuditFilter =
    AuditFilter { limit: usize::MAX, tool: None, since: None, errors_only: false };

pub(crate) fn document(topic: &str) -> NewDocument {
    let content = format!("what there is to say about {topic}, 中文内容");
    NewDocument { topic: topic.to_owned(), content, tags: vec!["sample".to_owned()], source: None }
}

pub(crate) fn entry(answer: &str) -> AuditEntry {
    AuditEntry {
        trace_id: TraceId::generate(),
        time: Timestamp::now(),
        client: "test/1".to_owned(),
        transport: "stdio".to_owned(),
        tool: "mongo_save_document".to_owned(),
        arguments: "{}".to_owned(),
        outcome: Outcome::Ok,
        duration: Duration::from_millis(1),
        answer: Some(answer.to_owned()),
        redacted: false,
    }
}

pub(crate) async fn all_ids(store: &SqliteStore) -> Vec<DocumentId> {
    store.ids_starting_with("", usize::MAX).await.unwrap()
}

pub(crate) async fn assert_sound(store: &SqliteStore) {
    assert_eq!(store.integrity_check().await.unwrap(), Vec::<String>::new());
}

/// A file at this path that defines these functions, each of which calls the next, on this line.
pub(crate) fn source_file(path: &str, functions: &[impl AsRef<str>], line: u32) -> FileUpdate {
    let id = file_id(path);
    let function = |name: &str| Node { start_line: line, ..node(Label::Function, name, Some(id)) };
    let mut nodes = vec![Node { start_line: line, ..node(Label::File, path, Some(id)) }];
    nodes.extend(functions.iter().map(|name| function(name.as_ref())));
    let edges = nodes.windows(2).map(|pair| Edge { line, ..edge(pair[0].id, Relation::Calls, pair[1].id) }).collect();
    FileUpdate { record: record(path), facts: Some(vec![7; 10]), part: Some(Part { nodes, edges }), words: None }
}

pub(crate) fn record(path: &str) -> FileRecord {
    FileRecord {
        path: path.to_owned(),
        language: Some("python".to_owned()),
        size: 1,
        modified: 2,
        content_hash: vec![3],
        graph_hash: vec![4],
        lines: 5,
        problem: None,
    }
}

pub(crate) fn node(label: Label, name: &str, file: Option<NodeId>) -> Node {
    let (name, qualified_name) = (name.to_owned(), name.to_owned());
    Node { id: NodeId::of(label, &name), label, name, qualified_name, file, ..Node::default() }
}

pub(crate) fn edge(from: NodeId, relation: Relation, to: NodeId) -> Edge {
    Edge { from, relation, to, line: 0, resolution: Resolution::Scope, confidence: Confidence::CERTAIN }
}

pub(crate) fn update(files: Vec<FileUpdate>) -> GraphUpdate {
    GraphUpdate { files, ..GraphUpdate::default() }
}

pub(crate) fn nodes_of(project: &dyn ProjectGraph) -> Vec<Node> {
    let mut nodes = Vec::new();
    let keep = &mut |node: &Node| {
        nodes.push(node.clone());
        true
    };
    project.nodes(keep).unwrap();
    nodes
}

pub(crate) fn edges_of(project: &dyn ProjectGraph) -> Vec<Edge> {
    let mut edges = Vec::new();
    let keep = &mut |edge: &Edge| {
        edges.push(*edge);
        true
    };
    project.edges(&[], keep).unwrap();
    edges
}
