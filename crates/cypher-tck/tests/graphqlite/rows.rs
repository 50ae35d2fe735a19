//! Answers of both engines as sorted lines of text, nodes and relationships by their property `id`.

use cypher::{Limits, Parameters, parse, run};
use graph::GraphRead;
use serde_json::Value;

use crate::random_graph::RandomGraph;

pub(crate) fn ours(graph: &RandomGraph, query: &str) -> Result<Vec<String>, String> {
    let graph = &*graph.read();
    let parsed = parse(query).map_err(|error| error.to_string())?;
    let answer = run(&parsed, graph, &Parameters::default(), &Limits::default()).map_err(|error| error.to_string())?;
    let line =
        |row: &Vec<cypher::Value>| row.iter().map(|value| our_text(graph, value)).collect::<Vec<_>>().join(" | ");
    Ok(sorted(answer.rows.iter().map(line).collect()))
}

pub(crate) fn theirs(answer: &Value) -> Result<Vec<String>, String> {
    if let Some(error) = answer["error"].as_str() {
        return Err(error.to_owned());
    }
    let line = |row: &Value| {
        let row = row.as_array().expect("a row is a list");
        row.iter().map(their_text).collect::<Vec<_>>().join(" | ")
    };
    Ok(sorted(answer["rows"].as_array().expect("rows are a list").iter().map(line).collect()))
}

fn sorted(mut lines: Vec<String>) -> Vec<String> {
    lines.sort();
    lines
}

fn our_text(graph: &dyn GraphRead, value: &cypher::Value) -> String {
    let id = graph.property("id").expect("everything has an id");
    let number = |value| if let Ok(graph::Value::Int(number)) = value { number } else { panic!("an id is a number") };
    match value {
        cypher::Value::Null => "null".to_owned(),
        cypher::Value::Bool(truth) => truth.to_string(),
        cypher::Value::Int(number) => number.to_string(),
        cypher::Value::Float(number) => format!("{number:?}"),
        cypher::Value::Text(text) => format!("{text:?}"),
        cypher::Value::List(items) => {
            format!("[{}]", items.iter().map(|item| our_text(graph, item)).collect::<Vec<_>>().join(", "))
        }
        cypher::Value::Node(node) => format!("node {}", number(graph.node_property(*node, id))),
        cypher::Value::Relationship(edge) => format!("relationship {}", number(graph.edge_property(*edge, id))),
        cypher::Value::Map(_) | cypher::Value::Path(_) => panic!("no random query returns {value:?}"),
    }
}

fn their_text(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) if number.is_f64() => format!("{:?}", number.as_f64().expect("it is one")),
        Value::Number(number) => number.to_string(),
        Value::String(text) => format!("{text:?}"),
        Value::Array(items) => format!("[{}]", items.iter().map(their_text).collect::<Vec<_>>().join(", ")),
        Value::Object(entries) => {
            let kind = if entries.contains_key("labels") { "node" } else { "relationship" };
            // Some versions of SQLite make it hand out the properties as a text that holds JSON.
            let properties = &entries["properties"];
            let read = |text| serde_json::from_str::<Value>(text).expect("properties are JSON");
            let properties = properties.as_str().map_or_else(|| properties.clone(), read);
            format!("{kind} {}", properties["id"])
        }
    }
}
