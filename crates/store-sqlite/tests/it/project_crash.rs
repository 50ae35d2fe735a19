//! A process that is killed while it indexes leaves the old graph or the new one.

use std::fs;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use rusqlite::Connection;
use store::{GraphUpdate, ProjectCatalog as _, ProjectGraph, Reservation};
use store_sqlite::SqliteProjects;

use crate::child::{Role, report, start};
use crate::sample::{edges_of, nodes_of, source_file, update};

const KILLS: usize = 40;
const FILES: usize = 12;
const FUNCTIONS: usize = 60;

/// All nodes and edges of a generation carry its number as their line.
fn generation(number: u32) -> GraphUpdate {
    let names = |file| (0..FUNCTIONS).map(|function| format!("f{file}_{function}_{}", number % 2)).collect::<Vec<_>>();
    update((0..FILES).map(|file| source_file(&format!("{file}.py"), &names(file), number)).collect())
}

/// What the killed process does.
pub(crate) fn index_for_ever(folder: &Path) {
    let catalog = SqliteProjects::open(folder);
    let reserved = catalog.reserve("sample").unwrap();
    assert!(matches!(reserved, Reservation::Granted(_)), "{reserved:?}");
    for number in 1_u32.. {
        let project = catalog.create("sample", "/sample").unwrap();
        project.apply(&generation(number)).unwrap();
        report(&format!("applied {number}"));
        if number.is_multiple_of(3) {
            report("deleting");
            catalog.delete("sample").unwrap();
        }
    }
}

#[test]
fn a_killed_index_leaves_the_old_graph_or_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut graphs = 0;
    for _ in 0..KILLS {
        let last = run_and_kill(folder.path());
        let catalog = SqliteProjects::open(folder.path());
        if let Some(project) = catalog.find("sample").unwrap() {
            graphs += usize::from(check(&*project, last));
            assert_sound(catalog.path());
        } else {
            assert_eq!(last, None, "an acknowledged graph is gone");
        }
    }
    assert!(graphs > 0, "no graph was ever found");
}

/// The last acknowledged generation that was not deleted afterwards.
fn run_and_kill(folder: &Path) -> Option<u32> {
    let mut child = start(Role::IndexForEver, folder);
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    while !text.contains("applied") {
        assert_ne!(output.read_line(&mut text).unwrap(), 0, "the process ended by itself: {text}");
    }
    sleep(Duration::from_micros(RandomState::new().hash_one(0) % 60_000));
    child.kill().unwrap();
    output.read_to_string(&mut text).unwrap();
    child.wait().unwrap();
    let mut lines = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
    let last = lines.rfind(|line| line.starts_with("applied") || *line == "deleting")?;
    last.strip_prefix("applied ")?.parse().ok()
}

/// Whether there is a graph, which then is whole and not older than what was acknowledged.
fn check(project: &dyn ProjectGraph, last: Option<u32>) -> bool {
    let (info, nodes, edges) = (project.info().unwrap(), nodes_of(project), edges_of(project));
    assert_eq!((info.nodes, info.relationships), (nodes.len() as u64, edges.len() as u64));
    let Some(first) = nodes.first() else {
        assert_eq!((last, info.files), (None, 0));
        return false;
    };
    let number = first.start_line;
    assert!(nodes.iter().all(|node| node.start_line == number) && edges.iter().all(|edge| edge.line == number));
    assert_eq!((nodes.len(), edges.len()), (FILES * (FUNCTIONS + 1), FILES * FUNCTIONS));
    assert!(last.is_none_or(|last| number == last || number == last + 1), "found {number} after {last:?}");
    true
}

fn assert_sound(folder: &Path) {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    for file in files.filter(|file| file.extension().is_some_and(|extension| extension == "db")) {
        let connection = Connection::open(file).unwrap();
        let verdict = connection.query_row("PRAGMA integrity_check", (), |row| row.get::<_, String>(0));
        assert_eq!(verdict.unwrap(), "ok");
    }
}
