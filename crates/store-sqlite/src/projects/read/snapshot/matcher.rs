//! A filter worked out against one snapshot, so that a scan in many pages searches the texts once.

use std::ops::RangeInclusive;

use graph::{Bound, Condition, NodeFilter, NodeKey, Test, Value};

use super::bits::Bits;
use super::texts::Texts;
use super::{NO_PATH, Snapshot};
use crate::projects::read::property::Property;

/// Which nodes may fit a filter.
#[derive(Debug)]
pub(in super::super) struct Matcher {
    filter: NodeFilter,
    /// A bit for each label.
    labels: u32,
    names: Option<Bits>,
    qualified_names: Option<Bits>,
    paths: Option<Bits>,
    start_lines: RangeInclusive<u32>,
    end_lines: RangeInclusive<u32>,
}

impl Matcher {
    /// Takes what it can from the filter and leaves the rest to whoever asked.
    pub(in super::super) fn new(snapshot: &Snapshot, filter: &NodeFilter) -> Self {
        let group = |group: &Vec<graph::LabelKey>| group.iter().fold(0, |set, label| set | 1_u32 << label.0.min(31));
        let mut matcher = Self {
            filter: filter.clone(),
            labels: filter.labels.iter().map(group).fold(u32::MAX, |all, group| all & group),
            names: None,
            qualified_names: None,
            paths: None,
            start_lines: 0..=u32::MAX,
            end_lines: 0..=u32::MAX,
        };
        for condition in &filter.conditions {
            matcher.add(snapshot, condition);
        }
        matcher
    }

    pub(in super::super) fn is_for(&self, filter: &NodeFilter) -> bool {
        self.filter == *filter
    }

    /// The nodes that may fit, from this place on.
    pub(in super::super) fn scan(&self, snapshot: &Snapshot, from: usize, limit: usize, found: &mut Vec<NodeKey>) {
        let fitting = (from..snapshot.nodes.len()).filter(|node| self.fits(snapshot, *node));
        found.extend(fitting.take(limit).map(|node| NodeKey(snapshot.nodes.ids[node])));
    }

    fn fits(&self, snapshot: &Snapshot, node: usize) -> bool {
        let nodes = &snapshot.nodes;
        let has = |bits: &Option<Bits>, number: usize| bits.as_ref().is_none_or(|bits| bits.contains(number));
        self.labels & 1 << nodes.labels[node] != 0
            && has(&self.names, nodes.names[node] as usize)
            && has(&self.qualified_names, node)
            && has(&self.paths, nodes.paths[node] as usize)
            && self.start_lines.contains(&nodes.start_lines[node])
            && self.end_lines.contains(&nodes.end_lines[node])
    }

    fn add(&mut self, snapshot: &Snapshot, condition: &Condition) {
        let nodes = &snapshot.nodes;
        match Property::of_key(condition.property) {
            Some(Property::Name) => keep(&mut self.names, &nodes.name_texts, &condition.test),
            Some(Property::QualifiedName) => keep(&mut self.qualified_names, &nodes.qualified_names, &condition.test),
            Some(Property::FilePath) => keep(&mut self.paths, &nodes.path_texts, &condition.test),
            Some(Property::LineStart) => narrow(&mut self.start_lines, &condition.test),
            Some(Property::LineEnd) => narrow(&mut self.end_lines, &condition.test),
            Some(Property::Signature | Property::Docstring | Property::Decorators | Property::Modifiers) => {}
            None | Some(Property::Line | Property::Resolution | Property::Confidence) => self.labels = 0,
        }
    }
}

fn keep(kept: &mut Option<Bits>, texts: &Texts, test: &Test) {
    let found = match test {
        Test::Text { relation, wanted, lower_case } => texts.matching(*relation, wanted, *lower_case),
        // A set of all has no place for what has no path.
        Test::Exists => Bits::all(texts.len().min(NO_PATH as usize)),
        // Found by the indexes in the file, or not worth a search.
        Test::Equals(_) | Test::OneOf(_) | Test::Between { .. } => return,
    };
    match kept {
        Some(kept) => kept.keep(&found),
        None => *kept = Some(found),
    }
}

/// Lines are compared as whole numbers; other bounds are left to whoever asked.
fn narrow(lines: &mut RangeInclusive<u32>, test: &Test) {
    let (low, high) = match test {
        Test::Equals(Value::Int(line)) => (Some(*line), Some(*line)),
        Test::Between { low, high } => {
            (low.as_ref().and_then(|low| whole(low, 1)), high.as_ref().and_then(|high| whole(high, -1)))
        }
        Test::Exists => (None, None),
        Test::Equals(_) | Test::OneOf(_) | Test::Text { .. } => return,
    };
    // Line 0 stands for none.
    let low = low.unwrap_or(1).clamp(1, i64::from(u32::MAX) + 1);
    let high = high.unwrap_or(i64::MAX).clamp(0, i64::from(u32::MAX));
    let low = u32::try_from(low).unwrap_or(u32::MAX).max(*lines.start());
    let high = u32::try_from(high).unwrap_or(u32::MAX).min(*lines.end());
    *lines = low..=high;
}

/// The bound as an inclusive one; an exclusive one moves by this.
fn whole(bound: &Bound, inwards: i64) -> Option<i64> {
    match bound.value {
        Value::Int(line) if bound.inclusive => Some(line),
        Value::Int(line) => Some(line.saturating_add(inwards)),
        Value::Null | Value::Bool(_) | Value::Float(_) | Value::Text(_) | Value::List(_) => None,
    }
}
