//! Projects as files: shared between processes, deleted, replaced, damaged and left behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use graph::{Label, Node};
use rusqlite::Connection;
use search::FileKind;
use search::file_words::{Collector, Field, Part};
use store::{ErrorKind, FileUpdate, GraphUpdate, ProjectCatalog, ProjectGraph, Reservation, Retry};
use store_sqlite::SqliteProjects;
use tempfile::TempDir;

use crate::child::{Role, start};
use crate::sample::{nodes_of, source_file, update};

/// A folder with one project of three nodes, and two catalogs on it.
fn two_catalogs() -> (TempDir, SqliteProjects, SqliteProjects) {
    let folder = tempfile::tempdir().unwrap();
    let (left, right) = (SqliteProjects::open(folder.path()), SqliteProjects::open(folder.path()));
    let project = left.create("sample", "/sample").unwrap();
    project.apply(&update(vec![source_file("a.py", &["a", "b"], 1)])).unwrap();
    (folder, left, right)
}

fn find(catalog: &SqliteProjects) -> Arc<dyn ProjectGraph> {
    catalog.find("sample").unwrap().unwrap()
}

fn files(catalog: &SqliteProjects, ending: &str) -> Vec<PathBuf> {
    let all = fs::read_dir(catalog.path()).unwrap().map(|entry| entry.unwrap().path());
    all.filter(|file| file.to_str().unwrap().ends_with(ending)).collect()
}

fn database(catalog: &SqliteProjects) -> PathBuf {
    files(catalog, ".db").pop().unwrap()
}

#[test]
fn nothing_is_touched_before_it_is_needed() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("data");
    let catalog = SqliteProjects::open(&folder);
    assert!(catalog.list().unwrap().is_empty() && catalog.find("sample").unwrap().is_none());
    assert!(!catalog.delete("sample").unwrap());
    assert!(!folder.exists());
    catalog.create("sample", "/sample").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(catalog.path()), mode(&database(&catalog))), (0o700, 0o600));
    }
}

#[test]
fn another_catalog_sees_each_commit() {
    let (_folder, left, right) = two_catalogs();
    let (writer, reader) = (find(&left), find(&right));
    for line in 2..20 {
        let before = reader.info().unwrap().epoch;
        writer.apply(&update(vec![source_file("a.py", &["a", "b", "c"], line)])).unwrap();
        assert_ne!(reader.info().unwrap().epoch, before);
        assert!(nodes_of(&*reader).iter().all(|node| node.start_line == line));
    }
    assert_eq!(right.list().unwrap(), left.list().unwrap());
}

#[test]
fn a_first_filling_takes_the_place_of_the_empty_project_and_disturbs_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let (left, right) = (SqliteProjects::open(folder.path()), SqliteProjects::open(folder.path()));
    let writer = left.create("sample", "/sample").unwrap();
    let reader = find(&right);
    let under_way = reader.words().unwrap();
    assert_eq!((under_way.classes().unwrap(), reader.info().unwrap().nodes), (vec![], 0));
    writer.apply(&update(vec![source_file("a.py", &["a", "b"], 1)])).unwrap();
    assert_eq!(under_way.node(nodes_of(&*writer)[0].id).unwrap(), None, "it reads what was there when it began");
    drop(under_way);
    assert_eq!((reader.info().unwrap(), nodes_of(&*reader)), (writer.info().unwrap(), nodes_of(&*writer)));
    assert!(files(&left, ".new").is_empty(), "what was made aside has taken its place");
    let mode: String =
        Connection::open(database(&left)).unwrap().pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
    assert_eq!(mode, "wal", "the next change needs a journal");
}

#[test]
fn a_reading_under_way_sees_one_state() {
    let (_folder, left, right) = two_catalogs();
    let (writer, reader) = (find(&left), find(&right));
    let mut lines = Vec::new();
    let each = &mut |node: &Node| {
        lines.push(node.start_line);
        writer.apply(&update(vec![source_file("a.py", &["a", "b"], 1 + lines.len() as u32)])).unwrap();
        true
    };
    reader.nodes(each).unwrap();
    assert_eq!(lines, [1, 1, 1]);
    assert!(nodes_of(&*reader).iter().all(|node| node.start_line == 4));
}

#[test]
fn a_reservation_is_exclusive_between_catalogs_and_ends_when_dropped() {
    let (_folder, left, right) = two_catalogs();
    let held = left.reserve("sample").unwrap();
    assert!(matches!(held, Reservation::Granted(_)));
    let refused = right.reserve("sample").unwrap();
    assert!(matches!(refused, Reservation::HeldBy(Some(id)) if id == std::process::id()), "{refused:?}");
    let error = right.delete("sample").unwrap_err();
    assert_eq!((error.kind(), error.retry()), (ErrorKind::Unavailable, Retry::Later));
    assert!(error.to_string().contains(&format!("process {}", std::process::id())), "{error}");
    drop(held);
    assert!(matches!(right.reserve("sample").unwrap(), Reservation::Granted(_)));
    assert!(right.delete("sample").unwrap());
}

