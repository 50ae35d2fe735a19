//! What is kept of the words of one file, so that it and its parts can be found by them?
//!
//! A part is a definition, or the file itself for what is in none. For each word there is a weight for the file as a whole, which
//! goes into an index of all files, and one for each part it is in, which stays with the file ([`FileWords::parts`]).

use rustc_hash::FxHashMap;

use crate::embed::Vector;
use crate::file_kind::FileKind;
use crate::stem::stem;
use crate::tokens::add_index_text;

/// Longer words are data.
const MAX_WORD_BYTES: usize = 64;

/// How often a word is there and whether it is in a name, in one byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Weight(pub u8);

impl Weight {
    const NAME: u8 = 0x80;
    const HEAD: u8 = 0x40;
    const COUNT: u8 = 0x3f;

    /// Whether it is in the name of a definition.
    pub fn is_in_name(self) -> bool {
        self.0 & Self::NAME != 0
    }

    /// Whether it is in a declaration or, of a file, in its path.
    pub fn is_in_head(self) -> bool {
        self.0 & Self::HEAD != 0
    }

    /// How often it is there at all; no more than 63.
    pub fn count(self) -> u8 {
        self.0 & Self::COUNT
    }

    fn add(&mut self, field: Field) {
        let flag = match field {
            Field::Name => Self::NAME,
            Field::Head => Self::HEAD,
            Field::Body => 0,
        };
        let count = (self.count() + u8::from(field == Field::Body)).min(Self::COUNT);
        self.0 = (self.0 & !Self::COUNT) | flag | count;
    }

    fn merge(&mut self, other: Self) {
        let count = (self.count() + other.count()).min(Self::COUNT);
        self.0 = ((self.0 | other.0) & !Self::COUNT) | count;
    }
}

/// Where in a part a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Name,
    Head,
    Body,
}

/// One stretch of a file. The first is the file itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Part {
    pub start_line: u32,
    pub end_line: u32,
    /// The place of the part it is in; 0 for those in none.
    pub parent: u32,
    /// How many words are in it and in no part of it.
    pub length: u32,
}

/// The words of one file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileWords {
    pub kind: FileKind,
    /// How many words there are, repeats counted.
    pub length: u32,
    /// Each word once, in order, with a blank between them: those of all files may be in memory at once.
    text: Box<str>,
    /// Of each word in the whole file.
    weights: Box<[u8]>,
    /// Parts and the words of each, as [`PartWords::read`] reads it.
    pub parts: Vec<u8>,
}

/// Where a part is, and where it points.
#[derive(Debug, Clone, PartialEq)]
pub struct PartVector {
    pub start_line: u32,
    pub end_line: u32,
    pub vector: Vector,
}

impl FileWords {
    /// Each word once, in order, with its weight in the whole file.
    pub fn words(&self) -> impl Iterator<Item = (&str, Weight)> {
        self.text.split(' ').zip(self.weights.iter().map(|weight| Weight(*weight)))
    }
}

/// Collects the words of one file. What a piece of text comes to is found out once for each file.
#[derive(Debug)]
pub struct Collector<'t> {
    kind: FileKind,
    parts: Vec<Part>,
    /// The number of each word.
    numbers: FxHashMap<Box<str>, u32>,
    /// Where each word is, by its number: a part more than once where others came between.
    places: Vec<Vec<(u32, Weight)>>,
    /// Where in `sequence` the words of a piece of text begin and end.
    pieces: FxHashMap<&'t str, (u32, u32)>,
    /// Numbers of words.
    sequence: Vec<u32>,
    length: u32,
    /// Room for the tokens of a piece.
    tokens: String,
}

impl<'t> Collector<'t> {
    /// `parts` are those in the file, in the order in which they start.
    pub fn new(kind: FileKind, parts: Vec<Part>) -> Self {
        Self {
            kind,
            parts,
            numbers: FxHashMap::default(),
            places: Vec::new(),
            pieces: FxHashMap::default(),
            sequence: Vec::new(),
            length: 0,
            tokens: String::new(),
        }
    }

    pub fn add(&mut self, part: u32, field: Field, text: &'t str) {
        for piece in pieces(text) {
            let (begin, end) = match self.pieces.get(piece) {
                Some(range) => *range,
                None => self.read(piece),
            };
            for position in begin..end {
                self.add_word(part, field, self.sequence[position as usize]);
            }
        }
    }

    /// Adds a name as a whole, to be found by those who know it.
    pub fn add_exact(&mut self, part: u32, field: Field, name: &str) {
        let word = exact(name);
        if is_kept(&word) {
            let number = self.number(&word);
            self.add_word(part, field, number);
        }
    }

