//! What is a file for, as far as its path tells?

/// The part a file plays in its project. Numbers are stored: never renumber.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum FileKind {
    /// The product itself.
    Source = 1,
    Test = 2,
    Example = 3,
    Documentation = 4,
    /// Made by a program or taken from elsewhere.
    Foreign = 5,
    /// Text without a grammar that is none of the above: settings, data, translations.
    Other = 6,
}

const ALL: [FileKind; 6] =
    [FileKind::Source, FileKind::Test, FileKind::Example, FileKind::Documentation, FileKind::Foreign, FileKind::Other];

const TEST_FOLDERS: &[&str] = &[
    "test",
    "tests",
    "testing",
    "__tests__",
    "spec",
    "specs",
    "testdata",
    "test_data",
    "fixture",
    "fixtures",
    "e2e",
    "mocks",
    "__mocks__",
    "testutil",
    "testutils",
    "test-utils",
    "integration-tests",
    "integration_tests",
    "tests-integration",
];
const EXAMPLE_FOLDERS: &[&str] = &[
    "example",
    "examples",
    "sample",
    "samples",
    "demo",
    "demos",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "playground",
    "asv_bench",
    "tutorial",
    "tutorials",
];
const DOCUMENTATION_FOLDERS: &[&str] =
    &["doc", "docs", "documentation", "website", "docs_src", "changelog", "changelogs"];
const FOREIGN_FOLDERS: &[&str] = &[
    "vendor",
    "vendored",
    "third_party",
    "third-party",
    "thirdparty",
    "extern",
    "external",
    "node_modules",
    "dist",
    "deps",
    "generated",
];
const DOCUMENTATION_ENDINGS: &[&str] = &["md", "rst", "txt", "adoc", "mdx"];

impl FileKind {
    pub const fn code(self) -> u8 {
        self as u8
    }

    pub fn from_code(code: u8) -> Option<Self> {
        ALL.into_iter().find(|kind| kind.code() == code)
    }

    /// By its path from the root; `has_grammar` says whether it is in a language that is read.
    pub fn of(path: &str, has_grammar: bool) -> Self {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let is_in =
            |names: &[&str]| folders.split('/').any(|folder| names.contains(&folder.to_ascii_lowercase().as_str()));
        if is_in(FOREIGN_FOLDERS) || is_generated(name) {
            return Self::Foreign;
        }
        if is_in(TEST_FOLDERS) || is_test(name) {
            return Self::Test;
        }
        if is_in(EXAMPLE_FOLDERS) {
            return Self::Example;
        }
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        if DOCUMENTATION_ENDINGS.contains(&ending) || is_in(DOCUMENTATION_FOLDERS) {
            return Self::Documentation;
        }
        if has_grammar { Self::Source } else { Self::Other }
    }
}

fn is_test(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name);
    let lower = stem.to_ascii_lowercase();
    let inner = name.split('.').skip(1).any(|part| matches!(part, "test" | "spec" | "tests" | "bench" | "stories"));
    let camel =
        stem.ends_with("Test") || stem.ends_with("Tests") || stem.ends_with("TestCase") || stem.ends_with("Spec");
    inner
        || camel
        || ["test", "tests", "conftest"].contains(&lower.as_str())
        || lower.starts_with("test_")
        || ["_test", "_tests", "_spec", "-test", "-spec"].iter().any(|end| lower.ends_with(end))
}

fn is_generated(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    [".pb.go", "_pb2.py", ".generated.ts", "_generated.go", ".g.dart", ".pb.cc", ".pb.h", ".min.js"]
        .iter()
        .any(|end| lower.ends_with(end))
        || lower.ends_with(".lock")
        || lower == "package-lock.json"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_says_what_a_file_is_for() {
        let cases = [
            ("django/db/models/query.py", true, FileKind::Source),
            ("django/test/client.py", true, FileKind::Test),
            ("tests/queries/models.py", true, FileKind::Test),
            ("src/app.test.ts", true, FileKind::Test),
            ("pkg/server_test.go", true, FileKind::Test),
            ("src/main/java/CartTest.java", true, FileKind::Test),
            ("src/contest.py", true, FileKind::Source),
            ("examples/hello.rs", true, FileKind::Example),
            ("docs/conf.py", true, FileKind::Documentation),
            ("README.md", false, FileKind::Documentation),
            ("vendor/github.com/x/y.go", true, FileKind::Foreign),
            ("api/user_pb2.py", true, FileKind::Foreign),
            ("settings.toml", false, FileKind::Other),
        ];
        for (path, has_grammar, kind) in cases {
            assert_eq!(FileKind::of(path, has_grammar), kind, "{path}");
        }
        assert!(ALL.iter().all(|kind| FileKind::from_code(kind.code()) == Some(*kind)));
    }
}
