//! Random queries on random small graphs give the rows that graphqlite, an engine of other people, gives:
//! `cargo xtask test --only cypher-graphqlite`.
//!
//! `TRAILMARK_TEST_PYTHON` is a Python with graphqlite; `TRAILMARK_TEST_SEED` tries other queries than usual.

#![expect(clippy::print_stdout, reason = "a run says how much was compared")]

mod known;
mod random;
mod random_graph;
mod random_query;
mod rows;

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use random::Random;
use random_graph::RandomGraph;

const GRAPHS: usize = 75;
const QUERIES_PER_GRAPH: usize = 40;
const SEED: u64 = 4;
/// How many disagreements are shown.
const SHOWN: usize = 15;

/// One query and what was answered; an answer is a sorted list of rows, or an error.
struct Compared<'a> {
    graph: &'a RandomGraph,
    query: &'a str,
    ours: Result<Vec<String>, String>,
    theirs: Result<Vec<String>, String>,
}

impl Compared<'_> {
    fn agrees(&self) -> bool {
        match (&self.ours, &self.theirs) {
            (Ok(ours), Ok(theirs)) => ours == theirs,
            (Err(_), Err(_)) => true,
            _ => false,
        }
    }

    fn show(&self) -> String {
        format!("{}\n  on {}\n  ours   {:?}\n  theirs {:?}", self.query, self.graph.create(), self.ours, self.theirs)
    }
}

#[test]
fn random_queries_give_the_rows_of_graphqlite() {
    let seed = std::env::var("TRAILMARK_TEST_SEED").map_or(SEED, |seed| seed.parse().expect("a number"));
    let mut random = Random::new(seed);
    let cases: Vec<(RandomGraph, Vec<String>)> = (0..GRAPHS)
        .map(|_| {
            let graph = RandomGraph::new(&mut random);
            (graph, (0..QUERIES_PER_GRAPH).map(|_| random_query::query(&mut random)).collect())
        })
        .collect();
    let answers = ask_graphqlite(&cases);
    let compared: Vec<Compared<'_>> = cases
        .iter()
        .zip(answers.as_array().expect("a list for each graph"))
        .flat_map(|((graph, queries), answers)| {
            let answers = answers.as_array().expect("an answer for each query");
            assert_eq!(answers.len(), queries.len());
            queries.iter().zip(answers).map(move |(query, answer)| Compared {
                graph,
                query,
                ours: rows::ours(graph, query),
                theirs: rows::theirs(answer),
            })
        })
        .collect();
    judge(&compared, seed == SEED);
}

/// Everything agrees but for what is known, what is known still happens, and most queries give something to compare.
fn judge(compared: &[Compared<'_>], is_usual: bool) {
    let (agreed, differing): (Vec<_>, Vec<_>) = compared.iter().partition(|compared| compared.agrees());
    let (known, unknown): (Vec<_>, Vec<_>) =
        differing.into_iter().partition(|compared| known::FAULTS.iter().any(|fault| (fault.explains)(compared)));
    let telling = agreed.iter().filter(|compared| compared.ours.as_ref().is_ok_and(|rows| !rows.is_empty())).count();
    let refused = agreed.iter().filter(|compared| compared.ours.is_err()).count();
    println!(
        "{} queries: {} agree ({telling} with rows, {refused} with an error), {} differ for a known fault",
        compared.len(),
        agreed.len(),
        known.len()
    );
    let shown: Vec<String> = unknown.iter().take(SHOWN).map(|compared| compared.show()).collect();
    assert!(unknown.is_empty(), "{} queries differ, such as\n{}", unknown.len(), shown.join("\n"));
    assert!(telling * 4 > compared.len(), "too few queries have rows: {telling} of {}", compared.len());
    for fault in known::FAULTS.iter().filter(|_| is_usual) {
        let happens = known.iter().any(|compared| (fault.explains)(compared));
        assert!(happens, "this fault no longer shows, remove it: {}", fault.reason);
    }
}

fn ask_graphqlite(cases: &[(RandomGraph, Vec<String>)]) -> Value {
    let python = std::env::var("TRAILMARK_TEST_PYTHON").expect("TRAILMARK_TEST_PYTHON names a Python with graphqlite");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/graphqlite/ask.py");
    let asked: Vec<Value> =
        cases.iter().map(|(graph, queries)| json!({ "create": graph.create(), "queries": queries })).collect();
    let mut child = Command::new(python)
        .args(["-B", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python starts");
    // The script reads everything before it answers, so that neither waits for the other.
    serde_json::to_writer(child.stdin.take().expect("its input was piped"), &asked).expect("the script reads");
    let output = child.wait_with_output().expect("the script ends");
    assert!(output.status.success(), "the script failed");
    serde_json::from_slice(&output.stdout).expect("the script prints JSON")
}
