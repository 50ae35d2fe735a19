//! Collects the words of one file.

use std::cell::Cell;

use super::{Field, FileWords, Part, Weight, exact, is_kept, put, put_parts, word_hash};
use crate::file_kind::FileKind;
use crate::interner::Interner;
use crate::stem::stem;
use crate::tokens::add_index_text;

/// Collects the words of one file. What a piece of text comes to is found out once for each file.
#[derive(Debug)]
pub struct Collector {
    kind: FileKind,
    parts: Vec<Part>,
    length: u32,
    notes: Notes,
}

thread_local! {
    /// Memory for the next file.
    static NOTES: Cell<Notes> = Cell::default();
}

/// More than this is not kept for the next file.
const MOST_BYTES_KEPT: usize = 256 * 1024;

/// What was found so far.
#[derive(Debug, Default)]
struct Notes {
    pieces: Interner,
    /// Where in `sequence` the words of each piece begin.
    begins: Vec<u32>,
    /// Numbers of words.
    sequence: Vec<u32>,
    words: Interner,
    /// The first and the last place of each word.
    ends: Vec<(u32, u32)>,
    places: Vec<Place>,
    /// Room for the tokens of a piece.
    tokens: String,
}

/// A part that a word is in. A word may come to a part more than once, where others came between.
#[derive(Debug)]
struct Place {
    part: u32,
    /// The next place of the same word; its own number for the last.
    next: u32,
    weight: Weight,
}

impl Collector {
    /// `parts` are those in the file, in the order in which they start.
    pub fn new(kind: FileKind, parts: Vec<Part>) -> Self {
        Self { kind, parts, length: 0, notes: NOTES.take() }
    }

    pub fn add(&mut self, part: u32, field: Field, text: &str) {
        for piece in pieces(text) {
            let number = self.notes.pieces.number(piece) as usize;
            if number == self.notes.begins.len() {
                self.notes.read(piece);
            }
            let begin = self.notes.begins[number] as usize;
            let end = self.notes.begins.get(number + 1).map_or(self.notes.sequence.len(), |end| *end as usize);
            for position in begin..end {
                self.add_word(part, field, self.notes.sequence[position]);
            }
        }
    }

    /// Adds a name as a whole, to be found by those who know it.
    pub fn add_exact(&mut self, part: u32, field: Field, name: &str) {
        let word = exact(name);
        if is_kept(&word) {
            let number = self.notes.words.number(&word);
            self.add_word(part, field, number);
        }
    }

    fn add_word(&mut self, part: u32, field: Field, word: u32) {
        if field == Field::Body {
            self.length += 1;
            if let Some(part) = self.parts.get_mut(part as usize) {
                part.length += 1;
            }
        }
        self.notes.add(part, field, word);
    }

    pub fn finish(mut self) -> FileWords {
        let notes = &self.notes;
        let mut words: Vec<(u32, u32)> =
            (0..notes.words.len() as u32).map(|word| (word_hash(notes.words.get(word)), word)).collect();
        words.sort_unstable_by(|left, right| {
            left.0.cmp(&right.0).then_with(|| notes.words.get(left.1).cmp(notes.words.get(right.1)))
        });
        let mut text = String::with_capacity(notes.words.bytes() + words.len());
        let mut weights = Vec::with_capacity(words.len());
        let mut parts = Vec::with_capacity(words.len() * 8 + self.parts.len() * 6);
        put_parts(&mut parts, &self.parts);
        put(&mut parts, words.len() as u32);
        let (mut before, mut places) = (0, Vec::new());
        for (hash, word) in words {
            if !weights.is_empty() {
                text.push(' ');
            }
            text.push_str(notes.words.get(word));
            notes.collect_places(word, &mut places);
            weights.push(put_word(&mut parts, hash - before, &places).0);
            before = hash;
        }
        let finished =
            FileWords { kind: self.kind, length: self.length, text: text.into(), weights: weights.into(), parts };
        self.notes.clear();
        if self.notes.bytes() <= MOST_BYTES_KEPT {
            NOTES.set(self.notes);
        }
        finished
    }
}

