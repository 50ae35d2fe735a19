//! An index that follows edits is equal to one made afresh.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use code_index::{Observer, Stage};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use store::ProjectCatalog as _;

use crate::workbench::{Graph, PROJECT, Workbench, reason};

const FOLDERS: &[&str] = &["", "shop", "shop/cart", "web", "web/src"];
const FILES: &[&str] = &[
    "one.py",
    "two.py",
    "__init__.py",
    "three.ts",
    "four.ts",
    "five.js",
    "six.go",
    "Seven.java",
    "eight.rs",
    "nine.rb",
    "notes.txt",
];
const FUNCTIONS: &[&str] = &["load", "save", "find", "sort", "Cart", "Item"];

/// What is in the one file that a step writes, in the language of its name.
#[derive(Debug, Clone)]
struct Source {
    imported_from: &'static str,
    imported: &'static str,
    defined: Vec<(&'static str, &'static str)>,
}

#[derive(Debug, Clone)]
enum Step {
    Write(String, Source),
    /// Changes the remark at the end, and adds one where there is none.
    Remark(String, u8),
    /// Moves everything down by some lines.
    Lower(String, u8),
    Remove(String),
    Rename(String, String),
    Index,
    KeepUp,
    Restart,
}

fn source() -> impl Strategy<Value = Source> {
    let modules = select(&["one", "two", "three", "four", "shop", "shop.cart.one", "external"][..]);
    let name = || select(FUNCTIONS);
    (modules, name(), vec((name(), name()), 0..4)).prop_map(|(imported_from, imported, defined)| Source {
        imported_from,
        imported,
        defined,
    })
}

fn file() -> impl Strategy<Value = String> {
    (select(FOLDERS), select(FILES)).prop_map(|(folder, file)| Path::new(folder).join(file).display().to_string())
}

fn folder() -> impl Strategy<Value = String> {
    select(&FOLDERS[1..]).prop_map(str::to_owned)
}