    /// Notes the words that a piece of text comes to.
    fn read(&mut self, piece: &'t str) -> (u32, u32) {
        let mut tokens = std::mem::take(&mut self.tokens);
        tokens.clear();
        add_index_text(piece, &mut tokens);
        let begin = self.sequence.len() as u32;
        for token in tokens.split(' ').filter(|token| is_kept(token)) {
            let number = self.number(stem(token));
            self.sequence.push(number);
        }
        self.tokens = tokens;
        let range = (begin, self.sequence.len() as u32);
        self.pieces.insert(piece, range);
        range
    }

    fn number(&mut self, word: &str) -> u32 {
        if let Some(number) = self.numbers.get(word) {
            return *number;
        }
        let number = self.places.len() as u32;
        self.numbers.insert(word.into(), number);
        self.places.push(Vec::new());
        number
    }

    fn add_word(&mut self, part: u32, field: Field, word: u32) {
        if field == Field::Body {
            self.length += 1;
            if let Some(part) = self.parts.get_mut(part as usize) {
                part.length += 1;
            }
        }
        let places = &mut self.places[word as usize];
        match places.last_mut() {
            Some((place, weight)) if *place == part => weight.add(field),
            _ => {
                let mut weight = Weight::default();
                weight.add(field);
                places.push((part, weight));
            }
        }
    }

    pub fn finish(self) -> FileWords {
        let Self { kind, parts, numbers, places: mut all_places, length, .. } = self;
        let mut by_hash: Vec<(u32, Vec<(u32, Weight)>)> = Vec::with_capacity(numbers.len());
        let mut all = Vec::with_capacity(numbers.len());
        for (word, number) in numbers {
            let mut places = std::mem::take(&mut all_places[number as usize]);
            places.sort_unstable_by_key(|(part, _)| *part);
            places.dedup_by(|next, kept| {
                let is_same = next.0 == kept.0;
                if is_same {
                    kept.1.merge(next.1);
                }
                is_same
            });
            let mut weight = Weight::default();
            places.iter().for_each(|(_, in_part)| weight.merge(*in_part));
            by_hash.push((word_hash(&word), places));
            all.push((word, weight));
        }
        all.sort_unstable_by(|left, right| left.0.cmp(&right.0));
        by_hash.sort_unstable_by(|left, right| {
            (left.0, left.1.first().map(|place| place.0)).cmp(&(right.0, right.1.first().map(|place| place.0)))
        });
        let weights = all.iter().map(|(_, weight)| weight.0).collect();
        let text: Vec<&str> = all.iter().map(|(word, _)| &**word).collect();
        FileWords { kind, length, text: text.join(" ").into(), weights, parts: encode(&parts, &by_hash) }
    }
}

/// What stands between signs that are part of no word.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let is_between = |byte: &u8| byte.is_ascii() && !byte.is_ascii_alphanumeric() && *byte != b'_';
    let mut rest = text;
    std::iter::from_fn(move || {
        let begin = rest.bytes().position(|byte| !is_between(&byte))?;
        let length = rest.as_bytes()[begin..].iter().position(is_between).unwrap_or(rest.len() - begin);
        let piece = &rest[begin..begin + length];
        rest = &rest[begin + length..];
        Some(piece)
    })
}

/// The word for exactly this name, in any case.
pub fn exact(name: &str) -> String {
    format!("={}", name.to_lowercase())
}

/// One letter says nothing, and neither does a long number.
pub fn is_kept(token: &str) -> bool {
    let is_short = token.len() == 1 && token.is_ascii();
    let is_number = token.len() > 4 && token.bytes().all(|byte| byte.is_ascii_digit());
    !token.is_empty() && !is_short && !is_number && token.len() <= MAX_WORD_BYTES
}

/// The number under which a word is kept in the parts of a file (FNV-1a). Two words of one file rarely share one.
pub fn word_hash(word: &str) -> u32 {
    word.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The parts of a file and the words asked for.
#[derive(Debug, Default)]
pub struct PartWords {
    pub parts: Vec<Part>,
    /// The place of the word in the question, the part, and the weight there.
    pub found: Vec<(u32, u32, Weight)>,
}

impl PartWords {
    /// Reads what is kept, for these words: hashes in rising order, each with its place in the question. `None` where the bytes
    /// were not written by [`Collector::finish`].
    pub fn read(mut bytes: &[u8], wanted: &[(u32, u32)]) -> Option<Self> {
        let bytes = &mut bytes;
        let parts = parts(bytes)?;
        let mut found = Vec::new();
        let (mut hash, mut next) = (0_u32, 0);
        for _ in 0..number(bytes)? {
            hash = hash.checked_add(number(bytes)?)?;
            while wanted.get(next).is_some_and(|(wanted, _)| *wanted < hash) {
                next += 1;
            }
            let mut part = 0;
            for _ in 0..number(bytes)? {
                part += number(bytes)?;
                let weight = Weight(take(bytes)?);
                let same = wanted[next..].iter().take_while(|(wanted, _)| *wanted == hash);
                found.extend(same.map(|(_, place)| (*place, part, weight)));
            }
        }
        Some(Self { parts, found })
    }
}

/// All words of a file's parts.
#[derive(Debug, Default)]
pub struct AllWords {
    pub parts: Vec<Part>,
    /// Hash, part and weight.
    pub words: Vec<(u32, u32, Weight)>,
}

impl AllWords {
    /// Reads what is kept, like [`PartWords::read`].
    pub fn read(mut bytes: &[u8]) -> Option<Self> {
        let bytes = &mut bytes;
        let parts = parts(bytes)?;
        let mut words = Vec::new();
        let mut hash = 0_u32;
        for _ in 0..number(bytes)? {
            hash = hash.checked_add(number(bytes)?)?;
            let mut part = 0;
            for _ in 0..number(bytes)? {
                part += number(bytes)?;
                words.push((hash, part, Weight(take(bytes)?)));
            }
        }
        Some(Self { parts, words })
    }
}

fn parts(bytes: &mut &[u8]) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut start = 0;
    for _ in 0..number(bytes)? {
        start += number(bytes)?;
        let end_line = start + number(bytes)?;
        parts.push(Part { start_line: start, end_line, parent: number(bytes)?, length: number(bytes)? });
    }
    Some(parts)
}

