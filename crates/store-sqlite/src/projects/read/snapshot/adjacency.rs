//! The relationships of every node in one direction, in blocks of memory.

use std::ops::Range;

use super::super::relations::Relations;

/// Those of one node stand together, by type and then by far end.
#[derive(Debug)]
pub(super) struct Adjacency {
    /// Where those of each node begin, and where those of the next one would.
    starts: Vec<u32>,
    relations: Vec<u8>,
    far: Vec<u32>,
}

impl Adjacency {
    /// From what stands in this order already.
    pub(super) fn new(starts: Vec<u32>, relations: Vec<u8>, far: Vec<u32>) -> Self {
        Self { starts, relations, far }
    }

    /// The same relationships seen from their far ends, and the place of each here by its place there.
    pub(super) fn turned(&self) -> (Self, Vec<u32>) {
        let nodes = self.starts.len() - 1;
        let mut starts = vec![0_u32; nodes + 1];
        self.far.iter().for_each(|far| starts[*far as usize + 1] += 1);
        (0..nodes).for_each(|node| starts[node + 1] += starts[node]);
        let mut next = starts.clone();
        let count = self.far.len();
        let (mut relations, mut far, mut places) = (vec![0; count], vec![0; count], vec![0; count]);
        // One type after the other, and each from its first node to its last, gives the right order at every far end.
        for relation in Relations::of(&[]).codes() {
            for node in 0..nodes {
                for place in self.of(node, relation) {
                    let slot = &mut next[self.far[place] as usize];
                    let target = *slot as usize;
                    *slot += 1;
                    relations[target] = relation;
                    far[target] = index(node);
                    places[target] = index(place);
                }
            }
        }
        (Self { starts, relations, far }, places)
    }

    pub(super) fn all(&self, node: usize) -> Range<usize> {
        self.starts[node] as usize..self.starts[node + 1] as usize
    }

    /// Those of one type.
    pub(super) fn of(&self, node: usize, relation: u8) -> Range<usize> {
        let Range { start, end } = self.all(node);
        let relations = &self.relations[start..end];
        let first = relations.partition_point(|other| *other < relation);
        let count = relations[first..].partition_point(|other| *other == relation);
        start + first..start + first + count
    }

    /// Calls back with the place of each of these types.
    pub(super) fn each(&self, node: usize, relations: Relations, mut found: impl FnMut(usize)) {
        match relations.is_all() {
            true => self.all(node).for_each(found),
            false => relations.codes().flat_map(|code| self.of(node, code)).for_each(&mut found),
        }
    }

    pub(super) fn count(&self, node: usize, relations: Relations) -> usize {
        match relations.is_all() {
            true => self.all(node).len(),
            false => relations.codes().map(|code| self.of(node, code).len()).sum(),
        }
    }

    /// How many of these types are between the node and itself.
    pub(super) fn count_loops(&self, node: usize, relations: Relations) -> usize {
        relations.codes().map(|code| self.between(node, code, node).len()).sum()
    }

    pub(super) fn relation(&self, place: usize) -> u8 {
        self.relations[place]
    }

    pub(super) fn far(&self, place: usize) -> usize {
        self.far[place] as usize
    }

    /// The node whose relationship stands at this place.
    pub(super) fn near(&self, place: usize) -> usize {
        self.starts.partition_point(|start| *start as usize <= place) - 1
    }

    /// Where the relationships of one type with one far end stand.
    pub(super) fn between(&self, node: usize, relation: u8, far: usize) -> Range<usize> {
        let Range { start, end } = self.of(node, relation);
        let ends = &self.far[start..end];
        let first = ends.partition_point(|other| (*other as usize) < far);
        let count = ends[first..].partition_point(|other| *other as usize == far);
        start + first..start + first + count
    }

    pub(super) fn len(&self) -> usize {
        self.far.len()
    }

    pub(super) fn heap_bytes(&self) -> usize {
        4 * (self.starts.capacity() + self.far.capacity()) + self.relations.capacity()
    }
}

/// Nodes and relationships are fewer than 2^32; whoever makes these checks that.
fn index(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
