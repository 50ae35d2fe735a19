//! What a query engine's questions cost, with SQL and from a snapshot: `cargo bench -p store-sqlite --bench graph_read`.
//!
//! The graph has 200 000 nodes and 1 000 000 relationships, or so many times that as `-- 5` says. Times are processor time of
//! this thread, in microseconds: the median, and what one of a hundred exceeds.

#![expect(clippy::unwrap_used, reason = "a measurement that cannot go on has failed")]

mod generated;
mod memory;

use std::collections::HashSet;
use std::hint::black_box;
use std::io::Write as _;
use std::time::Duration;

use generated::{Random, Size};
use graph::{Condition, Direction, GraphRead, NodeFilter, NodeKey, Test, TextRelation, Value};
use store::{ProjectCatalog as _, ProjectGraph};
use store_sqlite::{Reading, Snapshots, SqliteProjects};

const PAGE: usize = 1_024;

fn main() {
    let factor = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(1);
    let size = Size::times(factor);
    let folder = tempfile::tempdir().unwrap();
    {
        let update = generated::update(size);
        let project = SqliteProjects::open(folder.path()).create("sample", "/sample").unwrap();
        let seconds = seconds(|| project.apply(&update).unwrap());
        let info = project.info().unwrap();
        tell(&format!("{} nodes, {} relationships, stored in {seconds:.2} s", info.nodes, info.relationships));
    }
    for snapshots in [Snapshots::Never, Snapshots::Always] {
        let reading = Reading { snapshots, uses_filters: true };
        let catalog = SqliteProjects::open(folder.path()).with_reading(reading);
        let project = catalog.find("sample").unwrap().unwrap();
        memory::peak();
        let before = memory::live();
        let seconds = seconds(|| drop(project.reader().unwrap()));
        let grown = (memory::live() - before) as f64 / 1e6;
        tell(&format!(
            "\n{snapshots:?}: first reader after {seconds:.3} s, memory {grown:.1} MB, peak {:.1} MB",
            memory::peak() as f64 / 1e6
        ));
        questions(&*project, size);
    }
}

fn questions(project: &dyn ProjectGraph, size: Size) {
    measure("open a reader", 500, |_| drop(project.reader().unwrap()));
    let reader = &*project.reader().unwrap();
    let mut random = Random::new(11);
    let some = move |_| random.below(size.callables());
    let numbers: Vec<_> = (0..1_000).map(some).collect();
    let nodes: Vec<_> = numbers.iter().map(|number| key(size, *number)).collect();
    let hubs: Vec<_> = (0..20).map(|number| key(size, generated::popular(size, number))).collect();
    let calls = [reader.relation("CALLS").unwrap()];

    measure("by qualified name", 1_000, |turn| {
        let name = generated::callable_name(size, numbers[turn]);
        assert_eq!(scan(reader, &equals(reader, "qualified_name", &name)), 1);
    });
    measure("estimate of that", 1_000, |turn| {
        let name = generated::callable_name(size, numbers[turn]);
        assert_eq!(reader.estimate(&equals(reader, "qualified_name", &name)), 1);
    });
    measure("by name", 1_000, |turn| {
        let name = generated::callable_name(size, numbers[turn]);
        assert!(scan(reader, &equals(reader, "name", name.rsplit('.').next().unwrap())) > 0);
    });
    measure("by file", 200, |turn| {
        let path = property(reader, nodes[turn], "file_path");
        assert!(scan(reader, &filter(reader, &[], "file_path", Test::Equals(path))) > 0);
    });
    searches(project);
    measure("one hop, callers", 1_000, |turn| _ = black_box(hops(reader, nodes[turn], Direction::Incoming, 1)));
    measure("one hop, hubs", 20, |turn| assert!(hops(reader, hubs[turn], Direction::Incoming, 1) > 100));
    measure("three hops, callees", 1_000, |turn| _ = black_box(hops(reader, nodes[turn], Direction::Outgoing, 3)));
    measure("three hops, hubs", 20, |turn| _ = black_box(hops(reader, hubs[turn], Direction::Incoming, 3)));
    measure("shortest path to 4", 500, |turn| _ = black_box(path(reader, nodes[turn], nodes[turn + 1])));
    measure("four properties", 1_000, |turn| {
        for name in ["name", "qualified_name", "file_path", "line_start"] {
            assert_ne!(property(reader, nodes[turn], name), Value::Null);
        }
    });
    measure("docstring", 1_000, |turn| drop(property(reader, nodes[turn], "docstring")));
    measure("20 most called", 5, |_| assert_eq!(most_called(reader, &calls).len(), 20));
}

/// Each with a reader of its own, because a reader remembers the last search.
fn searches(project: &dyn ProjectGraph) {
    for (what, property, wanted, lower_case) in [
        ("name contains", "name", "user_12", false),
        ("toLower(name) contains", "name", "user", true),
        ("qualified name", "qualified_name", "session_17", false),
        ("toLower(qualified)", "qualified_name", "session_17", true),
        ("path contains", "file_path", "package_17/", false),
    ] {
        let test = Test::Text { relation: TextRelation::Contains, wanted: wanted.into(), lower_case };
        let mut found = 0;
        measure(what, 20, |_| {
            let reader = &*project.reader().unwrap();
            found = scan(reader, &filter(reader, &["Class", "Function", "Method"], property, test.clone()));
        });
        tell(&format!("    found {found}"));
    }
}

