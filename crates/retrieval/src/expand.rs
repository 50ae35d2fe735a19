//! Where do relationships lead from the best definitions?

use graph::{Direction, Edge, NodeId, Relation};
use rustc_hash::FxHashMap;
use store::{Result, WordRead};

/// How many definitions of each distance are looked at further.
const FRONTIER: usize = 30;

/// A definition with more relationships than this is used everywhere and says little about any one use.
const MAX_DEGREE: usize = 200;

/// What the graph says of one definition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Reached {
    pub(crate) distance: u8,
    pub(crate) score: f32,
}

/// The neighbours of the seeds, to this distance, with what each gets of the score of what it was reached from. A seed can be
/// reached too, from others.
pub(crate) fn expand(
    words: &dyn WordRead,
    seeds: &[(NodeId, f32)],
    depth: u8,
    share: f32,
) -> Result<FxHashMap<NodeId, Reached>> {
    let mut reached: FxHashMap<NodeId, Reached> = FxHashMap::default();
    let mut frontier: Vec<(NodeId, f32)> = seeds.iter().copied().take(FRONTIER).collect();
    for distance in 1..=depth {
        let mut next: FxHashMap<NodeId, f32> = FxHashMap::default();
        for &(node, score) in &frontier {
            for (neighbour, part) in neighbours(words, node)? {
                *next.entry(neighbour).or_default() += score * share * part;
            }
        }
        let mut found: Vec<(NodeId, f32)> = next.into_iter().collect();
        found.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        for &(node, score) in &found {
            reached.entry(node).or_insert(Reached { distance, score: 0.0 }).score += score;
        }
        found.truncate(FRONTIER);
        frontier = found;
    }
    Ok(reached)
}

/// Each neighbour with its part of what there is to give; much to few, little to many.
fn neighbours(words: &dyn WordRead, node: NodeId) -> Result<Vec<(NodeId, f32)>> {
    let mut edges = words.edges_of(node, Direction::Outgoing)?;
    let incoming = words.edges_of(node, Direction::Incoming)?;
    if incoming.len() <= MAX_DEGREE {
        edges.extend(incoming);
    }
    let mut parts: FxHashMap<NodeId, f32> = FxHashMap::default();
    for edge in &edges {
        let (far, worth) = (if edge.from == node { edge.to } else { edge.from }, worth(edge));
        let known = parts.entry(far).or_default();
        *known = known.max(worth);
    }
    parts.remove(&node);
    let mut parts: Vec<_> = parts.into_iter().filter(|(_, worth)| *worth > 0.0).collect();
    parts.sort_unstable_by_key(|(node, _)| *node);
    let many = 1.0 + (parts.len() as f32).ln().max(0.0);
    parts.iter_mut().for_each(|(_, worth)| *worth /= many);
    Ok(parts)
}

fn worth(edge: &Edge) -> f32 {
    let of_relation = match edge.relation {
        Relation::Calls => 1.0,
        Relation::Instantiates | Relation::Inherits | Relation::Implements => 0.8,
        Relation::Overrides | Relation::DefinesMethod => 0.6,
        Relation::References | Relation::Imports => 0.5,
        Relation::Defines => 0.3,
        Relation::Contains | Relation::DependsOn => 0.0,
    };
    of_relation * edge.confidence.as_fraction() as f32
}
