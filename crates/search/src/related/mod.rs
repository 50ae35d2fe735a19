//! Which other words say the same as one that is asked for?
//!
//! Two lists that are part of the program, so that a question finds more than its own words with nothing to install: forms of English
//! words that no rule of endings brings together (`forms.txt`), and words that mean nearly the same (`meanings.txt`), in everyday
//! English, in software, and in Chinese. They are consulted when a question is asked, never for what is stored: a better list
//! needs no new index.

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::stems::whole_terms;

const FORMS: &str = include_str!("forms.txt");
const MEANINGS: &str = include_str!("meanings.txt");

/// How much another form of a word counts beside the word itself, and how much another word of the same meaning.
const FORM: f32 = 0.7;
const MEANING: f32 = 0.3;

/// Every term with those that say the same.
static RELATED: LazyLock<Table> = LazyLock::new(Table::read);

/// The terms that say the same as these, none of these and none twice, each with how much it counts: from 0 to 1.
pub fn related_terms(terms: &[String]) -> Vec<(String, f32)> {
    let mut found = Found { asked: terms.iter().map(String::as_str).collect(), ..Found::default() };
    for term in terms {
        let forms = RELATED.forms.of(term);
        found.add(forms, FORM);
        for same in std::iter::once(term.as_str()).chain(forms.iter().map(String::as_str)) {
            found.add(RELATED.meanings.of(same), MEANING);
        }
    }
    for word in &RELATED.longer {
        if word.pairs.iter().all(|pair| found.asked.contains(pair.as_str())) {
            found.add(&word.related, MEANING);
        }
    }
    found.terms
}

/// What was found so far.
#[derive(Debug, Default)]
struct Found<'a> {
    asked: FxHashSet<&'a str>,
    seen: FxHashSet<&'static str>,
    terms: Vec<(String, f32)>,
}

impl Found<'_> {
    fn add(&mut self, related: &'static [String], weight: f32) {
        for term in related {
            if !self.asked.contains(term.as_str()) && self.seen.insert(term) {
                self.terms.push((term.clone(), weight));
            }
        }
    }
}

#[derive(Debug)]
struct Table {
    forms: Groups,
    meanings: Groups,
    /// Chinese words of more than one pair of characters, which are asked for when all their pairs are.
    longer: Vec<Longer>,
}

#[derive(Debug)]
struct Longer {
    pairs: Vec<String>,
    related: Vec<String>,
}

/// By term, the terms of the words beside it.
#[derive(Debug, Default)]
struct Groups(FxHashMap<String, Vec<String>>);

impl Groups {
    fn of(&self, term: &str) -> &[String] {
        self.0.get(term).map_or(&[], Vec::as_slice)
    }
}

impl Table {
    fn read() -> Self {
        let mut longer = Vec::new();
        let forms = groups(FORMS, &mut longer);
        let meanings = groups(MEANINGS, &mut longer);
        Self { forms, meanings, longer }
    }
}

/// Lines of words that say the same; lines that begin with `#` say something to people.
fn groups(text: &str, longer: &mut Vec<Longer>) -> Groups {
    let mut groups = Groups::default();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<Vec<String>> = line.split_whitespace().map(whole_terms).collect();
        for (at, word) in words.iter().enumerate() {
            let others = words.iter().enumerate().filter(|(other, _)| *other != at).flat_map(|(_, terms)| terms);
            let others = others.filter(|term| !word.contains(term)).cloned();
            match word.as_slice() {
                [term] => {
                    let known = groups.0.entry(term.clone()).or_default();
                    known.extend(others);
                    known.sort_unstable();
                    known.dedup();
                }
                pairs => longer.push(Longer { pairs: pairs.to_vec(), related: others.collect() }),
            }
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query_terms;

    fn related(text: &str) -> Vec<String> {
        related_terms(&query_terms(text)).into_iter().map(|(term, _)| term).collect()
    }

    #[test]
    fn other_forms_and_other_languages_of_a_word_are_related() {
        for (asked, expected) in [
            ("went", "go"),
            ("writing", "wrote"),
            ("children", "child"),
            ("purchased", "buy"),
            ("bought", "purchas"),
            ("deadlock", "死锁"),
            ("死锁", "deadlock"),
            ("数据库连接", "databas"),
            ("database", "据库"),
        ] {
            assert!(related(asked).iter().any(|term| term == expected), "{asked}: {:?}", related(asked));
        }
    }

    #[test]
    fn a_form_counts_more_than_a_meaning_and_the_word_itself_is_not_repeated() {
        let terms = related_terms(&["go".to_owned(), "went".to_owned()]);
        assert!(terms.iter().all(|(term, _)| term != "go" && term != "went"), "{terms:?}");
        const { assert!(FORM > MEANING && FORM < 1.0) };
        assert!(related("zyxwv 据").is_empty());
        assert!(related("").is_empty());
    }

    #[test]
    fn nothing_is_related_to_too_much() {
        for (term, others) in RELATED.forms.0.iter().chain(&RELATED.meanings.0) {
            assert!(others.len() <= 16, "{term} is related to {others:?}");
        }
        for line in FORMS.lines().chain(MEANINGS.lines()).filter(|line| !line.starts_with('#')) {
            assert!(line.split_whitespace().count() >= 2, "{line:?} relates nothing");
        }
    }
}
