//! What does a user's text ask for?

use std::collections::HashSet;

use crate::segment::{Segment, segments};
use crate::tokens::pair;

/// More words than this make a query slower but not better; the rest is ignored.
const MAX_TERMS: usize = 64;

/// The same for the parts of one identifier.
const MAX_PARTS: usize = 16;

/// A shorter last word is taken to be complete.
const MIN_PREFIX_CHARACTERS: usize = 2;

/// A search for words: at least one term, none of them twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    terms: Vec<Term>,
}

/// One thing a text must contain to match.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Term {
    /// A word, or a word that may still be incomplete.
    Word { word: String, incomplete: bool },
    /// An identifier: the whole of it, or all of its parts.
    Identifier { whole: String, parts: Vec<String>, incomplete: bool },
    /// Two neighbouring CJK characters.
    Pair(String),
    /// One CJK character.
    Character(String),
}

impl Query {
    /// What this text asks for; `None` when it holds no word.
    pub fn parse(text: &str) -> Option<Self> {
        let segments = segments(text);
        let last_word = segments.iter().rposition(|segment| matches!(segment, Segment::Word { .. }));
        let mut seen = HashSet::new();
        let terms: Vec<Term> = segments
            .into_iter()
            .enumerate()
            .flat_map(|(position, segment)| terms(segment, Some(position) == last_word))
            .filter(|term| seen.insert(term.clone()))
            .take(MAX_TERMS)
            .collect();
        (!terms.is_empty()).then_some(Self { terms })
    }

    /// The terms in the order of the text.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }
}

fn terms(segment: Segment, is_last_word: bool) -> Vec<Term> {
    match segment {
        Segment::Word { whole, parts } => {
            let incomplete = is_last_word && whole.chars().nth(MIN_PREFIX_CHARACTERS - 1).is_some();
            vec![word(whole, parts, incomplete)]
        }
        Segment::Cjk(run) if run.len() == 1 => vec![Term::Character(run.concat())],
        Segment::Cjk(run) => (0..run.len() - 1).map(|start| Term::Pair(pair(&run, start))).collect(),
    }
}

fn word(whole: String, mut parts: Vec<String>, incomplete: bool) -> Term {
    parts.truncate(MAX_PARTS);
    if parts.is_empty() {
        Term::Word { word: whole, incomplete }
    } else {
        Term::Identifier { whole, parts, incomplete }
    }
}
