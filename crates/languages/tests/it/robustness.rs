//! Broken text gives fewer facts, never an end of the program.

use languages::facts::{FileFacts, Term};
use languages::{ExtractError, Languages};
use proptest::prelude::*;

use crate::fixtures;

/// A parser may give up on broken text after its time; what it does give is whole.
fn check(id: &str, source: &str) {
    let language = Languages::builtin().get(id).unwrap();
    match language.extract(source) {
        Ok(facts) => whole(&facts),
        Err(ExtractError::TooSlow { .. }) => {}
    }
}

/// Whether everything that facts point at is there.
fn whole(facts: &FileFacts) {
    let terms = facts.terms.len();
    for term in &facts.terms {
        if let Term::Member(of, _) | Term::Result(of) | Term::New(of) | Term::Instance(of) | Term::Element(of) = *term {
            assert!(of.index() < terms);
        }
        if let Term::Item(of, _) | Term::Awaited(of) | Term::Generic(of, _) | Term::Taken(of, _) = *term {
            assert!(of.index() < terms);
        }
        if let Term::Parameter(def, position) = *term {
            assert!((position as usize) < facts.def(def).parameters.len(), "a parameter of {def:?} that is not there");
        }
    }
    for call in &facts.calls {
        assert!(call.callee.index() < terms && call.caller.index() < facts.defs.len());
        assert!(call.arguments.iter().all(|argument| argument.value.index() < terms));
    }
    for def in &facts.defs {
        assert!(def.start_line <= def.own_line && def.own_line <= def.end_line, "{def:?}");
        assert!(def.parent.index() < facts.defs.len());
    }
}

/// All fixtures, with the language of each.
fn all() -> Vec<(&'static str, String)> {
    let languages = Languages::builtin().all();
    let files =
        languages.iter().flat_map(|language| fixtures(language.id()).into_iter().map(|path| (language.id(), path)));
    files.map(|(id, path)| (id, std::fs::read_to_string(path).unwrap())).collect()
}

fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[test]
fn fixtures_point_at_nothing_that_is_not_there() {
    for (id, source) in all() {
        check(id, &source);
    }
}

#[test]
fn nothing_but_brackets_is_read_by_every_language() {
    for language in Languages::builtin().all() {
        for text in ["", "\n", "(((((", "}}}}", "\"", "'", "\u{0}", "é(ü", "end end", "@@@", "<<~X\n"] {
            check(language.id(), text);
        }
        check(language.id(), &"(".repeat(500));
        check(language.id(), &"[a".repeat(200));
    }
}

fn defines(facts: &FileFacts, name: &str) -> bool {
    facts.defs.iter().any(|def| facts.text(def.name) == name)
}

#[test]
fn kotlin_ends_in_an_annotation() {
    let language = Languages::builtin().get("kotlin").unwrap();
    for text in ["class A\n@Inject", "class A { var x = 1\n    @Get"] {
        assert!(defines(&language.extract(text).unwrap(), "A"), "{text}");
    }
    assert!(language.extract("class A { var x = 1\n    @Named(\"b").unwrap().has_errors);
}

#[test]
fn bash_has_signs_that_no_table_holds() {
    let language = Languages::builtin().get("bash").unwrap();
    let facts = language.extract("echo {\u{10fffd}..9}\n问候() { echo \"{😀\"; }\n").unwrap();
    assert!(defines(&facts, "问候"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn a_fixture_that_is_cut_off_is_read(pick in any::<prop::sample::Index>(), at in 0_usize..8_000) {
        let all = all();
        let (id, source) = &all[pick.index(all.len())];
        check(id, &source[..boundary(source, at % (source.len() + 1))]);
    }

    #[test]
    fn a_fixture_with_a_hole_is_read(pick in any::<prop::sample::Index>(), at in 0_usize..8_000, length in 1_usize..200) {
        let all = all();
        let (id, source) = &all[pick.index(all.len())];
        let from = boundary(source, at % (source.len() + 1));
        let to = boundary(source, from + length).max(from);
        check(id, &format!("{}{}", &source[..from], &source[to..]));
    }

    #[test]
    fn any_text_is_read(pick in any::<prop::sample::Index>(), text in "\\PC{0,200}") {
        let languages = Languages::builtin().all();
        check(languages[pick.index(languages.len())].id(), &text);
    }
}