fn key(size: Size, number: usize) -> NodeKey {
    NodeKey(u64::try_from(generated::callable_id(size, number).0).unwrap())
}

fn filter(reader: &dyn GraphRead, labels: &[&str], property: &str, test: Test) -> NodeFilter {
    let labels: Vec<_> = labels.iter().map(|label| reader.label(label).unwrap()).collect();
    let labels = if labels.is_empty() { vec![] } else { vec![labels] };
    NodeFilter { labels, conditions: vec![Condition { property: reader.property(property).unwrap(), test }] }
}

fn equals(reader: &dyn GraphRead, property: &str, text: &str) -> NodeFilter {
    filter(reader, &["Function", "Method"], property, Test::Equals(Value::Text(text.into())))
}

fn property(reader: &dyn GraphRead, node: NodeKey, name: &str) -> Value {
    reader.node_property(node, reader.property(name).unwrap()).unwrap()
}

fn scan(reader: &dyn GraphRead, filter: &NodeFilter) -> usize {
    let (mut nodes, mut count, mut last) = (Vec::new(), 0, None);
    loop {
        nodes.clear();
        reader.scan(filter, last, PAGE, &mut nodes).unwrap();
        count += nodes.len();
        last = nodes.last().copied();
        if nodes.len() < PAGE {
            return count;
        }
    }
}

/// How many nodes are within so many calls.
fn hops(reader: &dyn GraphRead, node: NodeKey, direction: Direction, depth: usize) -> usize {
    let calls = [reader.relation("CALLS").unwrap()];
    let (mut seen, mut steps) = (HashSet::from([node]), Vec::new());
    let (mut edge, mut next) = (vec![node], Vec::new());
    for _ in 0..depth {
        for node in edge.drain(..) {
            steps.clear();
            reader.expand(node, direction, &calls, &mut steps).unwrap();
            next.extend(steps.iter().map(|step| step.far).filter(|far| seen.insert(*far)));
        }
        std::mem::swap(&mut edge, &mut next);
    }
    seen.len() - 1
}

/// The length of the shortest chain of calls, up to four, searched from both ends.
fn path(reader: &dyn GraphRead, from: NodeKey, to: NodeKey) -> Option<usize> {
    let calls = [reader.relation("CALLS").unwrap()];
    let mut sides = [(HashSet::from([from]), vec![from]), (HashSet::from([to]), vec![to])];
    let mut steps = Vec::new();
    for length in 1..=4 {
        let side = usize::from(sides[1].1.len() < sides[0].1.len());
        let direction = [Direction::Outgoing, Direction::Incoming][side];
        let mut next = Vec::new();
        for node in std::mem::take(&mut sides[side].1) {
            steps.clear();
            reader.expand(node, direction, &calls, &mut steps).unwrap();
            if steps.iter().any(|step| sides[1 - side].0.contains(&step.far)) {
                return Some(length);
            }
            next.extend(steps.iter().map(|step| step.far).filter(|far| sides[side].0.insert(*far)));
        }
        sides[side].1 = next;
    }
    None
}

fn most_called(reader: &dyn GraphRead, calls: &[graph::RelationKey]) -> Vec<(u64, NodeKey)> {
    let labels = ["Function", "Method"].map(|label| reader.label(label).unwrap()).to_vec();
    let filter = NodeFilter { labels: vec![labels], conditions: vec![] };
    let (mut nodes, mut best, mut last) = (Vec::new(), Vec::new(), None);
    loop {
        nodes.clear();
        reader.scan(&filter, last, PAGE, &mut nodes).unwrap();
        let degree = |node: &NodeKey| (reader.degree(*node, Direction::Incoming, calls).unwrap(), *node);
        best.extend(nodes.iter().map(degree));
        best.sort_unstable_by(|left, right| right.cmp(left));
        best.truncate(20);
        last = nodes.last().copied();
        if nodes.len() < PAGE {
            return best;
        }
    }
}

fn measure(what: &str, times: usize, mut work: impl FnMut(usize)) {
    work(0);
    let mut taken: Vec<_> = (0..times)
        .map(|turn| {
            let before = cpu();
            work(turn);
            cpu() - before
        })
        .collect();
    taken.sort_unstable();
    let microseconds = |time: Duration| time.as_secs_f64() * 1e6;
    let (median, worst) = (taken[times / 2], taken[times * 99 / 100]);
    tell(&format!("{what:24} {:11.1} {:11.1}", microseconds(median), microseconds(worst)));
}

/// What this thread has used so far.
fn cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap(), u32::try_from(time.tv_nsec).unwrap())
}

fn seconds(work: impl FnOnce()) -> f64 {
    let before = cpu();
    work();
    (cpu() - before).as_secs_f64()
}

fn tell(line: &str) {
    std::io::stdout().lock().write_all(format!("{line}\n").as_bytes()).unwrap();
}