fn configuration() -> impl Strategy<Value = Step> {
    let files: &[(&str, &str)] = &[
        (".gitignore", "two.py\n"),
        (".gitignore", "web/\n"),
        ("web/tsconfig.json", r#"{"compilerOptions": {"paths": {"@/*": ["src/*"]}}}"#),
        ("web/package.json", r#"{"name": "web", "main": "src/three.ts"}"#),
        ("pyproject.toml", "[project]\nname = \"shop\"\n"),
    ];
    select(files).prop_map(|(path, text)| {
        let text = Source { imported_from: "", imported: text, defined: Vec::new() };
        Step::Write(path.to_owned(), text)
    })
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (file(), source()).prop_map(|(path, source)| Step::Write(path, source)),
        3 => (file(), any::<u8>()).prop_map(|(path, number)| Step::Remark(path, number)),
        2 => (file(), 1..3_u8).prop_map(|(path, lines)| Step::Lower(path, lines)),
        1 => configuration(),
        2 => file().prop_map(Step::Remove),
        1 => folder().prop_map(Step::Remove),
        2 => (file(), file()).prop_map(|(from, to)| Step::Rename(from, to)),
        1 => (folder(), folder()).prop_map(|(from, to)| Step::Rename(from, to)),
        4 => Just(Step::Index),
        2 => Just(Step::KeepUp),
        1 => Just(Step::Restart),
    ]
}

impl Source {
    fn text(&self, path: &str) -> String {
        let Self { imported_from, imported, defined } = self;
        let mut text = String::new();
        if path.ends_with(".py") {
            text += &format!("from {imported_from} import {imported}\n\n");
            for (name, called) in defined {
                let is_class = name.starts_with(char::is_uppercase);
                text += &match is_class {
                    true => format!("class {name}({called}):\n    def run(self):\n        return self.run()\n\n"),
                    false => format!("def {name}():\n    return {called}().run()\n\n"),
                };
            }
        } else if path.ends_with(".ts") {
            text += &format!("import {{ {imported} }} from './{imported_from}';\n");
            for (name, called) in defined {
                text += &format!("export function {name}() {{ return {called}(); }}\n");
            }
        } else {
            text += &self.text_elsewhere(path);
        }
        text
    }

    fn text_elsewhere(&self, path: &str) -> String {
        let Self { imported_from, imported, defined } = self;
        let each = |write: fn(&str, &str) -> String| {
            defined.iter().map(|(name, called)| write(name, called)).collect::<String>()
        };
        match path.rsplit('.').next() {
            Some("js") => {
                let functions = each(|name, called| {
                    format!("exports.{name} = function (given) {{ {called}(given); return () => given.run(); }};\n")
                });
                format!("const {{ {imported} }} = require('./{imported_from}');\n{functions}")
            }
            Some("go") => {
                let functions = each(|name, called| {
                    format!("type T{name} struct{{}}\nfunc (t T{name}) run() {{ {called}(t).run() }}\n")
                });
                format!("package shop\n\nfunc {imported}(x T{imported}) T{imported} {{ return x }}\n{functions}")
            }
            Some("java") => {
                let methods =
                    each(|name, called| format!("    Seven {name}(Seven it) {{ return it.{called}(this); }}\n"));
                format!("package shop;\n\nclass Seven extends {imported} {{\n{methods}}}\n")
            }
            Some("rs") => {
                let functions = each(|name, called| format!("pub fn {name}() {{ {called}(); }}\n"));
                format!("use crate::{}::{imported};\n{functions}", imported_from.replace('.', "::"))
            }
            Some("rb") => {
                let methods = each(|name, called| format!("  def {name}(it)\n    it.{called}(self)\n  end\n"));
                format!("class {imported}\n{methods}end\n")
            }
            _ => (*imported).to_owned(),
        }
    }
}

/// The text with another remark at its end, on a line of its own.
fn with_remark(path: &str, text: &str, number: u8) -> String {
    let start = if path.ends_with(".py") || path.ends_with(".rb") { "# remark" } else { "// remark" };
    let code = text.rfind(start).map_or(text, |at| &text[..at]);
    format!("{code}{start} {number}\n")
}

fn take(bench: &mut Workbench, step: &Step) {
    match step {
        Step::Write(path, source) => {
            // Something else may be in the way, as in a real folder.
            let place = bench.path(path);
            let _ = fs::create_dir_all(place.parent().unwrap());
            let _ = fs::write(place, source.text(path));
        }
        Step::Remark(path, number) => {
            if let Ok(text) = fs::read_to_string(bench.path(path)) {
                fs::write(bench.path(path), with_remark(path, &text, *number)).unwrap();
            }
        }
        Step::Lower(path, lines) => {
            if let Ok(text) = fs::read_to_string(bench.path(path)) {
                fs::write(bench.path(path), "\n".repeat((*lines).into()) + &text).unwrap();
            }
        }
        Step::Remove(path) => {
            let _ = fs::remove_file(bench.path(path));
            let _ = fs::remove_dir_all(bench.path(path));
        }
        Step::Rename(from, to) => {
            let _ = fs::rename(bench.path(from), bench.path(to));
        }
        Step::Index => drop(bench.index()),
        Step::KeepUp => bench.keep_up(&()),
        Step::Restart => bench.restart(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_edits_give_the_graph_of_a_clean_index(steps in vec(step(), 1..30)) {
        let mut bench = Workbench::new(&[("one.py", "def load():\n    save()\n"), ("two.py", "def save(): pass\n")]);
        for step in &steps {
            take(&mut bench, step);
        }
        bench.index();
        prop_assert_eq!(bench.graph(), bench.clean_graph());
        let again = bench.index();
        prop_assert!(!again.is_changed, "nothing changed, and yet something was stored");
    }

    #[test]
    fn a_project_that_is_kept_up_has_the_graph_of_a_clean_index(steps in vec(step(), 1..20)) {
        let mut bench = Workbench::new(&[("one.py", "def load():\n    save()\n"), ("two.py", "def save(): pass\n")]);
        for step in &steps {
            take(&mut bench, step);
            bench.keep_up(&());
        }
        prop_assert_eq!(bench.graph(), bench.clean_graph());
    }
}

fn check_clean(bench: &Workbench) -> Graph {
    bench.index();
    let graph = bench.graph();
    assert_eq!(graph, bench.clean_graph());
    graph
}

#[test]
fn an_edit_reads_one_file_and_changes_the_callers_in_others() {
    let bench = Workbench::new(&[
        ("caller.py", "from target import load\n\ndef run():\n    load()\n"),
        ("target.py", "def load(): pass\n"),
        ("other.py", "def unrelated(): pass\n"),
    ]);
    let first = bench.index();
    assert_eq!((first.files, first.parsed, first.unchanged), (3, 3, 0));
    let before = bench.graph();

    bench.write("target.py", "def fetch(): pass\n");
    let second = bench.index();
    assert_eq!((second.parsed, second.unchanged, second.removed), (1, 2, 0));
    let after = check_clean(&bench);
    let hash =
        |graph: &Graph, path: &str| graph.files.iter().find(|file| file.path == path).unwrap().graph_hash.clone();
    assert_ne!(hash(&before, "caller.py"), hash(&after, "caller.py"), "the call has lost its target");
    assert_eq!(hash(&before, "other.py"), hash(&after, "other.py"));
}

/// The stages of a run, in order.
#[derive(Default)]
struct Stages(Mutex<Vec<Stage>>);

impl Observer for Stages {
    fn progress(&self, stage: Stage, _: u64, _: u64) {
        self.0.lock().unwrap().push(stage);
    }
}

#[test]
fn another_remark_is_found_by_its_words_without_resolving_names_again() {
    let bench = Workbench::new(&[
        ("a.py", "def load():\n    return 'a word'  # shop\n"),
        ("b.py", "from a import load\n\nload()\n"),
    ]);
    bench.index();
    for (path, text, is_linked) in [
        ("a.py", "def load():\n    return 'a cart'  # item\n", false),
        ("a.py", "def load():\n\n    return 'a cart'  # item\n", true),
        ("a.py", "def sort():\n\n    return 'a cart'  # item\n", true),
        ("a.py", "def sort():\n\n    return 'a word'  # shop\n", false),
        ("notes.txt", "a shop\n", true),
        ("notes.txt", "a shop\nand an item\n", false),
        ("notes.txt", "", false),
    ] {
        bench.write(path, text);
        let stages = Stages::default();
        let report = bench.indexer.index(&bench.request(), &stages).unwrap();
        assert_eq!((report.parsed, report.is_changed), (1, true), "{text}");
        assert_eq!(stages.0.into_inner().unwrap().contains(&Stage::Link), is_linked, "{text}");
        check_clean(&bench);
    }
}

#[test]
fn nothing_is_stored_when_nothing_changed_even_after_a_restart() {
    let mut bench = Workbench::new(&[("a.py", "def load(): pass\n")]);
    bench.index();
    let epoch = bench.project().info().unwrap().epoch;
    assert!(!bench.index().is_changed);
    bench.restart();
    assert!(!bench.index().is_changed);
    assert_eq!(bench.project().info().unwrap().epoch, epoch);
}

/// Whether it took a run to bring the project up to date.
fn runs(bench: &Workbench) -> bool {
    let stages = Stages::default();
    bench.keep_up(&stages);
    !stages.0.into_inner().unwrap().is_empty()
}

#[test]
fn a_glance_tells_that_nothing_changed_and_every_change_takes_a_run() {
    let settle = || std::thread::sleep(std::time::Duration::from_millis(100));
    let mut bench = Workbench::new(&[("a.py", "def load(): pass\n"), ("inner/b.py", "")]);
    settle();
    assert!(runs(&bench), "there was no graph");
    assert!(!runs(&bench));
    bench.restart();
    assert!(!runs(&bench), "what is stored tells as well");
    for change in ["def save(): pass\n", "def sort(): pass\n"] {
        bench.write("inner/b.py", change);
        settle();
        assert!(runs(&bench) && !runs(&bench));
        assert_eq!(bench.graph(), bench.clean_graph());
    }
    fs::remove_file(bench.path("inner/b.py")).unwrap();
    assert!(runs(&bench) && !bench.has("sort") && !runs(&bench));
    bench.write(".gitignore", "a.py\n");
    assert!(runs(&bench) && !bench.has("load"), "it is left out now");
}

#[test]
fn a_glance_does_not_miss_a_graph_that_somebody_else_made_of_other_files() {
    let bench = Workbench::new(&[("a.py", "def load(): pass\n")]);
    std::thread::sleep(std::time::Duration::from_millis(100));
    bench.keep_up(&());
    assert!(bench.catalog.delete(PROJECT).unwrap());
    assert!(runs(&bench) && bench.has("load"));
}

#[test]
fn a_change_that_keeps_size_and_time_is_seen() {
    let bench = Workbench::new(&[("a.py", "def load(): pass\n")]);
    bench.index();
    let before = fs::metadata(bench.path("a.py")).unwrap();
    bench.write("a.py", "def save(): pass\n");
    fs::File::open(bench.path("a.py")).unwrap().set_modified(before.modified().unwrap()).unwrap();
    bench.index();
    assert!(bench.has("save") && !bench.has("load"));
}

#[test]
fn an_older_file_that_takes_the_place_of_another_is_seen() {
    let bench = Workbench::new(&[("old.txt", "def save(): pass\n"), ("a.py", "def load(): pass\n")]);
    std::thread::sleep(std::time::Duration::from_millis(100));
    bench.index();
    let modified = fs::metadata(bench.path("a.py")).unwrap().modified().unwrap();
    fs::File::open(bench.path("old.txt")).unwrap().set_modified(modified).unwrap();
    fs::rename(bench.path("old.txt"), bench.path("a.py")).unwrap();
    bench.index();
    assert!(bench.has("save") && !bench.has("load"));
}

#[test]
fn a_touched_file_is_read_but_not_analysed() {
    let bench = Workbench::new(&[("a.py", "def load(): pass\n")]);
    bench.index();
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(5);
    fs::File::open(bench.path("a.py")).unwrap().set_modified(later).unwrap();
    let report = bench.index();
    assert_eq!((report.parsed, report.unchanged), (0, 1));
}

#[test]
fn what_becomes_binary_leaves_no_definitions_behind() {
    let bench = Workbench::new(&[("a.py", "def load(): pass\n"), ("b.txt", "words\n")]);
    bench.index();
    assert!(bench.has("load"));
    bench.write("a.py", b"\0\x01\x02\x03");
    bench.write("b.txt", b"\0\x01\x02\x03");
    let report = bench.index();
    assert!(!bench.has("load"));
    assert_eq!(reason(&report, "a.py").as_deref(), Some("binary"));
    assert_eq!(bench.graph(), bench.clean_graph());
}

#[test]
fn facts_that_cannot_be_read_back_are_made_again() {
    use store::{FileUpdate, GraphUpdate};

    let mut bench = Workbench::new(&[("a.py", "def load(): pass\n"), ("b.py", "load()\n")]);
    bench.index();
    let record = bench.project().files().unwrap().remove(0);
    let damaged = FileUpdate { record, facts: Some(vec![0xff; 7]), part: None, words: None };
    bench.project().apply(&GraphUpdate { files: vec![damaged], ..GraphUpdate::default() }).unwrap();
    bench.restart();
    bench.write("c.py", "def save(): pass\n");
    let report = bench.index();
    assert_eq!(report.parsed, 2, "the new file and the one whose facts were damaged");
    assert_eq!(bench.graph(), bench.clean_graph());
}

#[test]
fn force_reads_and_stores_everything_again() {
    let bench = Workbench::new(&[("a.py", "def load(): pass\n"), ("b.py", "load()\n")]);
    bench.index();
    let request = code_index::IndexRequest { force: true, ..bench.request() };
    let report = bench.indexer.index(&request, &()).unwrap();
    assert_eq!((report.parsed, report.unchanged, report.is_changed), (2, 0, true));
    assert_eq!(bench.graph(), bench.clean_graph());
}

#[test]
fn an_empty_folder_is_a_project_without_files() {
    let bench = Workbench::new(&[]);
    let report = bench.index();
    assert_eq!((report.files, report.is_changed), (0, true));
    assert!(!bench.index().is_changed);
    assert!(bench.project().info().unwrap().indexed_at.is_some());
}

#[test]
fn stale_files_are_those_that_another_run_would_change() {
    let bench = Workbench::new(&[("a.py", "a = 1\n"), ("b.py", "b = 1\n"), ("c.py", "c = 1\n")]);
    bench.index();
    let stale = || bench.indexer.stale_files(&*bench.project()).unwrap();
    assert_eq!(stale(), 0);
    bench.write("a.py", "a = 2\n");
    bench.write("b.py", "b = 1\n");
    bench.write("d.py", "d = 1\n");
    fs::remove_file(bench.path("c.py")).unwrap();
    assert_eq!(stale(), 3, "a changed, c has gone, d is new; b was only touched");
    bench.index();
    assert_eq!(stale(), 0);
    fs::remove_dir_all(bench.root.path()).unwrap();
    assert_eq!(stale(), 3);
}
