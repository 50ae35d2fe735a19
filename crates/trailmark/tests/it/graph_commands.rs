//! `trailmark export` and `trailmark import` as far as they need no graph server; `tests/graph_server` has the rest.

use std::net::TcpListener;

use graph::{Confidence, Edge, Label, Node, NodeId, Relation, Resolution};
use store::projects::file_id;
use store::{FileRecord, FileUpdate, GraphUpdate, Part, ProjectCatalog};
use store_sqlite::SqliteProjects;
use testkit::{Installation, Ran};

use crate::sample::installation;

const PASSWORD: &str = "correct-horse";

/// A project of the root, with one file and one function that calls itself.
fn with_project() -> Installation {
    let installation = installation();
    let catalog = SqliteProjects::open(installation.home());
    let root = installation.root().canonicalize().unwrap();
    let project = catalog.create("sample", root.to_str().unwrap()).unwrap();
    let node = |label, name: &str| Node {
        id: NodeId::of(label, name),
        label,
        name: name.to_owned(),
        qualified_name: name.to_owned(),
        file: Some(file_id("a.py")),
        ..Node::default()
    };
    let function = NodeId::of(Label::Function, "f");
    let (resolution, confidence) = (Resolution::Scope, Confidence(90));
    let call = Edge { from: function, relation: Relation::Calls, to: function, line: 3, resolution, confidence };
    let part = Part { nodes: vec![node(Label::File, "a.py"), node(Label::Function, "f")], edges: vec![call] };
    let record = FileRecord {
        path: "a.py".to_owned(),
        language: None,
        size: 1,
        modified: 1,
        content_hash: vec![1],
        graph_hash: vec![1],
        lines: 3,
        problem: None,
    };
    let file = FileUpdate { record, facts: None, part: Some(part), words: None };
    project.apply(&GraphUpdate { files: vec![file], ..GraphUpdate::default() }).unwrap();
    installation
}

#[test]
fn a_project_is_exported_to_standard_output_or_to_a_file() {
    let installation = with_project();
    let printed = installation.run(&["export", "--format", "json"]).expect_code(0);
    let graph = printed.json();
    assert_eq!((graph["nodes"].as_array().unwrap().len(), &graph["relationships"][0]["type"]), (2, &"CALLS".into()));
    let file = installation.home().join("graph.json");
    let arguments = ["export", "--project", "sample", "--format", "json", "--output", file.to_str().unwrap()];
    let ran = installation.run(&arguments).expect_code(0);
    assert!(ran.output.starts_with("Wrote sample: 2 nodes, 1 relationships, to "), "{ran:?}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), printed.output);
    let left = std::fs::read_dir(installation.home()).unwrap();
    assert!(left.flatten().all(|entry| !entry.file_name().to_string_lossy().ends_with(".unfinished")));
    for format in ["graphml", "cypher"] {
        let ran = installation.run(&["export", "--format", format]).expect_code(0);
        assert!(ran.output.contains("CALLS"), "{ran:?}");
    }
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let installation = with_project();
    let folder = installation.home().join("no/such/folder.json");
    let ran = installation.run(&["export", "--format", "json", "--output", folder.to_str().unwrap()]).expect_code(2);
    assert!(ran.errors.contains("cannot write") && ran.errors.contains("folder.json"), "{ran:?}");
}

#[test]
fn what_cannot_be_exported_is_named_with_what_can() {
    let installation = with_project();
    let ran = installation.run(&["export", "--project", "sampel", "--format", "json"]).expect_code(2);
    assert!(ran.errors.contains("no project `sampel`; did you mean `sample`?"), "{ran:?}");
    let ran = installation.run(&["export", "--format", "yaml"]).expect_code(2);
    assert!(["json", "graphml", "cypher"].iter().all(|format| ran.errors.contains(format)), "{ran:?}");
    let elsewhere = self::installation();
    let ran = elsewhere.run(&["export", "--format", "json"]).expect_code(2);
    assert!(ran.errors.contains("is not indexed (run `trailmark index`"), "{ran:?}");
}

#[test]
fn an_import_that_cannot_begin_says_why_and_keeps_the_password_to_itself() {
    let installation = with_project();
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for (address, expected) in [
        (format!("bolt://{nobody}"), "cannot connect to"),
        (format!("bolt+s://{nobody}"), "cannot connect to"),
        (format!("http://{nobody}"), "is written bolt://HOST:PORT"),
        (format!("bolt://neo4j:{PASSWORD}@{nobody}"), "may hold no user and no password"),
    ] {
        let mut command = installation.command(&["import", "--to", &address]);
        command.env("TRAILMARK_BOLT_PASSWORD", PASSWORD);
        let ran = Ran::of(command, "").expect_code(2);
        assert!(ran.errors.contains(expected), "{ran:?}");
        assert!(!ran.errors.contains(PASSWORD) && ran.output.is_empty(), "{ran:?}");
    }
}
