//! Which numbers are kept beside a name, so that it is found without being looked at?
//!
//! A whole name has a key that only equal names share. Every word of it has two kinds of keys. Its beginnings find it when it was written whole or in part. Its rests, which
//! are its beginning with as many letters left out as it may have slips, find it when it was misspelt: two words that are so
//! many slips apart become equal when as many letters are left out of both.

use std::collections::BTreeSet;

use super::distance::allowed;
use super::text::{Text, Unit, Word, read_names};

/// The longest beginning that is a key. A longer word is found by it and looked at.
const LONGEST_BEGINNING: usize = 6;

/// A shorter beginning of a word is no key, unless it is the whole word.
const SHORTEST_BEGINNING: usize = 2;

/// Letters are left out of this many at the beginning of a word.
const SPAN: usize = 8;

/// Stands before a name that is a word of its own; no word of a text holds it.
const WHOLE: char = '=';

/// The keys of a thing with these names, in order and none of them twice: the [`word_keys`] of its [`words`].
pub fn keys<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<u64> {
    let all: BTreeSet<u64> = words(names).iter().flat_map(|word| word_keys(word)).collect();
    all.into_iter().collect()
}

/// The words of a thing with these names, in order and none of them twice: identifiers whole and in parts, all words of a name
/// as one, pairs of CJK characters, and each name whole behind a `=`.
pub fn words<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let all: BTreeSet<String> = read_names(names).flat_map(|name| name_words(&name)).collect();
    all.into_iter().collect()
}

/// The keys by which one word is found.
pub fn word_keys(word: &str) -> Vec<u64> {
    if let Some(name) = word.strip_prefix(WHOLE) {
        return vec![whole(name)];
    }
    let characters: Word = word.chars().collect();
    let shortest = if is_cjk(word) { 1 } else { SHORTEST_BEGINNING.min(characters.len()) };
    let longest = LONGEST_BEGINNING.min(characters.len());
    let mut keys = BTreeSet::new();
    keys.extend((shortest..=longest).map(|length| beginning(&characters[..length])));
    if !is_cjk(word) {
        keys.extend(rests(&characters));
    }
    keys.into_iter().collect()
}

/// What of a word decides its [`word_keys`], so that words which have it in common need them only once; `None` for a whole name,
/// which has a key of its own.
pub fn family(word: &str) -> Option<String> {
    if word.starts_with(WHOLE) {
        return None;
    }
    let characters: Word = word.chars().collect();
    if characters.len() <= SHORTEST_BEGINNING {
        return Some(word.to_owned());
    }
    let span: String = characters.iter().take(SPAN).collect();
    Some(format!("{}{span}", allowed(&characters)))
}

/// The word of [`words`] that only names equal to the query have.
pub(super) fn whole_word(query: &Text) -> String {
    format!("{WHOLE}{}", query.folded)
}

pub(super) fn query_keys(query: &Text) -> Vec<u64> {
    let mut keys = BTreeSet::new();
    for word in name_words(query) {
        if let Some(name) = word.strip_prefix(WHOLE) {
            keys.insert(whole(name));
            continue;
        }
        let characters: Word = word.chars().collect();
        keys.insert(beginning(&characters[..LONGEST_BEGINNING.min(characters.len())]));
        if !is_cjk(&word) {
            keys.extend(rests(&characters));
        }
    }
    keys.into_iter().collect()
}

fn name_words(name: &Text) -> Vec<String> {
    if name.folded.is_empty() {
        return Vec::new();
    }
    let mut words = vec![whole_word(name)];
    words.extend(name.joined.iter().map(|joined| joined.iter().collect::<String>()));
    for unit in &name.units {
        match unit {
            Unit::Word { whole, parts } => {
                words.extend([whole].into_iter().chain(parts).map(|word| word.iter().collect::<String>()));
            }
            Unit::Cjk { pairs, .. } => words.extend(pairs.iter().cloned()),
        }
    }
    words
}

fn is_cjk(word: &str) -> bool {
    word.chars().next().is_some_and(|first| crate::script::class(first) == crate::script::Class::Cjk)
}

/// What is left of the beginning of a word without as many letters as it may have slips, or fewer.
fn rests(word: &[char]) -> Vec<u64> {
    let slips = allowed(word);
    if slips == 0 {
        return Vec::new();
    }
    let span = &word[..SPAN.min(word.len())];
    let mut rests = vec![hash(b'r', span)];
    let without = |span: &[char], at: usize| [&span[..at], &span[at + 1..]].concat();
    for first in 0..span.len() {
        let rest = without(span, first);
        rests.push(hash(b'r', &rest));
        if slips > 1 {
            rests.extend((first..rest.len()).map(|second| hash(b'r', &without(&rest, second))));
        }
    }
    rests
}

fn beginning(word: &[char]) -> u64 {
    hash(b'b', word)
}

fn whole(name: &str) -> u64 {
    hash(b'w', &name.chars().collect::<Word>())
}

/// FNV-1a: kept on disk, so it may never change.
fn hash(kind: u8, characters: &[char]) -> u64 {
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let text: String = characters.iter().collect();
    let bytes = std::iter::once(kind).chain(text.bytes());
    bytes.fold(START, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}
