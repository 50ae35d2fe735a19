//! A model that is learned from the very texts it is for: words that stand beside the same words are near.
//!
//! Every part of a text is a row with a weight for each of its words. The few directions in which those rows differ most
//! (a truncated singular value decomposition, found by iteration from a fixed start) are what is learned; a text is the sum of
//! its words in these directions. Nothing is downloaded and nothing is random: the same rows give the same model.

use super::vector::Vector;
use crate::file_words::{number, put, take};

/// How many parts it takes to learn from: more make it slower, but not better.
pub const ENOUGH_PARTS: usize = 4_096;

/// How many directions are learned, at most. With fewer of them for fewer parts, less was found.
const DIMENSIONS: usize = 96;

/// Fewer parts than this say nothing about each other.
const FEWEST_PARTS: usize = 8;

/// Words of which there are more than this in a project are left out, the rarest first: who asks for one finds it by itself.
const MOST_WORDS: usize = 24_576;

/// A word in fewer parts than this stands beside nothing often enough.
const IN_PARTS: u32 = 2;

/// How often rows and words are gone through. More changes little, once finds less.
const ROUNDS: usize = 2;

/// The parts to learn from, each a list of words (by [`crate::file_words::word_hash`]) with how often it is there.
#[derive(Debug, Default)]
pub struct Lesson {
    words: Vec<(u32, f32)>,
    /// Where each part ends.
    ends: Vec<usize>,
}

impl Lesson {
    /// Adds one part, with each of its words once.
    pub fn add(&mut self, words: &[(u32, f32)]) {
        self.words.extend_from_slice(words);
        self.ends.push(self.words.len());
    }

    /// What there is to learn, unless it is too little.
    pub fn learn(self) -> Option<Learned> {
        if self.ends.len() < FEWEST_PARTS {
            return None;
        }
        let mut words = self.common_words();
        words.truncate(MOST_WORDS);
        words.sort_unstable();
        let rarities: Vec<f32> = words.iter().map(|(_, parts)| rarity(self.ends.len(), *parts)).collect();
        let words = SortedWords::new(words.into_iter().map(|(word, _)| word).collect());
        let rows = self.rows(&words, &rarities);
        let dimensions = DIMENSIONS.min(rows.ends.len() / 2).min(words.len() / 2) / 4 * 4;
        (dimensions > 0).then(|| {
            let directions = directions(&rows, &words, dimensions);
            Learned::of(words, rarities, &directions, dimensions)
        })
    }

    /// Those that are in enough parts, and in how many: the most common first.
    fn common_words(&self) -> Vec<(u32, u32)> {
        let mut all: Vec<u32> = self.words.iter().map(|(word, _)| *word).collect();
        all.sort_unstable();
        let counted = all.chunk_by(|one, other| one == other).map(|same| (same[0], same.len() as u32));
        let mut words: Vec<(u32, u32)> = counted.filter(|(_, parts)| *parts >= IN_PARTS).collect();
        words.sort_unstable_by_key(|(word, parts)| (std::cmp::Reverse(*parts), *word));
        words
    }

    /// A row of length 1 for each part that has any of the words.
    fn rows(&self, words: &SortedWords, rarities: &[f32]) -> Rows {
        let mut rows =
            Rows { entries: Vec::with_capacity(self.words.len()), ends: Vec::with_capacity(self.ends.len()) };
        let mut start = 0;
        for end in &self.ends {
            let from = rows.entries.len();
            for (word, times) in &self.words[start..*end] {
                if let Some(place) = words.place(*word) {
                    rows.entries.push((place as u32, weight(*times) * rarities[place]));
                }
            }
            let row = &mut rows.entries[from..];
            let length = row.iter().map(|(_, weight)| weight * weight).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
            row.iter_mut().for_each(|(_, weight)| *weight /= length);
            if !row.is_empty() {
                rows.ends.push(rows.entries.len());
            }
            start = *end;
        }
        rows
    }
}

/// The places of words and their weights, and where each row ends.
struct Rows {
    entries: Vec<(u32, f32)>,
    ends: Vec<usize>,
}

impl Rows {
    fn iter(&self) -> impl Iterator<Item = &[(u32, f32)]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.entries[start..*end])
    }
}

/// Words in rising order, and where to look for each.
#[derive(Debug, Clone, PartialEq)]
struct SortedWords {
    words: Vec<u32>,
    /// The place of the first word in each of as many equal ranges of all there could be.
    starts: Vec<u32>,
}

impl SortedWords {
    const RANGE_BITS: u32 = 12;

    fn new(words: Vec<u32>) -> Self {
        let mut starts = Vec::with_capacity((1 << Self::RANGE_BITS) + 1);
        let mut place = 0;
        for range in 0..1 << Self::RANGE_BITS {
            place += words[place..].iter().take_while(|word| Self::range(**word) < range).count();
            starts.push(place as u32);
        }
        starts.push(words.len() as u32);
        Self { words, starts }
    }

