//! Texts that come many times, each kept once and known by its number.

use std::hash::Hasher as _;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// Numbers texts from 0 on. It can be emptied and used again without giving back its memory.
#[derive(Debug, Default)]
pub(crate) struct Interner {
    text: String,
    /// Where each ends in `text`.
    ends: Vec<u32>,
    /// What a text hashes to, and its number.
    numbers: HashTable<(u32, u32)>,
}

impl Interner {
    /// The number of this text; a new one gets the next.
    pub(crate) fn number(&mut self, text: &str) -> u32 {
        let Self { text: all, ends, numbers } = self;
        let hash = hash(text);
        let is_same =
            |(known, number): &(u32, u32)| *known == hash && all.as_bytes()[range(ends, *number)] == *text.as_bytes();
        if let Some((_, number)) = numbers.find(spread(hash), is_same) {
            return *number;
        }
        let number = ends.len() as u32;
        all.push_str(text);
        ends.push(all.len() as u32);
        numbers.insert_unique(spread(hash), (hash, number), |(hash, _)| spread(*hash));
        number
    }

    pub(crate) fn get(&self, number: u32) -> &str {
        &self.text[range(&self.ends, number)]
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// How many bytes all texts have together.
    pub(crate) fn bytes(&self) -> usize {
        self.text.len()
    }

    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.numbers.clear();
    }
}

fn range(ends: &[u32], number: u32) -> std::ops::Range<usize> {
    let number = number as usize;
    let start = if number == 0 { 0 } else { ends[number - 1] };
    start as usize..ends[number] as usize
}

fn hash(text: &str) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish() as u32
}

/// The table looks at the highest bits as well as at the lowest.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_keeps_its_number_until_all_are_forgotten() {
        let mut interner = Interner::default();
        assert_eq!(["cart", "", "carts", "cart", ""].map(|text| interner.number(text)), [0, 1, 2, 0, 1]);
        assert_eq!((interner.get(0), interner.get(1), interner.get(2)), ("cart", "", "carts"));
        assert_eq!((interner.len(), interner.bytes()), (3, 9));
        interner.clear();
        assert_eq!((interner.number("carts"), interner.len()), (0, 1));
    }
}
