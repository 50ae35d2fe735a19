//! Is each folder in `languages/` whole?

use languages::Languages;
use languages::settings::Level;

use crate::fixtures;

#[test]
fn patterns_are_queries_that_tree_sitter_accepts() {
    let mut errors = Vec::new();
    for language in Languages::builtin().all() {
        let query = tree_sitter::Query::new(language.grammar(), language.patterns_text());
        errors.extend(query.err().map(|error| format!("languages/{}/facts.scm: {error}", language.id())));
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn languages_have_an_extension_and_patterns() {
    for language in Languages::builtin().all() {
        assert!(!language.settings().extensions.is_empty(), "{} has no extension", language.id());
        let is_pattern = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with(';');
        assert!(language.patterns_text().lines().any(is_pattern), "{} has no patterns", language.id());
    }
}

#[test]
fn languages_have_fixtures() {
    for language in Languages::builtin().all() {
        let wanted = if language.settings().level == Level::Full { 2 } else { 1 };
        let found = fixtures(language.id()).len();
        assert!(found >= wanted, "languages/{}/fixtures holds {found} files, {wanted} are wanted", language.id());
    }
}

#[test]
fn fixtures_are_read_without_errors_and_define_something() {
    let mut wrong = Vec::new();
    for language in Languages::builtin().all() {
        for path in fixtures(language.id()) {
            let source = std::fs::read_to_string(&path).unwrap();
            assert!(language.extract(&source).unwrap().defs.len() > 1, "{} defines nothing", path.display());
            for (name, file) in files_of(&path.to_string_lossy(), &source) {
                let is_own = Languages::builtin().for_file(&name, b"").is_some_and(|found| found.id() == language.id());
                if is_own && language.extract(&file).unwrap().has_errors {
                    wrong.push(format!("{} {name}", language.id()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "not valid in their language: {}", wrong.join(", "));
}

/// The files of a fixture: `//- /path` begins one.
fn files_of(name: &str, fixture: &str) -> Vec<(String, String)> {
    let header = |line: &str| {
        let path = ["//", "#", "--"].iter().find_map(|mark| line.strip_prefix(&format!("{mark}- /")));
        path.map(|path| path.trim().to_owned())
    };
    let mut files = vec![(name.to_owned(), String::new())];
    for line in fixture.lines() {
        match (header(line), files.last_mut()) {
            (None, Some((_, file))) => file.extend([line, "\n"]),
            (path, _) => files.push((path.unwrap_or_default(), String::new())),
        }
    }
    files
}
