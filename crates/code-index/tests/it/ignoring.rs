//! What is left out, and that the report says why.

use crate::workbench::{Workbench, reason};

/// Indexes these files; `expected` are the paths of those that are in the graph.
fn check(files: &[(&str, &str)], expected: &[&str]) -> code_index::IndexReport {
    let bench = Workbench::new(files);
    let report = bench.index();
    let found: Vec<String> = bench.graph().files.into_iter().map(|file| file.path).collect();
    assert_eq!(found, expected, "{:#?}", report.skipped);
    report
}

#[test]
fn gitignore_holds_outside_of_a_git_repository_too() {
    let files = [
        (".gitignore", "*.log\n/made/\n!keep.log\n"),
        ("a.py", ""),
        ("b.log", ""),
        ("keep.log", ""),
        ("made/c.py", ""),
        ("src/made/d.py", ""),
        ("src/.gitignore", "e.py\n"),
        ("src/e.py", ""),
    ];
    let report = check(&files, &["a.py", "keep.log", "src/made/d.py"]);
    assert_eq!(reason(&report, "b.log").as_deref(), Some("ignored by .gitignore"));
    assert_eq!(reason(&report, "made").as_deref(), Some("ignored by .gitignore"));
    assert_eq!(reason(&report, "made/c.py"), None, "the folder stands for what is in it");
    assert_eq!(reason(&report, "src/e.py").as_deref(), Some("ignored by src/.gitignore"));
    assert_eq!(reason(&report, ".gitignore").as_deref(), Some("hidden"));
}

#[test]
fn trailmarkignore_goes_before_everything_else() {
    let files = [
        (".gitignore", "generated/\n"),
        (".trailmarkignore", "!generated/\n!node_modules/\n!.config/\nslow.py\n!.git/\n"),
        ("generated/a.py", ""),
        ("node_modules/b/index.js", ""),
        (".config/c.toml", ""),
        ("slow.py", ""),
        (".git/config", ""),
    ];
    let report = check(&files, &[".config/c.toml", "generated/a.py", "node_modules/b/index.js"]);
    assert_eq!(reason(&report, "slow.py").as_deref(), Some("ignored by .trailmarkignore"));
    assert_eq!(reason(&report, ".git").as_deref(), Some("data of version control"));
}

#[test]
fn folders_with_code_of_others_are_left_out_by_rule() {
    let files = [
        ("go.mod", "module shop\n"),
        ("vendor/lib/a.go", ""),
        ("web/package.json", "{}"),
        ("web/node_modules/x/index.js", ""),
        ("web/dist/bundle.js", ""),
        ("python/vendor/own.py", ""),
        ("python/environment/pyvenv.cfg", ""),
        ("python/environment/lib/site.py", ""),
        ("python/__pycache__/own.pyc", ""),
        ("cache/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55"),
        ("cache/data.py", ""),
        (".github/workflows/ci.yml", ""),
        (".hidden/a.py", ""),
        (".env", ""),
    ];
    let kept = [".github/workflows/ci.yml", "go.mod", "python/vendor/own.py", "web/package.json"];
    let report = check(&files, &kept);
    let expected = [
        ("vendor", "a copy of the dependencies"),
        ("web/node_modules", "installed packages"),
        ("web/dist", "build output"),
        ("python/environment", "a virtual environment"),
        ("python/__pycache__", "a cache"),
        ("cache", "a cache"),
        (".hidden", "hidden"),
        (".env", "hidden"),
    ];
    for (path, expected) in expected {
        assert_eq!(reason(&report, path).as_deref(), Some(expected), "{path}");
    }
}

#[test]
fn the_rules_of_the_repository_around_a_folder_hold_in_it() {
    let bench = Workbench::new(&[
        (".git/info/exclude", "private.py\n"),
        (".gitignore", "*.tmp.py\n"),
        ("part/a.py", ""),
        ("part/private.py", ""),
        ("part/b.tmp.py", ""),
    ]);
    let request = code_index::IndexRequest { root: bench.path("part"), ..bench.request() };
    bench.indexer.index(&request, &()).unwrap();
    let found: Vec<String> = bench.graph().files.into_iter().map(|file| file.path).collect();
    assert_eq!(found, ["a.py"]);
}

#[test]
fn a_change_of_the_rules_takes_files_out_and_in() {
    let bench = Workbench::new(&[("a.py", "def load(): pass\n"), ("b.py", "load()\n")]);
    bench.index();
    bench.write(".gitignore", "a.py\n");
    assert_eq!(bench.index().removed, 1);
    assert!(!bench.has("load"));
    bench.write(".gitignore", "");
    bench.index();
    assert!(bench.has("load"));
    assert_eq!(bench.graph(), bench.clean_graph());
}
