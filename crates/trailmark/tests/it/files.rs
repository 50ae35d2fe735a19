//! The file tools from outside: which folder they work in, what no file system can do to them, and how long answers get.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use rustix::fs::{CWD, FileType, mknodat};
use serde_json::{Value, json};
use store::ProjectCatalog;
use store_sqlite::SqliteProjects;
use testkit::{Disk, Era, Installation, Ran};

use crate::sample::installation;

/// The text of an answer that must not be, or must be, a failure.
#[track_caller]
fn text(answer: &Value, is_error: bool) -> &str {
    assert_eq!(answer["result"]["isError"], is_error, "{answer}");
    answer["result"]["content"][0]["text"].as_str().unwrap()
}

fn list(installation: &Installation, arguments: &[&str], variables: &[(&str, &Path)], folder: &Path) -> String {
    let mut command = installation.command(&[&["call", "list_directory"], arguments].concat());
    command.env_remove("TRAILMARK_ROOT").envs(variables.iter().copied()).current_dir(folder);
    Ran::of(command, "").expect_code(0).output
}

#[test]
fn the_root_is_the_current_folder_unless_a_setting_names_another() {
    let installation = installation();
    let folders = tempfile::tempdir().unwrap();
    let [current, in_file, variable, flag] = ["current", "file", "variable", "flag"].map(|name| {
        let folder = folders.path().join(name);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join(format!("{name}.txt")), "").unwrap();
        folder
    });
    assert_eq!(list(&installation, &[], &[], &current), "current.txt\n");
    let settings = format!("root = {:?}", in_file.to_str().unwrap());
    fs::write(installation.home().join("trailmark.toml"), &settings).unwrap();
    assert_eq!(list(&installation, &[], &[], &current), "file.txt\n");
    let variables = [("TRAILMARK_ROOT", variable.as_path())];
    assert_eq!(list(&installation, &[], &variables, &current), "variable.txt\n");
    assert_eq!(list(&installation, &["--root", flag.to_str().unwrap()], &variables, &current), "flag.txt\n");
    assert_eq!(list(&installation, &["--root", "../flag"], &[], &current), "flag.txt\n");

    fs::remove_file(installation.home().join("trailmark.toml")).unwrap();
    fs::write(current.join("trailmark.toml"), settings).unwrap();
    let listed = list(&installation, &[], &[], &current);
    assert_eq!(listed, "current.txt\ntrailmark.toml\n", "a checkout cannot choose another root");
}

#[test]
fn a_root_that_is_no_directory_stops_the_server() {
    let installation = installation();
    fs::write(installation.home().join("file"), "").unwrap();
    for root in ["none", "file"] {
        let ran = installation.run(&["serve", "--root", root]).expect_code(2);
        assert!(ran.errors.contains("is not a directory that can be reached"), "{ran:?}");
    }
}

#[test]
fn a_project_that_is_named_is_worked_in_and_no_other() {
    let installation = installation();
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("a.txt"), "of the other project").unwrap();
    fs::write(installation.root().join("a.txt"), "of the root").unwrap();
    let projects = SqliteProjects::open(installation.home());
    projects.create("other", other.path().to_str().unwrap()).unwrap();
    projects.create("gone", "/srv/no-such-folder").unwrap();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    let mut read = |arguments: Value, is_error| text(&server.call("read_file", arguments), is_error).to_owned();
    assert_eq!(read(json!({"file_path": "a.txt"}), false), "of the root");
    assert_eq!(read(json!({"file_path": "a.txt", "project": "other"}), false), "of the other project");
    let way_out = installation.root().join("a.txt");
    let refused = read(json!({"file_path": way_out, "project": "other"}), true);
    assert!(refused.ends_with("is outside of project root"), "{refused}");
    let refused = read(json!({"file_path": "a.txt", "project": "othr"}), true);
    assert!(refused.ends_with("there is no project `othr`; known projects are gone, other"), "{refused}");
    let refused = read(json!({"file_path": "a.txt", "project": "gone"}), true);
    assert!(refused.contains("the project root /srv/no-such-folder cannot be reached"), "{refused}");
}

