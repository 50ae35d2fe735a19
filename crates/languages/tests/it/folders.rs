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
    for language in Languages::builtin().all() {
        for path in fixtures(language.id()) {
            let source = std::fs::read_to_string(&path).unwrap();
            let facts = language.extract(&source).unwrap();
            assert!(facts.defs.len() > 1, "{} defines nothing", path.display());
            let is_single = !source.lines().any(|line| line.trim_start_matches(['#', '/', '-', ' ']).starts_with("/"));
            assert!(!is_single || !facts.has_errors, "{} is not valid {}", path.display(), language.settings().name);
        }
    }
}
