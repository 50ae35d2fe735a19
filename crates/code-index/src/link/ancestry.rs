//! In which order a type and all that it inherits from are asked for a member.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A type and what it inherits from, nearest first.
pub(super) type Lineage = SmallVec<[u32; 8]>;

/// Where code is misread, or made to be hard, a type may seem to inherit from very many.
const MOST: usize = 256;

/// Types with their bases, in the order in which they were met going upwards.
#[derive(Debug, Default)]
pub(super) struct Ancestry {
    met: Vec<u32>,
    bases: FxHashMap<u32, SmallVec<[u32; 4]>>,
}

impl Ancestry {
    pub(super) fn contains(&self, of: u32) -> bool {
        self.bases.contains_key(&of)
    }

    pub(super) fn is_full(&self) -> bool {
        self.met.len() >= MOST
    }

    pub(super) fn add(&mut self, of: u32, bases: SmallVec<[u32; 4]>) {
        self.met.push(of);
        self.bases.insert(of, bases);
    }

    /// Python's order (C3) for the type that was met first. Where types inherit from themselves there is none, and they come as
    /// they were met.
    pub(super) fn lineage(&self, of: u32) -> Lineage {
        let mut known = FxHashMap::default();
        match self.is_full() {
            false if self.order(of, &mut known) => known.remove(&of).flatten().unwrap_or_default(),
            _ => self.met.iter().copied().collect(),
        }
    }

    /// Works out the lineage of a type after those of its bases; false if one of them is being worked out already.
    fn order(&self, of: u32, known: &mut FxHashMap<u32, Option<Lineage>>) -> bool {
        if let Some(found) = known.get(&of) {
            return found.is_some();
        }
        known.insert(of, None);
        let bases = self.bases.get(&of).map_or(&[][..], |bases| bases.as_slice());
        if !bases.iter().all(|base| self.order(*base, known)) {
            return false;
        }
        let mut lists: Vec<Lineage> = bases.iter().filter_map(|base| known.get(base).cloned().flatten()).collect();
        lists.push(bases.iter().copied().collect());
        let mut lineage = Lineage::new();
        lineage.push(of);
        merge(&mut lineage, lists);
        known.insert(of, Some(lineage));
        true
    }
}

/// A type comes before what it inherits, and bases keep their order. Where that cannot be, what is left follows as it stands.
fn merge(lineage: &mut Lineage, mut lists: Vec<Lineage>) {
    loop {
        lists.retain(|list| !list.is_empty());
        if lists.is_empty() {
            return;
        }
        let good = lists.iter().map(|list| list[0]).find(|head| !lists.iter().any(|list| list[1..].contains(head)));
        let next = good.unwrap_or(lists[0][0]);
        if !lineage.contains(&next) {
            lineage.push(next);
        }
        for list in &mut lists {
            list.retain(|entry| *entry != next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(types: &[(u32, &[u32])], expected: &[u32]) {
        let mut ancestry = Ancestry::default();
        types.iter().for_each(|(of, bases)| ancestry.add(*of, bases.iter().copied().collect()));
        assert_eq!(ancestry.lineage(types[0].0).as_slice(), expected);
    }

    #[test]
    fn a_type_comes_before_its_bases_and_they_keep_their_order() {
        check(&[(1, &[])], &[1]);
        check(&[(1, &[2, 3]), (2, &[4]), (3, &[4]), (4, &[])], &[1, 2, 3, 4]);
        check(&[(1, &[2, 3]), (2, &[]), (3, &[2])], &[1, 2, 3]);
    }

    #[test]
    fn types_that_inherit_from_themselves_come_as_they_were_met() {
        check(&[(1, &[2, 3]), (2, &[1, 3]), (3, &[1, 2])], &[1, 2, 3]);
    }

    #[test]
    fn many_ways_to_the_same_base_cost_no_more_than_one() {
        let ladder: Vec<(u32, Vec<u32>)> = (0..60).map(|n| (n, vec![n / 2 * 2 + 2, n / 2 * 2 + 3])).collect();
        let mut ancestry = Ancestry::default();
        ladder.iter().for_each(|(of, bases)| ancestry.add(*of, bases.iter().copied().collect()));
        [60, 61].into_iter().for_each(|top| ancestry.add(top, SmallVec::new()));
        assert_eq!(ancestry.lineage(0).len(), 61);
    }
}
