//! What a process remembers of the index: lengths and times, which never change, the terms of the newest, and counts as of an
//! epoch. Thirteen bytes for each experience.

use std::sync::Arc;

use experience::index::decode;
use experience::ranking::page;

use super::gather::Gathered;
use super::{BLOCK, SECTION};

/// A state of the index, without its postings. Cheap to copy: parts are shared.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    identity: Vec<u8>,
    epoch: u64,
    sections: Vec<Arc<Facts>>,
    recent: Vec<Arc<Recent>>,
    counts: Vec<Arc<Vec<u32>>>,
}

/// Of the experiences of one section.
#[derive(Debug)]
pub(super) struct Facts {
    /// Levels of length.
    pub(super) lengths: Vec<u8>,
    created_at: Vec<i64>,
}

/// One of the newest experiences.
#[derive(Debug)]
pub(super) struct Recent {
    /// The level of its length.
    pub(super) length: u8,
    created_at: i64,
    /// Each with its weight in the lowest byte, in order.
    terms: Vec<u64>,
}

impl Recent {
    /// The weight of this term in it.
    pub(super) fn weight(&self, term: u64) -> Option<u8> {
        let at = self.terms.partition_point(|entry| entry >> 8 < term);
        self.terms.get(at).filter(|entry| **entry >> 8 == term).map(|entry| entry.to_le_bytes()[0])
    }
}

impl Known {
    pub(super) fn experiences(&self) -> u64 {
        self.sections() * SECTION + self.recent.len() as u64
    }

    /// Whether no search has told anything yet.
    pub(super) fn is_nothing(&self) -> bool {
        self.identity.is_empty()
    }

    pub(super) fn sections(&self) -> u64 {
        self.sections.len() as u64
    }

    pub(super) fn epoch(&self) -> u64 {
        self.epoch
    }

    pub(super) fn facts(&self) -> &[Arc<Facts>] {
        &self.sections
    }

    /// Those after the sections.
    pub(super) fn recent(&self) -> &[Arc<Recent>] {
        &self.recent
    }

    /// Whether this is at least as new as the other, or of other tables.
    pub(super) fn replaces(&self, other: &Self) -> bool {
        self.identity != other.identity || self.experiences() >= other.experiences() && self.epoch >= other.epoch
    }

    /// This with what is new; `None` where it does not fit to this, because the tables are others or were set back.
    pub(super) fn with(self: &Arc<Self>, gathered: &Gathered<'_>) -> Option<Arc<Self>> {
        let is_same = self.identity == gathered.identity;
        if !self.is_nothing()
            && (!is_same || gathered.epoch < self.epoch || gathered.totals.experiences < self.experiences())
        {
            return None;
        }
        let unchanged = gathered.sections.is_empty() && gathered.recent.is_empty() && gathered.counts.is_empty();
        if is_same && unchanged && gathered.epoch == self.epoch && gathered.totals.experiences == self.experiences() {
            return Some(self.clone());
        }
        let mut known = Self::clone(self);
        known.identity = gathered.identity.to_vec();
        known.epoch = gathered.epoch;
        let merged = known.add_sections(gathered)?;
        known.recent.drain(..merged.min(known.recent.len()));
        known.add_recent(gathered)?;
        known.add_counts(gathered);
        (known.experiences() == gathered.totals.experiences).then(|| Arc::new(known))
    }

    /// How many experiences were moved out of the newest.
    fn add_sections(&mut self, gathered: &Gathered<'_>) -> Option<usize> {
        for (number, lengths, created_at) in &gathered.sections {
            let created_at: Vec<i64> =
                created_at.as_chunks().0.iter().map(|bytes| i64::from_le_bytes(*bytes)).collect();
            let whole = lengths.len() == places(SECTION) && created_at.len() == places(SECTION);
            if *number != self.sections() || !whole {
                return None;
            }
            self.sections.push(Arc::new(Facts { lengths: lengths.to_vec(), created_at }));
        }
        Some(gathered.sections.len() * places(SECTION))
    }

    fn add_recent(&mut self, gathered: &Gathered<'_>) -> Option<()> {
        for (key, created_at, terms) in &gathered.recent {
            if *key != self.experiences() {
                return None;
            }
            let (length, terms) = decode(terms);
            let terms = terms.map(|(term, weight)| term << 8 | u64::from(weight)).collect();
            self.recent.push(Arc::new(Recent { length, created_at: *created_at, terms }));
        }
        Some(())
    }

