//! A small property graph in memory, with or without taking hints.

use std::sync::Arc;

use graph::{
    Bound, Condition, Direction, EdgeEnds, EdgeKey, GraphRead, LabelKey, NodeFilter, NodeKey, PropertyKey, ReadResult,
    RelationKey, Step, Test, TextRelation, Value,
};
use rustc_hash::FxHashMap;

use crate::backend::NodeData;

/// What the graph does with what is known of the nodes wanted from a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hints {
    /// Gives only nodes that fit.
    Honoured,
    /// Gives all nodes.
    Ignored,
}

#[derive(Debug)]
pub struct MemoryGraph {
    hints: Hints,
    labels: Names,
    relations: Names,
    properties: Names,
    nodes: Vec<Node>,
    /// For each node, which of the sets of labels it has.
    node_label_sets: Vec<u32>,
    label_sets: Vec<Vec<LabelKey>>,
    /// Nothing where a relationship was deleted.
    edges: Vec<Option<Edge>>,
    by_label: FxHashMap<LabelKey, Vec<NodeKey>>,
    by_text: FxHashMap<(PropertyKey, Arc<str>), Vec<NodeKey>>,
    edge_counts: FxHashMap<RelationKey, u64>,
}

#[derive(Debug, Default)]
struct Names {
    names: Vec<Arc<str>>,
    keys: FxHashMap<Arc<str>, u32>,
}

impl Names {
    fn add(&mut self, name: &Arc<str>) -> u32 {
        if let Some(key) = self.keys.get(name) {
            return *key;
        }
        let key = u32::try_from(self.names.len()).expect("fewer than 2^32 names");
        self.names.push(name.clone());
        self.keys.insert(name.clone(), key);
        key
    }

    fn all<K>(&self, key: fn(u32) -> K) -> Vec<(K, Arc<str>)> {
        (0..).map(key).zip(self.names.iter().cloned()).collect()
    }
}

#[derive(Debug, Default)]
struct Node {
    properties: Vec<(PropertyKey, Value)>,
    outgoing: Adjacency,
    incoming: Adjacency,
}

/// Relationships by type, with the nodes at their far ends.
#[derive(Debug, Default)]
struct Adjacency(Vec<(RelationKey, Vec<(EdgeKey, NodeKey)>)>);

impl Adjacency {
    fn add(&mut self, relation: RelationKey, edge: EdgeKey, far: NodeKey) {
        match self.0.iter_mut().find(|(known, _)| *known == relation) {
            Some((_, ends)) => ends.push((edge, far)),
            None => self.0.push((relation, vec![(edge, far)])),
        }
    }

    fn of<'a>(
        &'a self,
        relations: &'a [RelationKey],
    ) -> impl Iterator<Item = (RelationKey, &'a [(EdgeKey, NodeKey)])> + use<'a> {
        let wanted = |relation: &RelationKey| relations.is_empty() || relations.contains(relation);
        self.0.iter().filter(move |(relation, _)| wanted(relation)).map(|(relation, ends)| (*relation, ends.as_slice()))
    }
}

#[derive(Debug)]
struct Edge {
    ends: EdgeEnds,
    properties: Vec<(PropertyKey, Value)>,
}

impl MemoryGraph {
    pub fn new(hints: Hints) -> MemoryGraph {
        MemoryGraph {
            hints,
            labels: Names::default(),
            relations: Names::default(),
            properties: Names::default(),
            nodes: Vec::new(),
            node_label_sets: Vec::new(),
            label_sets: Vec::new(),
            edges: Vec::new(),
            by_label: FxHashMap::default(),
            by_text: FxHashMap::default(),
            edge_counts: FxHashMap::default(),
        }
    }

