//! The terms of 256 experiences in one row: lengths, then terms in order with the end of their postings, then the postings.

use experience::index::decode;

use super::BLOCK;

/// Levels of length, one for each experience.
const LENGTHS: usize = BLOCK as usize;
/// A term, and where its postings end.
const ENTRY: usize = 12;
const POSTING: usize = 2;

/// The row for these experiences, given as what [`DocumentTerms::encode`](super::DocumentTerms::encode) made of each.
pub(super) fn encode(experiences: &[Vec<u8>]) -> Vec<u8> {
    let mut row = Vec::new();
    let mut found: Vec<(u64, u8, u8)> = Vec::new();
    for (place, bytes) in (0..=u8::MAX).zip(experiences) {
        let (level, terms) = decode(bytes);
        row.push(level);
        found.extend(terms.map(|(term, weight)| (term, place, weight)));
    }
    row.resize(LENGTHS, 0);
    found.sort_unstable();
    let groups: Vec<&[(u64, u8, u8)]> = found.chunk_by(|left, right| left.0 == right.0).collect();
    row.extend(u32::try_from(groups.len()).unwrap_or(u32::MAX).to_le_bytes());
    let mut end = 0_u32;
    for group in &groups {
        end += u32::try_from(group.len()).expect("a group holds each experience of the block once");
        row.extend(group[0].0.to_le_bytes());
        row.extend(end.to_le_bytes());
    }
    row.extend(found.iter().flat_map(|(_, place, weight)| [*place, *weight]));
    row
}

/// A block as it is stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block<'a> {
    lengths: &'a [u8],
    entries: &'a [[u8; ENTRY]],
    postings: &'a [[u8; POSTING]],
}

impl<'a> Block<'a> {
    /// `None` when this is no block.
    pub(super) fn read(row: &'a [u8]) -> Option<Self> {
        let (lengths, rest) = row.split_at_checked(LENGTHS)?;
        let (count, rest) = rest.split_first_chunk::<4>()?;
        let (entries, postings) = rest.split_at_checked(ENTRY * usize::try_from(u32::from_le_bytes(*count)).ok()?)?;
        Some(Self { lengths, entries: entries.as_chunks().0, postings: postings.as_chunks().0 })
    }

    pub(super) fn lengths(self) -> &'a [u8] {
        self.lengths
    }

    pub(super) fn len(self) -> usize {
        self.entries.len()
    }

    /// The term at this place, in the order of terms, and its postings: places with weights.
    pub(super) fn entry(self, at: usize) -> (u64, &'a [[u8; POSTING]]) {
        let start = if at == 0 { 0 } else { end(&self.entries[at - 1]) };
        (term(&self.entries[at]), self.postings.get(start..end(&self.entries[at])).unwrap_or_default())
    }

    /// The postings of this term.
    pub(super) fn find(self, wanted: u64) -> &'a [[u8; POSTING]] {
        match self.entries.binary_search_by_key(&wanted, term) {
            Ok(at) => self.entry(at).1,
            Err(_) => &[],
        }
    }
}

fn term(entry: &[u8; ENTRY]) -> u64 {
    entry.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

fn end(entry: &[u8; ENTRY]) -> usize {
    entry.last_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiences::index::DocumentTerms;

    #[test]
    fn a_block_finds_what_was_put_into_it() {
        let experience = |length, weights: &[(u64, u8)]| DocumentTerms { length, weights: weights.to_vec() }.encode();
        let row = encode(&[experience(3, &[(5, 1), (9, 2)]), experience(0, &[]), experience(8, &[(5, 7)])]);
        let block = Block::read(&row).unwrap();
        assert_eq!(block.find(5), [[0, 1], [2, 7]]);
        assert_eq!(block.find(9), [[0, 2]]);
        assert!(block.find(6).is_empty());
        assert_eq!((block.len(), block.entry(1).0), (2, 9));
        assert_eq!(block.lengths()[..3], [32, 0, 51]);
        assert!(Block::read(&row[..100]).is_none());
    }
}