    fn range(word: u32) -> usize {
        (word >> (u32::BITS - Self::RANGE_BITS)) as usize
    }

    fn len(&self) -> usize {
        self.words.len()
    }

    fn place(&self, word: u32) -> Option<usize> {
        let range = Self::range(word);
        let start = self.starts[range] as usize;
        let within = &self.words[start..self.starts[range + 1] as usize];
        within.iter().position(|known| *known == word).map(|place| start + place)
    }
}

fn rarity(parts: usize, with_word: u32) -> f32 {
    let (parts, with_word) = (parts as f32, with_word as f32);
    (1.0 + (parts - with_word + 0.5) / (with_word + 0.5)).ln()
}

fn weight(times: f32) -> f32 {
    1.0 + times.max(1.0).ln()
}

/// For each word its place in each of the directions.
///
/// What the rounds turn to is the same whether or not it is made orthogonal in between, and they are too few to lose it.
fn directions(rows: &Rows, words: &SortedWords, dimensions: usize) -> Vec<f32> {
    let mut of_words = vec![0.0_f32; words.len() * dimensions];
    for (word, values) in words.words.iter().zip(of_words.chunks_exact_mut(dimensions)) {
        values.iter_mut().zip(0..).for_each(|(value, at)| *value = sign(*word, at));
    }
    let mut of_rows = vec![0.0_f32; rows.ends.len() * dimensions];
    for _ in 0..ROUNDS {
        for (row, sum) in rows.iter().zip(of_rows.chunks_exact_mut(dimensions)) {
            sum.fill(0.0);
            for (place, weight) in row {
                add(sum, &of_words[*place as usize * dimensions..][..dimensions], *weight);
            }
        }
        of_words.fill(0.0);
        for (row, sum) in rows.iter().zip(of_rows.chunks_exact(dimensions)) {
            for (place, weight) in row {
                add(&mut of_words[*place as usize * dimensions..][..dimensions], sum, *weight);
            }
        }
    }
    make_orthogonal(&mut of_words, dimensions);
    of_words
}

/// One or minus one, the same each time.
fn sign(word: u32, at: u32) -> f32 {
    let mut mixed = (u64::from(word) << 32 | u64::from(at)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    if (mixed ^ (mixed >> 32)) & 1 == 0 { 1.0 } else { -1.0 }
}

/// Makes the columns of a matrix of rows orthogonal and of length 1; a column that depends on those before becomes nothing.
fn make_orthogonal(rows: &mut [f32], dimensions: usize) {
    let height = rows.len() / dimensions;
    let mut columns = vec![0.0_f32; rows.len()];
    for (at, row) in rows.chunks_exact(dimensions).enumerate() {
        row.iter().enumerate().for_each(|(column, value)| columns[column * height + at] = *value);
    }
    for column in 0..dimensions {
        let (done, rest) = columns.split_at_mut(column * height);
        let this = &mut rest[..height];
        let before = dot(this, this);
        for other in done.chunks_exact(height) {
            let share = dot(this, other);
            add(this, other, -share);
        }
        let left = dot(this, this);
        let factor = if left > before * 1e-8 && left > 0.0 { 1.0 / left.sqrt() } else { 0.0 };
        this.iter_mut().for_each(|value| *value *= factor);
    }
    for (at, row) in rows.chunks_exact_mut(dimensions).enumerate() {
        row.iter_mut().enumerate().for_each(|(column, value)| *value = columns[column * height + at]);
    }
}

/// How many numbers are added at a time: the compiler makes a few instructions of it.
const AT_A_TIME: usize = 16;

fn dot(one: &[f32], other: &[f32]) -> f32 {
    let mut sums = [0.0_f32; AT_A_TIME];
    let (ones, others) = (one.chunks_exact(AT_A_TIME), other.chunks_exact(AT_A_TIME));
    let rest: f32 = ones.remainder().iter().zip(others.remainder()).map(|(one, other)| one * other).sum();
    for (one, other) in ones.zip(others) {
        (0..AT_A_TIME).for_each(|at| sums[at] += one[at] * other[at]);
    }
    sums.iter().sum::<f32>() + rest
}

fn add(to: &mut [f32], what: &[f32], times: f32) {
    to.iter_mut().zip(what).for_each(|(to, what)| *to += what * times);
}

/// What was learned: for each word how rare it is and where it points.
#[derive(Debug, Clone, PartialEq)]
pub struct Learned {
    dimensions: usize,
    words: SortedWords,
    rarities: Vec<f32>,
    /// What a step of the values of each word is worth.
    factors: Vec<f32>,
    values: Vec<i8>,
}

impl Learned {
    #[expect(clippy::cast_possible_truncation, reason = "it is between -127 and 127")]
    fn of(words: SortedWords, rarities: Vec<f32>, directions: &[f32], dimensions: usize) -> Self {
        let mut values = Vec::with_capacity(directions.len());
        let mut factors = Vec::with_capacity(words.len());
        for row in directions.chunks_exact(dimensions) {
            let largest = row.iter().fold(f32::MIN_POSITIVE, |largest, value| largest.max(value.abs()));
            factors.push(largest / 127.0);
            values.extend(row.iter().map(|value| (value / largest * 127.0).round() as i8));
        }
        Self { dimensions, words, rarities, factors, values }
    }

    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The vector of a text with these words and how often, or how much, each counts; `None` where it knows none of them.
    pub fn vector(&self, words: impl Iterator<Item = (u32, f32)>) -> Option<Vector> {
        self.sum(words.map(|(word, times)| (word, weight(times))))
    }

    /// That of a question whose words have weights of their own.
    pub fn vector_of_weighed(&self, words: impl Iterator<Item = (u32, f32)>) -> Option<Vector> {
        self.sum(words)
    }

    fn sum(&self, words: impl Iterator<Item = (u32, f32)>) -> Option<Vector> {
        let mut sum = vec![0.0_f32; self.dimensions];
        for (word, weight) in words {
            let Some(place) = self.words.place(word) else { continue };
            let times = weight * self.rarities[place] * self.factors[place];
            let values = &self.values[place * self.dimensions..][..self.dimensions];
            sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += f32::from(*value) * times);
        }
        Vector::new(&sum)
    }

    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.values.len() + self.words.len() * 13 + 16);
        put(&mut bytes, self.dimensions as u32);
        put(&mut bytes, self.words.len() as u32);
        let mut before = 0;
        for word in &self.words.words {
            put(&mut bytes, word - before);
            before = *word;
        }
        for numbers in [&self.rarities, &self.factors] {
            numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        }
        bytes.extend(self.values.iter().map(|value| value.cast_unsigned()));
        bytes
    }

    /// `None` where the bytes were not written by [`Learned::encode`].
    pub fn decode(mut bytes: &[u8]) -> Option<Self> {
        let bytes = &mut bytes;
        let dimensions = number(bytes)? as usize;
        let count = number(bytes)? as usize;
        let mut words = Vec::new();
        let mut before = 0_u32;
        for _ in 0..count {
            before = before.checked_add(number(bytes)?)?;
            words.push(before);
        }
        let words = SortedWords::new(words);
        let rarities = floats(bytes, count)?;
        let factors = floats(bytes, count)?;
        let is_whole = dimensions > 0 && bytes.len() == count.checked_mul(dimensions)?;
        let values = is_whole.then(|| bytes.iter().map(|byte| byte.cast_signed()).collect())?;
        Some(Self { dimensions, words, rarities, factors, values })
    }
}