#[test]
fn pipes_and_devices_are_refused_and_hold_nothing_up() {
    let installation = installation();
    mknodat(CWD, installation.root().join("pipe"), FileType::Fifo, 0o600.into(), 0).unwrap();
    symlink("pipe", installation.root().join("link")).unwrap();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    for path in ["pipe", "link"] {
        for (tool, arguments) in [
            ("read_file", json!({"file_path": path})),
            ("read_file", json!({"file_path": path, "limit": 1})),
            ("write_file", json!({"file_path": path, "content": "x"})),
            ("surgical_replace_code", json!({"file_path": path, "target_code": "x", "replacement_code": "y"})),
        ] {
            let answer = server.call(tool, arguments);
            let refused = text(&answer, true);
            assert!(refused.ends_with("is a named pipe, not a regular file"), "{refused}");
        }
    }
    let answer = server.call("list_directory", json!({}));
    assert_eq!(text(&answer, false), "link\npipe");
}

#[test]
fn a_file_longer_than_an_answer_is_read_part_by_part() {
    let installation = installation();
    let whole: String = (0..60_000).map(|n| format!("{n}: \"缓存\"\t\\\n")).collect();
    fs::write(installation.root().join("long.txt"), &whole).unwrap();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    let (mut read, mut offset, mut parts) = (String::new(), 0, 0);
    loop {
        let answer = server.call("read_file", json!({"file_path": "long.txt", "offset": offset}));
        assert!(answer.to_string().len() <= 200_000, "{} bytes", answer.to_string().len());
        let part = text(&answer, false);
        let (header, lines) = part.split_once('\n').unwrap();
        let end: usize = header.split(['-', ' ']).nth(3).unwrap().parse().unwrap();
        assert_eq!(header, format!("# Lines {}-{end} of 60000", offset + 1));
        let (lines, note) = lines.split_once("… [cut: ").unwrap_or((lines, ""));
        read += lines;
        (offset, parts) = (end, parts + 1);
        if note.is_empty() {
            break;
        }
        assert!(note.ends_with(&format!("go on with offset {end}.")), "{note}");
    }
    assert_eq!(read, whole);
    assert!((5..12).contains(&parts), "{parts} parts");
}

#[test]
fn a_change_that_does_not_fit_on_the_disk_leaves_the_old_file() {
    let Some(disk) = Disk::mount("1m") else { return };
    let installation = installation();
    fs::write(disk.path().join("a.txt"), "old\n").unwrap();
    let mut server = installation.serve_stdio(&["--root", disk.path().to_str().unwrap()]);
    server.open(Era::INITIALIZED);
    let long = "x".repeat(2_000_000);
    for (tool, arguments) in [
        ("write_file", json!({"file_path": "a.txt", "content": long})),
        ("write_file", json!({"file_path": "new/b.txt", "content": long})),
        ("surgical_replace_code", json!({"file_path": "a.txt", "target_code": "old", "replacement_code": long})),
    ] {
        let answer = server.call(tool, arguments);
        assert!(text(&answer, true).contains("No space left on device"), "{answer}");
        assert_eq!(fs::read_to_string(disk.path().join("a.txt")).unwrap(), "old\n");
    }
    disk.make_read_only();
    let answer = server.call("write_file", json!({"file_path": "a.txt", "content": "new"}));
    assert!(text(&answer, true).contains("Read-only file system"), "{answer}");
    disk.make_writable();
    let answer = server.call("write_file", json!({"file_path": "a.txt", "content": "new"}));
    assert_eq!(text(&answer, false), "Successfully wrote file: a.txt");
    let names: Vec<_> = fs::read_dir(disk.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.iter().filter(|name| name.to_string_lossy().starts_with(".trailmark")).count(), 0, "{names:?}");
}

#[test]
fn changes_of_one_file_by_several_servers_at_once_all_happen() {
    const CHANGES: usize = 40;
    let installation = installation();
    let before: String = (0..CHANGES).map(|n| format!("<{n}>\n")).collect();
    fs::write(installation.root().join("a.txt"), &before).unwrap();
    let mut servers = [installation.open_stdio(Era::INITIALIZED), installation.open_stdio(Era::INITIALIZED)];
    let ids: Vec<i64> = (0..CHANGES)
        .map(|n| {
            let (target, replacement) = (format!("<{n}>"), format!("[{n}]"));
            let arguments = json!({"file_path": "a.txt", "target_code": target, "replacement_code": replacement});
            servers[n % 2].request_call("surgical_replace_code", arguments)
        })
        .collect();
    for (n, id) in ids.into_iter().enumerate() {
        text(&servers[n % 2].answer_to(id), false);
    }
    let after = before.replace('<', "[").replace('>', "]");
    assert_eq!(fs::read_to_string(installation.root().join("a.txt")).unwrap(), after);
}
