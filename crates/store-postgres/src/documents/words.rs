//! The words of a document as a `tsvector`, and a question as `tsquery`: both made here, so that the server's own dictionaries have
//! no say and every store cuts text in the same place.
//!
//! A word is kept as it is written, for questions whose last word is incomplete, and without its ending, for all others.

use std::collections::BTreeMap;

use search::{Query, Term};
use unicode_normalization::UnicodeNormalization as _;

/// The server takes no longer word.
const LONGEST_WORD: usize = 2_000;
/// Repetitions that are kept of a word in one field: more of them say hardly more.
const REPETITIONS: u16 = 8;
/// The server takes no more bytes of words for one document; a text with more is found by its first words.
const MOST_BYTES: usize = 900_000;

/// The words of a document, ready to be kept.
#[derive(Debug)]
pub(super) struct Words {
    /// The text form of a `tsvector`.
    pub(super) vector: String,
    /// How many words there are.
    pub(super) length: i32,
}

impl Words {
    pub(super) fn of(topic: &str, tags: &[String], content: &str) -> Self {
        let mut counted = Counted::default();
        for (field, text) in [topic, &tags.join("\n"), content].into_iter().enumerate() {
            for token in search::index_text(text).split(' ').filter(|token| !token.is_empty()) {
                counted.add(field, token);
            }
        }
        let Counted { words, length, .. } = counted;
        let vector = words.iter().map(|(word, counts)| lexeme(word, *counts)).collect::<Vec<_>>().join(" ");
        Self { vector, length }
    }
}

#[derive(Debug, Default)]
struct Counted {
    /// How often each word is in each field.
    words: BTreeMap<String, [u16; 3]>,
    length: i32,
    bytes: usize,
}

impl Counted {
    fn add(&mut self, field: usize, token: &str) {
        self.length += 1;
        for form in forms(token) {
            if !self.words.contains_key(&form) {
                self.bytes += form.len() + 2 * 3 * usize::from(REPETITIONS);
            }
            if self.bytes <= MOST_BYTES || self.words.contains_key(&form) {
                let count = &mut self.words.entry(form).or_default()[field];
                *count = (*count + 1).min(REPETITIONS);
            }
        }
    }
}

/// One thing that a document is ranked by: a word, or the beginning of one.
pub(super) type Part = String;

/// A question in the two forms in which it is asked.
#[derive(Debug)]
pub(super) struct Question {
    /// Matches documents with every term.
    pub(super) all: String,
    /// Matches documents with any part of any term.
    pub(super) any: String,
    /// What documents are ranked by, each a query of its own.
    pub(super) parts: Vec<Part>,
}

impl Question {
    pub(super) fn of(query: &Query) -> Self {
        let mut parts: Vec<Part> = Vec::new();
        for part in query.terms().iter().flat_map(parts_of) {
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        let all = query.terms().iter().map(all_of).collect::<Vec<_>>().join(" & ");
        Self { all, any: parts.join(" | "), parts }
    }
}

fn all_of(term: &Term) -> String {
    match term {
        Term::Word { word, incomplete } => any(&word_forms(word, *incomplete)),
        Term::Identifier { whole, parts, incomplete } => {
            let last = parts.len().saturating_sub(1);
            let parts = parts.iter().enumerate().map(|(at, part)| any(&word_forms(part, *incomplete && at == last)));
            let parts = format!("({})", parts.collect::<Vec<_>>().join(" & "));
            any(&word_forms(whole, *incomplete).into_iter().chain([parts]).collect::<Vec<_>>())
        }
        Term::Pair(pair) => quoted(&folded(pair)),
        Term::Character(character) => prefix(character),
    }
}

fn parts_of(term: &Term) -> Vec<Part> {
    match term {
        Term::Word { word, incomplete } => word_forms(word, *incomplete),
        Term::Identifier { whole, parts, incomplete } => {
            word_forms(whole, *incomplete).into_iter().chain(parts.iter().map(|part| quoted(&stemmed(part)))).collect()
        }
        Term::Pair(pair) => vec![quoted(&folded(pair))],
        Term::Character(character) => vec![prefix(character)],
    }
}

/// The complete word counts beside the prefix, so that it ranks above words that only begin with it.
fn word_forms(word: &str, incomplete: bool) -> Vec<String> {
    let complete = quoted(&stemmed(word));
    if incomplete { vec![complete, prefix(word)] } else { vec![complete] }
}

fn any(expressions: &[String]) -> String {
    match expressions {
        [single] => single.clone(),
        several => format!("({})", several.join(" | ")),
    }
}

fn prefix(word: &str) -> String {
    format!("{}:*", quoted(&folded(word)))
}

/// The forms under which a word is kept.
fn forms(token: &str) -> Vec<String> {
    let (whole, stem) = (folded(token), stemmed(token));
    if whole == stem { vec![whole] } else { vec![whole, stem] }
}

/// As experiences have it.
fn stemmed(word: &str) -> String {
    let word = folded(word);
    if !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word;
    }
    search::index_terms(&word).words.into_iter().next().unwrap_or(word)
}

/// Without accents, and no longer than the server takes.
fn folded(word: &str) -> String {
    let plain: String = if word.is_ascii() {
        word.to_owned()
    } else {
        word.nfd().filter(|character| !('\u{300}'..='\u{36F}').contains(character)).nfc().collect()
    };
    plain[..plain.floor_char_boundary(LONGEST_WORD)].to_owned()
}

/// A word with as many positions as it has repetitions, marked by field.
fn lexeme(word: &str, counts: [u16; 3]) -> String {
    let mut positions = Vec::new();
    for ((count, mark), first) in counts.into_iter().zip(['A', 'B', 'C']).zip((1..).step_by(usize::from(REPETITIONS))) {
        positions.extend((first..first + count).map(|position| format!("{position}{mark}")));
    }
    format!("{}:{}", quoted(word), positions.join(","))
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\\', "\\\\").replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kept_whole_and_without_ending_with_the_field_they_are_in() {
        let words = Words::of("Café notes", &["索引".to_owned()], "notes, notes");
        assert_eq!(words.vector, "'cafe':1A 'note':1A,17C,18C 'notes':1A,17C,18C '引':9B '索引':9B");
        assert_eq!(words.length, 6);
        let many = Words::of("", &[], &"a ".repeat(20));
        assert_eq!(many.vector, "'a':17C,18C,19C,20C,21C,22C,23C,24C");
    }

    #[test]
    fn questions_ask_for_words_as_they_are_kept() {
        let question = Question::of(&Query::parse("userName 索引 notes").unwrap());
        assert_eq!(question.all, "('usernam' | ('user' & 'name')) & '索引' & ('note' | 'notes':*)");
        assert_eq!(question.parts, ["'usernam'", "'user'", "'name'", "'索引'", "'note'", "'notes':*"]);
        assert!(question.any.contains(" | "));
    }

    #[test]
    fn a_very_long_text_stays_within_what_the_server_takes() {
        let text: String = (0..200_000).map(|number| format!("w{number} ")).collect();
        let words = Words::of("", &[], &text);
        assert!(words.vector.len() < 2 * MOST_BYTES, "{}", words.vector.len());
        assert_eq!(words.length, 600_000);
    }
}
