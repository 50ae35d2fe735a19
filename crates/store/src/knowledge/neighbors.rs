//! What is near a node?

use std::hash::Hash;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::reached::{Budget, Expansion, Step};

/// A walk outwards from one node, level by level. It asks for relationships ([`Self::next`]) and is given them
/// ([`Self::take`]) until it asks no more; so it runs on any backend, within one snapshot or not, and finds the same.
///
/// `K` and `R` are what the backend names nodes and relationships by.
#[derive(Debug)]
pub struct NeighborFinder<K, R> {
    depths: HashMap<K, usize>,
    order: Vec<K>,
    frontier: Vec<K>,
    steps: Vec<Step<K, R>>,
    depth: usize,
    max_depth: usize,
    budget: Budget,
}

/// What a walk has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundNeighbors<K, R> {
    /// Nodes with their distance, in the order in which they were reached; without the first one. The answer is sorted by
    /// distance and then by id.
    pub nodes: Vec<(K, usize)>,
    /// The relationships that were met with both ends among the nodes, none of them twice.
    pub relationships: Vec<R>,
    pub visited: usize,
    pub truncated: bool,
}

impl<K: Copy + Eq + Hash, R: Copy + Eq + Hash> NeighborFinder<K, R> {
    /// A walk from a node that is there.
    pub fn new(start: K, max_depth: usize, budget: usize) -> Self {
        let mut budget = Budget::new(budget.max(1));
        budget.take_node();
        let depths = HashMap::from_iter([(start, 0)]);
        Self { depths, order: Vec::new(), frontier: vec![start], steps: Vec::new(), depth: 0, max_depth, budget }
    }

    /// What it wants to know next; `None` when it has finished.
    #[expect(clippy::should_implement_trait, reason = "each answer must be taken before the next question")]
    pub fn next(&mut self) -> Option<Expansion<K>> {
        if self.frontier.is_empty() || self.depth == self.max_depth || self.budget.used_up {
            return None;
        }
        Some(Expansion { nodes: self.frontier.clone(), most: self.budget.most() })
    }

    /// Takes the answer to what it asked.
    pub fn take(&mut self, steps: Vec<Step<K, R>>) {
        self.depth += 1;
        self.frontier.clear();
        for step in self.budget.within(steps) {
            if !self.depths.contains_key(&step.to) {
                if !self.budget.take_node() {
                    continue;
                }
                self.depths.insert(step.to, self.depth);
                self.order.push(step.to);
                self.frontier.push(step.to);
            }
            self.steps.push(step);
        }
    }

    /// What was found.
    pub fn finish(self) -> FoundNeighbors<K, R> {
        let Self { depths, order, steps, budget, .. } = self;
        let mut seen = HashSet::default();
        FoundNeighbors {
            nodes: order.into_iter().map(|node| (node, depths[&node])).collect(),
            relationships: steps.iter().map(|step| step.relationship).filter(|found| seen.insert(*found)).collect(),
            visited: depths.len(),
            truncated: budget.used_up,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(edges: &[(u32, u32)], depth: usize, budget: usize) -> FoundNeighbors<u32, usize> {
        let mut finder = NeighborFinder::new(0, depth, budget);
        while let Some(expansion) = finder.next() {
            finder.take(answer(edges, &expansion));
        }
        finder.finish()
    }

    /// What a backend would say.
    pub(in super::super) fn answer(edges: &[(u32, u32)], expansion: &Expansion<u32>) -> Vec<Step<u32, usize>> {
        let of = |node: u32| {
            let ends = edges.iter().enumerate();
            ends.filter_map(move |(relationship, &(from, to))| match (from == node, to == node) {
                (true, _) => Some(Step { from: node, relationship, to }),
                (false, true) => Some(Step { from: node, relationship, to: from }),
                (false, false) => None,
            })
        };
        expansion.nodes.iter().flat_map(|node| of(*node)).take(expansion.most).collect()
    }

    #[test]
    fn a_walk_ends_at_its_depth() {
        let edges = [(0, 1), (2, 1), (2, 3), (0, 0), (1, 0)];
        let found = walk(&edges, 1, 100);
        assert_eq!((found.nodes, found.relationships), (vec![(1, 1)], vec![0, 3, 4]));
        let found = walk(&edges, 2, 100);
        assert_eq!((found.nodes, found.relationships), (vec![(1, 1), (2, 2)], vec![0, 3, 4, 1]));
        assert_eq!((found.visited, found.truncated), (3, false));
    }

    #[test]
    fn a_walk_ends_with_its_budget_and_says_so() {
        let star: Vec<_> = (1..=30).map(|leaf| (0, leaf)).collect();
        let found = walk(&star, 3, 11);
        assert_eq!((found.visited, found.truncated), (11, true));
        assert_eq!(found.nodes, (1..=10).map(|leaf| (leaf, 1)).collect::<Vec<_>>());
        assert_eq!(found.relationships, (0..10).collect::<Vec<_>>());
        let found = walk(&star, 3, 31);
        assert_eq!((found.visited, found.truncated), (31, false));
    }

    #[test]
    fn very_many_relationships_between_two_nodes_end_a_walk() {
        let found = walk(&[(0, 1); 1_000], 1, 5);
        assert_eq!((found.visited, found.truncated, found.relationships.len()), (2, true, 50));
    }
}
