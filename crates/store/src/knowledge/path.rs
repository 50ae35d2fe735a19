//! Which is the shortest way from one node to another?

use std::hash::Hash;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::reached::{Budget, Expansion, Step};

/// A search from both ends at once, level by level, always on the side that has fewer nodes to go on from. It asks for
/// relationships ([`Self::next`]) and is given them ([`Self::take`]) until it asks no more; so it runs on any backend, within
/// one snapshot or not, and finds the same.
///
/// `K` and `R` are what the backend names nodes and relationships by.
#[derive(Debug)]
pub struct PathFinder<K, R> {
    forward: Side<K, R>,
    backward: Side<K, R>,
    max_depth: usize,
    turn: Turn,
    meeting: Vec<K>,
    budget: Budget,
}

/// What a search has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundSteps<K, R> {
    /// All shortest paths at once: for each place of a relationship on the path, the steps that can stand there. `None` when
    /// none was found, no places when both ends are one node.
    pub places: Option<Vec<Vec<Step<K, R>>>>,
    pub visited: usize,
    pub truncated: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    Forward,
    Backward,
}

#[derive(Debug)]
struct Side<K, R> {
    depths: HashMap<K, usize>,
    frontier: Vec<K>,
    /// The steps that led to each level.
    levels: Vec<Vec<Step<K, R>>>,
}

impl<K: Copy + Eq + Hash, R: Copy> PathFinder<K, R> {
    /// A search between two nodes that are there.
    pub fn new(from: K, to: K, max_depth: usize, budget: usize) -> Self {
        let mut budget = Budget::new(budget.max(2));
        budget.take_node();
        let meeting = if from == to {
            vec![from]
        } else {
            budget.take_node();
            Vec::new()
        };
        Self { forward: Side::new(from), backward: Side::new(to), max_depth, turn: Turn::Forward, meeting, budget }
    }

    /// What it wants to know next; `None` when it has finished.
    #[expect(clippy::should_implement_trait, reason = "each answer must be taken before the next question")]
    pub fn next(&mut self) -> Option<Expansion<K>> {
        let depth = self.forward.levels.len() + self.backward.levels.len();
        let sizes = (self.forward.frontier.len(), self.backward.frontier.len());
        let is_over = !self.meeting.is_empty() || self.budget.used_up || depth >= self.max_depth;
        if is_over || sizes.0 == 0 || sizes.1 == 0 {
            return None;
        }
        self.turn = if sizes.0 <= sizes.1 { Turn::Forward } else { Turn::Backward };
        let nodes = match self.turn {
            Turn::Forward => self.forward.frontier.clone(),
            Turn::Backward => self.backward.frontier.clone(),
        };
        Some(Expansion { nodes, most: self.budget.most() })
    }

    /// Takes the answer to what it asked.
    pub fn take(&mut self, steps: Vec<Step<K, R>>) {
        let steps = self.budget.within(steps);
        let (side, other) = match self.turn {
            Turn::Forward => (&mut self.forward, &self.backward),
            Turn::Backward => (&mut self.backward, &self.forward),
        };
        self.meeting = side.go_on(steps, other, &mut self.budget);
    }

    /// What was found.
    pub fn finish(self) -> FoundSteps<K, R> {
        let Self { forward, backward, meeting, budget, .. } = self;
        let both = forward.depths.keys().filter(|node| backward.depths.contains_key(node)).count();
        let visited = forward.depths.len() + backward.depths.len() - both;
        let places = (!meeting.is_empty()).then(|| {
            let meeting: HashSet<K> = meeting.into_iter().collect();
            let mut places = forward.leading_to(meeting.clone());
            places.reverse();
            places
                .extend(backward.leading_to(meeting).into_iter().map(|place| place.into_iter().map(turned).collect()));
            places
        });
        FoundSteps { places, visited, truncated: budget.used_up }
    }
}

impl<K: Copy + Eq + Hash, R: Copy> FoundSteps<K, R> {
    /// One path of those found: from the start, always on to the lowest next node, by the lowest relationship to it, in the
    /// order that the backend gives for its names. That order must be the one of their ids.
    ///
    /// # Errors
    /// Whatever the backend fails with when it looks an order up.
    pub fn lowest<N: Ord, M: Ord, E>(
        &self,
        start: K,
        mut node_order: impl FnMut(K) -> Result<N, E>,
        mut relationship_order: impl FnMut(R) -> Result<M, E>,
    ) -> Result<Option<Vec<Step<K, R>>>, E> {
        let Some(places) = &self.places else { return Ok(None) };
        let mut path = Vec::new();
        let mut here = start;
        for place in places {
            let mut best: Option<(N, M, Step<K, R>)> = None;
            for step in place.iter().filter(|step| step.from == here) {
                let node = node_order(step.to)?;
                if best.as_ref().is_some_and(|(lowest, ..)| *lowest < node) {
                    continue;
                }
                let relationship = relationship_order(step.relationship)?;
                if best.as_ref().is_none_or(|(lowest, first, _)| (&node, &relationship) < (lowest, first)) {
                    best = Some((node, relationship, *step));
                }
            }
            let Some((_, _, step)) = best else { return Ok(None) };
            here = step.to;
            path.push(step);
        }
        Ok(Some(path))
    }
}

