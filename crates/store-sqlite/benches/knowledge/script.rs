//! The calls, the same on every backend.

use std::time::{Duration, Instant};

use store::knowledge::{FuzzySearch, Name, NeighborSearch, PathSearch, PropertyMatch, Value};
use store::{ErrorKind, KnowledgeGraph, NodeId};

use crate::generated::{self, Numbers, node, word};

/// What the tools allow.
const PATH_BUDGET: usize = 50_000;
const NEIGHBOR_BUDGET: usize = 200;

/// What one kind of call cost, in milliseconds.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) key: &'static str,
    pub(crate) p50: f64,
    pub(crate) p99: f64,
    pub(crate) processor: f64,
    /// How many calls were given up.
    pub(crate) unanswered: usize,
}

pub(crate) async fn run(graph: &dyn KnowledgeGraph, ids: &[NodeId], calls: usize) -> Vec<Row> {
    let mut bench = Bench { graph, ids, calls, rows: Vec::new() };
    bench.single_nodes().await;
    bench.paths().await;
    bench.neighbors().await;
    bench.searches().await;
    bench.rows
}

struct Bench<'a> {
    graph: &'a dyn KnowledgeGraph,
    ids: &'a [NodeId],
    calls: usize,
    rows: Vec<Row>,
}

impl Bench<'_> {
    async fn single_nodes(&mut self) {
        let (graph, ids) = (self.graph, self.ids);
        let mut numbers = Numbers(7);
        self.row("create_node", async |at| answered(graph.create_node(node(1_000_000 + at)).await).is_some()).await;
        self.row("find_by_id", async |_| answered(graph.node(ids[numbers.below(ids.len())]).await).is_some()).await;
        let mut numbers = Numbers(11);
        self.row("find_by_property", async |_| {
            let (label, property) = (Name::parse("Entity").unwrap(), Name::parse("number").unwrap());
            let value = Value::Integer(i64::try_from(numbers.below(ids.len())).unwrap());
            answered(graph.find_node(PropertyMatch { label, property, value }).await).is_some()
        })
        .await;
    }

    async fn paths(&mut self) {
        let (graph, ids) = (self.graph, self.ids);
        let mut numbers = Numbers(13);
        let (mut found, mut visited, mut truncated) = (0, 0, 0);
        self.row("path", async |_| {
            let (from, to) = (ids[numbers.below(ids.len())], ids[numbers.below(ids.len())]);
            let search = PathSearch { from, to, max_depth: 4, types: Vec::new(), budget: PATH_BUDGET };
            let Some(path) = answered(graph.shortest_path(search).await) else { return false };
            found += usize::from(path.path.is_some());
            visited = visited.max(path.visited);
            truncated += usize::from(path.truncated);
            true
        })
        .await;
        println!("|   ({found} found, at most {visited} nodes visited, {truncated} cut) | | | |");
    }

    async fn neighbors(&mut self) {
        let (graph, ids) = (self.graph, self.ids);
        let search = |id, depth| NeighborSearch { id, depth, types: Vec::new(), budget: NEIGHBOR_BUDGET };
        let mut numbers = Numbers(17);
        for (key, depth) in [("neighbors_1", 1), ("neighbors_2", 2), ("neighbors_3", 3)] {
            self.row(key, async |_| {
                let id = ids[numbers.below(ids.len())];
                answered(graph.neighbors(search(id, depth)).await).is_some()
            })
            .await;
        }
        let first = ids[0];
        self.row("neighbors_2_of_largest", async |_| answered(graph.neighbors(search(first, 2)).await).is_some()).await;
    }

    async fn searches(&mut self) {
        type Question = fn(usize) -> String;
        let kinds: [(&'static str, Question); 4] = [
            ("fuzzy_misspelt", |at| format!("{} {}", misspelt(&word(at * 37 % 4_000)), word(at * 91 % 4_000))),
            ("fuzzy_beginning", |at| word(at * 37 % 4_000).chars().take(4).collect()),
            ("fuzzy_frequent", |at| word(at % 5)),
            ("fuzzy_chinese", |at| generated::chinese(at * 13).chars().take(2).collect()),
        ];
        let graph = self.graph;
        for (key, query) in kinds {
            let mut found = 0;
            self.row(key, async |at| {
                let search = FuzzySearch { query: query(at), labels: Vec::new(), limit: 10 };
                let Some(near) = answered(graph.fuzzy_search(search).await) else { return false };
                found += usize::from(!near.is_empty());
                true
            })
            .await;
            println!("|   ({found} found something) | | | |");
        }
    }

    /// A call says whether it was answered; one that was not counts with the time it was waited for.
    async fn row(&mut self, key: &'static str, mut call: impl AsyncFnMut(usize) -> bool) {
        for at in 0..10 {
            call(at + self.calls).await;
        }
        let mut unanswered = 0;
        let mut times = Vec::with_capacity(self.calls);
        let before = processor_time();
        for at in 0..self.calls {
            let started = Instant::now();
            unanswered += usize::from(!call(at).await);
            times.push(started.elapsed());
        }
        let processor = (processor_time() - before).as_secs_f64() * 1_000.0 / self.calls as f64;
        times.sort_unstable();
        let shown = |at: usize| times[at].as_secs_f64() * 1_000.0;
        let (p50, p99) = (shown(self.calls / 2), shown(self.calls * 99 / 100));
        println!("| {key} | {p50:.3} | {p99:.3} | {processor:.3} |");
        if unanswered > 0 {
            println!("|   ({unanswered} of {} were not answered in time) | | | |", self.calls);
        }
        self.rows.push(Row { key, p50, p99, processor, unanswered });
    }
}

/// A server may take longer than the program waits for it; everything else is a fault of the measurement.
fn answered<T>(outcome: store::Result<T>) -> Option<T> {
    match outcome {
        Ok(answer) => Some(answer),
        Err(error) if error.kind() == ErrorKind::Unavailable => None,
        Err(error) => panic!("{error}"),
    }
}

fn misspelt(word: &str) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let middle = letters.len() / 2;
    letters.swap(middle, middle - 1);
    letters.into_iter().collect()
}

/// Processor time of this process.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap(), u32::try_from(time.tv_nsec).unwrap())
}