#[test]
#[cfg(unix)]
fn a_reservation_ends_with_its_process() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = SqliteProjects::open(folder.path());
    let mut child = start(Role::IndexForEver, folder.path());
    while catalog.list().unwrap().is_empty() {
        assert_eq!(child.try_wait().unwrap(), None, "the process ended by itself");
    }
    let refused = catalog.reserve("sample").unwrap();
    assert!(matches!(refused, Reservation::HeldBy(Some(id)) if id == child.id()), "{refused:?}");
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(matches!(catalog.reserve("sample").unwrap(), Reservation::Granted(_)));
}

#[test]
#[cfg(unix)]
fn a_project_deleted_or_made_again_elsewhere_is_noticed() {
    let (_folder, left, right) = two_catalogs();
    let reader = find(&right);
    assert_eq!(nodes_of(&*reader).len(), 3);
    for round in 1..4 {
        left.delete("sample").unwrap();
        let error = reader.info().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert!(error.hint().unwrap().contains("trailmark index"), "{error:?}");
        assert!(right.find("sample").unwrap().is_none());

        let project = left.create("sample", "/sample").unwrap();
        assert_eq!(nodes_of(&*reader), []);
        let names: Vec<_> = (0..round).map(|number| format!("f{number}")).collect();
        project.apply(&update(vec![source_file("b.py", &names, 1)])).unwrap();
        assert_eq!(nodes_of(&*reader).len(), 1 + round);
    }
}

#[test]
fn a_log_left_behind_does_not_reach_the_next_project() {
    let (_folder, left, right) = two_catalogs();
    let _reader = find(&right);
    find(&left).apply(&update(vec![source_file("a.py", &["c"], 2)])).unwrap();
    let log = files(&left, ".db-wal").pop().unwrap();
    let bytes = fs::read(&log).unwrap();
    assert!(!bytes.is_empty());
    left.delete("sample").unwrap();
    fs::write(&log, bytes).unwrap();
    let project = left.create("sample", "/sample").unwrap();
    assert_eq!((nodes_of(&*project), project.info().unwrap().nodes), (vec![], 0));
}

/// What is told about a file that cannot be read, and that indexing puts it right.
fn check_unreadable(kind: ErrorKind, spoil: impl FnOnce(&Path)) {
    let (_folder, left, right) = two_catalogs();
    left.create("other", "/other").unwrap();
    let file = files(&left, ".db").into_iter().find(|file| file.to_str().unwrap().contains("sample-")).unwrap();
    drop(left);
    spoil(&file);

    let error = right.find("sample").unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    assert!(error.hint().unwrap().contains("trailmark index"), "{error:?}");
    assert_eq!(right.list().unwrap().into_iter().map(|info| info.name).collect::<Vec<_>>(), ["other"]);
    assert!(right.find_root("/sample").unwrap().is_none());

    let project = right.create("sample", "/sample").unwrap();
    assert_eq!(project.info().unwrap().nodes, 0);
    project.apply(&update(vec![source_file("a.py", &["a"], 1)])).unwrap();
    assert_eq!(nodes_of(&*project).len(), 2);
    assert_eq!(right.list().unwrap().len(), 2);
}

#[test]
fn a_file_that_cannot_be_read_is_made_anew_by_indexing() {
    let sql = |sql: &'static str| move |file: &Path| Connection::open(file).unwrap().execute_batch(sql).unwrap();
    check_unreadable(ErrorKind::Corrupt, |file| fs::write(file, "these are my notes").unwrap());
    check_unreadable(ErrorKind::Corrupt, |file| fs::write(file, [0x5A; 10_000]).unwrap());
    check_unreadable(ErrorKind::Unsupported, |file| fs::write(file, "").unwrap());
    check_unreadable(ErrorKind::Unsupported, sql("PRAGMA user_version = 999"));
    check_unreadable(ErrorKind::Unsupported, sql("PRAGMA user_version = 0"));
    check_unreadable(ErrorKind::Corrupt, sql("PRAGMA application_id = 7"));
    check_unreadable(ErrorKind::Corrupt, sql("DELETE FROM meta WHERE key = 'root'"));
}

#[test]
fn damage_that_shows_only_later_is_put_right_by_indexing() {
    let (_folder, left, right) = two_catalogs();
    let names: Vec<_> = (0..2_000).map(|number| format!("function_{number}")).collect();
    find(&left).apply(&update(vec![source_file("b.py", &names, 1)])).unwrap();
    let file = database(&left);
    drop(left);
    let mut bytes = fs::read(&file).unwrap();
    let from = bytes.len() / 2;
    bytes[from..].fill(0xA5);
    fs::write(&file, bytes).unwrap();

    let project = find(&right);
    let reading = [project.nodes(&mut |_| true), project.edges(&[], &mut |_| true)];
    let error = reading.into_iter().find_map(Result::err).unwrap();
    assert_eq!(error.kind(), ErrorKind::Corrupt, "{error}");
    assert!(error.hint().unwrap().contains("trailmark index"), "{error:?}");
    let project = right.create("sample", "/sample").unwrap();
    assert_eq!((nodes_of(&*project), project.info().unwrap().nodes), (vec![], 0));
    assert_eq!(files(&right, ".damaged"), Vec::<PathBuf>::new());
}

