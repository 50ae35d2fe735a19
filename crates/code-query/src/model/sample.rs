//! A small code graph for tests.

use cypher_tck::{Backend, Hints, InMemory, NodeData, RelationshipData};
use graph::{GraphRead, Value};

/// A file with a function that calls another one, and a class with a method. Functions have everything a node can have.
pub(crate) fn sample_graph() -> Box<dyn GraphRead> {
    let texts = |texts: &[&str]| Value::List(texts.iter().map(|text| Value::Text((*text).into())).collect());
    let node = |label: &str, name: &str, line: i64| NodeData {
        labels: vec![label.into()],
        properties: vec![
            ("name".into(), Value::Text(name.into())),
            ("qualified_name".into(), Value::Text(format!("app.{name}").into())),
            ("file_path".into(), Value::Text("app.py".into())),
            ("line_start".into(), Value::Int(line)),
        ],
    };
    let mut nodes = vec![
        node("File", "app.py", 1),
        node("Function", "load", 3),
        node("Function", "parse", 9),
        node("Class", "Reader", 20),
        node("Method", "read", 21),
    ];
    nodes[1].properties.push(("docstring".into(), Value::Text("Loads.".into())));
    nodes[1].properties.push(("decorators".into(), texts(&["cached"])));
    let edge = |from: usize, kind: &str, to: usize| RelationshipData {
        from,
        kind: kind.into(),
        to,
        properties: vec![("line".into(), Value::Int(4)), ("confidence".into(), Value::Float(1.0))],
    };
    let relationships =
        [edge(0, "DEFINES", 1), edge(0, "DEFINES", 3), edge(1, "CALLS", 2), edge(3, "DEFINES_METHOD", 4)];
    InMemory(Hints::Honoured).graph(&nodes, &relationships)
}
