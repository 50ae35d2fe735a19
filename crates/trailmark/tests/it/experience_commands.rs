//! `trailmark experience`.

use std::fs;

use serde_json::{Value, json};
use testkit::{Installation, Ran};

use crate::sample::installation;

fn add(installation: &Installation, title: &str) -> String {
    let experience = json!({"title": title, "problem_description": "stale cache", "solution": "clear it"}).to_string();
    let ran = installation.run(&["experience", "add", &experience]).expect_code(0);
    ran.json()["data"]["id"].as_str().unwrap().to_owned()
}

fn titles(installation: &Installation, more: &[&str]) -> Vec<String> {
    let listed = installation.run(&[&["--json", "experience", "list"], more].concat()).expect_code(0).json();
    listed.as_array().unwrap().iter().map(|line| line["title"].as_str().unwrap().to_owned()).collect()
}

fn total(installation: &Installation) -> Value {
    let ran = installation.run(&["call", "query_experiences", r#"{"keywords": "cache"}"#]).expect_code(0);
    ran.json()["data"]["total"].clone()
}

#[test]
fn an_experience_is_added_listed_shown_deleted_and_restored() {
    let installation = installation();
    assert!(installation.run(&["experience", "list"]).expect_code(0).errors.contains("No experience is kept yet."));
    let (first, second) = (add(&installation, "first"), add(&installation, "second"));
    assert_eq!(titles(&installation, &[]), ["second", "first"]);
    assert_eq!(titles(&installation, &["--limit", "1"]), ["second"]);
    let shown = installation.run(&["experience", "show", &first]).expect_code(0);
    assert!(shown.output.contains("title\n  first\n") && shown.output.contains("  stale cache\n"), "{shown:?}");

    let ran = installation.run(&["experience", "delete", &first]).expect_code(0);
    assert_eq!(ran.output, format!("Deleted {first}.\n"));
    assert_eq!((titles(&installation, &[]), total(&installation)), (vec!["second".to_owned()], json!(1)));
    assert_eq!(titles(&installation, &["--deleted"]), ["first"]);
    installation.run(&["experience", "restore", &first]).expect_code(0);
    assert_eq!((titles(&installation, &[]).len(), total(&installation)), (2, json!(2)));
    assert_ne!(first, second);
}

#[test]
fn an_unknown_id_is_an_error() {
    let installation = installation();
    for command in ["show", "delete", "restore"] {
        for id in ["nonsense", "550e8400-e29b-41d4-a716-446655440000"] {
            let ran = installation.run(&["experience", command, id]).expect_code(2);
            assert!(ran.errors.contains(&format!("no experience with id `{id}`")), "{ran:?}");
        }
    }
}

#[test]
fn what_is_exported_can_be_imported_elsewhere() {
    let (from, to) = (installation(), installation());
    let kept = ["one", "two", "three"].map(|title| add(&from, title));
    from.run(&["experience", "delete", &kept[0]]).expect_code(0);
    let file = from.home().join("experiences.jsonl");
    let path = file.to_str().unwrap();
    assert!(from.run(&["experience", "export", path]).expect_code(0).output.starts_with("Wrote 3 experiences to "));
    let printed = from.run(&["experience", "export"]).expect_code(0);
    assert_eq!(printed.output, fs::read_to_string(&file).unwrap());

    let ran = to.run(&["experience", "import", path]).expect_code(0);
    assert_eq!(ran.output, "Imported 3 experiences; 0 were known already, 0 were left out.\n");
    assert_eq!(to.run(&["experience", "export"]).expect_code(0).output, printed.output);
    assert_eq!(titles(&to, &["--deleted"]), ["one"]);
    let again = Ran::of(to.command(&["--json", "experience", "import", "-"]), &printed.output).expect_code(0);
    assert_eq!(again.json(), json!({"imported": 0, "known": 3, "refused": 0}));
}

#[test]
fn an_import_leaves_out_what_may_not_be_kept_and_says_so() {
    let installation = installation();
    let line = |context: &str, title: &str| {
        json!({"title": title, "problem_description": "p", "solution": "s", "context": context}).to_string()
    };
    let secret = line("password = \"hunter2-Xk29fhQpz\" and ghp_0123456789abcdefghijABCDEFGHIJ012345", "bad");
    let lines = [line("", "good"), secret, line("", "  "), "{".to_owned(), "{\"x\": 1}".to_owned(), String::new()];
    let ran = Ran::of(installation.command(&["experience", "import", "-"]), &lines.join("\n")).expect_code(1);
    assert_eq!(ran.output, "Imported 1 experiences; 0 were known already, 4 were left out.\n");
    for number in 2..=5 {
        assert!(ran.errors.contains(&format!("line {number} is left out: ")), "{ran:?}");
    }
    assert!(!ran.errors.contains("ghp_0123456789"), "{ran:?}");
    assert_eq!(titles(&installation, &[]), ["good"]);
}
