//! What do the best definitions use?
//!
//! A definition that the best ones call, make, inherit from or have as a method is a likelier place than one of the same score that they
//! do not use; that it uses them says nothing. Both were measured (docs/benchmarks.md).

use std::collections::hash_map::Entry;

use graph::{Direction, NodeId, Relation};
use rustc_hash::FxHashMap;
use store::{Result, WordRead};

/// A definition that words found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct User<'a> {
    pub(crate) node: NodeId,
    pub(crate) score: f32,
    pub(crate) file: &'a str,
}

/// What a definition is supported by.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Support {
    /// Between 0 and 1, and 1 for what is supported most.
    pub(crate) share: f32,
    /// The score of the best of those that use it.
    pub(crate) best: f32,
}

/// What is used by others.
#[derive(Debug, Default)]
pub(crate) struct Supported {
    pub(crate) definitions: FxHashMap<NodeId, Support>,
    /// By path, with shares between 0 and 1.
    pub(crate) files: FxHashMap<String, f32>,
}

/// What the users, which are best first, use. A file has one vote for each other file, however often it uses it.
pub(crate) fn support<'a>(
    words: &dyn WordRead,
    users: &[User<'a>],
    known: impl Fn(NodeId) -> Option<&'a str>,
) -> Result<Supported> {
    let mut definitions: FxHashMap<NodeId, Support> = FxHashMap::default();
    let mut votes: FxHashMap<String, FxHashMap<&str, f32>> = FxHashMap::default();
    let mut paths: FxHashMap<NodeId, Option<String>> = FxHashMap::default();
    let most = users.first().map_or(1.0, |user| user.score);
    for user in users {
        for (used, worth) in used_by(words, user.node)? {
            let share = worth * user.score / most;
            let path = if let Some(path) = known(used) {
                let support = definitions.entry(used).or_default();
                support.share += share;
                support.best = support.best.max(user.score);
                Some(path)
            } else {
                let path = match paths.entry(used) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(vacant) => vacant.insert(words.node(used)?.and_then(|found| found.path)),
                };
                path.as_deref()
            };
            if let Some(path) = path.filter(|path| *path != user.file) {
                let vote = votes.entry(path.to_owned()).or_default().entry(user.file).or_default();
                *vote = vote.max(share);
            }
        }
    }
    share_out(definitions.values_mut().map(|support| &mut support.share));
    let mut files: FxHashMap<String, f32> =
        votes.into_iter().map(|(path, votes)| (path, in_order(votes).iter().sum())).collect();
    share_out(files.values_mut());
    Ok(Supported { definitions, files })
}

/// So that sums do not depend on the order of a map.
fn in_order(votes: FxHashMap<&str, f32>) -> Vec<f32> {
    let mut votes: Vec<f32> = votes.into_values().collect();
    votes.sort_by(f32::total_cmp);
    votes
}

fn share_out<'a>(shares: impl Iterator<Item = &'a mut f32>) {
    let shares: Vec<&mut f32> = shares.collect();
    let most = shares.iter().map(|share| **share).fold(f32::MIN_POSITIVE, f32::max);
    shares.into_iter().for_each(|share| *share = (*share / most).sqrt());
}

/// What one definition uses, in rising order; the more it uses, the less each of them is worth.
fn used_by(words: &dyn WordRead, node: NodeId) -> Result<Vec<(NodeId, f32)>> {
    let edges = words.edges_of(node, Direction::Outgoing)?;
    let many = 1.0 + (edges.len().max(1) as f32).ln();
    let mut used: FxHashMap<NodeId, f32> = FxHashMap::default();
    for edge in edges.iter().filter(|edge| edge.to != node) {
        let worth = worth(edge.relation) * edge.confidence.as_fraction() as f32 / many;
        if worth > 0.0 {
            let known = used.entry(edge.to).or_default();
            *known = known.max(worth);
        }
    }
    let mut used: Vec<(NodeId, f32)> = used.into_iter().collect();
    used.sort_unstable_by_key(|(node, _)| *node);
    Ok(used)
}

fn worth(relation: Relation) -> f32 {
    match relation {
        Relation::Calls => 1.0,
        Relation::Instantiates | Relation::Inherits | Relation::Implements => 0.8,
        Relation::DefinesMethod => 0.6,
        Relation::References => 0.5,
        Relation::Overrides | Relation::Imports | Relation::Defines | Relation::Contains | Relation::DependsOn => 0.0,
    }
}
