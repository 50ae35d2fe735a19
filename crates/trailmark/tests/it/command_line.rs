//! Every command: what it prints, for people and for programs, and what its exit code says.

use std::fs;

use serde_json::json;
use testkit::{Installation, Ran};

use crate::sample::{all_tools, installation, reading_tools};

const SAVE: &str = r#"{"topic":"缓存","content":"LRU"}"#;

fn run_with_input(installation: &Installation, arguments: &[&str], input: &str) -> Ran {
    Ran::of(installation.command(arguments), input)
}

/// Every command that prints a result, on an installation where one document was saved.
const COMMANDS: [&[&str]; 8] = [
    &["index"],
    &["projects"],
    &["tools"],
    &["tools", "--all", "--read-only"],
    &["call", "mongo_find_all"],
    &["doctor"],
    &["audit", "list"],
    &["audit", "replay"],
];

#[test]
fn every_command_prints_json_for_programs_and_plain_text_without_colour_elsewhere() {
    let installation = installation();
    installation.run(&["call", "mongo_save_document", SAVE]).expect_code(0);
    for command in COMMANDS {
        let json = installation.run(&[command, &["--json"]].concat()).expect_code(0);
        assert!(json.json().is_array() || json.json().is_object(), "{command:?}");
        assert_eq!(json.errors, "", "{command:?}");
        let text = installation.run(command).expect_code(0);
        assert!(!text.output.trim().is_empty(), "{command:?}");
        assert!(!text.output.contains('\u{1b}'), "no colour into a pipe: {text:?}");
    }
}

/// `script` gives the command a terminal, where colour is wanted unless `NO_COLOR` says otherwise.
#[test]
fn colour_is_for_terminals_and_no_color_switches_it_off() {
    let installation = installation();
    let on_terminal = |no_color: bool| {
        let doctor = installation.command(&["doctor"]);
        let mut command = std::process::Command::new("script");
        let line = format!("{} doctor", doctor.get_program().to_str().unwrap());
        command.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
        command.env("TRAILMARK_HOME", installation.home()).env_remove("NO_COLOR");
        if no_color {
            command.env("NO_COLOR", "1");
        }
        Ran::of(command, "").expect_code(0)
    };
    assert!(on_terminal(false).output.contains("\u{1b}[32mok"), "a terminal gets colour");
    let plain = on_terminal(true);
    assert!(plain.output.contains("ok") && !plain.output.contains("\u{1b}["), "{plain:?}");
}

