//! Which tools are switched on: the same choice by flag, by environment and by settings file.

use std::fs;

use serde_json::json;
use testkit::{Era, Installation, Ran, StdioServer};

use crate::sample::{installation, reading_tools};

/// One setting, given in three ways, must leave these tools and no others.
#[track_caller]
fn check(flags: &[&str], variables: &[(&str, &str)], file: &str, expected: &[&str]) {
    let by_flag = installation();
    assert_eq!(listed(by_flag.serve_stdio(flags)), expected, "by flag: {flags:?}");

    let by_environment = installation();
    let mut command = by_environment.command(&["serve"]);
    command.envs(variables.iter().copied());
    assert_eq!(listed(StdioServer::start(command)), expected, "by environment: {variables:?}");

    let by_file = installation();
    fs::write(by_file.home().join("trailmark.toml"), file).unwrap();
    assert_eq!(listed(by_file.serve_stdio(&[])), expected, "by file: {file}");
}

fn listed(mut server: StdioServer) -> Vec<String> {
    server.open(Era::INITIALIZED);
    let answer = server.ask("tools/list", json!({}));
    let tools = answer["result"]["tools"].as_array().unwrap();
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn read_only_leaves_what_changes_nothing() {
    let reading = reading_tools();
    let reading: Vec<&str> = reading.iter().map(String::as_str).collect();
    check(&["--read-only"], &[("TRAILMARK_READ_ONLY", "1")], "read-only = true", &reading);
}

#[test]
fn single_tools_can_be_switched_on() {
    check(
        &["--tools", "mongo_find_all,mongo_save_document"],
        &[("TRAILMARK_TOOLS", "mongo_find_all,mongo_save_document")],
        "tools = [\"mongo_find_all\", \"mongo_save_document\"]",
        &["mongo_find_all", "mongo_save_document"],
    );
}

#[test]
fn a_toolset_switches_its_family_on_and_an_exclusion_wins() {
    check(
        &[
            "--toolsets",
            "documents",
            "--exclude-tools",
            "mongo_delete_document,mongo_save_document,mongo_update_document",
        ],
        &[
            ("TRAILMARK_TOOLSETS", "documents"),
            ("TRAILMARK_EXCLUDE_TOOLS", "mongo_delete_document,mongo_save_document,mongo_update_document"),
        ],
        "toolsets = [\"documents\"]\n\
         exclude-tools = [\"mongo_delete_document\", \"mongo_save_document\", \"mongo_update_document\"]",
        &["mongo_find_all", "mongo_find_by_id", "mongo_find_by_topic"],
    );
}

#[test]
fn read_only_wins_over_a_tool_that_was_asked_for() {
    check(
        &["--read-only", "--tools", "mongo_find_all,mongo_save_document"],
        &[("TRAILMARK_READ_ONLY", "true"), ("TRAILMARK_TOOLS", "mongo_find_all,mongo_save_document")],
        "read-only = true\ntools = [\"mongo_find_all\", \"mongo_save_document\"]",
        &["mongo_find_all"],
    );
}

#[test]
fn a_tool_that_is_switched_off_cannot_be_called_either() {
    let installation = installation();
    let mut server = installation.serve_stdio(&["--read-only"]);
    server.open(Era::INITIALIZED);
    let answer = server.call("mongo_save_document", json!({"topic": "t", "content": "c"}));
    assert_eq!(answer["error"]["message"], "Unknown tool: mongo_save_document");
    let ran = installation.run(&["--read-only", "call", "mongo_delete_document", "{}"]).expect_code(2);
    assert!(ran.errors.contains("Unknown tool: mongo_delete_document"), "{ran:?}");
}

#[test]
fn a_name_that_nothing_has_stops_the_server_and_names_the_near_one() {
    for (arguments, message) in [
        (["--toolsets", "document"], "did you mean `documents`?"),
        (["--tools", "mongo_findall"], "did you mean `mongo_find_all`?"),
        (["--exclude-tools", "mongo_delete_documents"], "did you mean `mongo_delete_document`?"),
    ] {
        let ran = with_arguments(&installation(), &arguments);
        assert!(ran.errors.contains(message), "{ran:?}");
    }
}

fn with_arguments(installation: &Installation, arguments: &[&str]) -> Ran {
    installation.run(&[&["serve"], arguments].concat()).expect_code(2)
}
