//! Queries that language models wrote for Neo4j: those that are valid and only read must parse, and print as themselves.

use std::fs;

use cypher::{ErrorKind, parse};
use cypher_tck::bench_folder_for_test;
use serde::Deserialize;

#[derive(Deserialize)]
struct Entry {
    id: String,
    valid: bool,
    cypher: String,
}

#[test]
fn valid_queries_that_read_parse_and_print_as_themselves() {
    let Some(folder) = bench_folder_for_test() else { return };
    let text = fs::read_to_string(folder.join("cypher/text2cypher_syntax.jsonl")).expect("the queries are readable");
    let entries = text.lines().map(|line| serde_json::from_str::<Entry>(line).expect("each line is an entry"));
    let (mut parsed, mut failures) = (0, Vec::new());
    for entry in entries.filter(|entry| entry.valid) {
        match parse(&entry.cypher) {
            Ok(query) => {
                parsed += 1;
                assert_eq!(parse(&query.to_string()).as_ref(), Ok(&query), "{}: {query}", entry.id);
            }
            Err(error) if error.kind() == ErrorKind::WritingClause => {}
            Err(error) => failures.push(format!("{}: {error}\n{}\n", entry.id, entry.cypher)),
        }
    }
    let share = f64::from(parsed) / (f64::from(parsed) + failures.len() as f64);
    assert!(share >= 0.995, "{parsed} parsed, {} did not:\n{}", failures.len(), failures.join("\n"));
}