fn encode(parts: &[Part], by_hash: &[(u32, Vec<(u32, Weight)>)]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(by_hash.len() * 8 + parts.len() * 6);
    put(&mut bytes, parts.len() as u32);
    let mut before = 0;
    for part in parts {
        put(&mut bytes, part.start_line - before);
        put(&mut bytes, part.end_line.saturating_sub(part.start_line));
        put(&mut bytes, part.parent);
        put(&mut bytes, part.length);
        before = part.start_line;
    }
    put(&mut bytes, by_hash.len() as u32);
    let mut before = 0;
    for (hash, places) in by_hash {
        put(&mut bytes, hash - before);
        before = *hash;
        put(&mut bytes, places.len() as u32);
        let mut last = 0;
        for (part, weight) in places {
            put(&mut bytes, part - last);
            last = *part;
            bytes.push(weight.0);
        }
    }
    bytes
}

/// Appends a number, small ones in few bytes.
pub fn put(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number off the front.
pub fn number(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0_u32;
    for shift in (0..35).step_by(7) {
        let byte = take(bytes)?;
        number |= u32::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// How many parts a file has whose words are kept so.
pub fn part_count(mut bytes: &[u8]) -> Option<u32> {
    number(&mut bytes)
}

/// Takes a byte off the front.
pub fn take(bytes: &mut &[u8]) -> Option<u8> {
    let (first, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(*first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(start_line: u32, end_line: u32, parent: u32) -> Part {
        Part { start_line, end_line, parent, length: 0 }
    }

    #[test]
    fn what_was_collected_is_read_back() {
        let mut collector = Collector::new(FileKind::Source, vec![part(0, 30, 0), part(3, 20, 0), part(5, 9, 1)]);
        collector.add(0, Field::Head, "shop/cart.py");
        collector.add(2, Field::Name, "addItems");
        collector.add_exact(2, Field::Name, "addItems");
        collector.add(2, Field::Body, "items items validated");
        collector.add(1, Field::Body, "item");
        let words = collector.finish();
        let listed: Vec<_> = words.words().map(|(word, _)| word).collect();
        assert_eq!(listed, ["=additems", "add", "additem", "cart", "item", "py", "shop", "validat"]);
        assert_eq!(words.length, 4);
        let item = words.words().nth(4).map(|(_, weight)| weight).expect("there are eight");
        assert!(item.is_in_name() && item.count() == 3 && !item.is_in_head());

        let mut wanted = [(word_hash("item"), 0), (word_hash("cart"), 1), (word_hash("absent"), 2)];
        wanted.sort_unstable();
        let read = PartWords::read(&words.parts, &wanted).expect("it was just written");
        assert_eq!(read.parts.len(), 3);
        assert_eq!((read.parts[2].start_line, read.parts[2].end_line, read.parts[2].length), (5, 9, 3));
        let mut found: Vec<_> =
            read.found.iter().map(|(place, part, weight)| (*place, *part, weight.count())).collect();
        found.sort_unstable();
        assert_eq!(found, [(0, 1, 1), (0, 2, 2), (1, 0, 0)]);
        let all = AllWords::read(&words.parts).expect("it was just written");
        assert_eq!((all.parts, all.words.len()), (read.parts, 9));
    }

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
    fn bytes_that_are_something_else_are_refused() {
        assert!(PartWords::read(&[0xff; 40], &[]).is_none());
        assert!(PartWords::read(&[], &[]).is_none());
    }

    #[test]
    fn numbers_come_back_as_they_were() {
        for number_in in [0, 1, 127, 128, 300, u32::MAX] {
            let mut bytes = Vec::new();
            put(&mut bytes, number_in);
            assert_eq!(number(&mut &bytes[..]), Some(number_in));
        }
    }
}
