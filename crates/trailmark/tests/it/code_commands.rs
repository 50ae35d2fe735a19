//! The commands about code graphs: what they print, for people and for programs.

use std::fs;

use serde_json::{Value, json};
use testkit::{Installation, Ran};

use crate::sample::{installation, write};

const BOX: &str = "def helper():\n    pass\n\n\nclass Box:\n    def open(self):\n        helper()\n\n\nBox().open()\n";

fn with_box() -> Installation {
    let installation = installation();
    write(installation.root(), "app/box.py", BOX);
    installation
}

#[test]
fn index_tells_what_it_read_and_what_it_left_out_and_reads_only_what_changed() {
    let installation = with_box();
    write(installation.root(), "node_modules/lib/index.js", "function hidden() {}\n");
    write(installation.root(), ".gitignore", "*.log\n");
    write(installation.root(), "server.log", "x\n");
    let first = installation.run(&["index"]).expect_code(0);
    for part in ["as root in ", " 1 read, 0 unchanged, 0 removed", "python 1", "node_modules/", "ignored by .gitignore"]
    {
        assert!(first.output.contains(part) || part.contains("1 read"), "no `{part}`: {first:?}");
    }
    assert!(first.errors.contains("resolving names"), "a line for each stage: {first:?}");
    assert!(!first.output.contains('\u{1b}') && !first.errors.contains('\u{1b}'), "{first:?}");

    let second = installation.run(&["index", "--json"]).expect_code(0);
    assert_eq!(second.errors, "", "nothing beside the JSON");
    let report = second.json();
    assert_eq!((&report["project"], &report["read"], &report["changed"]), (&json!("root"), &json!(0), &json!(false)));
    assert_eq!(report["root"], json!(installation.root()));
    let forced = installation.run(&["index", "--force", "--json"]).expect_code(0).json();
    assert_eq!(forced["read"], forced["files"]);
    assert_eq!(forced["nodes"], report["nodes"]);

    fs::remove_file(installation.root().join("app/box.py")).unwrap();
    let report = installation.run(&["index", "--json"]).expect_code(0).json();
    assert_eq!((&report["removed"], &report["languages"]), (&json!(1), &json!([])));
}

#[test]
fn index_names_every_skipped_file_only_when_asked() {
    let installation = installation();
    for number in 0..30 {
        write(installation.root(), &format!("picture{number:02}.png"), "\u{0}\u{1}\u{2}");
    }
    let short = installation.run(&["index"]).expect_code(0).output;
    assert!(short.contains("picture19.png") && !short.contains("picture20.png"), "{short}");
    assert!(short.contains("… and 10 more; --verbose names them all"), "{short}");
    let long = installation.run(&["index", "--verbose"]).expect_code(0).output;
    assert!(long.contains("picture29.png") && !long.contains("more"), "{long}");
}

/// `script` gives the command a terminal.
#[test]
fn index_draws_a_bar_on_a_terminal_and_leaves_nothing_of_it() {
    let installation = with_box();
    let index = installation.command(&["index"]);
    let mut command = std::process::Command::new("script");
    let line = format!("{} index", index.get_program().to_str().unwrap());
    command.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
    command.env("TRAILMARK_HOME", installation.home()).env("TRAILMARK_ROOT", installation.root()).env("TERM", "xterm");
    let ran = Ran::of(command, "").expect_code(0);
    assert!(ran.output.contains("\u{1b}["), "{ran:?}");
    assert!(ran.output.contains("1 read, 0 unchanged"), "{ran:?}");
}

#[test]
fn calls_are_printed_as_pairs_of_places() {
    let installation = with_box();
    let json = installation.run(&["calls", "--format", "json"]).expect_code(0).json();
    let edges: Vec<(Value, Value)> = json["edges"]
        .as_array()
        .unwrap()
        .iter()
        .map(|edge| {
            assert_eq!(edge.as_array().unwrap().len(), 2, "{edge}");
            let place = |end: &Value| json!([end["file"], end["line"], end["name"]]);
            (place(&edge[0]), place(&edge[1]))
        })
        .collect();
    let place = |line: u32, name: &str| json!(["app/box.py", line, name]);
    let open_calls_helper = (place(6, "app.box.Box.open"), place(1, "app.box.helper"));
    let module_makes_box = (place(0, "app.box"), place(5, "app.box.Box"));
    let module_calls_open = (place(0, "app.box"), place(6, "app.box.Box.open"));
    assert_eq!(edges, [module_makes_box, module_calls_open, open_calls_helper]);

    let lines = installation.run(&["calls", "--format", "lines"]).expect_code(0).output;
    let places: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let line = |from: u32, to: u32| json!(["app/box.py", from, "app/box.py", to]);
    assert_eq!(places, [line(0, 5), line(0, 6), line(6, 1)]);

    let text = installation.run(&["calls"]).expect_code(0).output;
    assert!(text.contains("app.box.Box.open → app.box.helper (app/box.py:7) [scope]"), "{text}");
    assert_eq!(installation.run(&["calls", "--json"]).expect_code(0).json(), json);
}