    pub fn add_node(&mut self, data: &NodeData) -> NodeKey {
        let key = NodeKey(self.nodes.len() as u64);
        let mut labels: Vec<LabelKey> = data.labels.iter().map(|label| LabelKey(self.labels.add(label))).collect();
        labels.sort();
        labels.dedup();
        for label in &labels {
            self.by_label.entry(*label).or_default().push(key);
        }
        let properties = self.property_list(&data.properties);
        for (property, value) in &properties {
            if let Value::Text(text) = value {
                self.by_text.entry((*property, text.clone())).or_default().push(key);
            }
        }
        let set = self.label_sets.iter().position(|known| *known == labels).unwrap_or_else(|| {
            self.label_sets.push(labels);
            self.label_sets.len() - 1
        });
        self.node_label_sets.push(u32::try_from(set).expect("fewer than 2^32 sets"));
        self.nodes.push(Node { properties, ..Node::default() });
        key
    }

    pub fn add_relationship(
        &mut self,
        from: NodeKey,
        kind: &Arc<str>,
        to: NodeKey,
        properties: &[(Arc<str>, Value)],
    ) -> EdgeKey {
        let edge = EdgeKey(self.edges.len() as u64);
        let relation = RelationKey(self.relations.add(kind));
        let properties = self.property_list(properties);
        self.edges.push(Some(Edge { ends: EdgeEnds { from, relation, to }, properties }));
        self.nodes[from.0 as usize].outgoing.add(relation, edge, to);
        self.nodes[to.0 as usize].incoming.add(relation, edge, from);
        *self.edge_counts.entry(relation).or_default() += 1;
        edge
    }

    pub fn delete_relationship(&mut self, edge: EdgeKey) {
        if let Some(Edge { ends, .. }) = self.edges.get_mut(edge.0 as usize).and_then(Option::take) {
            for (_, ends) in &mut self.nodes[ends.from.0 as usize].outgoing.0 {
                ends.retain(|(other, _)| *other != edge);
            }
            for (_, ends) in &mut self.nodes[ends.to.0 as usize].incoming.0 {
                ends.retain(|(other, _)| *other != edge);
            }
            *self.edge_counts.entry(ends.relation).or_default() -= 1;
        }
    }

    fn property_list(&mut self, properties: &[(Arc<str>, Value)]) -> Vec<(PropertyKey, Value)> {
        let stored = properties.iter().filter(|(_, value)| *value != Value::Null);
        stored.map(|(name, value)| (PropertyKey(self.properties.add(name)), value.clone())).collect()
    }

    fn node(&self, node: NodeKey) -> ReadResult<&Node> {
        self.nodes.get(node.0 as usize).ok_or_else(|| format!("there is no node {}", node.0).into())
    }

    fn labels_of(&self, node: NodeKey) -> ReadResult<&[LabelKey]> {
        let set = self.node_label_sets.get(node.0 as usize);
        let set = set.ok_or_else(|| format!("there is no node {}", node.0))?;
        Ok(&self.label_sets[*set as usize])
    }

    fn edge(&self, edge: EdgeKey) -> ReadResult<&Edge> {
        let found = self.edges.get(edge.0 as usize).and_then(Option::as_ref);
        found.ok_or_else(|| format!("there is no relationship {}", edge.0).into())
    }

    /// The shortest list of nodes in which all that fit must be.
    fn candidates(&self, filter: &NodeFilter) -> Option<&[NodeKey]> {
        let by_label = filter.labels.iter().filter_map(|group| match group.as_slice() {
            [only] => Some(self.by_label.get(only).map_or(&[][..], Vec::as_slice)),
            _ => None,
        });
        let by_text = filter.conditions.iter().filter_map(|condition| match &condition.test {
            Test::Equals(Value::Text(text)) => {
                let key = (condition.property, text.clone());
                Some(self.by_text.get(&key).map_or(&[][..], Vec::as_slice))
            }
            Test::Equals(_) | Test::OneOf(_) | Test::Text { .. } | Test::Between { .. } | Test::Exists => None,
        });
        by_label.chain(by_text).min_by_key(|nodes| nodes.len())
    }

    fn fits(&self, node: NodeKey, filter: &NodeFilter) -> bool {
        let Ok(labels) = self.labels_of(node) else { return false };
        let has_labels = filter.labels.iter().all(|group| group.iter().any(|label| labels.contains(label)));
        let properties = &self.nodes[node.0 as usize];
        has_labels && filter.conditions.iter().all(|condition| condition_fits(properties, condition))
    }
}

