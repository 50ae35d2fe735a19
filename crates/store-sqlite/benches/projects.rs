//! What the first index of a project, a small change and lookups cost: `cargo bench -p store-sqlite --bench projects`.

#![expect(clippy::unwrap_used, reason = "a measurement that cannot go on has failed")]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use graph::{Confidence, Edge, Label, Node, NodeId, Relation, Resolution};
use store::projects::file_id;
use store::{FileRecord, FileUpdate, GraphUpdate, Part, ProjectCatalog as _, ProjectGraph};
use store_sqlite::SqliteProjects;

const FILES: usize = 3_000;
const NODES: usize = 50_000;
const EDGES_PER_NODE: usize = 6;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let update = GraphUpdate { files: (0..FILES).map(|number| file(number, 0)).collect(), ..GraphUpdate::default() };
    let catalog = SqliteProjects::open(folder.path());
    let project = catalog.create("sample", "/sample").unwrap();
    measure("first index", 1, || project.apply(&update).unwrap());
    tell(&format!("{:?}, {} MB", project.info().unwrap(), size(catalog.path()) >> 20));
    measure("the same again", 1, || project.apply(&update).unwrap());
    let change = GraphUpdate { files: vec![file(7, 1)], ..GraphUpdate::default() };
    measure("one file changed", 1, || project.apply(&change).unwrap());

    measure("open and look up", 1, || {
        look_up(&*SqliteProjects::open(folder.path()).find("sample").unwrap().unwrap(), 1)
    });
    measure("qualified name", 1_000, || look_up(&*project, 1));
    measure("find by root", 1_000, || drop(catalog.find_root("/sample").unwrap().unwrap()));
    measure("info", 1_000, || drop(project.info().unwrap()));
    measure("all nodes", 1, || project.nodes(&mut |_| true).unwrap());
    measure("all edges", 1, || project.edges(&[], &mut |_| true).unwrap());
    measure("all facts", 1, || project.facts(&mut |_, _| ()).unwrap());
    let removed = (0..FILES).map(path).collect();
    let removal = GraphUpdate { removed, ..GraphUpdate::default() };
    measure("all removed", 1, || project.apply(&removal).unwrap());
}

fn look_up(project: &dyn ProjectGraph, number: usize) {
    assert_eq!(project.find_qualified(&qualified_name(number)).unwrap().len(), 1);
}

fn path(number: usize) -> String {
    format!("src/package_{}/module_{number}.py", number % 97)
}

fn qualified_name(number: usize) -> String {
    format!("package_{}.module_{}.Class_{}.function_{number}", number % 97, number % FILES, number / 7)
}

fn id(number: usize) -> NodeId {
    NodeId::of(Label::Function, &qualified_name(number % NODES))
}

fn file(number: usize, shift: u32) -> FileUpdate {
    let path = path(number);
    let numbers = || (number..NODES).step_by(FILES);
    let part = Part {
        nodes: numbers().map(|number| node(number, file_id(&path), shift)).collect(),
        edges: numbers().flat_map(|number| edges(number, shift)).collect(),
    };
    let record = FileRecord {
        language: Some("python".to_owned()),
        size: 4_000,
        modified: i64::from(shift),
        content_hash: vec![7; 32],
        graph_hash: vec![8; 32],
        lines: 400,
        problem: None,
        path,
    };
    FileUpdate { record, facts: Some(vec![9; 4_096]), part: Some(part), words: None }
}

fn node(number: usize, file: NodeId, shift: u32) -> Node {
    Node {
        id: id(number),
        label: Label::Function,
        name: format!("function_{number}"),
        qualified_name: qualified_name(number),
        file: Some(file),
        start_line: 10 + shift,
        end_line: 30 + shift,
        own_line: 11 + shift,
        signature: Some(format!("def function_{number}(self, first: int, second: str) -> bool")),
        docstring: number.is_multiple_of(2).then(|| "Says what it does in one line of ordinary length.".to_owned()),
        decorators: Vec::new(),
        modifiers: vec!["public".to_owned()],
    }
}

fn edges(number: usize, shift: u32) -> impl Iterator<Item = Edge> {
    (0..EDGES_PER_NODE).map(move |position| Edge {
        from: id(number),
        relation: if position == 0 { Relation::References } else { Relation::Calls },
        to: id(number * 31 + position * 7_919),
        line: 12 + shift + u32::try_from(position).unwrap(),
        resolution: Resolution::Import,
        confidence: Confidence(90),
    })
}

fn size(folder: &Path) -> u64 {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum()
}

fn measure(what: &str, times: u32, mut work: impl FnMut()) {
    let (cpu, wall) = (cpu(), Instant::now());
    for _ in 0..times {
        work();
    }
    let (wall, cpu) = (wall.elapsed() / times, (self::cpu() - cpu) / times);
    tell(&format!("{what:20} {:9.3} ms cpu {:9.3} ms", cpu.as_secs_f64() * 1e3, wall.as_secs_f64() * 1e3));
}

/// What this thread has used so far.
fn cpu() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(text.split(' ').next().unwrap().parse().unwrap())
}

fn tell(line: &str) {
    std::io::stdout().lock().write_all(format!("{line}\n").as_bytes()).unwrap();
}
