//! Several who index the same project, and one who is killed while it does.

use std::hash::{BuildHasher as _, RandomState};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use code_index::{Indexer, Observer};
use store::{ProjectCatalog as _, Reservation};
use store_sqlite::SqliteProjects;

use crate::child::{Role, report, start};
use crate::workbench::{PROJECT, Workbench, request, write};

const FILES: usize = 120;
const KILLS: usize = 15;

fn source(number: usize, generation: usize) -> String {
    let next = (number + 1) % FILES;
    format!("from f{next} import g{generation}_{next}\n\ndef g{generation}_{number}():\n    g{generation}_{next}()\n")
}

fn many_files() -> Workbench {
    let bench = Workbench::new(&[]);
    for number in 0..FILES {
        bench.write(&format!("f{number}.py"), source(number, 0));
    }
    bench
}

#[test]
fn of_many_processes_one_indexes_and_the_others_find_nothing_to_do() {
    let bench = many_files();
    let children: Vec<_> = (0..4).map(|_| start(Role::IndexOnce, bench.root.path(), bench.data.path())).collect();
    let mut parsed: Vec<usize> = Vec::new();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        parsed.extend(text.lines().filter_map(|line| line.strip_prefix("parsed ")?.parse::<usize>().ok()));
    }
    parsed.sort_unstable();
    assert_eq!(parsed, [0, 0, 0, FILES]);
    assert_eq!(bench.graph(), bench.clean_graph());
}

#[test]
fn indexers_in_one_process_wait_for_each_other() {
    let bench = many_files();
    let parsed = AtomicU64::new(0);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let indexer = Indexer::new(Arc::new(SqliteProjects::open(bench.data.path()))).that_stays();
                parsed.fetch_add(indexer.index(&bench.request(), &()).unwrap().parsed, Ordering::Relaxed);
                parsed.fetch_add(bench.index().parsed, Ordering::Relaxed);
            });
        }
    });
    assert_eq!(parsed.into_inner(), FILES as u64);
    assert_eq!(bench.graph(), bench.clean_graph());
}

/// Gives the reservation back as soon as somebody waits for it.
struct GiveBack(std::sync::Mutex<Option<Reservation>>, AtomicU64);

impl Observer for GiveBack {
    fn waiting_for(&self, process: Option<u32>) {
        self.1.store(u64::from(process.unwrap()), Ordering::Relaxed);
        drop(self.0.lock().unwrap().take());
    }
}

#[test]
fn who_waits_is_told_for_which_process() {
    let bench = Workbench::new(&[("a.py", "def load(): pass\n")]);
    let held = bench.catalog.reserve(PROJECT).unwrap();
    let observer = GiveBack(std::sync::Mutex::new(Some(held)), AtomicU64::new(0));
    let report = bench.indexer.index(&bench.request(), &observer).unwrap();
    assert_eq!(observer.1.into_inner(), u64::from(std::process::id()));
    assert!(report.timings.waiting > Duration::ZERO);
    assert!(bench.has("load"));
}

#[test]
fn what_another_process_indexed_is_taken_over() {
    let bench = many_files();
    bench.index();
    let other = Indexer::new(Arc::new(SqliteProjects::open(bench.data.path()))).that_stays();
    bench.write("f3.py", source(3, 1));
    assert_eq!(other.index(&bench.request(), &()).unwrap().parsed, 1);
    assert_eq!(bench.index().parsed, 0);
    bench.write("f5.py", source(5, 1));
    assert_eq!(bench.index().parsed, 1);
    assert_eq!(bench.graph(), bench.clean_graph());
}

/// What the killed process does.
pub(crate) fn edit_for_ever(indexer: &Indexer, root: &Path) {
    for generation in 1.. {
        for number in 0..FILES {
            write(&root.join(format!("f{number}.py")), source(number, generation));
        }
        indexer.index(&request(root), &()).unwrap();
        report(&format!("indexed {generation}"));
    }
}

#[test]
fn a_killed_process_leaves_a_whole_graph_from_which_the_next_goes_on() {
    let mut bench = many_files();
    bench.index();
    for _ in 0..KILLS {
        let mut child = start(Role::EditForEver, bench.root.path(), bench.data.path());
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut text = String::new();
        while !text.contains("indexed") {
            assert_ne!(output.read_line(&mut text).unwrap(), 0, "the process ended by itself: {text}");
        }
        thread::sleep(Duration::from_micros(RandomState::new().hash_one(0) % 100_000));
        child.kill().unwrap();
        output.read_to_string(&mut text).unwrap();
        child.wait().unwrap();
        bench.restart();
        let info = bench.project().info().unwrap();
        let graph = bench.graph();
        assert_eq!((info.nodes, info.relationships), (graph.nodes.len() as u64, graph.edges.len() as u64));
        bench.index();
        assert_eq!(bench.graph(), bench.clean_graph());
    }
}
