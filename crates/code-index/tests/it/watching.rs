//! A watched folder and its graph agree again soon after every change.

use std::fs;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use code_index::{Indexer, WatchRequest, Watcher};
use store::ProjectCatalog as _;
use store_sqlite::SqliteProjects;

use crate::workbench::{PROJECT, Workbench};

/// How long something may take that must come.
const PATIENCE: Duration = Duration::from_secs(120);

fn watch(bench: &Workbench, indexer: &Arc<Indexer>) -> Watcher {
    let request = WatchRequest { root: bench.root.path().to_owned(), project: Some(PROJECT.to_owned()) };
    Watcher::start(Arc::clone(indexer), &request, |_| {}).unwrap()
}

fn watched(files: &[(&str, &str)]) -> (Workbench, Watcher) {
    let bench = Workbench::new(files);
    bench.index();
    let watcher = watch(&bench, &bench.indexer);
    (bench, watcher)
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < until, "it never came true that {what}");
        sleep(Duration::from_millis(10));
    }
}

fn wait_until_fresh(bench: &Workbench) {
    let clean = bench.clean_graph();
    wait_until("the graph is as a clean index makes it", || bench.graph() == clean);
}

#[test]
fn a_saved_file_is_in_the_graph() {
    let (bench, _watcher) = watched(&[("a.py", "def load(): pass\n")]);
    bench.write("a.py", "def fetch(): pass\n");
    wait_until("the new name is there", || bench.has("fetch") && !bench.has("load"));
    fs::write(bench.path("a.py.tmp"), "def replaced(): pass\n").unwrap();
    fs::rename(bench.path("a.py.tmp"), bench.path("a.py")).unwrap();
    wait_until("the replaced file is there", || bench.has("replaced") && !bench.has("a.py.tmp"));
    wait_until_fresh(&bench);
}

#[test]
fn new_folders_are_watched() {
    let (bench, _watcher) = watched(&[("a.py", "")]);
    bench.write("new/deep/b.py", "def first(): pass\n");
    wait_until("the new file is there", || bench.has("first"));
    bench.write("new/deep/b.py", "def second(): pass\n");
    wait_until("its change is there", || bench.has("second"));
    fs::remove_dir_all(bench.path("new")).unwrap();
    wait_until("it is gone", || !bench.has("second"));
    bench.write("new/deep/b.py", "def third(): pass\n");
    wait_until("the folder made again is watched", || bench.has("third"));
    bench.write("new/deep/b.py", "def fourth(): pass\n");
    wait_until("its change is there", || bench.has("fourth"));
    wait_until_fresh(&bench);
}

#[test]
fn renamed_and_deleted_files_and_folders_are_followed() {
    let (bench, _watcher) = watched(&[("old/a.py", "def load(): pass\n"), ("old/inner/b.py", "def save(): pass\n")]);
    fs::rename(bench.path("old"), bench.path("young")).unwrap();
    wait_until("the folder has its new name", || bench.has_file("young/inner/b.py") && !bench.has_file("old/a.py"));
    bench.write("young/inner/b.py", "def keep(): pass\n");
    wait_until("the renamed folder is watched", || bench.has("keep"));
    fs::rename(bench.path("young/a.py"), bench.path("young/c.py")).unwrap();
    wait_until("the file has its new name", || bench.has_file("young/c.py") && !bench.has_file("young/a.py"));
    fs::remove_file(bench.path("young/c.py")).unwrap();
    wait_until("the file is gone", || !bench.has("load"));
    wait_until_fresh(&bench);
}

#[test]
fn a_thousand_files_at_once_are_followed() {
    let (bench, _watcher) = watched(&[("a.py", "")]);
    let write_all = |generation: usize| {
        for number in 0..1_000 {
            let text = format!("def f{number}_{generation}():\n    f{}_{generation}()\n", (number + 1) % 1_000);
            bench.write(&format!("folder{}/f{number}.py", number % 40), text);
        }
    };
    write_all(0);
    wait_until("all files are there", || bench.has("f999_0"));
    write_all(1);
    wait_until("all changes are there", || bench.has("f999_1"));
    wait_until_fresh(&bench);
}

#[test]
fn a_change_of_the_ignore_rules_is_followed() {
    let (bench, _watcher) = watched(&[("a.py", "def load(): pass\n"), ("out/b.py", "def save(): pass\n")]);
    bench.write(".gitignore", "out/\n");
    wait_until("the folder is left out", || !bench.has("save"));
    bench.write("out/b.py", "def keep(): pass\n");
    fs::remove_file(bench.path(".gitignore")).unwrap();
    wait_until("the folder is back", || bench.has("keep"));
    bench.write("out/b.py", "def hold(): pass\n");
    wait_until("the folder is watched again", || bench.has("hold"));
}

#[test]
fn what_changed_while_nobody_watched_is_found_at_the_start() {
    let (mut bench, watcher) = watched(&[("a.py", "def load(): pass\n")]);
    drop(watcher);
    bench.write("a.py", "def fetch(): pass\n");
    bench.restart();
    let _watcher = watch(&bench, &bench.indexer);
    wait_until("the change is found", || bench.has("fetch"));
}

#[test]
fn two_who_watch_the_same_folder_get_along() {
    let (bench, _watcher) = watched(&[("a.py", "def load(): pass\n")]);
    let other = Arc::new(Indexer::new(Arc::new(SqliteProjects::open(bench.data.path()))));
    let _other = watch(&bench, &other);
    for number in 0..10 {
        bench.write("a.py", format!("def version{number}(): pass\n"));
        wait_until("the change is there", || bench.has(&format!("version{number}")));
    }
    wait_until_fresh(&bench);
}

#[test]
fn a_deleted_project_is_not_made_again() {
    let (bench, watcher) = watched(&[("a.py", "def load(): pass\n")]);
    wait_until("it is deleted", || bench.catalog.delete(PROJECT).is_ok());
    bench.write("a.py", "def fetch(): pass\n");
    sleep(Duration::from_millis(500));
    drop(watcher);
    assert!(bench.catalog.find(PROJECT).unwrap().is_none());
}

#[test]
fn a_root_that_goes_and_comes_back_is_watched_again() {
    let (bench, _watcher) = watched(&[("a.py", "def load(): pass\n")]);
    let aside = bench.root.path().with_extension("aside");
    fs::rename(bench.root.path(), &aside).unwrap();
    sleep(Duration::from_millis(300));
    fs::rename(&aside, bench.root.path()).unwrap();
    bench.write("a.py", "def fetch(): pass\n");
    wait_until("the change is found", || bench.has("fetch"));
    bench.write("a.py", "def again(): pass\n");
    wait_until("the next one too", || bench.has("again"));
}
