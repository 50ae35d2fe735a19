//! Queries made at random give the same rows whichever way they are planned: on a graph that takes hints, on one that does
//! not, and when duplicates are dropped by the engine rather than by the test.

use cypher::{Limits, Rows, parse, run};
use cypher_tck::Hints;
use proptest::prelude::*;

use crate::checks::{graph, parameters, text};

const NODES: &[&str] =
    &["(a)", "(b)", "(c)", "(a:Function)", "(b:Class)", "(:File)", "()", "(b {name: 'd'})", "(c:!Class)"];
const RELATIONSHIPS: &[&str] = &[
    "-->",
    "<--",
    "--",
    "-[:CALLS]->",
    "<-[:CALLS]-",
    "-[:CALLS|DEFINES]-",
    "-[:CALLS*1..2]->",
    "<-[:CALLS*0..2]-",
    "-[*1..3]-",
    "-[:CALLS {line: 21}]->",
    "-[:CALLS*2]-",
    "-[:DEFINES*0..1]->",
];
const CONDITIONS: &[&str] = &[
    "a.name = 'a'",
    "b.name IN ['d', 'e']",
    "c.line_start > 20",
    "toLower(b.name) CONTAINS 'b'",
    "a:Function",
    "NOT (b)-->()",
    "a.name <> b.name",
    "c.name STARTS WITH 'b' OR c.name = 'e'",
    "a.missing IS NULL",
    "b.line_start <= a.line_start",
    "EXISTS { (c)-[:CALLS*1..2]->(a) }",
    "COUNT { (a)--() } > 2",
    "a = c",
    "true",
    "b.missing = 1",
];

fn rows(query: &str, hints: Hints) -> (Rows, Vec<String>) {
    let graph = graph(hints);
    let parsed = parse(query).unwrap_or_else(|error| panic!("{query}: {error}"));
    let rows = run(&parsed, &*graph, &parameters(), &Limits::default());
    let rows = rows.unwrap_or_else(|error| panic!("{query}: {error}"));
    let line = |row: &Vec<cypher::Value>| row.iter().map(|value| text(&*graph, value)).collect::<Vec<_>>().join(" | ");
    let mut lines: Vec<String> = rows.rows.iter().map(line).collect();
    lines.sort();
    (rows, lines)
}

fn chain() -> impl Strategy<Value = String> {
    let node = || prop::sample::select(NODES);
    let step =
        (prop::sample::select(RELATIONSHIPS), node()).prop_map(|(relationship, node)| format!("{relationship}{node}"));
    (node(), prop::collection::vec(step, 0..3)).prop_map(|(first, steps)| format!("{first}{}", steps.concat()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_plan_gives_the_same_rows(
        first in chain(),
        second in chain(),
        optional in any::<bool>(),
        conditions in prop::collection::vec(prop::sample::select(CONDITIONS), 1..3),
    ) {
        let conditions = conditions.join(" AND ");
        let pattern = if optional {
            format!("MATCH (a), (b) MATCH (c) OPTIONAL MATCH {first}, {second} WHERE {conditions}")
        } else {
            format!("MATCH {first}, {second}, (a), (b), (c) WHERE {conditions}")
        };
        let all = format!("{pattern} RETURN a, b, c");
        let (_, honoured) = rows(&all, Hints::Honoured);
        let (_, ignored) = rows(&all, Hints::Ignored);
        prop_assert_eq!(&honoured, &ignored, "{}", all);

        let mut distinct = honoured.clone();
        distinct.dedup();
        prop_assert_eq!(rows(&format!("{pattern} RETURN DISTINCT a, b, c"), Hints::Honoured).1, distinct, "{}", all);

        let (counted, _) = rows(&format!("{pattern} RETURN a, count(*) AS n"), Hints::Honoured);
        let total: i64 = counted.rows.iter().map(|row| if let cypher::Value::Int(n) = row[1] { n } else { 0 }).sum();
        prop_assert_eq!(total, honoured.len() as i64, "{}", all);
    }
}
