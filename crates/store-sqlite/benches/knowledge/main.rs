//! What the knowledge graph costs: `cargo bench -p store-sqlite --bench knowledge -- NODES RELATIONSHIPS FOLDER [bolt://…]`.
//!
//! Makes a graph in the folder in which few nodes have very many relationships and most have few, then calls the store as the
//! tools do, and prints a table. With the address of an empty Bolt server, the same is done there. The last line is all of it as
//! JSON, for `cargo xtask bench knowledge`. Wall time is what one caller waits; processor time is that of this process for each call.

#![expect(clippy::unwrap_used, reason = "a measurement that cannot go on has failed")]
#![expect(clippy::print_stdout, reason = "the figures")]

mod generated;
mod script;

use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};
use store::{KnowledgeGraph, ServerAddress};
use store_neo4j::BoltGraph;
use store_sqlite::SqliteStore;

use script::Row;

const CALLS: usize = 500;
/// Over the network each costs more.
const CALLS_OF_PEER: usize = 30;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let (nodes, relationships, folder, peer) = match arguments.as_slice() {
        [nodes, relationships, folder] => (nodes, relationships, folder, None),
        [nodes, relationships, folder, peer] => (nodes, relationships, folder, Some(peer)),
        _ => panic!("arguments: NODES RELATIONSHIPS FOLDER [bolt://…], such as 200000 1000000 /tmp/graph"),
    };
    let size = Size { nodes: nodes.parse().unwrap(), relationships: relationships.parse().unwrap() };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(measure(size, Path::new(folder), peer.map(String::as_str)));
}

#[derive(Debug, Clone, Copy)]
struct Size {
    nodes: usize,
    relationships: usize,
}

async fn measure(size: Size, folder: &Path, peer: Option<&str>) {
    let store = SqliteStore::open(folder);
    let (filled, rows) = run("embedded", &store, size, CALLS).await;
    store.close().await;
    let megabytes = std::fs::metadata(store.path()).unwrap().len() >> 20;
    println!("the file has {megabytes} MB");
    let peer = match peer {
        Some(url) => {
            let graph = BoltGraph::new(ServerAddress::new(url, "the last argument"));
            println!("\nthe peer: {}", graph.version().await.unwrap());
            let (filled, rows) = run("peer", &graph, size, CALLS_OF_PEER).await;
            json!({ "fill_seconds": filled, "calls": of_calls(&rows) })
        }
        None => Value::Null,
    };
    let Size { nodes, relationships } = size;
    let figures = json!({
        "nodes": nodes, "relationships": relationships, "megabytes": megabytes, "fill_seconds": filled,
        "calls": of_calls(&rows), "peer": peer,
    });
    println!("\n{figures}");
}

async fn run(name: &str, graph: &dyn KnowledgeGraph, size: Size, calls: usize) -> (f64, Vec<Row>) {
    let started = Instant::now();
    let ids = generated::fill(graph, size.nodes, size.relationships).await;
    let seconds = started.elapsed().as_secs_f64();
    println!("{name}: {} nodes and {} relationships in {seconds:.0} s\n", size.nodes, size.relationships);
    println!("| {name} | wall p50 ms | wall p99 ms | processor ms |\n|---|---|---|---|");
    (seconds, script::run(graph, &ids, calls).await)
}

fn of_call(row: &Row) -> Value {
    let Row { p50, p99, processor, unanswered, .. } = row;
    json!({ "p50": p50, "p99": p99, "processor": processor, "unanswered": unanswered })
}

fn of_calls(rows: &[Row]) -> Value {
    let one = |row: &Row| (row.key.to_owned(), of_call(row));
    Value::Object(rows.iter().map(one).collect())
}