impl Notes {
    /// Notes the words that a piece of text comes to.
    fn read(&mut self, piece: &str) {
        self.begins.push(self.sequence.len() as u32);
        self.tokens.clear();
        add_index_text(piece, &mut self.tokens);
        for token in self.tokens.split(' ').filter(|token| is_kept(token)) {
            self.sequence.push(self.words.number(stem(token)));
        }
    }

    fn add(&mut self, part: u32, field: Field, word: u32) {
        let new = self.places.len() as u32;
        match self.ends.get_mut(word as usize) {
            Some((_, last)) => {
                let place = &mut self.places[*last as usize];
                if place.part == part {
                    place.weight.add(field);
                    return;
                }
                place.next = new;
                *last = new;
            }
            None => self.ends.push((new, new)),
        }
        let mut weight = Weight::default();
        weight.add(field);
        self.places.push(Place { part, next: new, weight });
    }

    /// The parts that a word is in, rising, each once.
    fn collect_places(&self, word: u32, places: &mut Vec<(u32, Weight)>) {
        places.clear();
        let (mut at, last) = self.ends[word as usize];
        loop {
            let place = &self.places[at as usize];
            places.push((place.part, place.weight));
            if at == last {
                break;
            }
            at = place.next;
        }
        places.sort_unstable_by_key(|(part, _)| *part);
        places.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1.merge(next.1);
            }
            is_same
        });
    }

    /// What is kept of its memory, about.
    fn bytes(&self) -> usize {
        self.places.capacity() * size_of::<Place>() + self.sequence.capacity() * size_of::<u32>()
    }

    fn clear(&mut self) {
        let Self { pieces, begins, sequence, words, ends, places, tokens } = self;
        pieces.clear();
        begins.clear();
        sequence.clear();
        words.clear();
        ends.clear();
        places.clear();
        tokens.clear();
    }
}

/// The weight of the word in the whole file.
fn put_word(bytes: &mut Vec<u8>, step: u32, places: &[(u32, Weight)]) -> Weight {
    put(bytes, step);
    put(bytes, places.len() as u32);
    let (mut last, mut whole) = (0, Weight::default());
    for (part, weight) in places {
        put(bytes, part - last);
        bytes.push(weight.0);
        last = *part;
        whole.merge(*weight);
    }
    whole
}

/// For each byte, whether it is a sign that is part of no word.
const BETWEEN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte: u8 = 0;
    while byte < 128 {
        table[byte as usize] = !byte.is_ascii_alphanumeric() && byte != b'_';
        byte += 1;
    }
    table
};

/// What stands between signs that are part of no word.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let begin = rest.bytes().position(|byte| !BETWEEN[usize::from(byte)])?;
        let length = rest.as_bytes()[begin..].iter().position(|byte| BETWEEN[usize::from(*byte)]);
        let (piece, after) = rest[begin..].split_at(length.unwrap_or(rest.len() - begin));
        rest = after;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_the_words_of_the_whole_text() {
        let signs = [
            "_",
            "a",
            "B",
            "7",
            "HTTPServer2",
            " ",
            ".",
            "=",
            "<",
            "é",
            "索",
            "引",
            "e\u{301}",
            "\u{338}",
            "ﬁ",
            "\u{a8}",
        ];
        let mut state: u32 = 11;
        for _ in 0..5_000 {
            let mut text = String::new();
            for _ in 0..8 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                text.push_str(signs[(state >> 16) as usize % signs.len()]);
            }
            let of_pieces: Vec<String> = pieces(&text).flat_map(crate::tokens::tokens).collect();
            assert_eq!(of_pieces, crate::tokens::tokens(&text), "{text:?}");
        }
    }

    #[test]
    fn a_file_leaves_nothing_to_the_next() {
        let words_of = |text: &str| {
            let mut collector = Collector::new(FileKind::Source, vec![Part::default(), Part::default()]);
            [0, 1, 0].into_iter().for_each(|part| collector.add(part, Field::Body, text));
            collector.finish()
        };
        let first = words_of("total price of the cart");
        words_of("socket packet total");
        assert_eq!(words_of("total price of the cart"), first);
        assert_eq!((first.length, first.words().count()), (15, 5));
        assert!(first.words().all(|(_, weight)| weight.count() == 3));
    }
}