    fn add_counts(&mut self, gathered: &Gathered<'_>) {
        for (block, counts) in &gathered.counts {
            let Ok(block) = usize::try_from(*block) else { continue };
            if self.counts.len() <= block {
                self.counts.resize_with(block + 1, Arc::default);
            }
            self.counts[block] =
                Arc::new(counts.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect());
        }
    }
}

impl page::Facts for Known {
    fn created_at(&self, key: usize) -> i64 {
        let (section, place) = (key / places(SECTION), key % places(SECTION));
        match self.sections.get(section) {
            Some(facts) => facts.created_at[place],
            None => self.recent.get(key - self.sections.len() * places(SECTION)).map_or(0, |recent| recent.created_at),
        }
    }

    fn query_count(&self, key: usize) -> u32 {
        let block = self.counts.get(key / places(BLOCK));
        block.and_then(|counts| counts.get(key % places(BLOCK))).copied().unwrap_or(0)
    }
}

/// As a place in memory.
pub(super) fn places(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use experience::index::{DocumentTerms, term};
    use experience::ranking::page::Facts as _;

    use super::super::gather::Totals;
    use super::*;

    fn gathered(experiences: u64, epoch: u64) -> Gathered<'static> {
        let totals = Totals { experiences, length: 3, most_found: 9 };
        Gathered { totals, identity: &[7; 16], epoch, ..Gathered::default() }
    }

    #[test]
    fn what_is_new_is_added_to_what_is_known() {
        let terms = DocumentTerms::of("alpha alpha", &[], []).encode();
        let first = Gathered { recent: vec![(0, 100, &terms)], ..gathered(1, 1) };
        let known = Arc::new(Known::default()).with(&first).unwrap();
        assert_eq!((known.experiences(), known.created_at(0), known.query_count(0)), (1, 100, 0));
        assert_eq!(known.recent()[0].weight(term("alpha")), Some(6));
        assert_eq!(known.recent()[0].weight(term("beta")), None);

        let counts = [0, 0, 0, 0, 5, 0, 0, 0];
        let next = Gathered { recent: vec![(1, 200, &terms)], counts: vec![(0, &counts)], ..gathered(2, 2) };
        let known = known.with(&next).unwrap();
        assert_eq!((known.experiences(), known.query_count(1), known.epoch()), (2, 5, 2));
        assert!(Arc::ptr_eq(&known, &known.with(&gathered(2, 2)).unwrap()), "nothing new");
    }

    #[test]
    fn a_section_takes_the_place_of_the_newest() {
        let terms = DocumentTerms::of("alpha", &[], []).encode();
        let recent: Vec<(u64, i64, &[u8])> = (0..SECTION + 1).map(|key| (key, 1, terms.as_slice())).collect();
        let known = Arc::new(Known::default()).with(&Gathered { recent, ..gathered(SECTION + 1, 0) }).unwrap();
        let (lengths, created_at) = (vec![9; places(SECTION)], vec![0; 8 * places(SECTION)]);
        let merged = Gathered { sections: vec![(0, &lengths, &created_at)], ..gathered(SECTION + 1, 0) };
        let known = known.with(&merged).unwrap();
        assert_eq!((known.sections(), known.recent().len(), known.experiences()), (1, 1, SECTION + 1));
        assert_eq!((known.created_at(5), known.created_at(places(SECTION))), (0, 1));
    }

    #[test]
    fn other_tables_and_gaps_do_not_fit() {
        let terms = DocumentTerms::of("alpha", &[], []).encode();
        let known = Arc::new(Known::default());
        assert!(known.with(&Gathered { recent: vec![(1, 1, &terms)], ..gathered(2, 0) }).is_none(), "a gap");
        let known = known.with(&Gathered { recent: vec![(0, 1, &terms)], ..gathered(1, 4) }).unwrap();
        assert!(known.with(&gathered(0, 4)).is_none(), "fewer than before");
        assert!(known.with(&gathered(1, 3)).is_none(), "an earlier epoch");
        assert!(known.with(&Gathered { identity: &[8; 16], ..gathered(1, 4) }).is_none(), "other tables");
        assert!(!known.is_nothing());
    }
}
