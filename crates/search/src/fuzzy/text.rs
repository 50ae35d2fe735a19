//! A name or a query, cut into what can be compared.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::decompose_canonical;

use crate::fold::fold;
use crate::script::{Class, class};
use crate::segment::{Segment, segments};
use crate::tokens::pair;

/// What stands behind this many characters of a name is not looked at.
pub(super) const LONGEST_NAME: usize = 200;

/// Further names of one thing are not looked at.
const MOST_NAMES: usize = 100;

/// More characters than this are not compared as one word.
const LONGEST_JOINED: usize = 64;

/// A text as the comparison wants it.
#[derive(Debug, Clone)]
pub(super) struct Text {
    /// The whole of it, for equality.
    pub(super) folded: String,
    pub(super) units: Vec<Unit>,
    /// All its words as one, if there are several and none is CJK.
    pub(super) joined: Option<Word>,
}

/// A stretch of text that is compared as one.
#[derive(Debug, Clone)]
pub(super) enum Unit {
    /// A word or identifier, with its parts when it has more than one.
    Word { whole: Word, parts: Vec<Word> },
    /// A run of Chinese, Japanese or Korean characters: its pairs of neighbours, and how many characters it has. The last
    /// character stands alone.
    Cjk { pairs: Vec<String>, characters: usize },
}

/// The characters of a word.
pub(super) type Word = Vec<char>;

impl Text {
    pub(super) fn read(text: &str) -> Self {
        let head: String = text.chars().take(LONGEST_NAME).collect();
        let plain = without_accents(&head);
        let units: Vec<Unit> = segments(&plain).into_iter().map(Unit::from).collect();
        Self { folded: fold(&plain), joined: joined(&units), units }
    }
}

impl From<Segment> for Unit {
    fn from(segment: Segment) -> Self {
        match segment {
            Segment::Word { whole, parts } => Self::Word {
                whole: whole.chars().filter(|character| *character != '_').collect(),
                parts: parts.into_iter().map(|part| part.chars().collect()).collect(),
            },
            Segment::Cjk(run) => {
                Self::Cjk { pairs: (0..run.len()).map(|start| pair(&run, start)).collect(), characters: run.len() }
            }
        }
    }
}

/// The names of one thing.
pub(super) fn read_names<'a>(names: impl IntoIterator<Item = &'a str>) -> impl Iterator<Item = Text> {
    names.into_iter().take(MOST_NAMES).map(Text::read)
}

fn joined(units: &[Unit]) -> Option<Word> {
    if units.len() < 2 {
        return None;
    }
    let mut joined = Word::new();
    for unit in units {
        match unit {
            Unit::Word { whole, .. } => joined.extend(whole),
            Unit::Cjk { .. } => return None,
        }
    }
    (joined.len() <= LONGEST_JOINED).then_some(joined)
}

/// Letters without the accents of Latin, Greek and Cyrillic; other scripts as they are.
fn without_accents(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let mut plain = String::with_capacity(text.len());
    for character in text.nfkc() {
        if character.is_ascii() || class(character) != Class::Word {
            if !is_accent(character) {
                plain.push(character);
            }
        } else {
            decompose_canonical(character, |piece| {
                if !is_accent(piece) {
                    plain.push(piece);
                }
            });
        }
    }
    plain
}

fn is_accent(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36F}')
}
