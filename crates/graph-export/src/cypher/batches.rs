//! Rows collected by what they belong to until there are enough for one statement.

use std::collections::BTreeMap;

/// Enough rows to be quick, few enough for a parser to take in at once.
const ROWS: usize = 250;
const BYTES: usize = 128 * 1024;

/// At most one statement's worth of rows for each key.
#[derive(Debug)]
pub(super) struct Batches<K> {
    separator: &'static str,
    open: BTreeMap<K, Batch>,
}

#[derive(Debug, Default)]
struct Batch {
    rows: usize,
    text: String,
}

impl<K: Ord> Batches<K> {
    pub(super) fn new(separator: &'static str) -> Self {
        Self { separator, open: BTreeMap::new() }
    }

    /// Adds a row; when it was the last that fits, gives back all rows of this key.
    pub(super) fn add(&mut self, key: K, row: &str) -> Option<String> {
        let batch = self.open.entry(key).or_default();
        if batch.rows > 0 {
            batch.text.push_str(self.separator);
        }
        batch.text.push_str(row);
        batch.rows += 1;
        let is_full = batch.rows >= ROWS || batch.text.len() >= BYTES;
        is_full.then(|| std::mem::take(batch).text)
    }

    /// What is left, by key.
    pub(super) fn rest(self) -> impl Iterator<Item = (K, String)> {
        self.open.into_iter().filter(|(_, batch)| batch.rows > 0).map(|(key, batch)| (key, batch.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_when_there_are_enough_of_them() {
        let mut batches = Batches::new(",");
        for row in 1..ROWS {
            assert_eq!(batches.add("a", "x"), None, "{row}");
        }
        assert_eq!(batches.add("b", "y"), None);
        assert_eq!(batches.add("a", "x").unwrap().len(), 2 * ROWS - 1);
        assert_eq!(batches.add("a", &"z".repeat(BYTES)).unwrap().len(), BYTES);
        assert_eq!(batches.rest().collect::<Vec<_>>(), [("b", "y".to_owned())]);
    }
}
