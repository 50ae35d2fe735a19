//! Where does one word end and the next begin?

use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfkc_quick};

use crate::script::{Class, class};

/// A stretch of text that the tokeniser treats as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Segment {
    /// A word or identifier, lower-cased, with its parts when it has more than one.
    Word { whole: String, parts: Vec<String> },
    /// A run of Chinese, Japanese or Korean characters.
    Cjk(Vec<String>),
}

/// The words and runs of a text, in order.
pub(crate) fn segments(text: &str) -> Vec<Segment> {
    let mut scanner = Scanner::default();
    // Nearly all text is in this form already, and finding that out costs less than making it.
    match is_nfkc_quick(text.chars()) {
        IsNormalized::Yes => text.chars().for_each(|character| scanner.take(character)),
        IsNormalized::No | IsNormalized::Maybe => text.nfkc().for_each(|character| scanner.take(character)),
    }
    scanner.finish()
}

/// Collects characters into the segment being read. A character here includes the marks that follow it.
#[derive(Debug, Default)]
struct Scanner {
    done: Vec<Segment>,
    word: String,
    run: Vec<String>,
}

impl Scanner {
    fn take(&mut self, character: char) {
        match class(character) {
            Class::Cjk => {
                self.end_word();
                self.run.push(character.to_string());
            }
            Class::Mark => self.extend(character),
            Class::Word | Class::Underscore => {
                self.end_run();
                self.word.push(character);
            }
            Class::Separator => self.end_both(),
        }
    }

    /// A mark with nothing before it says nothing that can be searched.
    fn extend(&mut self, mark: char) {
        if let Some(last) = self.run.last_mut() {
            last.push(mark);
        } else if !self.word.is_empty() {
            self.word.push(mark);
        }
    }

    fn end_both(&mut self) {
        self.end_word();
        self.end_run();
    }

    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.word);
        let identifier = word.trim_matches('_');
        if identifier.is_empty() {
            return;
        }
        let parts = parts(identifier);
        let parts = if parts.len() > 1 { parts } else { Vec::new() };
        self.done.push(Segment::Word { whole: identifier.to_lowercase(), parts });
    }

    fn end_run(&mut self) {
        if !self.run.is_empty() {
            self.done.push(Segment::Cjk(std::mem::take(&mut self.run)));
        }
    }

    fn finish(mut self) -> Vec<Segment> {
        self.end_both();
        self.done
    }
}

/// The lower-cased parts of an identifier: cut at underscores, at changes of case and around digits.
fn parts(identifier: &str) -> Vec<String> {
    identifier.split('_').filter(|piece| !piece.is_empty()).flat_map(camel_parts).collect()
}

fn camel_parts(piece: &str) -> Vec<String> {
    let characters: Vec<char> = piece.chars().collect();
    let mut parts = vec![String::new()];
    for (position, &character) in characters.iter().enumerate() {
        if position > 0 && is_boundary(&characters, position) {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut() {
            part.push(character);
        }
    }
    parts.into_iter().map(|part| part.to_lowercase()).collect()
}

/// Whether a part starts here: `user|Name`, `HTTP|Server`, `utf|8`, `8|bit`.
fn is_boundary(characters: &[char], position: usize) -> bool {
    let (before, here) = (characters[position - 1], characters[position]);
    let next_is_lower = characters.get(position + 1).is_some_and(|next| next.is_lowercase());
    let case_rises = before.is_lowercase() && here.is_uppercase();
    let acronym_ends = before.is_uppercase() && here.is_uppercase() && next_is_lower;
    case_rises || acronym_ends || before.is_numeric() != here.is_numeric() && !is_mark(here) && !is_mark(before)
}

fn is_mark(character: char) -> bool {
    class(character) == Class::Mark
}
