//! Prints the query for each question on standard input, one line each: `cargo run --example ask -- EXPORTED.json < QUESTIONS`.
//!
//! The first argument is a code graph as `trailmark export --format json` writes it.

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;
use std::io::Read as _;

use graph::Label;
use questions::{Hit, MemoryNames, translate};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("the path of an exported graph is missing")?;
    let names = names(&serde_json::from_str(&std::fs::read_to_string(path)?)?);
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input)?;
    for question in input.lines().filter(|line| !line.trim().is_empty()) {
        println!("{}", answer(question, &names));
    }
    Ok(())
}

fn answer(question: &str, names: &MemoryNames) -> Value {
    match translate(question, names, 500) {
        Ok(asked) => json!({
            "question": question,
            "cypher": asked.cypher,
            "summary": asked.summary.render(2),
            "notes": asked.notes,
            "confidence": format!("{:?}", asked.confidence),
            "intent": format!("{:?}", asked.intent),
        }),
        Err(unclear) => json!({ "question": question, "unclear": unclear.part, "examples": unclear.examples }),
    }
}

fn names(graph: &Value) -> MemoryNames {
    let nodes = graph["nodes"].as_array().into_iter().flatten();
    MemoryNames::new(nodes.filter_map(hit))
}

fn hit(node: &Value) -> Option<Hit> {
    let label = node["labels"][0].as_str()?;
    let property = |key: &str| node["properties"][key].as_str().unwrap_or_default().to_owned();
    Some(Hit {
        label: Label::ALL.into_iter().find(|known| known.name() == label)?,
        name: property("name"),
        qualified_name: property("qualified_name"),
        file_path: property("path"),
        start_line: node["properties"]["start_line"].as_u64().unwrap_or_default() as u32,
    })
}
