//! `ci_graph_rag` and `ci_call_chain` from the command line and over MCP, without a CKB: S0 to the letter.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use testkit::{Era, Installation, Ran};

use crate::sample::installation;

/// The four scripts of S0 §4 as they stand there, and whether CKB takes part.
const SCRIPTS: [&str; 4] = [
    r#"graph-rag.sh --query "test" --format json | jq -e '.metadata | has("ckb_available")'"#,
    r#"CKB_UNAVAILABLE=1 graph-rag.sh --query "test" --format json | \
  jq -e '.metadata.ckb_available == false and .metadata.ckb_fallback_reason != null'"#,
    r#"graph-rag.sh --query "test" --format json | \
  jq -e '.metadata.fusion_depth >= 0 and .metadata.fusion_depth <= 5'"#,
    r#"CKB_MOCK_DELAY_MS=6000 graph-rag.sh --query "test" --format json | \
  jq -e '.metadata.ckb_available == false and .metadata.ckb_fallback_reason == "connection_timeout"'"#,
];

const SAMPLE: &str = "def test_total():\n    return total([])\n\n\ndef total(cart):\n    return sum(cart)\n";

fn with_sample() -> Installation {
    let installation = installation();
    std::fs::write(installation.root().join("cart.py"), SAMPLE).unwrap();
    installation
}

fn scripts_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bin").canonicalize().unwrap()
}

/// A shell in the sample, with the scripts on its path and the settings of an installation; CKB is not switched off.
fn shell(installation: &Installation, script: &str) -> Ran {
    let mut command = Command::new("sh");
    let path = format!("{}:{}", scripts_folder().display(), std::env::var("PATH").unwrap());
    command.args(["-c", script]).current_dir(installation.root()).env("PATH", path);
    command.env("TRAILMARK", env!("CARGO_BIN_EXE_trailmark")).env("TRAILMARK_HOME", installation.home());
    command.env("TRAILMARK_CKB", installation.home().join("no-such-ckb")).env_remove("CKB_UNAVAILABLE");
    Ran::of(command, "")
}

#[test]
fn the_scripts_of_the_specification_pass_as_they_stand() {
    let installation = with_sample();
    for script in SCRIPTS {
        let ran = shell(&installation, script).expect_code(0);
        assert_eq!(ran.output.trim(), "true", "{script}");
    }
}

fn metadata_schema() -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(include_str!("metadata.schema.json")).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

#[test]
fn the_metadata_of_every_answer_fits_the_schema_of_the_specification() {
    let installation = with_sample();
    let schema = metadata_schema();
    let states = [
        ("", "health_check_failed"),
        ("", "cooldown"),
        ("CKB_UNAVAILABLE=1 ", "disabled"),
        ("CKB_MOCK_DELAY_MS=3000 CKB_TIMEOUT=1 ", "connection_timeout"),
    ];
    for (environment, reason) in states {
        for command in ["graph-rag.sh --query total", "call-chain.sh --symbol total"] {
            let ran = shell(&installation, &format!("{environment}{command} --format json")).expect_code(0);
            let metadata = &ran.json()["metadata"];
            assert!(schema.is_valid(metadata), "{metadata}");
            // The second command meets what the first one left behind.
            let is_cooling = metadata["ckb_fallback_reason"] == "cooldown";
            assert!(metadata["ckb_fallback_reason"] == reason || is_cooling, "{metadata}");
        }
    }
    let wrong = json!({"ckb_available": false, "fusion_depth": 1});
    assert!(!schema.is_valid(&wrong), "a reason is required where CKB is not there");
}

#[test]
fn a_timeout_says_how_long_was_waited() {
    let installation = with_sample();
    let ran = shell(&installation, "CKB_MOCK_DELAY_MS=6000 CKB_TIMEOUT=1 graph-rag.sh --query total --format json");
    let metadata = &ran.expect_code(0).json()["metadata"];
    assert_eq!(metadata["ckb_last_error"], "Connection timeout after 1000ms");
    assert_eq!(metadata["fallback_mode"], "local_graph");
}

#[test]
fn people_get_text_and_programs_get_json() {
    let installation = with_sample();
    let ran = installation.run(&["call-chain", "--symbol", "total"]).expect_code(0);
    assert_eq!(ran.output, "cart.total (cart.py:5)\n  ← cart.test_total (cart.py:1, calls on 2)\n");
    let ran = installation.run(&["graph-rag", "--query", "total"]).expect_code(0);
    assert!(ran.output.contains("cart.total") && ran.output.contains("    def total(cart):"), "{ran:?}");
    assert_eq!(
        installation.run(&["--json", "call-chain", "--symbol", "total"]).expect_code(0).json()["direction"],
        "both"
    );
}

#[test]
fn exit_codes_tell_a_bad_argument_from_a_query_that_failed() {
    let installation = with_sample();
    let bad: [&[&str]; 5] = [
        &["graph-rag"],
        &["graph-rag", "--query", ""],
        &["graph-rag", "--query", "a", "--fusion-depth", "6"],
        &["call-chain", "--symbol", "total", "--depth", "0"],
        &["graph-rag", "--query", "a", "--min-relevance", "2"],
    ];
    for arguments in bad {
        assert!(!installation.run(arguments).expect_code(1).errors.is_empty(), "{arguments:?}");
    }
    let ran = installation.run(&["call-chain", "--symbol", "totel"]).expect_code(3);
    assert!(ran.errors.contains("did you mean `cart.total`?"), "{ran:?}");
    installation.run(&["graph-rag", "--query", "a", "no/such/folder"]).expect_code(3);
    installation.run(&["graph-rag", "--help"]).expect_code(0);
}

#[test]
fn a_task_of_100_kilobytes_is_answered() {
    let installation = with_sample();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    let query = "where is total computed ".repeat(4_300);
    let answer = server.call("ci_graph_rag", json!({"query": query}));
    let body = &answer["result"]["structuredContent"];
    assert_eq!(body["candidates"][0]["file"], "cart.py", "{answer}");
    assert_eq!(body["metadata"]["query"].as_str().unwrap().chars().count(), 500);
}

#[test]
fn a_search_shows_the_lines_that_made_it_so() {
    let installation = with_sample();
    let ran = installation.run(&["search", "sum of the cart"]).expect_code(0);
    assert!(ran.output.starts_with("cart.py:5  cart.total  "), "{ran:?}");
    assert!(ran.output.contains("     6      return sum(cart)\n"), "{ran:?}");
    let ran = installation.run(&["--json", "search", "total"]).expect_code(0);
    assert_eq!(ran.json()["results"][0]["symbol"], "cart.total");
    assert_eq!(installation.run(&["search", "quaternion"]).expect_code(0).output, "Nothing found.\n");
}
