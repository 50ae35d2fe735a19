//! The real CKB on a small project, with an index that a real indexer made. `cargo xtask test` installs both.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod project;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use store_sqlite::SqliteStore;
use upstream::ckb::{CallGraph, Direction, FallbackReason, Outcome, Wanted};
use upstream::{Ckb, CkbSettings};

use project::Project;

/// The real thing, with more time than it needs.
fn ckb(project: &Project) -> Ckb {
    let settings = CkbSettings {
        command: project::node(),
        arguments: vec![project::script("TRAILMARK_TEST_CKB")],
        timeout: Duration::from_secs(30),
        ..CkbSettings::default()
    };
    Ckb::new(settings, Arc::new(SqliteStore::open(project.data())))
}

#[track_caller]
fn available<T>(outcome: Outcome<T>) -> T {
    match outcome {
        Outcome::Available(answer) => answer,
        Outcome::Fallback(fallback) => panic!("{fallback:?}"),
    }
}

fn wanted(name: &str) -> Wanted {
    Wanted { name: name.to_owned(), file: None, line: None }
}

async fn graph(ckb: &Ckb, root: &Path, name: &str, direction: Direction, depth: u32) -> CallGraph {
    available(ckb.call_graph(root, &wanted(name), direction, depth).await).expect("the symbol is known")
}

/// `depth name file:line` of every node, `caller -> callee lines` of every edge.
fn shown(graph: &CallGraph) -> (Vec<String>, Vec<String>) {
    let node = |node: &upstream::ckb::CallNode| format!("{} {} {}:{}", node.depth, node.name, node.file, node.line);
    let name = |id: &str| graph.nodes.iter().find(|node| node.id == id).map(|node| node.name.clone()).unwrap();
    let edge =
        |edge: &upstream::ckb::CallEdge| format!("{} -> {} {:?}", name(&edge.caller), name(&edge.callee), edge.lines);
    let mut edges: Vec<String> = graph.edges.iter().map(edge).collect();
    edges.sort();
    (graph.nodes.iter().map(node).collect(), edges)
}

#[tokio::test]
async fn callers_come_out_right_to_any_depth() {
    let project = Project::with_index();
    let (ckb, root) = (ckb(&project), project.root());

    let (nodes, edges) = shown(&graph(&ckb, &root, "roundPrice", Direction::Callers, 1).await);
    let direct = [
        "0 roundPrice src/price.ts:1",
        "1 half src/odd.ts:3",
        "1 options src/odd.ts:5",
        "1 Shelf.fit src/odd.ts:25",
        "1 priceWithTax src/price.ts:5",
    ];
    assert_eq!(nodes, direct);
    assert_eq!(
        edges,
        [
            "Shelf.fit -> roundPrice [26]",
            "half -> roundPrice [3]",
            "options -> roundPrice [13]",
            "priceWithTax -> roundPrice [6]"
        ]
    );

    let (nodes, edges) = shown(&graph(&ckb, &root, "priceWithTax", Direction::Callers, 4).await);
    let expected = [
        "0 priceWithTax src/price.ts:5",
        "1 Cart.total src/cart.ts:10",
        "1 options src/odd.ts:5",
        "2 checkout src/checkout.ts:3",
        "2 recurse src/odd.ts:31",
        "3 main src/checkout.ts:12",
        "3 noParameters src/odd.ts:35",
    ];
    assert_eq!(nodes, expected);
    let expected = [
        "Cart.total -> priceWithTax [11]",
        "checkout -> Cart.total [4]",
        "main -> checkout [15]",
        "noParameters -> recurse [36]",
        "options -> priceWithTax [11]",
        "recurse -> options [32]",
        "recurse -> recurse [32]",
    ];
    assert_eq!(edges, expected);

    let (_, edges) = shown(&graph(&ckb, &root, "half", Direction::Callers, 1).await);
    assert_eq!(edges, ["Shelf.constructor -> half [18]", "options -> half [10]"]);
    ckb.close().await;
}

#[tokio::test]
async fn callees_come_out_right_to_any_depth() {
    let project = Project::with_index();
    let (ckb, root) = (ckb(&project), project.root());

    let (nodes, edges) = shown(&graph(&ckb, &root, "checkout", Direction::Callees, 5).await);
    let expected = [
        "0 checkout src/checkout.ts:3",
        "1 Cart.total src/cart.ts:10",
        "1 describe src/checkout.ts:8",
        "2 priceWithTax src/price.ts:5",
        "3 roundPrice src/price.ts:1",
    ];
    assert_eq!(nodes, expected);
    let expected = [
        "Cart.total -> priceWithTax [11]",
        "checkout -> Cart.total [4]",
        "checkout -> describe [5]",
        "priceWithTax -> roundPrice [6]",
    ];
    assert_eq!(edges, expected);

    let both = graph(&ckb, &root, "src/cart.ts#Cart.total", Direction::Both, 1).await;
    assert_eq!(
        shown(&both).0,
        ["0 Cart.total src/cart.ts:10", "1 checkout src/checkout.ts:3", "1 priceWithTax src/price.ts:5"]
    );
    assert!(!both.is_truncated);
    ckb.close().await;
}

#[tokio::test]
async fn a_function_that_everybody_calls_is_cut_and_says_so() {
    let callers =
        (0..150).map(|number| format!("export function user{number}(x: number): number {{ return popular(x); }}\n"));
    let text = format!("export function popular(x: number): number {{ return x; }}\n{}", callers.collect::<String>());
    let project = Project::with(&[("src/popular.ts", &text)]);
    let ckb = ckb(&project);
    let graph = graph(&ckb, &project.root(), "popular", Direction::Both, 5).await;
    assert_eq!((graph.nodes.len(), graph.edges.len(), graph.is_truncated), (100, 99, true));
    assert_eq!((graph.nodes[1].name.as_str(), graph.nodes[1].line), ("user0", 2));
    ckb.close().await;
}

#[tokio::test]
async fn symbols_are_found_by_part_of_their_name() {
    let project = Project::with_index();
    let (ckb, root) = (ckb(&project), project.root());
    let names = |symbols: Vec<upstream::ckb::Symbol>| {
        symbols.into_iter().map(|symbol| symbol.qualified_name).collect::<Vec<_>>()
    };
    assert_eq!(names(available(ckb.symbols(&root, "Price", 10).await)), ["priceWithTax", "roundPrice"]);
    assert_eq!(names(available(ckb.symbols(&root, "total", 1).await)), ["Cart.total"]);
    assert_eq!(names(available(ckb.symbols(&root, "nothing like this", 10).await)), Vec::<String>::new());
    assert_eq!(names(available(ckb.symbols(&root, &"x".repeat(100_000), 10).await)), Vec::<String>::new());
    let unknown = available(ckb.call_graph(&root, &wanted("nothing"), Direction::Both, 2).await);
    assert_eq!(unknown, None);
}

#[tokio::test]
async fn a_project_without_an_index_is_not_answered_for_by_another_one() {
    let (indexed, bare) = (Project::with_index(), Project::without_index());
    let ckb = ckb(&bare);
    available(ckb.symbols(&indexed.root(), "Price", 10).await);
    let Outcome::Fallback(fallback) = ckb.symbols(&bare.root(), "Price", 10).await else { panic!("answered") };
    assert_eq!(fallback.reason, FallbackReason::HealthCheckFailed);
    assert!(fallback.last_error.unwrap().starts_with("CKB has no index of this project: "));
    available(ckb.symbols(&indexed.root(), "Price", 10).await);
}