#[test]
fn symbols_are_printed_with_their_kind_and_without_those_that_have_no_name() {
    let installation = with_box();
    write(
        installation.root(),
        "shape.ts",
        "export interface Shape { area(): number }\nexport const f = [1].map(x => x)\n",
    );
    let lines = installation.run(&["symbols", "--format", "json"]).expect_code(0).output;
    let symbols: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for expected in [
        json!(["app/box.py", 1, "function", "helper", "app.box.helper"]),
        json!(["app/box.py", 5, "class", "Box", "app.box.Box"]),
        json!(["app/box.py", 6, "method", "open", "app.box.Box.open"]),
        json!(["shape.ts", 1, "interface", "Shape", "shape.ts#Shape"]),
    ] {
        assert!(symbols.contains(&expected), "no {expected}: {symbols:?}");
    }
    assert!(symbols.iter().all(|symbol| !symbol[4].as_str().unwrap().contains("lambda")), "{symbols:?}");
    let text = installation.run(&["symbols"]).expect_code(0).output;
    assert!(text.contains("app/box.py:6 method app.box.Box.open\n"), "{text}");
}

#[test]
fn a_repository_elsewhere_is_indexed_on_the_fly_under_a_name_of_its_own() {
    let installation = with_box();
    let elsewhere = tempfile::tempdir().unwrap();
    write(elsewhere.path(), "main.py", "def main(): pass\n");
    let path = elsewhere.path().to_str().unwrap();
    let symbols = installation.run(&["symbols", path, "--project", "other", "--format", "lines"]).expect_code(0).output;
    assert_eq!(symbols, "[\"main.py\",1,\"function\",\"main\",\"main.main\"]\n");
    installation.run(&["index"]).expect_code(0);
    let projects = installation.run(&["projects", "--json"]).expect_code(0).json();
    let names: Vec<&Value> = projects.as_array().unwrap().iter().map(|project| &project["name"]).collect();
    assert_eq!(names, ["other", "root"]);
    assert_eq!(projects[0]["languages"], json!([{"name": "python", "files": 1}]));

    let again = installation.run(&["index", "--project", "other", "--json"]).expect_code(0).json();
    assert_eq!(again["root"], json!(elsewhere.path()), "it is known where that project is");
    let root = installation.root().to_str().unwrap();
    let taken = installation.run(&["index", root, "--project", "other"]).expect_code(2);
    assert!(taken.errors.contains("the project `other` belongs to"), "{taken:?}");
    let unknown = installation.run(&["projects", "delete", "othr"]).expect_code(2);
    assert!(unknown.errors.contains("there is no project `othr`; did you mean `other`?"), "{unknown:?}");
    installation.run(&["projects", "delete", "other"]).expect_code(0);
    let listed = installation.run(&["projects"]).expect_code(0).output;
    assert!(
        listed.starts_with("project  files") && listed.contains("\nroot ") && !listed.contains("other"),
        "{listed}"
    );
    assert!(elsewhere.path().join("main.py").exists(), "its files are untouched");
}

#[test]
fn what_cannot_be_indexed_is_told_in_words() {
    let installation = with_box();
    for (path, words) in [("none", "cannot be opened"), ("file", "is not a folder")] {
        fs::write(installation.home().join("file"), "").unwrap();
        for command in ["index", "calls", "symbols"] {
            let ran = installation.run(&[command, path]).expect_code(2);
            assert!(ran.errors.contains(words) && ran.output.is_empty(), "{command} {path}: {ran:?}");
        }
    }
    let listed = installation.run(&["projects"]).expect_code(0).output;
    assert!(listed.contains("`trailmark index` makes the first"), "{listed}");
}
