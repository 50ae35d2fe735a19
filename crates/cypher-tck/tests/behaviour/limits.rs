//! No query runs for ever, eats all memory or overflows the stack.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use cypher::{Error, ErrorKind, Limits, Parameters, parse, run};
use cypher_tck::{Hints, MemoryGraph, NodeData};

/// Every node calls every other.
fn complete(nodes: usize) -> MemoryGraph {
    let mut graph = MemoryGraph::new(Hints::Honoured);
    let keys: Vec<_> = (0..nodes).map(|_| graph.add_node(&NodeData::default())).collect();
    for from in &keys {
        for to in &keys {
            graph.add_relationship(*from, &"CALLS".into(), *to, &[]);
        }
    }
    graph
}

fn attempt(query: &str, limits: &Limits) -> Error {
    let start = Instant::now();
    let answer = parse(query).and_then(|query| run(&query, &complete(12), &Parameters::new(), limits));
    assert!(start.elapsed() < Duration::from_secs(10), "{query}");
    answer.expect_err(query)
}

#[test]
fn a_deadline_stops_every_kind_of_loop() {
    for query in [
        "MATCH (a)-[*]->(b) RETURN count(*)",
        "MATCH p = (a)-[*]->(b) RETURN p",
        "MATCH (a)-[*]->(b) WHERE a = b RETURN a",
        "MATCH (a), (b), (c), (d), (e), (f), (g), (h), (i), (j) RETURN count(*)",
        "UNWIND range(1, 100000) AS x UNWIND range(1, 100000) AS y RETURN count(*)",
        "RETURN size([x IN range(1, 1000000) WHERE all(y IN range(1, 1000000) WHERE y > 0)])",
        "RETURN reduce(s = 0, x IN range(1, 3000000) | s + size([y IN range(1, 1000000) | y]))",
        "MATCH (a) WHERE EXISTS { (a)-[*20]->(b) WHERE b.x = 1 } RETURN a",
        "MATCH p = shortestPath((a)-[*]-(b)) WHERE length(p) > 100 RETURN p",
        "RETURN 1 IN range(2, 5000000) OR all(x IN range(1, 5000000) WHERE x IN range(1, 1000000))",
    ] {
        let limits = Limits { deadline: Some(Instant::now() + Duration::from_millis(200)), ..Limits::default() };
        let error = attempt(query, &limits);
        assert_eq!(error.kind(), ErrorKind::DeadlineExceeded, "{query}: {error}");
        assert!(error.partial_rows().is_some() && error.hint_text().is_some());
    }
}

#[test]
fn memory_is_bounded() {
    let limits = Limits {
        max_memory_bytes: 8 << 20,
        deadline: Some(Instant::now() + Duration::from_secs(20)),
        ..Limits::default()
    };
    for query in [
        "RETURN range(1, 9000000000000)",
        "RETURN reduce(s = 'x', i IN range(1, 100) | s + s)",
        "RETURN reduce(l = [1], i IN range(1, 100) | l + l)",
        "RETURN reduce(s = 'x', i IN range(1, 100) | replace(s, 'x', 'xxxx'))",
        "UNWIND range(1, 1000) AS x UNWIND range(1, 10000) AS y RETURN collect([x, y])",
        "UNWIND range(1, 1000) AS x UNWIND range(1, 10000) AS y RETURN DISTINCT x, y",
        "UNWIND range(1, 1000) AS x UNWIND range(1, 10000) AS y RETURN x, y ORDER BY y",
        "UNWIND range(1, 1000) AS x UNWIND range(1, 10000) AS y RETURN x, y",
        "UNWIND range(1, 1000) AS x UNWIND range(1, 10000) AS y RETURN x + 10000 * y AS k, count(*)",
    ] {
        let error = attempt(query, &limits);
        assert_eq!(error.kind(), ErrorKind::OutOfMemory, "{query}: {error}");
    }
}