#[test]
fn what_a_killed_process_left_is_removed() {
    let (_folder, left, right) = two_catalogs();
    let stem = database(&left).with_extension("");
    for ending in ["new", "new-wal", "new-shm", "new-journal"] {
        fs::write(stem.with_extension(ending), "half of something").unwrap();
    }
    assert_eq!(right.list().unwrap().len(), 1);
    assert_eq!(nodes_of(&*right.create("sample", "/sample").unwrap()).len(), 3);
    for ending in [".new", ".new-wal", ".new-shm", ".new-journal"] {
        assert_eq!(files(&right, ending), Vec::<PathBuf>::new());
    }
}

#[test]
fn a_copy_of_a_project_is_not_another_one() {
    let (_folder, left, right) = two_catalogs();
    let file = database(&left);
    drop(left);
    fs::copy(&file, file.with_file_name("copy.db")).unwrap();
    assert_eq!(right.list().unwrap().len(), 1);
}

#[test]
fn a_lock_held_too_long_is_reported() {
    let (_folder, left, _right) = two_catalogs();
    let project = find(&left);
    let other = Connection::open(database(&left)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = project.apply(&update(vec![source_file("a.py", &["a"], 1)])).unwrap_err();
    assert_eq!((error.kind(), error.retry()), (ErrorKind::Unavailable, Retry::Later));
    assert!(error.to_string().contains("another process has held the write lock for 4 s"), "{error}");
    assert_eq!(nodes_of(&*project).len(), 3);
}

fn with_words(path: &str, text: &str) -> FileUpdate {
    let mut words = Collector::new(FileKind::Source, vec![Part { end_line: 1, ..Part::default() }]);
    words.add(0, Field::Body, text);
    FileUpdate { words: Some(Some(words.finish())), ..source_file(path, &[""; 0], 1) }
}

fn paths_with(project: &dyn ProjectGraph, word: &str) -> Vec<String> {
    let words = project.words().unwrap();
    let mut found = Vec::new();
    words.files_with(word, &mut found).unwrap();
    let mut paths: Vec<String> =
        found.iter().filter_map(|(number, _)| Some(words.file(*number).unwrap()?.path)).collect();
    paths.sort();
    paths
}

#[test]
fn words_follow_their_files_through_many_changes() {
    let (_folder, left, _right) = two_catalogs();
    let project = find(&left);
    let many: Vec<_> = (0..40).map(|number| with_words(&format!("{number}.md"), "common userName 索引优化")).collect();
    project.apply(&update(many)).unwrap();
    for round in 0..30 {
        let path = format!("{}.md", round % 10);
        project.apply(&update(vec![with_words(&path, &format!("round{round} common"))])).unwrap();
        assert_eq!(paths_with(&*project, &format!("round{round}")), [path]);
        assert_eq!(paths_with(&*project, "common").len(), 40);
        assert_eq!(paths_with(&*project, "user").len(), 39 - round.min(9));
    }
    assert_eq!(paths_with(&*project, "round3"), Vec::<String>::new(), "it was written over");
    assert_eq!(paths_with(&*project, "优化").len(), 30);
    let rest = (0..40).map(|number| format!("{number}.md")).collect();
    project.apply(&GraphUpdate { removed: rest, ..GraphUpdate::default() }).unwrap();
    assert_eq!(paths_with(&*project, "common"), Vec::<String>::new());
    assert!(project.words().unwrap().classes().unwrap().iter().all(Option::is_none));
}

#[test]
fn indexes_survive_the_first_filling() {
    let (_folder, left, _right) = two_catalogs();
    let connection = Connection::open(database(&left)).unwrap();
    let plan = |sql: &str| {
        let sql = format!("EXPLAIN QUERY PLAN {sql}");
        connection.query_row(&sql, (), |row| row.get::<_, String>(3)).unwrap()
    };
    assert!(plan("SELECT * FROM node WHERE qualified_name = 'a'").contains("node_qualified_name"));
    assert!(plan("SELECT * FROM node WHERE name = 'a'").contains("node_name"));
    assert!(plan("SELECT * FROM node WHERE file IS NULL").contains("node_file"));
    assert!(plan("SELECT src FROM edge WHERE dst = 1 AND type = 5").contains("edge_in"));
    assert_eq!(find(&left).find_named("a", 5).unwrap()[0].node.label, Label::Function);
}