impl<K: Copy + Eq + Hash, R: Copy> Side<K, R> {
    fn new(end: K) -> Self {
        Self { depths: HashMap::from_iter([(end, 0)]), frontier: vec![end], levels: Vec::new() }
    }

    /// Goes one level further and says which nodes the other side knows already.
    fn go_on(&mut self, steps: Vec<Step<K, R>>, other: &Self, budget: &mut Budget) -> Vec<K> {
        let depth = self.levels.len() + 1;
        let (mut frontier, mut meeting, mut level) = (Vec::new(), Vec::new(), Vec::new());
        for step in steps {
            let known = self.depths.get(&step.to).copied();
            if known.is_some_and(|known| known < depth) {
                continue;
            }
            if known.is_none() {
                let is_met = other.depths.contains_key(&step.to);
                if !is_met && !budget.take_node() {
                    continue;
                }
                if is_met {
                    meeting.push(step.to);
                }
                self.depths.insert(step.to, depth);
                frontier.push(step.to);
            }
            level.push(step);
        }
        self.frontier = frontier;
        self.levels.push(level);
        meeting
    }

    /// The steps of each level that lead to these nodes, the last level first.
    fn leading_to(&self, mut ends: HashSet<K>) -> Vec<Vec<Step<K, R>>> {
        let mut places = Vec::new();
        for level in self.levels.iter().rev() {
            let place: Vec<Step<K, R>> = level.iter().filter(|step| ends.contains(&step.to)).copied().collect();
            ends = place.iter().map(|step| step.from).collect();
            places.push(place);
        }
        places
    }
}

fn turned<K, R>(step: Step<K, R>) -> Step<K, R> {
    Step { from: step.to, relationship: step.relationship, to: step.from }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a backend would say.
    fn answer(edges: &[(u32, u32)], expansion: &Expansion<u32>) -> Vec<Step<u32, usize>> {
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

    fn search(edges: &[(u32, u32)], from: u32, to: u32, max_depth: usize) -> Option<Vec<u32>> {
        let mut finder = PathFinder::new(from, to, max_depth, 1_000);
        while let Some(expansion) = finder.next() {
            finder.take(answer(edges, &expansion));
        }
        let steps = finder.finish().lowest(from, Ok::<_, ()>, Ok).unwrap()?;
        Some(std::iter::once(from).chain(steps.iter().map(|step| step.to)).collect())
    }

    /// All paths of this length, in the order of their nodes; the first one is what must be found.
    fn lowest(edges: &[(u32, u32)], from: u32, to: u32, max_depth: usize) -> Option<Vec<u32>> {
        let mut paths = vec![vec![from]];
        for _ in 0..=max_depth {
            if let Some(found) = paths.iter().filter(|path| path.last() == Some(&to)).min() {
                return Some(found.clone());
            }
            let mut longer = Vec::new();
            for path in &paths {
                for &(start, end) in edges {
                    let last = path[path.len() - 1];
                    let next = [(start, end), (end, start)].into_iter().filter(|(here, _)| *here == last);
                    longer.extend(next.map(|(_, next)| [path.as_slice(), &[next]].concat()));
                }
            }
            longer.sort();
            longer.dedup();
            paths = longer;
        }
        None
    }

    #[test]
    fn the_path_over_the_lowest_nodes_is_found_in_any_graph() {
        let mut state: u32 = 5;
        let mut next = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        let mut found = 0;
        for _ in 0..300 {
            let edges: Vec<_> = (0..12).map(|_| (next(9), next(9))).collect();
            let (from, to, depth) = (next(9), next(9), 1 + next(4) as usize);
            let expected = lowest(&edges, from, to, depth);
            found += usize::from(expected.as_ref().is_some_and(|path| path.len() > 2));
            assert_eq!(search(&edges, from, to, depth), expected, "{from} to {to} within {depth} in {edges:?}");
        }
        assert!(found > 50, "only {found} paths");
    }
}
