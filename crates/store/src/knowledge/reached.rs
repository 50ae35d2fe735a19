//! How does a walk over the graph ask for relationships?

/// The relationships of these nodes are wanted, whichever way they point.
///
/// A backend answers with [`Step`]s: node by node in the order given, and for each node its relationships of the wanted types
/// from the oldest to the youngest (their ids are in that order), until all of them or `most` steps are there. A relationship
/// from a node to itself is one step. Nothing else is promised of them; asking for one node more than once does not happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expansion<K> {
    pub nodes: Vec<K>,
    pub most: usize,
}

/// One relationship, as seen from the node that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step<K, R> {
    pub from: K,
    pub relationship: R,
    /// The other end.
    pub to: K,
}

/// How many relationships may be looked at for each node that may be visited: two nodes can have very many.
const RELATIONSHIPS_PER_NODE: usize = 10;

/// What is left of what a walk may look at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    pub(super) nodes: usize,
    relationships: usize,
    pub(super) used_up: bool,
}

impl Budget {
    pub(super) fn new(nodes: usize) -> Self {
        Self { nodes, relationships: nodes.saturating_mul(RELATIONSHIPS_PER_NODE), used_up: false }
    }

    /// How many steps to ask for: one more than may be used, to learn whether there are more.
    pub(super) fn most(&self) -> usize {
        self.relationships.saturating_add(1)
    }

    /// Those of the steps that may be looked at.
    pub(super) fn within<K, R>(&mut self, mut steps: Vec<Step<K, R>>) -> Vec<Step<K, R>> {
        if steps.len() > self.relationships {
            self.used_up = true;
            steps.truncate(self.relationships);
        }
        self.relationships -= steps.len();
        steps
    }

    /// Whether one more node may be visited.
    pub(super) fn take_node(&mut self) -> bool {
        if self.nodes == 0 {
            self.used_up = true;
            return false;
        }
        self.nodes -= 1;
        true
    }
}
