//! What is kept of the words of one file, so that it and its parts can be found by them?
//!
//! A part is a definition, or the file itself for what is in none. For each word there is a weight for the file as a whole, which
//! goes into an index of all files, and one for each part it is in, which stays with the file ([`FileWords::parts`]).

mod collector;

pub use collector::Collector;

use crate::embed::Vector;
use crate::file_kind::FileKind;

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
    /// Each word once, in the order of [`word_hash`], with a blank between them: those of all files may be in memory at once.
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
    /// Each word once, in the order of [`word_hash`], with its weight in the whole file.
    pub fn words(&self) -> impl Iterator<Item = (&str, Weight)> {
        self.text.split(' ').zip(self.weights.iter().map(|weight| Weight(*weight)))
    }
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

fn put_parts(bytes: &mut Vec<u8>, parts: &[Part]) {
    put(bytes, parts.len() as u32);
    let mut before = 0;
    for part in parts {
        put(bytes, part.start_line - before);
        put(bytes, part.end_line.saturating_sub(part.start_line));
        put(bytes, part.parent);
        put(bytes, part.length);
        before = part.start_line;
    }
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
        let mut listed: Vec<_> = words.words().map(|(word, _)| word).collect();
        listed.sort_unstable();
        assert_eq!(listed, ["=additems", "add", "additem", "cart", "item", "py", "shop", "validat"]);
        assert_eq!(words.length, 4);
        let item = words.words().find(|(word, _)| *word == "item").map(|(_, weight)| weight).expect("it is listed");
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
