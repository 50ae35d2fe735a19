//! The terms of one record, each as a number.

use rustc_hash::FxHashMap;
use search::index_terms;

use super::length;

/// How much more a word in the title or among the keywords says than one in a long text.
const TITLE: u8 = 3;
const KEYWORD: u8 = 2;
const TEXT: u8 = 1;

/// Bits of the number of a term. Among a million words two have the same number once in five hundred stores, and then each is
/// found by the other, too.
pub const TERM_BITS: u32 = 48;

/// The number of a term: never 0, and the same in every version of Trailmark.
pub fn term(text: &str) -> u64 {
    let mixed = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> (u64::BITS - TERM_BITS)).max(1)
}

/// What an index keeps of one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentTerms {
    /// In words.
    pub length: u64,
    /// Each term with its weight in the text, by number.
    pub weights: Vec<(u64, u8)>,
}

impl DocumentTerms {
    /// Of a record with this title, these keywords and these other texts.
    pub fn of<'a>(title: &str, keywords: &[String], texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut collected = Collected::default();
        collected.add(title, TITLE);
        for keyword in keywords {
            collected.add(keyword, KEYWORD);
        }
        for text in texts {
            collected.add(text, TEXT);
        }
        let mut weights: Vec<(u64, u8)> = collected.weights.into_iter().collect();
        weights.sort_unstable();
        Self { length: collected.length, weights }
    }

    /// The length as a level, then each term above the byte of its weight.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(1 + 8 * self.weights.len());
        bytes.push(length::level(self.length));
        for (term, weight) in &self.weights {
            bytes.extend((term << 8 | u64::from(*weight)).to_le_bytes());
        }
        bytes
    }
}

/// The level of the length, and the terms with their weights, of what [`DocumentTerms::encode`] made.
pub fn decode(bytes: &[u8]) -> (u8, impl Iterator<Item = (u64, u8)> + '_) {
    let (level, terms) = bytes.split_first().map_or((0, bytes), |(level, terms)| (*level, terms));
    let terms = terms.as_chunks::<8>().0.iter().map(|bytes| {
        let entry = u64::from_le_bytes(*bytes);
        (entry >> 8, entry.to_le_bytes()[0])
    });
    (level, terms)
}

/// The weight of a term in what [`DocumentTerms::encode`] made, where it is there.
pub fn weight_of(bytes: &[u8], term: u64) -> Option<u8> {
    let entries = bytes.get(1..)?.as_chunks::<8>().0;
    let at = entries.partition_point(|entry| u64::from_le_bytes(*entry) >> 8 < term);
    let entry = u64::from_le_bytes(*entries.get(at)?);
    (entry >> 8 == term).then(|| entry.to_le_bytes()[0])
}

#[derive(Debug, Default)]
struct Collected {
    length: u64,
    weights: FxHashMap<u64, u8>,
}

impl Collected {
    fn add(&mut self, text: &str, weight: u8) {
        let terms = index_terms(text);
        self.length += terms.words.len() as u64;
        for word in terms.words.iter().chain(&terms.characters) {
            let entry = self.weights.entry(term(word)).or_default();
            *entry = entry.saturating_add(weight);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_reads_back() {
        let terms = DocumentTerms::of("React state", &["react".to_owned()], ["state of 状态", "set"]);
        assert_eq!(terms.length, 7);
        let weight =
            |word: &str| terms.weights.iter().find(|(number, _)| *number == term(word)).map(|(_, weight)| *weight);
        assert_eq!(
            [weight("react"), weight("state"), weight("状态"), weight("状"), weight("absent")],
            [Some(5), Some(4), Some(1), Some(1), None]
        );
        let encoded = terms.encode();
        let (level, decoded) = decode(&encoded);
        assert_eq!(level, length::level(7));
        assert_eq!(decoded.collect::<Vec<_>>(), terms.weights);
        assert_eq!((weight_of(&encoded, term("react")), weight_of(&encoded, term("absent"))), (Some(5), None));
        assert_eq!(weight_of(&[], 1), None);
    }

    /// Stored numbers stay valid only as long as this holds.
    #[test]
    fn numbers_of_terms_never_change() {
        let numbers = ["react", "状态", ""].map(term);
        assert_eq!(numbers, [130_934_292_644_095, 15_526_381_919_507, 146_719_880_041_931]);
    }
}