#[test]
fn rows_are_bounded_and_counted() {
    let error = attempt("UNWIND range(1, 100) AS x RETURN x", &Limits { max_rows: 10, ..Limits::default() });
    assert_eq!(error.kind(), ErrorKind::TooManyRows);
    assert_eq!(error.partial_rows(), Some(10));
    assert_eq!(
        error.to_string(),
        "the answer has more than 10 rows; add LIMIT, filter by a property, or aggregate with count()"
    );
}

#[test]
fn a_query_can_be_cancelled() {
    let limits = Limits { cancelled: Some(Arc::new(AtomicBool::new(true))), ..Limits::default() };
    let error = attempt("MATCH (a)-[*]->(b) RETURN count(*)", &limits);
    assert_eq!(error.kind(), ErrorKind::Cancelled);
}

#[test]
fn deep_nesting_is_refused_at_once() {
    let deep = |open: &str, close: &str| format!("RETURN {}1{}", open.repeat(50_000), close.repeat(50_000));
    let sum = format!("RETURN 1{}", " + 1".repeat(30_000));
    let path = format!("RETURN a{}", ".b".repeat(50_000));
    let matches = format!("MATCH (a){} RETURN a", "-->(a)".repeat(15_000));
    let withs = format!("{} RETURN 1 AS x", "UNWIND [1] AS x WITH [x] AS x WITH x AS y ".repeat(2_000));
    let exists = format!("MATCH (n) WHERE {} RETURN n", "EXISTS { MATCH (n) WHERE ".repeat(4_000));
    let queries = [
        deep("(", ")"),
        deep("[", "]"),
        deep("{a: ", "}"),
        deep("NOT ", ""),
        deep("-", ""),
        deep("abs(", ")"),
        deep("({a: ", "})"),
        deep("[x IN ", "]"),
        deep("CASE WHEN ", " THEN 1 END"),
        "(".repeat(100_000),
        "RETURN ".to_owned() + &"[(".repeat(50_000),
        sum,
        path,
        matches,
        withs,
        exists,
    ];
    for query in queries {
        let error = attempt(&query, &Limits::default());
        let start = &query[..40.min(query.len())];
        let expected = [ErrorKind::TooComplex, ErrorKind::UnexpectedSyntax, ErrorKind::VariableAlreadyBound];
        assert!(expected.contains(&error.kind()), "{start}: {error}");
    }
    let nested = "RETURN reduce(l = [], x IN range(1, 100000) | [l])";
    assert_eq!(attempt(nested, &Limits::default()).kind(), ErrorKind::TooComplex);
}

#[test]
fn what_is_allowed_fits_on_the_stack() {
    let queries = [
        format!("RETURN {}1{} AS x", "(".repeat(140), ")".repeat(140)),
        format!("RETURN {}1{} AS x", "abs(".repeat(70), ")".repeat(70)),
        format!("RETURN {}1{} AS x", "[".repeat(140), "]".repeat(140)),
        format!("RETURN 1{} AS x", " + 1".repeat(140)),
        format!("RETURN {} AS x", vec!["true"; 20_000].join(" AND ")),
        format!("UNWIND [1] AS x WITH x {} RETURN x", "WITH x AS x WHERE x > 0 ".repeat(200)),
        format!(
            "UNWIND [1] AS x {} RETURN {}x{} AS y",
            "WITH x AS x WHERE x > 0 ".repeat(240),
            "abs(".repeat(140),
            ")".repeat(140)
        ),
        format!("MATCH (n) WHERE {} n.x = 1 {} RETURN n", "EXISTS { MATCH (n) WHERE ".repeat(45), "}".repeat(45)),
    ];
    for query in queries {
        let answer = parse(&query).and_then(|query| run(&query, &complete(2), &Parameters::new(), &Limits::default()));
        assert!(answer.is_ok(), "{}: {answer:?}", &query[..60]);
    }
}
