//! One state of a project's graph in memory: everything that traversals and searches by name go through often. What is read once
//! in an answer (signatures, docstrings, lists) stays in the file.

mod adjacency;
mod bits;
mod build;
mod matcher;
mod texts;

use graph::{Confidence, Direction, EdgeEnds, EdgeKey, LabelKey, NodeKey, RelationKey, Resolution, Step, Value};

use self::adjacency::Adjacency;
pub(super) use self::matcher::Matcher;
use self::texts::Texts;
use super::edges::StoredEdge;
use super::property::Property;
use super::relations::Relations;

/// Stands for no path.
const NO_PATH: u32 = u32::MAX;

/// Nodes stand in the order of their keys, relationships in that of first node, type, second node and line.
#[derive(Debug)]
pub(super) struct Snapshot {
    nodes: Nodes,
    outgoing: Adjacency,
    incoming: Adjacency,
    /// The place among the outgoing ones of each incoming one; that place names the relationship.
    places: Vec<u32>,
    lines: Vec<u32>,
    resolutions: Vec<u8>,
    confidences: Vec<u8>,
    /// How many relationships there are of each type, in the place of its number.
    counts: [u64; 16],
}

#[derive(Debug, Default)]
struct Nodes {
    ids: Vec<u64>,
    /// Where the ids with the same first bits begin, to find one with few looks.
    buckets: Vec<u32>,
    labels: Vec<u8>,
    /// The number of each one's name among the distinct ones.
    names: Vec<u32>,
    paths: Vec<u32>,
    start_lines: Vec<u32>,
    end_lines: Vec<u32>,
    name_texts: Texts,
    path_texts: Texts,
    qualified_names: Texts,
    /// The place of the first node with the same qualified name.
    same_qualified_name: Vec<u32>,
}

impl Snapshot {
    /// The place of the node with this key.
    pub(super) fn find(&self, node: NodeKey) -> Option<usize> {
        self.nodes.find(node.0)
    }

    /// The same, quick if it is at this place or shortly behind it, as it is for one who goes through all.
    pub(super) fn find_from(&self, place: usize, node: NodeKey) -> Option<usize> {
        const NEAR: usize = 8;
        let ahead = self.nodes.ids.get(place..).unwrap_or_default().iter().take(NEAR);
        let near = ahead.enumerate().find(|(_, id)| **id >= node.0).filter(|(_, id)| **id == node.0);
        near.map(|(distance, _)| place + distance).or_else(|| self.find(node))
    }

    /// The place of the first node after this key.
    pub(super) fn place_after(&self, node: NodeKey) -> usize {
        self.nodes.find(node.0).map_or_else(|| self.nodes.ids.partition_point(|id| *id <= node.0), |place| place + 1)
    }

    pub(super) fn label(&self, node: usize) -> LabelKey {
        LabelKey(self.nodes.labels[node].into())
    }

    /// What it holds of the node's properties; `None` for those that are only in the file.
    pub(super) fn node_property(&self, node: usize, property: Property) -> Option<Value> {
        let Nodes { names, paths, start_lines, end_lines, .. } = &self.nodes;
        let line = |line: u32| if line == 0 { Value::Null } else { Value::Int(line.into()) };
        match property {
            Property::Name => Some(Value::Text(self.nodes.name_texts.get(names[node] as usize).into())),
            Property::QualifiedName => Some(Value::Text(self.nodes.qualified_names.get(node).into())),
            Property::FilePath if paths[node] == NO_PATH => Some(Value::Null),
            Property::FilePath => Some(Value::Text(self.nodes.path_texts.get(paths[node] as usize).into())),
            Property::LineStart => Some(line(start_lines[node])),
            Property::LineEnd => Some(line(end_lines[node])),
            Property::Signature | Property::Docstring | Property::Decorators | Property::Modifiers => None,
            Property::Line | Property::Resolution | Property::Confidence => Some(Value::Null),
        }
    }

    /// The same for nodes whose property is the same, and for no others.
    pub(super) fn property_number(&self, node: usize, property: Property) -> Option<u32> {
        let Nodes { names, paths, same_qualified_name, path_texts, .. } = &self.nodes;
        match property {
            Property::Name => Some(names[node]),
            Property::QualifiedName => Some(same_qualified_name[node]),
            Property::FilePath if paths[node] == NO_PATH => u32::try_from(path_texts.len()).ok(),
            Property::FilePath => Some(paths[node]),
            Property::LineStart
            | Property::LineEnd
            | Property::Signature
            | Property::Docstring
            | Property::Decorators
            | Property::Modifiers
            | Property::Line
            | Property::Resolution
            | Property::Confidence => None,
        }
    }

