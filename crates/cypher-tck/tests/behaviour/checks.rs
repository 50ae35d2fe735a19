//! A small graph, and what its answers look like as text.

use cypher::{Error, Limits, Parameters, Rows, Value, parse, run};
use cypher_tck::{Backend, Hints, InMemory, NodeData, RelationshipData};
use graph::{GraphRead, Value as Stored};

/// Functions a to f; a calls b and c, b calls d, c calls d, d calls e, e calls a; f is called by nobody. File `x.py` defines
/// a to c; class `Box` inherits from `Base`.
pub(crate) fn graph(hints: Hints) -> Box<dyn GraphRead> {
    let node = |label: &str, name: &str, line: i64| NodeData {
        labels: vec![label.into()],
        properties: vec![
            ("name".into(), Stored::Text(name.into())),
            ("qualified_name".into(), Stored::Text(format!("pkg.{name}").into())),
            ("line_start".into(), Stored::Int(line)),
        ],
    };
    let mut nodes: Vec<NodeData> = ["a", "b", "c", "d", "e", "f"]
        .iter()
        .zip([10, 20, 30, 40, 50, 60])
        .map(|(name, line)| node("Function", name, line))
        .collect();
    nodes.push(node("File", "x.py", 1));
    nodes.push(node("Class", "Box", 100));
    nodes.push(node("Class", "Base", 200));
    nodes[8].labels.push("Interface".into());
    let edge = |from: usize, kind: &str, to: usize, line: i64| RelationshipData {
        from,
        kind: kind.into(),
        to,
        properties: vec![("line".into(), Stored::Int(line))],
    };
    let relationships = [
        edge(0, "CALLS", 1, 11),
        edge(0, "CALLS", 2, 12),
        edge(1, "CALLS", 3, 21),
        edge(2, "CALLS", 3, 31),
        edge(3, "CALLS", 4, 41),
        edge(4, "CALLS", 0, 51),
        edge(6, "DEFINES", 0, 1),
        edge(6, "DEFINES", 1, 2),
        edge(6, "DEFINES", 2, 3),
        edge(7, "INHERITS", 8, 4),
    ];
    InMemory(hints).graph(&nodes, &relationships)
}

pub(crate) fn parameters() -> Parameters {
    let names: Vec<Value> = ["a", "b"].into_iter().map(Value::from).collect();
    Parameters::from([("name".to_owned(), Value::from("d")), ("names".to_owned(), Value::from(names))])
}

pub(crate) fn answer(query: &str) -> Result<Rows, Error> {
    run(&parse(query)?, &*graph(Hints::Honoured), &parameters(), &Limits::default())
}

/// Runs a query on a graph that takes hints and on one that does not; both must give these rows, a line each.
#[track_caller]
pub(crate) fn check(query: &str, expected: &str) {
    for hints in [Hints::Honoured, Hints::Ignored] {
        let graph = graph(hints);
        let rows = parse(query).and_then(|query| run(&query, &*graph, &parameters(), &Limits::default()));
        let rows = rows.unwrap_or_else(|error| panic!("{query}\n{error}"));
        let lines: Vec<String> = rows.rows.iter().map(|row| line(&*graph, row)).collect();
        let wanted: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        assert_eq!(lines, wanted, "{query} with hints {hints:?}");
    }
}

/// The error that a query gives, as text.
#[track_caller]
pub(crate) fn check_error(query: &str, expected: &str) {
    match answer(query) {
        Ok(rows) => panic!("{query} gave {} rows", rows.rows.len()),
        Err(error) => assert_eq!(error.to_string(), expected, "{query}"),
    }
}

fn line(graph: &dyn GraphRead, row: &[Value]) -> String {
    row.iter().map(|value| text(graph, value)).collect::<Vec<_>>().join(" | ")
}

fn name_of(graph: &dyn GraphRead, value: &graph::NodeKey) -> String {
    let key = graph.property("name").expect("every node has a name");
    match graph.node_property(*value, key) {
        Ok(Stored::Text(name)) => name.to_string(),
        other => panic!("{other:?}"),
    }
}

pub(crate) fn text(graph: &dyn GraphRead, value: &Value) -> String {
    let list = |items: &[Value]| items.iter().map(|item| text(graph, item)).collect::<Vec<_>>().join(", ");
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => format!("{number:?}"),
        Value::Text(text) => text.to_string(),
        Value::List(items) => format!("[{}]", list(items)),
        Value::Map(map) => {
            let entries: Vec<String> =
                map.iter().map(|(key, value)| format!("{key}: {}", text(graph, value))).collect();
            format!("{{{}}}", entries.join(", "))
        }
        Value::Node(node) => format!("({})", name_of(graph, node)),
        Value::Relationship(edge) => {
            let ends = graph.edge_ends(*edge).expect("it was found");
            format!("{}->{}", name_of(graph, &ends.from), name_of(graph, &ends.to))
        }
        Value::Path(path) => path.nodes.iter().map(|node| name_of(graph, node)).collect::<Vec<_>>().join("-"),
    }
}

pub(crate) fn plan(query: &str) -> Vec<String> {
    let rows = answer(&format!("EXPLAIN {query}")).expect("the query has a plan");
    rows.rows.into_iter().map(|row| text(&*graph(Hints::Honoured), &row[0])).collect()
}
