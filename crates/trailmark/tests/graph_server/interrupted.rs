//! An import that is killed, or loses its connection, is gone on with by the next.

use std::process::Stdio;

use serde_json::Value;
use store::GraphUpdate;
use testkit::{Proxy, Then};

use crate::arcadedb::{ArcadeDb, PASSWORD};
use crate::sample::{PROJECT, Sample, assert_same, expected, file, path};

const FILES: usize = 300;
/// How much an import of so many files has sent when it is among its nodes, and among its relationships.
const AMONG_NODES: i64 = 900_000;
const AMONG_RELATIONSHIPS: i64 = 2_500_000;

fn address(proxy: &Proxy) -> String {
    format!("bolt://127.0.0.1:{}", proxy.port())
}

/// The next run goes on after what an earlier one had put, which was some but not all of it.
fn finish(sample: &Sample, server: &ArcadeDb, had_all_nodes: bool) {
    let report = sample.import(&server.address());
    assert_eq!(report["outcome"], "continued");
    let before = |key: &str| report["continued_after"][key].as_u64().unwrap();
    let info = sample.graph.info().unwrap();
    assert!(before("nodes") > 0, "{report}");
    assert_eq!(before("nodes") == info.nodes, had_all_nodes, "{report}");
    assert_eq!(before("relationships") > 0, had_all_nodes, "{report}");
    assert!(before("relationships") < info.relationships, "{report}");
    assert_same(server.graph(PROJECT), &expected(&*sample.graph));
    assert_eq!(sample.import(&server.address())["outcome"], "up to date");
}

fn kill_after(bytes: i64, had_all_nodes: bool) {
    let (sample, server) = (Sample::with_files(FILES), ArcadeDb::start());
    let proxy = Proxy::start(server.bolt, bytes, Then::Silence);
    let mut command = sample.installation.command(&["import", "--to", &address(&proxy), "--user", "root"]);
    command.env("TRAILMARK_BOLT_PASSWORD", PASSWORD).stdout(Stdio::null()).stderr(Stdio::null());
    let mut process = command.spawn().unwrap();
    proxy.wait();
    assert!(process.try_wait().unwrap().is_none());
    process.kill().unwrap();
    process.wait().unwrap();
    finish(&sample, &server, had_all_nodes);
}

#[test]
fn an_import_killed_among_the_nodes_is_gone_on_with() {
    kill_after(AMONG_NODES, false);
}

#[test]
fn an_import_killed_among_the_relationships_is_gone_on_with() {
    kill_after(AMONG_RELATIONSHIPS, true);
}

#[test]
fn an_import_that_lost_its_server_says_so_and_is_gone_on_with() {
    let (sample, server) = (Sample::with_files(FILES), ArcadeDb::start());
    let proxy = Proxy::start(server.bolt, AMONG_NODES, Then::Lost);
    let output = sample.run(&["import", "--to", &address(&proxy), "--user", "root"], PASSWORD);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("was lost") && errors.contains("it goes on where this one stopped"), "{errors}");
    finish(&sample, &server, false);
}

#[test]
fn an_import_survives_a_connection_that_breaks_once() {
    let (sample, server) = (Sample::with_files(FILES), ArcadeDb::start());
    let proxy = Proxy::start(server.bolt, AMONG_NODES, Then::LostOnce);
    let report: Value = sample.import(&address(&proxy));
    assert_eq!(report["outcome"], "imported");
    proxy.wait();
    assert_same(server.graph(PROJECT), &expected(&*sample.graph));
}

#[test]
fn an_import_begun_before_an_edit_begins_anew_and_leaves_nothing_behind() {
    let (sample, server) = (Sample::with_files(FILES), ArcadeDb::start());
    let proxy = Proxy::start(server.bolt, AMONG_RELATIONSHIPS, Then::Lost);
    let output = sample.run(&["import", "--to", &address(&proxy), "--user", "root"], PASSWORD);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let (files, removed) = (vec![file(FILES - 2, FILES - 1, 1)], vec![path(FILES - 1)]);
    sample.graph.apply(&GraphUpdate { files, removed, ..GraphUpdate::default() }).unwrap();
    assert_eq!(sample.import(&server.address())["outcome"], "imported");
    assert_same(server.graph(PROJECT), &expected(&*sample.graph));
}
