//! A project made by hand, and what other programs should see of it.

use std::process::Output;
use std::sync::Arc;

use graph::{Confidence, Edge, Label, Node, NodeId, Relation, Resolution};
use serde_json::{Map, Value, json};
use store::projects::file_id;
use store::{FileRecord, FileUpdate, GraphUpdate, Part, ProjectCatalog, ProjectGraph};
use store_sqlite::SqliteProjects;
use testkit::Installation;

use crate::arcadedb::PASSWORD;

pub(crate) const PROJECT: &str = "it's a \"sample\"";
/// Everything that is hard to write in one of the formats.
pub(crate) const HARD: &str =
    "线 😀 'q' \"d\" `b` \\u0027 \\\\u0027 \\' ]]> <a> &amp; $x {y};\n// \r\n\t\u{1}\u{1b}\u{7f}\u{85}\u{2028} \\";

/// A package that a relationship leads to but that is not in the graph.
const NOWHERE: &str = "nowhere";

pub(crate) struct Sample {
    pub(crate) installation: Installation,
    pub(crate) graph: Arc<dyn ProjectGraph>,
    catalog: SqliteProjects,
}

impl Sample {
    /// This many files, each with a class of twenty methods that call each other and the first of the next file.
    pub(crate) fn with_files(files: usize) -> Self {
        let installation = Installation::new(env!("CARGO_BIN_EXE_trailmark"));
        let catalog = SqliteProjects::open(installation.home());
        let graph = project(&catalog, PROJECT, installation.root().to_str().unwrap(), files);
        Self { installation, graph, catalog }
    }

    /// Another project beside the first.
    pub(crate) fn other(&self, name: &str, files: usize) -> Arc<dyn ProjectGraph> {
        project(&self.catalog, name, "/other", files)
    }

    /// Runs a command to its end, with this password in the environment.
    pub(crate) fn run(&self, arguments: &[&str], password: &str) -> Output {
        self.installation.command(arguments).env("TRAILMARK_BOLT_PASSWORD", password).output().unwrap()
    }

    /// Imports and gives the report.
    #[track_caller]
    pub(crate) fn import(&self, address: &str) -> Value {
        let output = self.run(&["import", "--to", address, "--user", "root", "--project", PROJECT, "--json"], PASSWORD);
        report(&output)
    }
}

