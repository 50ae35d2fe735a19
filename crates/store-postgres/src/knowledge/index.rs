//! By which numbers is a node found: its values one by one, and the words of its names.

use std::collections::BTreeSet;

use search::fuzzy;
use store::knowledge::{Name, Properties, Value};

/// What is kept beside a node.
#[derive(Debug, Default)]
pub(super) struct Index {
    pub(super) values: Vec<i64>,
    pub(super) words: Vec<i64>,
    /// Each key with its word, in order: whoever else keeps the same word locks in the same order.
    pub(super) word_keys: Vec<(i64, i64)>,
}

impl Index {
    pub(super) fn of(label: &Name, properties: &Properties) -> Self {
        let values: BTreeSet<i64> = properties.iter().map(|(name, value)| value_hash(label, name, value)).collect();
        let words = fuzzy::words(properties.names());
        let keys = words.iter().flat_map(|word| {
            let number = hash(&[word]);
            fuzzy::word_keys(word).into_iter().map(move |key| (key.cast_signed(), number))
        });
        let word_keys: BTreeSet<(i64, i64)> = keys.collect();
        let words: BTreeSet<i64> = words.iter().map(|word| hash(&[word])).collect();
        Self {
            values: values.into_iter().collect(),
            words: words.into_iter().collect(),
            word_keys: word_keys.into_iter().collect(),
        }
    }
}

/// The number by which a node with this label and property is found.
pub(super) fn value_hash(label: &Name, property: &Name, value: &Value) -> i64 {
    hash(&[label.as_str(), property.as_str(), &value.key()])
}

/// FNV-1a with an end mark for each text: kept in tables, so it may never change.
fn hash(texts: &[&str]) -> i64 {
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let bytes = texts.iter().flat_map(|text| text.bytes().chain([0xFF]));
    bytes.fold(START, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME)).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_never_change() {
        assert_eq!(hash(&["Entity", "name", "tx"]), -2_639_507_453_773_691_450);
        assert_eq!(hash(&[""]), -5_808_391_946_409_677_970);
        assert_ne!(hash(&["Entity", "name", "tx"]), hash(&["Entity", "namet", "x"]), "texts have ends");
    }
}
