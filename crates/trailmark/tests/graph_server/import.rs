//! An import makes the server hold exactly the project, however often and after whatever change it is run.

use serde_json::json;
use store::GraphUpdate;

use crate::arcadedb::{ArcadeDb, PASSWORD};
use crate::sample::{PROJECT, Sample, assert_same, expected, file, path, report};

#[test]
fn an_import_makes_the_graph_and_a_second_one_changes_nothing() {
    let (sample, server) = (Sample::with_files(120), ArcadeDb::start());
    let first = sample.import(&server.address());
    let info = sample.graph.info().unwrap();
    assert_eq!(first["outcome"], "imported");
    assert_eq!((&first["nodes"], &first["relationships"]), (&json!(info.nodes), &json!(info.relationships - 1)));
    assert_eq!(first["removed"], json!({ "nodes": 0, "relationships": 0 }));
    let expected = expected(&*sample.graph);
    assert_same(server.graph(PROJECT), &expected);
    assert_eq!(sample.import(&server.address())["outcome"], "up to date");
    assert_same(server.graph(PROJECT), &expected);
    let indexes = server.ask("SHOW INDEXES YIELD labelsOrTypes, properties RETURN labelsOrTypes, properties");
    assert!(indexes.to_string().contains(r#"[["CodeNode"],["id"]]"#), "{indexes}");
}

#[test]
fn what_has_gone_from_the_project_goes_from_the_server_and_nothing_else_does() {
    let (sample, server) = (Sample::with_files(60), ArcadeDb::start());
    let other = sample.other("other", 3);
    sample.import(&server.address());
    let import_other = ["import", "--to", &server.address(), "--user", "root", "--project", "other", "--json"];
    report(&sample.run(&import_other, PASSWORD));
    server.ask("MATCH (n:Method {name: 'm3'}) WITH n LIMIT 1 CREATE (:Person {name: 'x'})-[:OWNS]->(n)");

    let edited = (0..59).filter(|number| number % 2 == 0).map(|number| file(number, 59, 7)).collect();
    let update = GraphUpdate { files: edited, removed: vec![path(59)], ..GraphUpdate::default() };
    sample.graph.apply(&update).unwrap();

    let report = sample.import(&server.address());
    assert_eq!(report["outcome"], "imported");
    assert_eq!(report["removed"]["nodes"], 22);
    assert!(report["removed"]["relationships"].as_u64().unwrap() > 100, "{report}");
    assert_same(server.graph(PROJECT), &expected(&*sample.graph));
    assert_same(server.graph("other"), &expected(&*other));
    assert_eq!(server.ask("MATCH (:Person)-[:OWNS]->(n) RETURN n.name"), json!([["m3"]]));
}

#[test]
fn what_somebody_removed_from_the_server_is_put_back() {
    let (sample, server) = (Sample::with_files(10), ArcadeDb::start());
    sample.import(&server.address());
    server.ask("MATCH (n:Method {name: 'm3'}) DETACH DELETE n");
    assert_eq!(sample.import(&server.address())["outcome"], "imported");
    assert_same(server.graph(PROJECT), &expected(&*sample.graph));
}
