//! `trailmark sanitize`: what it finds, what it prints, what it never prints.

use std::fs;

use serde_json::json;
use testkit::Ran;

use crate::sample::installation;

/// Made up, and in two parts so that no scanner takes it for a key.
fn key() -> String {
    format!("ghp_{}", "A1b2C3d4E5f6G7h8I9j0".repeat(2).split_at(36).0)
}

#[test]
fn findings_are_printed_with_their_place_and_never_told() {
    let installation = installation();
    let text = format!("first line\nconst token = \"{}\";\nmail jane.doe@gmail.com\n", key());
    let file = installation.home().join("notes.txt");
    fs::write(&file, &text).unwrap();
    let path = file.to_str().unwrap();

    let ran = installation.run(&["sanitize", path]).expect_code(1);
    let lines: Vec<&str> = ran.output.lines().collect();
    assert_eq!(lines.len(), 2, "{ran:?}");
    assert!(lines[0].contains("notes.txt:2:16 github-token (GitHub token): const token = \"***\";"), "{ran:?}");
    assert!(lines[1].contains("notes.txt:3:6 email-address (e-mail address): mail ***"), "{ran:?}");

    let printed = installation.run(&["sanitize", path, "--format", "json"]).expect_code(1);
    assert_eq!(installation.run(&["sanitize", path, "--json"]).expect_code(1).output, printed.output);
    let first = &printed.json()[0];
    assert_eq!((&first["rule"], &first["line"], &first["column"]), (&json!("github-token"), &json!(2), &json!(16)));
    for ran in [&ran, &printed] {
        assert!(!ran.output.contains(&key()) && !ran.output.contains("jane.doe"), "{ran:?}");
    }
}

#[test]
fn a_fixed_text_passes() {
    let installation = installation();
    let run = |arguments: &[&str], input: &str| Ran::of(installation.command(arguments), input);
    let text = format!("export GITHUB_TOKEN={}\npassword = \"tr0ub4dor&3\"\n", key());
    let fixed = run(&["sanitize", "-", "--fix"], &text).expect_code(0);
    assert_eq!(fixed.output, "export GITHUB_TOKEN=<redacted>\npassword = \"<redacted>\"\n");
    assert_eq!(fixed.errors.lines().count(), 2, "{fixed:?}");
    assert!(!fixed.errors.contains("tr0ub4dor"), "{fixed:?}");
    let again = run(&["sanitize", "-"], &fixed.output).expect_code(0);
    assert_eq!(again.output, "Nothing found.\n");
    assert_eq!(run(&["sanitize", "-", "--json"], "").expect_code(0).json(), json!([]));
}

#[test]
fn what_cannot_be_done_is_said() {
    let installation = installation();
    for (arguments, message) in [
        (&["sanitize"][..], "<FILE|->"),
        (&["sanitize", "no-such-file"], "no-such-file"),
        (&["sanitize", "a", "b", "--fix"], "--fix takes one file"),
        (&["sanitize", "-", "--format", "xml"], "xml"),
    ] {
        let ran = installation.run(arguments).expect_code(2);
        assert!(ran.errors.contains(message), "{arguments:?}: {ran:?}");
    }
}

#[test]
fn a_text_that_is_not_utf_8_is_checked_too() {
    let installation = installation();
    let file = installation.home().join("latin1.txt");
    let mut bytes = b"caf\xE9 \0 ".to_vec();
    bytes.extend(key().bytes());
    fs::write(&file, bytes).unwrap();
    let ran = installation.run(&["sanitize", file.to_str().unwrap()]).expect_code(1);
    assert!(ran.output.contains("github-token"), "{ran:?}");
}