/// The report of a command that succeeded.
#[track_caller]
pub(crate) fn report(output: &Output) -> Value {
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What every other program should see.
pub(crate) fn expected(graph: &dyn ProjectGraph) -> Value {
    let mut nodes = Map::new();
    let each = &mut |node: &Node| {
        nodes.insert(id(node.id), json!({ "labels": [node.label.name()], "properties": properties(node) }));
        true
    };
    graph.nodes(each).unwrap();
    let mut relationships: Vec<Value> = Vec::new();
    let each = &mut |edge: &Edge| {
        if edge.to == NodeId::of(Label::ExternalPackage, NOWHERE) {
            return true;
        }
        let (resolution, confidence) = (edge.resolution.name(), f64::from(edge.confidence.0) / 100.0);
        let ends = (id(edge.from), id(edge.to));
        relationships.push(json!([ends.0, edge.relation.name(), ends.1, edge.line, resolution, confidence, {}]));
        true
    };
    graph.edges(&[], each).unwrap();
    sorted(json!({ "nodes": nodes, "relationships": relationships }))
}

/// Relationships have no order of their own.
pub(crate) fn sorted(mut graph: Value) -> Value {
    if let Some(relationships) = graph["relationships"].as_array_mut() {
        relationships.sort_by_key(Value::to_string);
    }
    graph
}

/// Compares without printing megabytes.
#[track_caller]
pub(crate) fn assert_same(found: Value, expected: &Value) {
    let found = sorted(found);
    let count =
        |graph: &Value| (graph["nodes"].as_object().unwrap().len(), graph["relationships"].as_array().unwrap().len());
    assert_eq!(count(&found), count(expected));
    for (id, node) in expected["nodes"].as_object().unwrap() {
        assert_eq!(&found["nodes"][id], node, "{id}");
    }
    for (found, expected) in
        found["relationships"].as_array().unwrap().iter().zip(expected["relationships"].as_array().unwrap())
    {
        assert_eq!(found, expected);
    }
}

fn id(id: NodeId) -> String {
    format!("{:016x}", id.0)
}

fn properties(node: &Node) -> Value {
    let mut properties = json!({ "qualified_name": node.qualified_name, "name": node.name });
    let mut put = |key: &str, value: Value, is_there: bool| {
        if is_there {
            properties[key] = value;
        }
    };
    put("file_path", json!("src"), node.label == Label::Folder);
    put("file_path", json!(node.qualified_name.split("::").next()), node.file.is_some());
    put("line_start", json!(node.start_line), node.start_line > 0);
    put("line_end", json!(node.end_line), node.end_line > 0);
    put("signature", json!(node.signature), node.signature.is_some());
    put("docstring", json!(node.docstring), node.docstring.is_some());
    put("decorators", json!(node.decorators), !node.decorators.is_empty());
    put("modifiers", json!(node.modifiers), !node.modifiers.is_empty());
    properties
}

fn project(catalog: &SqliteProjects, name: &str, root: &str, files: usize) -> Arc<dyn ProjectGraph> {
    let graph = catalog.create(name, root).unwrap();
    let files = (0..files).map(|number| file(number, files, 1)).collect();
    graph.apply(&GraphUpdate { files, structure: Some(structure(name)), ..GraphUpdate::default() }).unwrap();
    graph
}

/// One file; its lines begin at `line`, so that another number is an edit.
pub(crate) fn file(number: usize, files: usize, line: u32) -> FileUpdate {
    let path = path(number);
    let record = FileRecord {
        path: path.clone(),
        language: Some("python".to_owned()),
        size: 1,
        modified: 1,
        content_hash: vec![1],
        graph_hash: line.to_le_bytes().to_vec(),
        lines: 100,
        problem: None,
    };
    FileUpdate { record, facts: None, part: Some(part(number, files, line)), words: None }
}

pub(crate) fn path(number: usize) -> String {
    format!("src/file{number}.py")
}

fn part(number: usize, files: usize, line: u32) -> Part {
    let path = path(number);
    let (class, method) = (format!("{path}::C"), |index: usize| format!("{path}::C::m{index}"));
    let mut nodes = vec![node(Label::File, &path, &path, 0), node(Label::Class, &class, &path, line)];
    let mut edges = vec![edge(Label::File, &path, Relation::Defines, Label::Class, &class, 0)];
    for index in 0..20 {
        let mut made = node(Label::Method, &method(index), &path, line + 2 * index as u32);
        if index == number % 20 {
            made.docstring = Some(HARD.to_owned());
            made.signature = Some(format!("def m{index}(self): '{HARD}'"));
            made.decorators = vec![HARD.to_owned(), "@b(1, 2)".to_owned()];
            made.modifiers = vec!["async".to_owned(), "static".to_owned()];
        }
        nodes.push(made);
        edges.push(edge(Label::Class, &class, Relation::DefinesMethod, Label::Method, &method(index), 0));
        for at in [line, line + 1] {
            let next = method((index + 1) % 20);
            edges.push(edge(Label::Method, &method(index), Relation::Calls, Label::Method, &next, at));
        }
    }
    if number + 1 < files {
        let other = format!("{}::C::m0", self::path(number + 1));
        edges.push(edge(Label::Method, &method(0), Relation::Calls, Label::Method, &other, line + 5));
    }
    Part { nodes, edges }
}

fn structure(name: &str) -> Part {
    let plain = |label, name: &str| Node { file: None, ..node(label, name, name, 0) };
    let nodes = vec![plain(Label::Project, name), plain(Label::Folder, "src"), plain(Label::ExternalPackage, "numpy")];
    let edges = vec![
        edge(Label::Project, name, Relation::Contains, Label::Folder, "src", 0),
        edge(Label::Project, name, Relation::DependsOn, Label::ExternalPackage, "numpy", 0),
        edge(Label::Project, name, Relation::DependsOn, Label::ExternalPackage, NOWHERE, 0),
    ];
    Part { nodes, edges }
}

fn node(label: Label, name: &str, path: &str, line: u32) -> Node {
    Node {
        id: NodeId::of(label, name),
        label,
        name: name.rsplit("::").next().unwrap().to_owned(),
        qualified_name: name.to_owned(),
        file: Some(file_id(path)),
        start_line: line,
        end_line: line,
        own_line: line,
        ..Node::default()
    }
}

fn edge(from: Label, name: &str, relation: Relation, to: Label, other: &str, line: u32) -> Edge {
    let confidence = if line == 0 { Confidence::CERTAIN } else { Confidence(95) };
    let resolution = if line == 0 { Resolution::Syntax } else { Resolution::Type };
    Edge { from: NodeId::of(from, name), relation, to: NodeId::of(to, other), line, resolution, confidence }
}
