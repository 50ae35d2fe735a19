//! The three formats, each read by a program that is not ours.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::arcadedb::{ArcadeDb, PASSWORD};
use crate::python::look;
use crate::sample::{PROJECT, Sample, assert_same, expected, report};

/// The project in this format.
fn exported(sample: &Sample, format: &str) -> PathBuf {
    let file = sample.installation.home().join(format!("graph.{format}"));
    let output = file.to_str().unwrap();
    let ran = sample.run(&["export", "--format", format, "--project", PROJECT, "--output", output, "--json"], "");
    let info = sample.graph.info().unwrap();
    assert_eq!(report(&ran)["nodes"], info.nodes);
    assert_eq!(report(&ran)["relationships"], info.relationships - 1);
    let remark = "relationships left out because one of their ends is not in the graph: 1\n";
    assert_eq!(String::from_utf8(ran.stderr).unwrap(), remark);
    file
}

/// XML cannot hold control characters; their pictures stand for them. Lists are JSON there, which can.
fn with_pictures(value: &Value) -> Value {
    let picture = |character: char| match character {
        '\u{1}' => '␁',
        '\u{1b}' => '␛',
        other => other,
    };
    match value {
        Value::String(text) => Value::String(text.chars().map(picture).collect()),
        Value::Object(map) => map.iter().map(|(key, value)| (key.clone(), with_pictures(value))).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => value.clone(),
    }
}

#[test]
fn json_and_graphml_are_read_alike_by_other_programs() {
    let sample = Sample::with_files(30);
    let expected = expected(&*sample.graph);
    assert_same(look(&["json", exported(&sample, "json").to_str().unwrap()]), &expected);
    assert_same(look(&["graphml", exported(&sample, "graphml").to_str().unwrap()]), &with_pictures(&expected));
}

#[test]
fn the_same_graph_gives_the_same_bytes_in_a_file_and_on_standard_output() {
    let (sample, again) = (Sample::with_files(10), Sample::with_files(10));
    for format in ["json", "graphml", "cypher"] {
        let bytes = fs::read(exported(&sample, format)).unwrap();
        assert!(bytes == fs::read(exported(&again, format)).unwrap(), "{format}");
        let printed = sample.run(&["export", "--format", format], "");
        assert!(printed.status.success() && bytes == printed.stdout, "{format}");
    }
}

#[test]
fn the_script_makes_the_graph_on_a_server_and_may_be_run_again() {
    let sample = Sample::with_files(30);
    let server = ArcadeDb::start();
    let script = exported(&sample, "cypher");
    for _ in 0..2 {
        look(&["script", &server.address(), PASSWORD, script.to_str().unwrap()]);
        assert_same(server.graph(PROJECT), &expected(&*sample.graph));
    }
    assert_eq!(sample.import(&server.address())["outcome"], "imported");
    assert_same(server.graph(PROJECT), &expected(&*sample.graph));
}