fn floats(bytes: &mut &[u8], count: usize) -> Option<Vec<f32>> {
    let mut numbers = Vec::new();
    for _ in 0..count {
        let four = [take(bytes)?, take(bytes)?, take(bytes)?, take(bytes)?];
        numbers.push(f32::from_le_bytes(four));
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file_words::word_hash;

    /// Parts about two matters, which share no word but `common`.
    fn lesson() -> Lesson {
        let mut lesson = Lesson::default();
        let matters = [["cart", "basket", "price", "item", "total"], ["socket", "packet", "port", "listen", "bind"]];
        for round in 0..40_usize {
            let matter = matters[round % 2];
            // Never all of them together, and the first two never in the same part.
            let left_out = if round % 4 < 2 { 0 } else { 1 };
            let words = (0..5).filter(|at| *at != left_out && (*at + round / 4) % 5 != 4).map(|at| matter[at]);
            let words: Vec<_> = words.chain(["common"]).map(|word| (word_hash(word), 1.0)).collect();
            lesson.add(&words);
        }
        lesson
    }

    fn vector(learned: &Learned, words: &[&str]) -> Option<Vector> {
        learned.vector(words.iter().map(|word| (word_hash(word), 1.0)))
    }

    #[test]
    fn words_that_stand_beside_the_same_words_are_near() {
        let learned = lesson().learn().unwrap();
        let of = |words: &[&str]| vector(&learned, words).unwrap();
        let question = of(&["cart", "basket"]);
        let same = question.nearness(&of(&["price", "item", "total"]));
        let other = question.nearness(&of(&["port", "listen", "bind"]));
        assert!(same > 0.3 && same > other + 0.3, "{same} {other}");
        assert_eq!(vector(&learned, &["unheard"]), None);
    }

    #[test]
    fn the_same_parts_teach_the_same_and_what_was_learned_can_be_kept() {
        let learned = lesson().learn().unwrap();
        assert_eq!(lesson().learn().as_ref(), Some(&learned));
        let bytes = learned.encode();
        assert_eq!(Learned::decode(&bytes).as_ref(), Some(&learned));
        assert_eq!(Learned::decode(&bytes[..bytes.len() - 1]), None);
        assert_eq!(Learned::decode(&[0xff; 30]), None);
    }

    #[test]
    fn too_little_teaches_nothing() {
        let mut lesson = Lesson::default();
        lesson.add(&[(1, 1.0), (2, 1.0)]);
        assert_eq!(lesson.learn(), None);
        assert_eq!(Lesson::default().learn(), None);
    }
}
