//! Terms for an index that ranks by itself: words without their endings, and single characters beside pairs.
//!
//! An index that cannot look for the beginnings of words needs a term of its own for every way in which a text is asked for.

use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::FxHashSet;

use crate::query::{Query, Term};
use crate::segment::{Segment, segments};
use crate::tokens::pair;

/// The terms of a text, in order and as often as they come.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Terms {
    /// Words and identifiers, whole and in parts, and pairs of CJK characters: what makes a text long.
    pub words: Vec<String>,
    /// Every CJK character once more, by itself.
    pub characters: Vec<String>,
}

/// The terms under which a text is kept.
pub fn index_terms(text: &str) -> Terms {
    let stemmer = stemmer();
    let mut terms = Terms::default();
    for segment in segments(text) {
        match segment {
            Segment::Word { whole, parts } => {
                terms.words.push(stem(&stemmer, whole));
                terms.words.extend(parts.into_iter().map(|part| stem(&stemmer, part)));
            }
            Segment::Cjk(run) => {
                terms.words.extend((1..run.len()).map(|end| pair(&run, end - 1)));
                terms.characters.extend(run);
            }
        }
    }
    terms
}

/// The terms that a text asks for, none of them twice. Words that say nothing count only where there are no others.
pub fn query_terms(text: &str) -> Vec<String> {
    let stemmer = stemmer();
    let asked: Vec<String> = Query::parse(text).iter().flat_map(|query| query.terms()).flat_map(spelled).collect();
    let telling = asked.iter().any(|word| !is_filler(word));
    let mut seen = FxHashSet::default();
    asked
        .into_iter()
        .filter(|word| !telling || !is_filler(word))
        .map(|word| stem(&stemmer, word))
        .filter(|term| seen.insert(term.clone()))
        .collect()
}

/// The single CJK characters that a text asks for in pairs, for when no pair is found.
pub fn character_terms(text: &str) -> Vec<String> {
    let mut seen = FxHashSet::default();
    let pairs = Query::parse(text).into_iter().flat_map(|query| query.terms().to_vec());
    let characters = pairs.flat_map(|term| match term {
        Term::Pair(pair) => index_terms(&pair).characters,
        Term::Word { .. } | Term::Identifier { .. } | Term::Character(_) => Vec::new(),
    });
    characters.filter(|character| seen.insert(character.clone())).collect()
}

/// The terms of one word by which it is found: itself, or the pairs of its characters.
pub(crate) fn whole_terms(word: &str) -> Vec<String> {
    let stemmer = stemmer();
    let terms = Query::parse(word).into_iter().flat_map(|query| query.terms().to_vec());
    terms.flat_map(|term| spelled(&term)).map(|term| stem(&stemmer, term)).collect()
}

fn spelled(term: &Term) -> Vec<String> {
    match term {
        Term::Word { word, .. } => vec![word.clone()],
        Term::Identifier { whole, parts, .. } => std::iter::once(whole).chain(parts).cloned().collect(),
        Term::Pair(text) | Term::Character(text) => vec![text.clone()],
    }
}

fn stemmer() -> Stemmer {
    Stemmer::create(Algorithm::English)
}

/// The word without its ending, where it can have one.
fn stem(stemmer: &Stemmer, word: String) -> String {
    if word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        stemmer.stem(&word).into_owned()
    } else {
        word
    }
}

/// Whether nearly every English text holds this word.
pub(crate) fn is_filler(word: &str) -> bool {
    FILLERS.binary_search(&word).is_ok()
}

const FILLERS: &[&str] = &[
    "a", "about", "after", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could", "d",
    "did", "do", "does", "for", "from", "had", "has", "have", "he", "her", "his", "how", "i", "if", "in", "into", "is",
    "it", "its", "ll", "m", "me", "my", "no", "not", "of", "on", "or", "our", "re", "s", "she", "should", "so", "some",
    "t", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "ve", "was",
    "we", "were", "what", "when", "where", "which", "who", "why", "will", "with", "would", "you", "your",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, words: &str, characters: &str) {
        let terms = index_terms(text);
        assert_eq!(
            (terms.words.join(" "), terms.characters.concat()),
            (words.to_owned(), characters.to_owned()),
            "{text}"
        );
    }

    #[test]
    fn words_lose_their_endings_and_characters_stand_alone_too() {
        check("Updating hooks", "updat hook", "");
        check("useState", "usest use state", "");
        check("索引优化", "索引 引优 优化", "索引优化");
        check("用Rust写", "rust", "用写");
        check("x² Straße v2", "x2 x 2 straße v2 v 2", "");
    }

    #[test]
    fn a_text_is_asked_for_as_it_is_kept() {
        for text in
            ["Updating hooks", "snake_case camelCase", "索引优化", "索", "MongoDB索引 ２０２４", "ΟΔΟΣ", "don't panic"]
        {
            let Terms { words, characters } = index_terms(text);
            for term in query_terms(text) {
                assert!(words.contains(&term) || characters.contains(&term), "{term} of {text}");
            }
        }
    }

    #[test]
    fn words_that_say_nothing_count_only_alone() {
        assert_eq!(query_terms("why is the index not used"), ["index", "use"]);
        assert_eq!(query_terms("to be or not to be"), ["to", "be", "or", "not"]);
        assert!(query_terms("\"*()").is_empty());
        assert_eq!(character_terms("索引的索引 x 库"), ["索", "引", "的"]);
        assert!(FILLERS.is_sorted());
    }
}
