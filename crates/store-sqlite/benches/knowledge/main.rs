//! What the knowledge graph costs: `cargo bench -p store-sqlite --bench knowledge -- NODES RELATIONSHIPS FOLDER`.
//!
//! Makes a graph in the folder in which few nodes have very many relationships and most have few, then calls the store as the
//! tools do, and prints a table. Wall time is what one caller waits; processor time is that of the whole process for each call.

#![expect(clippy::unwrap_used, reason = "a measurement that cannot go on has failed")]
#![expect(clippy::print_stdout, reason = "the figures")]

mod generated;

use std::path::Path;
use std::time::{Duration, Instant};

use store::knowledge::{FuzzySearch, Name, NeighborSearch, PathSearch, PropertyMatch, Value};
use store::{KnowledgeGraph as _, NodeId};
use store_sqlite::SqliteStore;

use generated::{Numbers, node, word};

const CALLS: usize = 500;

/// What the tools allow.
const PATH_BUDGET: usize = 50_000;
const NEIGHBOR_BUDGET: usize = 200;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let [nodes, relationships, folder] = arguments.as_slice() else {
        panic!("arguments: NODES RELATIONSHIPS FOLDER, such as 200000 1000000 /tmp/graph")
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(measure(nodes.parse().unwrap(), relationships.parse().unwrap(), Path::new(folder)));
}

async fn measure(nodes: usize, relationships: usize, folder: &Path) {
    let store = SqliteStore::open(folder);
    let started = Instant::now();
    let ids = generated::fill(&store, nodes, relationships).await;
    println!("made {nodes} nodes and {relationships} relationships in {:.0} s", started.elapsed().as_secs_f64());
    println!("the file has {} MB\n", std::fs::metadata(store.path()).unwrap().len() >> 20);
    println!("| call | wall p50 ms | wall p99 ms | processor ms |\n|---|---|---|---|");
    let mut numbers = Numbers(7);
    let pick = |numbers: &mut Numbers| ids[numbers.below(ids.len())];
    let mut plan = Numbers(11);
    row("create a node", async |at| assert!(store.create_node(node(1_000_000 + at)).await.is_ok())).await;
    row("find by id", async |_| drop(store.node(pick(&mut numbers)).await.unwrap())).await;
    row("find by property", async |_| {
        let (label, property) = (Name::parse("Entity").unwrap(), Name::parse("number").unwrap());
        let value = Value::Integer(i64::try_from(plan.below(ids.len())).unwrap());
        drop(store.find_node(PropertyMatch { label, property, value }).await.unwrap());
    })
    .await;
    paths(&store, &ids).await;
    neighbors(&store, &ids).await;
    search(&store).await;
    store.close().await;
}

async fn paths(store: &SqliteStore, ids: &[NodeId]) {
    let mut numbers = Numbers(13);
    let (mut found, mut visited, mut truncated) = (0, 0, 0);
    row("shortest path, depth 4", async |_| {
        let (from, to) = (ids[numbers.below(ids.len())], ids[numbers.below(ids.len())]);
        let search = PathSearch { from, to, max_depth: 4, types: Vec::new(), budget: PATH_BUDGET };
        let path = store.shortest_path(search).await.unwrap();
        found += usize::from(path.path.is_some());
        visited = visited.max(path.visited);
        truncated += usize::from(path.truncated);
    })
    .await;
    println!("|   ({found} of {CALLS} found, at most {visited} nodes visited, {truncated} cut) | | | |");
}

async fn neighbors(store: &SqliteStore, ids: &[NodeId]) {
    let mut numbers = Numbers(17);
    for depth in 1..=3 {
        row(&format!("neighbours, depth {depth}, {NEIGHBOR_BUDGET} at most"), async |_| {
            let id = ids[numbers.below(ids.len())];
            drop(
                store
                    .neighbors(NeighborSearch { id, depth, types: Vec::new(), budget: NEIGHBOR_BUDGET })
                    .await
                    .unwrap(),
            );
        })
        .await;
    }
    let first = ids[0];
    row("neighbours of the largest node, depth 2", async |_| {
        let search = NeighborSearch { id: first, depth: 2, types: Vec::new(), budget: NEIGHBOR_BUDGET };
        drop(store.neighbors(search).await.unwrap());
    })
    .await;
}

async fn search(store: &SqliteStore) {
    type Question = fn(usize) -> String;
    let kinds: [(&str, Question); 4] = [
        ("two words, one misspelt", |at| format!("{} {}", misspelt(&word(at * 37 % 4_000)), word(at * 91 % 4_000))),
        ("the beginning of a word", |at| word(at * 37 % 4_000).chars().take(4).collect()),
        ("a word of very many names", |at| word(at % 5)),
        ("Chinese", |at| generated::chinese(at * 13).chars().take(2).collect()),
    ];
    for (name, query) in kinds {
        let mut found = 0;
        row(&format!("fuzzy search: {name}"), async |at| {
            let search = FuzzySearch { query: query(at), labels: Vec::new(), limit: 10 };
            found += usize::from(!store.fuzzy_search(search).await.unwrap().is_empty());
        })
        .await;
        println!("|   ({found} of {CALLS} found something) | | | |");
    }
}

fn misspelt(word: &str) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let middle = letters.len() / 2;
    letters.swap(middle, middle - 1);
    letters.into_iter().collect()
}

async fn row(name: &str, mut call: impl AsyncFnMut(usize)) {
    for at in 0..10 {
        call(at + CALLS).await;
    }
    let mut times = Vec::with_capacity(CALLS);
    let before = processor_time();
    for at in 0..CALLS {
        let started = Instant::now();
        call(at).await;
        times.push(started.elapsed());
    }
    let processor = (processor_time() - before).as_secs_f64() * 1_000.0 / CALLS as f64;
    times.sort_unstable();
    let shown = |at: usize| times[at].as_secs_f64() * 1_000.0;
    println!("| {name} | {:.3} | {:.3} | {processor:.3} |", shown(CALLS / 2), shown(CALLS * 99 / 100));
}

/// Processor time of this process.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap(), u32::try_from(time.tv_nsec).unwrap())
}