fn property_of(properties: &[(PropertyKey, Value)], wanted: PropertyKey) -> Value {
    properties.iter().find(|(key, _)| *key == wanted).map_or(Value::Null, |(_, value)| value.clone())
}

fn condition_fits(node: &Node, condition: &Condition) -> bool {
    let value = property_of(&node.properties, condition.property);
    match &condition.test {
        Test::Exists => value != Value::Null,
        Test::Equals(wanted) => value == *wanted,
        Test::OneOf(wanted) => wanted.contains(&value),
        Test::Between { low, high } => {
            is_beyond(&value, low.as_ref(), |ordering| ordering.is_gt())
                && is_beyond(&value, high.as_ref(), |ordering| ordering.is_lt())
        }
        Test::Text { relation, wanted, lower_case } => {
            let Value::Text(text) = value else { return false };
            let text = if *lower_case { text.to_lowercase() } else { text.to_string() };
            match relation {
                TextRelation::Is => *text == **wanted,
                TextRelation::Contains => text.contains(&**wanted),
                TextRelation::StartsWith => text.starts_with(&**wanted),
                TextRelation::EndsWith => text.ends_with(&**wanted),
            }
        }
    }
}

fn is_beyond(value: &Value, bound: Option<&Bound>, fits: fn(std::cmp::Ordering) -> bool) -> bool {
    let Some(bound) = bound else { return true };
    let number = |value: &Value| match value {
        Value::Int(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        Value::Null | Value::Bool(_) | Value::Text(_) | Value::List(_) => None,
    };
    let ordering = match (value, &bound.value) {
        (Value::Text(value), Value::Text(bound)) => Some(value.cmp(bound)),
        (value, bound) => number(value).zip(number(bound)).and_then(|(value, bound)| value.partial_cmp(&bound)),
    };
    ordering.is_some_and(|ordering| fits(ordering) || bound.inclusive && ordering.is_eq())
}

impl GraphRead for MemoryGraph {
    fn label(&self, name: &str) -> Option<LabelKey> {
        self.labels.keys.get(name).copied().map(LabelKey)
    }

    fn relation(&self, name: &str) -> Option<RelationKey> {
        self.relations.keys.get(name).copied().map(RelationKey)
    }

    fn property(&self, name: &str) -> Option<PropertyKey> {
        self.properties.keys.get(name).copied().map(PropertyKey)
    }

    fn label_names(&self) -> Vec<(LabelKey, Arc<str>)> {
        self.labels.all(LabelKey)
    }

    fn relation_names(&self) -> Vec<(RelationKey, Arc<str>)> {
        self.relations.all(RelationKey)
    }

    fn property_names(&self) -> Vec<(PropertyKey, Arc<str>)> {
        self.properties.all(PropertyKey)
    }

    fn estimate(&self, filter: &NodeFilter) -> u64 {
        let all = self.nodes.len() as u64;
        match self.hints {
            Hints::Ignored => all,
            Hints::Honoured => self.candidates(filter).map_or(all, |nodes| nodes.len() as u64),
        }
    }

    fn scan(
        &self,
        filter: &NodeFilter,
        after: Option<NodeKey>,
        limit: usize,
        nodes: &mut Vec<NodeKey>,
    ) -> ReadResult<()> {
        let first = after.map_or(0, |after| after.0 + 1);
        if self.hints == Hints::Ignored {
            nodes.extend((first..self.nodes.len() as u64).take(limit).map(NodeKey));
            return Ok(());
        }
        if let Some(candidates) = self.candidates(filter) {
            let begin = candidates.partition_point(|node| node.0 < first);
            let fitting = candidates[begin..].iter().copied().filter(|node| self.fits(*node, filter));
            nodes.extend(fitting.take(limit));
            return Ok(());
        }
        let all = (first..self.nodes.len() as u64).map(NodeKey);
        nodes.extend(all.filter(|node| self.fits(*node, filter)).take(limit));
        Ok(())
    }

    fn expand(
        &self,
        node: NodeKey,
        direction: Direction,
        relations: &[RelationKey],
        steps: &mut Vec<Step>,
    ) -> ReadResult<()> {
        let found = self.node(node)?;
        if direction != Direction::Incoming {
            for (relation, ends) in found.outgoing.of(relations) {
                steps.extend(ends.iter().map(|&(edge, far)| Step { edge, relation, far, outgoing: true }));
            }
        }
        if direction != Direction::Outgoing {
            for (relation, ends) in found.incoming.of(relations) {
                // A loop has come with the outgoing ones already.
                let ends = ends.iter().filter(|(_, far)| direction == Direction::Incoming || *far != node);
                steps.extend(ends.map(|&(edge, far)| Step { edge, relation, far, outgoing: false }));
            }
        }
        Ok(())
    }

    fn degree(&self, node: NodeKey, direction: Direction, relations: &[RelationKey]) -> ReadResult<u64> {
        let found = self.node(node)?;
        let outgoing = found.outgoing.of(relations).map(|(_, ends)| ends.len()).sum::<usize>();
        let incoming = found.incoming.of(relations);
        Ok(match direction {
            Direction::Outgoing => outgoing as u64,
            Direction::Incoming => incoming.map(|(_, ends)| ends.len() as u64).sum(),
            Direction::Either => {
                let others = incoming.flat_map(|(_, ends)| ends).filter(|(_, far)| *far != node);
                (outgoing + others.count()) as u64
            }
        })
    }

    fn edge_count(&self, relations: &[RelationKey]) -> ReadResult<u64> {
        if relations.is_empty() {
            return Ok(self.edge_counts.values().sum());
        }
        Ok(relations.iter().filter_map(|relation| self.edge_counts.get(relation)).sum())
    }

    fn edge_ends(&self, edge: EdgeKey) -> ReadResult<EdgeEnds> {
        Ok(self.edge(edge)?.ends)
    }

    fn node_labels(&self, node: NodeKey, labels: &mut Vec<LabelKey>) -> ReadResult<()> {
        labels.extend_from_slice(self.labels_of(node)?);
        Ok(())
    }

    fn node_property(&self, node: NodeKey, property: PropertyKey) -> ReadResult<Value> {
        Ok(property_of(&self.node(node)?.properties, property))
    }

    fn edge_property(&self, edge: EdgeKey, property: PropertyKey) -> ReadResult<Value> {
        Ok(property_of(&self.edge(edge)?.properties, property))
    }

    fn node_properties(&self, node: NodeKey) -> ReadResult<Vec<(PropertyKey, Value)>> {
        Ok(self.node(node)?.properties.clone())
    }

    fn edge_properties(&self, edge: EdgeKey) -> ReadResult<Vec<(PropertyKey, Value)>> {
        Ok(self.edge(edge)?.properties.clone())
    }
}

impl MemoryGraph {
    /// What a backend needs to make the same graph.
    pub fn export(&self) -> (Vec<NodeData>, Vec<crate::backend::RelationshipData>) {
        let named = |properties: &[(PropertyKey, Value)]| {
            let name = |key: &PropertyKey| self.properties.names[key.0 as usize].clone();
            properties.iter().map(|(key, value)| (name(key), value.clone())).collect::<Vec<_>>()
        };
        let label_sets = self.node_label_sets.iter().map(|set| &self.label_sets[*set as usize]);
        let nodes = self.nodes.iter().zip(label_sets).map(|(node, labels)| NodeData {
            labels: labels.iter().map(|label| self.labels.names[label.0 as usize].clone()).collect(),
            properties: named(&node.properties),
        });
        let edges = self.edges.iter().flatten().map(|edge| crate::backend::RelationshipData {
            from: edge.ends.from.0 as usize,
            kind: self.relations.names[edge.ends.relation.0 as usize].clone(),
            to: edge.ends.to.0 as usize,
            properties: named(&edge.properties),
        });
        (nodes.collect(), edges.collect())
    }
}