    /// Calls back with each relationship's place and what it is like from here.
    pub(super) fn expand(
        &self,
        node: usize,
        direction: Direction,
        relations: Relations,
        steps: &mut Vec<Step>,
        key: impl Fn(u32) -> EdgeKey,
    ) {
        let ids = &self.nodes.ids;
        if direction != Direction::Incoming {
            let side = &self.outgoing;
            side.each(node, relations, |place| {
                let edge = key(u32::try_from(place).unwrap_or(u32::MAX));
                let far = NodeKey(ids[side.far(place)]);
                steps.push(Step { edge, relation: RelationKey(side.relation(place).into()), far, outgoing: true });
            });
        }
        if direction != Direction::Outgoing {
            let (side, is_either) = (&self.incoming, direction == Direction::Either);
            side.each(node, relations, |place| {
                if is_either && side.far(place) == node {
                    return;
                }
                let edge = key(self.places[place]);
                let far = NodeKey(ids[side.far(place)]);
                steps.push(Step { edge, relation: RelationKey(side.relation(place).into()), far, outgoing: false });
            });
        }
    }

    pub(super) fn degree(&self, node: usize, direction: Direction, relations: Relations) -> usize {
        match direction {
            Direction::Outgoing => self.outgoing.count(node, relations),
            Direction::Incoming => self.incoming.count(node, relations),
            Direction::Either => {
                let both = self.outgoing.count(node, relations) + self.incoming.count(node, relations);
                both - self.outgoing.count_loops(node, relations)
            }
        }
    }

    pub(super) fn count_edges(&self, relations: Relations) -> u64 {
        relations.codes().map(|code| self.counts[usize::from(code)]).sum()
    }

    /// The ends of the relationship at this place, if there is such a place.
    pub(super) fn ends(&self, place: u64) -> Option<EdgeEnds> {
        let place = self.place(place)?;
        let ids = &self.nodes.ids;
        Some(EdgeEnds {
            from: NodeKey(ids[self.outgoing.near(place)]),
            relation: RelationKey(self.outgoing.relation(place).into()),
            to: NodeKey(ids[self.outgoing.far(place)]),
        })
    }

    pub(super) fn line(&self, place: u64) -> Option<u32> {
        Some(self.lines[self.place(place)?])
    }

    pub(super) fn how_found(&self, place: u64) -> Option<(Resolution, Confidence)> {
        let place = self.place(place)?;
        Some((Resolution::from_code(self.resolutions[place])?, Confidence(self.confidences[place])))
    }

    /// Where a relationship that was met through SQL stands here.
    pub(super) fn place_of(&self, edge: &StoredEdge) -> Option<u32> {
        let (from, to) = (self.nodes.find(edge.from)?, self.nodes.find(edge.to)?);
        let place = self.outgoing.between(from, edge.relation, to).find(|place| self.lines[*place] == edge.line)?;
        u32::try_from(place).ok()
    }

    fn place(&self, place: u64) -> Option<usize> {
        usize::try_from(place).ok().filter(|place| *place < self.outgoing.len())
    }

    /// How much memory it takes.
    pub(super) fn heap_bytes(&self) -> usize {
        let places = 4 * (self.places.capacity() + self.lines.capacity());
        let bytes = self.resolutions.capacity() + self.confidences.capacity();
        self.nodes.heap_bytes() + self.outgoing.heap_bytes() + self.incoming.heap_bytes() + places + bytes
    }
}

impl Nodes {
    fn len(&self) -> usize {
        self.ids.len()
    }

    fn find(&self, id: u64) -> Option<usize> {
        let bucket = usize::try_from(id >> self.bucket_shift()).ok()?;
        let (start, end) = (*self.buckets.get(bucket)? as usize, *self.buckets.get(bucket + 1)? as usize);
        self.ids[start..end].binary_search(&id).ok().map(|position| start + position)
    }

    /// Ids have 63 bits, evenly spread because they are hashes; there are as many buckets as ids, or nearly so.
    fn bucket_shift(&self) -> u32 {
        63 - self.ids.len().max(1).ilog2()
    }

    fn fill_buckets(&mut self) {
        let count = 1_usize << (63 - self.bucket_shift());
        let mut buckets = vec![0_u32; count + 1];
        for id in &self.ids {
            let bucket = usize::try_from(id >> self.bucket_shift()).unwrap_or(usize::MAX);
            buckets[(bucket + 1).min(count)] += 1;
        }
        (0..count).for_each(|bucket| buckets[bucket + 1] += buckets[bucket]);
        self.buckets = buckets;
    }

    fn heap_bytes(&self) -> usize {
        let places = &self.same_qualified_name;
        let columns = [&self.buckets, &self.names, &self.paths, &self.start_lines, &self.end_lines, places];
        let columns: usize = columns.iter().map(|column| 4 * column.capacity()).sum();
        let texts = [&self.name_texts, &self.path_texts, &self.qualified_names];
        let texts: usize = texts.iter().map(|texts| texts.heap_bytes()).sum();
        8 * self.ids.capacity() + self.labels.capacity() + columns + texts
    }
}