#[test]
fn call_answers_as_the_protocol_does_and_its_exit_code_tells_success() {
    let installation = installation();
    let saved = installation.run(&["call", "mongo_save_document", SAVE, "--json"]).expect_code(0).json();
    assert_eq!(saved["isError"], false);
    let id = saved["structuredContent"]["data"]["id"].as_str().unwrap().to_owned();
    let text = installation.run(&["call", "mongo_find_by_id", &json!({"id": id}).to_string()]).expect_code(0);
    assert_eq!(text.json()["data"]["topic"], "缓存");
    assert!(text.output.contains("缓存"), "non-ASCII characters are left as they are");

    let refused = installation.run(&["call", "mongo_find_by_id", r#"{"id":"none"}"#]).expect_code(1);
    assert_eq!(refused.json()["error"]["code"], "NOT_FOUND");
    let refused = installation.run(&["call", "mongo_find_all", r#"{"limit":0}"#, "--json"]).expect_code(1).json();
    assert_eq!(refused["structuredContent"]["error"]["code"], "INVALID_ARGUMENT");
}

#[test]
fn call_reads_its_arguments_from_standard_input() {
    let installation = installation();
    run_with_input(&installation, &["call", "mongo_save_document", "-"], SAVE).expect_code(0);
    let found = installation.run(&["call", "mongo_find_all"]).expect_code(0).json();
    assert_eq!(found["data"]["items"][0]["topic"], "缓存");
    let ran = run_with_input(&installation, &["call", "mongo_save_document", "-"], "nonsense").expect_code(2);
    assert!(ran.errors.contains("must be a JSON object"), "{ran:?}");
}

#[test]
fn a_mistake_on_the_command_line_says_what_to_do() {
    let installation = installation();
    let id = "00000000-0000-7000-8000-000000000000";
    for (arguments, message) in [
        (&["call", "mongo_findall"][..], "did you mean `mongo_find_all`?"),
        (&["call", "chart"], "`trailmark tools` lists them"),
        (&["call", "mongo_find_all", "[]"], "must be a JSON object"),
        (&["call", "mongo_find_all", "{limit:1}"], "must be a JSON object"),
        (&["call"], "<TOOL>"),
        (&["serv"], "'serve'"),
        (&["tools", "--al"], "--all"),
        (&["audit", "show", id], id),
        (&["audit", "show", "nonsense"], "nonsense"),
        (&["audit", "list", "--since", "yesterday"], "neither a time nor an age"),
        (&["audit", "list", "--limit", "many"], "--limit"),
        (&["completions", "vax"], "bash"),
        (&["audit"], "replay"),
        (&[], "Usage: trailmark"),
    ] {
        let ran = installation.run(arguments).expect_code(2);
        assert!(ran.errors.contains(message), "{arguments:?}: no `{message}`: {ran:?}");
        assert_eq!(ran.output, "", "{arguments:?}");
    }
}

#[test]
fn tools_lists_what_is_on_and_with_all_what_is_off() {
    let installation = installation();
    let (all, reading) = (all_tools().len(), reading_tools().len());
    let listed = installation.run(&["tools"]).expect_code(0).output;
    assert!(
        listed.contains("mongo_save_document") && listed.contains(&format!("{all} of {all} tools are switched on.")),
        "{listed}"
    );
    let listed = installation.run(&["tools", "--read-only"]).expect_code(0).output;
    assert!(
        !listed.contains("mongo_save_document") && listed.contains(&format!("{reading} of {all} tools")),
        "{listed}"
    );
    let listed = installation.run(&["tools", "--read-only", "--all", "--json"]).expect_code(0).json();
    let enabled: Vec<bool> = listed.as_array().unwrap().iter().map(|tool| tool["enabled"] == true).collect();
    assert_eq!(enabled.iter().filter(|enabled| **enabled).count(), reading);
    assert_eq!(enabled.len(), all);
}

#[test]
fn doctor_finds_nothing_wrong_with_a_new_installation() {
    let installation = installation();
    let findings = installation.run(&["doctor", "--json"]).expect_code(0).json();
    let subjects: Vec<_> = findings.as_array().unwrap().iter().map(|f| f["subject"].as_str().unwrap()).collect();
    for subject in ["version", "settings", "tools", "store", "code graphs", "audit log", "http token"] {
        assert!(subjects.contains(&subject), "{subject}: {findings}");
    }
    assert!(findings.as_array().unwrap().iter().all(|finding| finding["state"] == "ok"), "{findings}");
}

#[test]
fn doctor_finds_what_is_wrong_and_says_how_to_fix_it() {
    let check = |prepare: &dyn Fn(&Installation), arguments: &[&str], subject: &str, way_out: &str| {
        let installation = installation();
        prepare(&installation);
        let findings = installation.run(&[&["doctor", "--json"], arguments].concat()).expect_code(1).json();
        let problem = findings.as_array().unwrap().iter().find(|finding| finding["state"] == "problem").cloned();
        let problem = problem.unwrap_or_else(|| panic!("no problem: {findings}"));
        assert_eq!(problem["subject"], subject, "{findings}");
        let said = format!("{} {}", problem["what"], problem["fix"]);
        assert!(said.contains(way_out), "no `{way_out}`: {problem}");
        let text = installation.run(&[&["doctor"], arguments].concat()).expect_code(1).output;
        assert!(text.contains("problem"), "{text}");
    };
    check(&|_| {}, &["--exclude-tools", "mongo_find_all", "--tools", "mongo_find_all"], "tools", "loosen toolsets");
    check(&|_| {}, &["--toolsets", "nonsense"], "tools", "known toolsets are all, documents");
    let damage = |installation: &Installation| {
        installation.run(&["call", "mongo_save_document", SAVE]).expect_code(0);
        for wreck in ["trailmark.db-wal", "trailmark.db-shm"] {
            let _ = fs::remove_file(installation.home().join(wreck));
        }
        fs::write(installation.home().join("trailmark.db"), "this is no database, however long one looks").unwrap();
    };
    check(&damage, &[], "store", "backup");
}

#[test]
fn completions_are_printed_for_every_shell_and_need_no_settings() {
    let installation = installation();
    fs::write(installation.home().join("trailmark.toml"), "this is = wrong").unwrap();
    for (shell, word) in [
        ("bash", "_trailmark()"),
        ("zsh", "#compdef trailmark"),
        ("fish", "complete -c trailmark"),
        ("elvish", "set edit:completion"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let ran = installation.run(&["completions", shell]).expect_code(0);
        assert!(ran.output.contains(word) && ran.output.contains("doctor"), "{shell}: {}", ran.output);
    }
}

#[test]
fn help_and_version_go_to_standard_output() {
    let installation = installation();
    let help = installation.run(&["--help"]).expect_code(0).output;
    for command in
        ["serve", "tools", "call", "index", "calls", "symbols", "projects", "doctor", "audit", "demo", "completions"]
    {
        assert!(help.lines().any(|line| line.trim_start().starts_with(command)), "{command}: {help}");
    }
    assert!(!help.contains("generate-docs"), "for developers only");
    let version = installation.run(&["--version"]).expect_code(0).output;
    assert_eq!(version, format!("trailmark {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_demo_succeeds_and_leaves_nothing_behind() {
    let installation = installation();
    let ran = installation.run(&["demo"]).expect_code(0);
    for part in [
        "→ index_repository",
        "check_out",
        "by MATCH",
        "called by shop.cart.check_out",
        "relevance 1.0, from keyword",
        "def refund(amount)",
        "→ mongo_save_document",
        "payment retries: Retries are capped",
        "索引",
        "VALIDATION_ERROR: Validation failed\n    solution: Contains what must not be kept",
        "Cards are charged twice when the gateway is slow: Send the order number",
        "PaymentClient (Entity), score",
        "payment gateway by RELATED_TO",
        "\"status\":\"paid\"",
        "`id` must not have `.` or `..` as a part",
        "an ECharts option with ",
        "UPSTREAM_ERROR: web search is not configured\n    Set TRAILMARK_SEARXNG_URL",
        "INVALID_ARGUMENT",
        "\"mcpServers\"",
    ] {
        assert!(ran.output.contains(part), "no `{part}`: {}", ran.output);
    }
    assert_eq!(fs::read_dir(installation.home()).unwrap().count(), 0, "the user's own folder is untouched");
}
