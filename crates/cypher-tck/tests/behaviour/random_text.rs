//! Whatever the text, there is an answer or an error: nothing panics and nothing hangs.

use std::time::{Duration, Instant};

use cypher::{Limits, parse, run};
use cypher_tck::Hints;
use proptest::prelude::*;

use crate::checks::{graph, parameters};

const PIECES: &[&str] = &[
    "MATCH",
    "OPTIONAL MATCH",
    "WHERE",
    "RETURN",
    "WITH",
    "UNWIND",
    "ORDER BY",
    "SKIP",
    "LIMIT",
    "UNION",
    "CALL {",
    "}",
    "{",
    "(",
    ")",
    "(n)",
    "(n:Function)",
    "(m)",
    "()",
    "-[r]->",
    "-[:CALLS*1..2]->",
    "-[*]-",
    "--",
    "<--",
    "p =",
    "shortestPath(",
    "[",
    "]",
    ",",
    ".",
    "n",
    "m",
    "r",
    "p",
    "x",
    "n.name",
    "n.line_start",
    "count(*)",
    "count(n)",
    "collect(DISTINCT n)",
    "size(",
    "labels(n)",
    "AS x",
    "AS n",
    "AS",
    "1",
    "0",
    "-1",
    "2.5",
    "'a'",
    "null",
    "true",
    "$name",
    "$names",
    "+",
    "-",
    "*",
    "/",
    "%",
    "^",
    "=",
    "<>",
    "<",
    ">=",
    "=~",
    "IN",
    "AND",
    "OR",
    "NOT",
    "XOR",
    "IS NULL",
    "STARTS WITH",
    "CONTAINS",
    "CASE",
    "WHEN",
    "THEN",
    "ELSE",
    "END",
    "EXISTS {",
    "COUNT {",
    "COLLECT {",
    "all(x IN",
    "reduce(s = 0, x IN",
    "|",
    "[x IN [1, 2]",
    "range(1, 3)",
    "DISTINCT",
    "..",
    "RETURN *",
    "RETURN n",
    "MATCH (n)",
    "DELETE",
    "SET",
    ":Function",
    "0x",
    "'",
    "`",
    "//",
    "/*",
    "é",
    "\u{2014}",
];

fn try_it(text: &str) {
    let Ok(query) = parse(text) else { return };
    assert_eq!(parse(&query.to_string()).as_ref(), Ok(&query), "printed as {query}");
    for hints in [Hints::Honoured, Hints::Ignored] {
        let deadline = Some(Instant::now() + Duration::from_millis(300));
        let limits = Limits { deadline, max_memory_bytes: 32 << 20, ..Limits::default() };
        let start = Instant::now();
        let _ = run(&query, &*graph(hints), &parameters(), &limits);
        assert!(start.elapsed() < Duration::from_secs(5), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_of_queries_in_any_order(pieces in prop::collection::vec(prop::sample::select(PIECES), 1..25)) {
        try_it(&pieces.join(" "));
    }

    #[test]
    fn clauses_with_random_expressions(pieces in prop::collection::vec(prop::sample::select(PIECES), 1..8)) {
        try_it(&format!("MATCH (n)-[r]->(m) WITH *, 1 AS x RETURN {}", pieces.join(" ")));
        try_it(&format!("MATCH (n), p = (n)-[r]->(m) WHERE {} RETURN n", pieces.join(" ")));
    }

    #[test]
    fn any_text(text in "\\PC{0,60}") {
        try_it(&text);
        try_it(&format!("RETURN {text}"));
    }
}
