//! Where settings come from, which one wins, and how their mistakes are told.

use std::fs;

use serde_json::Value;
use testkit::{Installation, Ran};

use crate::sample::{all_tools, installation, reading_tools};

const FILE: &str = "trailmark.toml";
const STORE: &str = "trailmark.db";

/// How many tools these settings leave switched on.
fn tools(ran: &Ran) -> usize {
    ran.json().as_array().unwrap().len()
}

fn run_with(installation: &Installation, variables: &[(&str, &str)], arguments: &[&str]) -> Ran {
    let mut command = installation.command(arguments);
    command.envs(variables.iter().copied());
    Ran::of(command, "")
}

#[test]
fn a_flag_wins_over_the_environment_and_that_over_the_file_and_that_over_the_default() {
    let installation = installation();
    let list = ["tools", "--json"];
    assert_eq!(tools(&installation.run(&list)), all_tools().len(), "the default");
    fs::write(installation.home().join(FILE), "tools = [\"mongo_find_all\"]").unwrap();
    assert_eq!(tools(&installation.run(&list)), 1, "the file");
    let environment = [("TRAILMARK_TOOLS", "mongo_find_all,mongo_find_by_id")];
    assert_eq!(tools(&run_with(&installation, &environment, &list)), 2, "the environment");
    let flags = ["tools", "--json", "--tools", "mongo_find_all,mongo_find_by_id,mongo_find_by_topic"];
    assert_eq!(tools(&run_with(&installation, &environment, &flags)), 3, "the flag");
}

#[test]
fn a_switch_can_be_turned_off_again_by_a_stronger_place() {
    let installation = installation();
    fs::write(installation.home().join(FILE), "read-only = true").unwrap();
    assert_eq!(tools(&installation.run(&["tools", "--json"])), reading_tools().len());
    assert_eq!(tools(&installation.run(&["tools", "--json", "--read-only=false"])), all_tools().len());
    assert_eq!(
        tools(&run_with(&installation, &[("TRAILMARK_READ_ONLY", "no")], &["tools", "--json"])),
        all_tools().len()
    );
}

#[test]
fn the_file_is_looked_for_in_the_data_folder_or_where_it_is_named() {
    let installation = installation();
    let elsewhere = tempfile::tempdir().unwrap();
    let count = |arguments: &[&str]| {
        let mut command = installation.command(arguments);
        command.current_dir(elsewhere.path());
        tools(&Ran::of(command, "").expect_code(0))
    };
    assert_eq!(count(&["tools", "--json"]), all_tools().len());
    fs::write(installation.home().join(FILE), "tools = [\"mongo_find_all\"]").unwrap();
    assert_eq!(count(&["tools", "--json"]), 1, "in the data folder");
    fs::write(elsewhere.path().join("other.toml"), "exclude-tools = [\"mongo_find_all\"]").unwrap();
    assert_eq!(count(&["tools", "--json", "--config", "other.toml"]), all_tools().len() - 1, "where it is named");
}

#[test]
fn a_file_in_the_current_folder_can_only_take_tools_away() {
    let installation = installation();
    let checkout = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let mut command = installation.command(arguments);
        command.current_dir(checkout.path());
        Ran::of(command, "").expect_code(0)
    };
    let write = |text: &str| fs::write(checkout.path().join(FILE), text).unwrap();
    write("read-only = true");
    assert_eq!(tools(&run(&["tools", "--json"])), reading_tools().len(), "it may narrow");
    fs::write(installation.home().join(FILE), "read-only = true\ntools = [\"mongo_find_all\"]").unwrap();
    write("read-only = false\ntoolsets = [\"all\"]");
    assert_eq!(tools(&run(&["tools", "--json"])), 1, "it may not widen");
    let elsewhere = checkout.path().join("stolen");
    write(&format!("home = {:?}\naudit = false", elsewhere.to_str().unwrap()));
    let doctor = run(&["doctor"]);
    assert!(doctor.output.contains("may only set toolsets"), "{}", doctor.output);
    assert!(!elsewhere.exists(), "nothing is kept where the checkout says");
}

#[test]
fn the_data_folder_can_be_set_by_flag_and_in_the_file() {
    let installation = installation();
    let (by_flag, by_file) = (installation.home().join("by-flag"), installation.home().join("by-file"));
    let save = ["call", "mongo_save_document", r#"{"topic":"t","content":"c"}"#];
    installation.run(&[&["--home", by_flag.to_str().unwrap()], &save[..]].concat()).expect_code(0);
    assert!(by_flag.join(STORE).exists());
    let config = installation.home().join("named.toml");
    fs::write(&config, format!("home = {:?}", by_file.to_str().unwrap())).unwrap();
    let mut command = installation.command(&[&["--config", config.to_str().unwrap()], &save[..]].concat());
    command.env_remove("TRAILMARK_HOME");
    Ran::of(command, "").expect_code(0);
    assert!(by_file.join(STORE).exists());
    assert!(!installation.home().join(STORE).exists(), "nothing is written elsewhere");
}

#[test]
fn a_mistake_in_the_settings_names_its_place_and_what_is_allowed() {
    let installation = installation();
    let check = |file: &str, arguments: &[&str], words: &[&str]| {
        fs::write(installation.home().join(FILE), file).unwrap();
        let ran = installation.run(arguments).expect_code(2);
        assert!(ran.output.is_empty(), "{ran:?}");
        for word in words {
            assert!(ran.errors.contains(word), "no `{word}`: {ran:?}");
        }
    };
    check("read-onyl = true", &["tools"], &[FILE, "read-onyl", "line 1"]);
    check("read-only = 7", &["tools"], &[FILE, "line 1"]);
    check("[", &["tools"], &[FILE]);
    check("max-calls = 0", &["tools"], &["max-calls is 0", "from 1 to 4096"]);
    check("max-answer-bytes = 10", &["tools"], &["max-answer-bytes is 10", "from 4096 to 10000000"]);
    check("log = \"=;=\"", &["tools"], &["is not a log filter", "try error, warn"]);
    check("", &["tools", "--read-only=perhaps"], &["--read-only", "perhaps"]);
    check("", &["tools", "--config", "none.toml"], &["cannot read the settings file none.toml"]);
    check("", &["serve", "--http", "nowhere"], &["--http", "nowhere"]);
}

#[test]
fn the_bound_on_answers_can_be_set() {
    let installation = installation();
    let content = "x".repeat(3_000);
    let arguments = serde_json::json!({"topic": "t", "content": content}).to_string();
    for _ in 0..5 {
        installation.run(&["call", "mongo_save_document", &arguments]).expect_code(0);
    }
    let ran = installation.run(&["call", "mongo_find_all", "--max-answer-bytes", "16000"]).expect_code(0);
    let body: Value = ran.json();
    let note = body["meta"]["notes"][0].as_str().unwrap();
    assert!(note.starts_with("Only the first 2 of 5 records fit"), "{note}");
    assert!(ran.output.len() <= 16_000);
}
