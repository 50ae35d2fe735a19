//! Times typical questions on a generated graph of 200,000 nodes and 1,000,000 relationships:
//! `cargo run --release -p cypher-tck --example speed`.

#![expect(clippy::print_stdout, reason = "an example that prints a table")]

use std::sync::Arc;
use std::time::Duration;

use cypher::{Limits, Parameters, Value, parse, run};
use cypher_tck::{Hints, MemoryGraph, NodeData};
use graph::{NodeKey, Value as Stored};
use rustix::time::{ClockId, clock_gettime};

const NODES: u64 = 200_000;
const EDGES: u64 = 1_000_000;

const QUESTIONS: &[(&str, &str)] = &[
    ("look-up", "MATCH (f:Function {qualified_name: $q}) RETURN f.name, f.line_start"),
    ("look-up by WHERE", "MATCH (f) WHERE f.qualified_name = $q RETURN f.name, f.line_start"),
    ("callers", "MATCH (f {qualified_name: $q})<-[:CALLS]-(c) RETURN c.name, c.qualified_name"),
    ("3 hops, distinct", "MATCH (f {qualified_name: $q})-[:CALLS*1..3]->(c) RETURN DISTINCT c.qualified_name"),
    ("3 hops, paths", "MATCH p = (f {qualified_name: $q})-[:CALLS*1..3]->(c) RETURN count(p)"),
    (
        "shortest path",
        "MATCH (a {qualified_name: $q}), (b {qualified_name: $r}) MATCH p = shortestPath((a)-[:CALLS*..4]->(b)) RETURN p",
    ),
    ("name CONTAINS", "MATCH (f:Function) WHERE toLower(f.name) CONTAINS 'user1' RETURN f.name LIMIT 50"),
    ("top 20, one label", "MATCH (f:Function)<-[:CALLS]-(c) RETURN f.name, count(c) AS n ORDER BY n DESC LIMIT 20"),
    (
        "top 20, two labels",
        "MATCH (c:Function)-[:CALLS]->(f:Function) RETURN f.qualified_name AS name, count(*) AS n ORDER BY n DESC LIMIT 20",
    ),
    (
        "top 20, optional",
        "MATCH (f:Function) OPTIONAL MATCH (f)<-[:CALLS]-(c) RETURN f.name, count(c) AS n ORDER BY n DESC LIMIT 20",
    ),
    (
        "top 20, grouped by both",
        "MATCH (c)-[:CALLS]->(f) RETURN labels(c) AS l, f.name AS name, count(*) AS n ORDER BY n DESC LIMIT 20",
    ),
    ("unused", "MATCH (f:Function) WHERE NOT (f)<-[:CALLS]-() RETURN count(f)"),
    ("longest", "MATCH (f:Function) RETURN f.name, f.qualified_name ORDER BY f.line_start DESC LIMIT 10"),
    ("all relationships", "MATCH ()-[r:CALLS]->() RETURN count(r)"),
    ("first 10", "MATCH (a)-[:CALLS]->(b)-[:CALLS]->(c) RETURN a.name, c.name LIMIT 10"),
];

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

fn build() -> MemoryGraph {
    let mut graph = MemoryGraph::new(Hints::Honoured);
    let mut random = Random(7);
    let name: Arc<str> = "name".into();
    let qualified: Arc<str> = "qualified_name".into();
    let line: Arc<str> = "line_start".into();
    for index in 0..NODES {
        let label: Arc<str> = if index % 10 < 7 { "Function".into() } else { "Class".into() };
        let text = |text: String| Stored::Text(text.into());
        graph.add_node(&NodeData {
            labels: vec![label],
            properties: vec![
                (name.clone(), text(format!("user{}", index % 30_000))),
                (qualified.clone(), text(format!("pkg.mod{}.user{index}", index % 500))),
                (line.clone(), Stored::Int(random.below(5000).cast_signed())),
            ],
        });
    }
    let (calls, defines): (Arc<str>, Arc<str>) = ("CALLS".into(), "DEFINES".into());
    for index in 0..EDGES {
        // Squaring twice makes a few nodes very popular.
        let skewed = random.below(1000) * random.below(1000) * NODES / 1_000_000;
        let kind = if index % 4 == 0 { &defines } else { &calls };
        graph.add_relationship(NodeKey(random.below(NODES)), kind, NodeKey(skewed), &[]);
    }
    graph
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let graph = build();
    let limits = Limits::default();
    println!("| question | parse µs | whole µs (processor time, median) | rows |\n|---|---:|---:|---:|");
    let wanted = std::env::args().nth(1);
    let is_wanted = |name: &str| wanted.as_deref().is_none_or(|wanted| name.contains(wanted));
    for (name, text) in QUESTIONS.iter().filter(|(name, _)| is_wanted(name)) {
        let mut times = Vec::new();
        let mut parsing = Vec::new();
        let mut rows = 0;
        for round in 0..15_u64 {
            let index = 1000 + round * 37;
            let qualified = |index: u64| Value::from(format!("pkg.mod{}.user{index}", index % 500));
            let parameters =
                Parameters::from([("q".to_owned(), qualified(index)), ("r".to_owned(), qualified(index / 7))]);
            let start = processor_time();
            let query = parse(text)?;
            parsing.push(processor_time().saturating_sub(start));
            rows = run(&query, &graph, &parameters, &limits)?.rows.len();
            times.push(processor_time().saturating_sub(start));
        }
        println!("| {name} | {} | {} | {rows} |", median(&mut parsing), median(&mut times));
    }
    Ok(())
}

/// How long this process has been computing, which others on the machine do not change.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

fn median(times: &mut [Duration]) -> u128 {
    times.sort();
    times[times.len() / 2].as_micros()
}
