//! A reader sees one state; a snapshot answers for the state it was made from and no other.

use graph::{Condition, Direction, GraphRead, NodeFilter, NodeKey, Test};
use store::ProjectCatalog as _;
use store::ProjectGraph;
use store_sqlite::{Reading, SqliteProjects};

use super::{SNAPSHOT, SQL, Sample, property, scan, text};
use crate::sample::{source_file, update};

fn names(reader: &dyn GraphRead) -> Vec<String> {
    let names = scan(reader, &NodeFilter::default(), 2).into_iter().map(|node| property(reader, node, "name"));
    let mut names: Vec<_> = names.map(|name| format!("{name:?}")).collect();
    names.sort_unstable();
    names
}

fn apply(project: &dyn ProjectGraph, functions: &[&str], line: u32) {
    project.apply(&update(vec![source_file("a.py", functions, line)])).unwrap();
}

fn degrees(reader: &dyn GraphRead) -> u64 {
    let nodes = scan(reader, &NodeFilter::default(), 100);
    nodes.into_iter().map(|node| reader.degree(node, Direction::Outgoing, &[]).unwrap()).sum()
}

#[test]
fn a_reader_keeps_its_state_while_the_graph_changes() {
    for reading in [SQL, SNAPSHOT, Reading::default()] {
        let sample = Sample::new();
        let project = sample.read(reading);
        apply(&*project, &["one"], 1);
        let before = project.reader().unwrap();
        let known = names(&*before);
        apply(&*sample.project, &["one", "two", "three"], 1);
        let after = project.reader().unwrap();
        for _ in 0..20 {
            assert_eq!((names(&*before), degrees(&*before)), (known.clone(), 1));
            assert_eq!((names(&*after).len(), degrees(&*after)), (4, 3));
        }
        let third = project.reader().unwrap();
        assert_eq!((names(&*third).len(), degrees(&*third)), (4, 3));
        drop(before);
        assert_eq!(names(&*project.reader().unwrap()).len(), 4);
    }
}

#[test]
fn a_change_by_another_process_is_seen_at_once() {
    let sample = Sample::new();
    let project = sample.read(SNAPSHOT);
    for count in 1..4 {
        let functions = ["one", "two", "three"];
        apply(&*sample.project, &functions[..count], 1);
        assert_eq!(names(&*project.reader().unwrap()).len(), count + 1);
    }
}

#[test]
fn a_project_made_anew_is_not_taken_for_the_old_one() {
    let sample = Sample::new();
    let catalog = SqliteProjects::open(sample.folder.path()).with_reading(SNAPSHOT);
    let project = catalog.find("sample").unwrap().unwrap();
    apply(&*project, &["one"], 1);
    assert_eq!(names(&*project.reader().unwrap()).len(), 2);
    catalog.delete("sample").unwrap();
    assert!(project.reader().is_err());
    let again = catalog.create("sample", "/sample").unwrap();
    assert_eq!(names(&*again.reader().unwrap()).len(), 0);
}

#[test]
fn a_reader_is_found_by_index_and_counted_cheaply() {
    for reading in [SQL, SNAPSHOT] {
        let sample = Sample::new();
        let project = sample.read(reading);
        let functions: Vec<_> = (0..500).map(|number| format!("function_{number}")).collect();
        project.apply(&update(vec![source_file("a.py", &functions, 1)])).unwrap();
        let reader = project.reader().unwrap();
        let labelled = |name: &str| NodeFilter { labels: vec![vec![reader.label(name).unwrap()]], conditions: vec![] };
        assert_eq!(reader.estimate(&NodeFilter::default()), 501);
        assert_eq!([reader.estimate(&labelled("Function")), reader.estimate(&labelled("File"))], [500, 1]);
        assert_eq!(reader.estimate(&labelled("Enum")), 0);
        for name in ["name", "qualified_name"] {
            let test = Test::Equals(text("function_7"));
            let condition = Condition { property: reader.property(name).unwrap(), test };
            let filter = NodeFilter { conditions: vec![condition], ..labelled("Function") };
            assert_eq!((reader.estimate(&filter), scan(&*reader, &filter, 10).len()), (1, 1));
        }
        let calls = reader.relation("CALLS").unwrap();
        assert_eq!([reader.edge_count(&[]).unwrap(), reader.edge_count(&[calls]).unwrap()], [500, 500]);
        assert_eq!(reader.edge_count(&[reader.relation("IMPORTS").unwrap()]).unwrap(), 0);
    }
}

#[test]
fn the_names_of_exported_graphs_work_too() {
    let sample = Sample::new();
    let reader = sample.project.reader().unwrap();
    for (name, other) in [("file_path", "path"), ("line_start", "start_line"), ("line_end", "end_line")] {
        assert_eq!(reader.property(name), reader.property(other));
    }
    assert_eq!((reader.property("nothing"), reader.label("function"), reader.relation("calls")), (None, None, None));
}

#[test]
fn keys_that_name_nothing_are_refused() {
    for reading in [SQL, SNAPSHOT] {
        let sample = Sample::new();
        let project = sample.read(reading);
        let reader = project.reader().unwrap();
        let name = reader.property("name").unwrap();
        let error = reader.node_property(NodeKey(7), name).unwrap_err();
        assert!(error.to_string().contains("no node has the key 7"), "{error}");
        assert!(reader.edge_ends(graph::EdgeKey(3)).is_err());
    }
}
