//! How much there is, and about how much a filter would find.

use graph::{Condition, LabelKey, NodeFilter, RelationKey, Test, TextRelation};
use rusqlite::Connection;

use super::layout::CodeLayout;
use super::property::Property;
use super::relations::Relations;
use crate::filter::{self, Where};
use crate::job::Outcome;
use crate::projects::meta::{self, ByCode};

/// Up to here, what an index finds is counted.
const COUNTED: u64 = 1_000;

#[derive(Debug)]
pub(super) struct Counts {
    labels: ByCode,
    relations: ByCode,
    pub(super) nodes: u64,
    pub(super) edges: u64,
    /// Whether some of the edges may end at no node, and are none to a reader.
    pub(super) may_be_loose: bool,
}

impl Counts {
    pub(super) fn read(connection: &Connection) -> Outcome<Self> {
        let (labels, relations) = (meta::counts(connection, "labels")?, meta::counts(connection, "relations")?);
        let may_be_loose = meta::has_loose_ends(connection)?;
        Ok(Self { labels, relations, nodes: sum(labels), edges: sum(relations), may_be_loose })
    }

    pub(super) fn edges_of(&self, relations: &[RelationKey]) -> u64 {
        match Relations::of(relations) {
            all if all.is_all() => self.edges,
            some => sum(some.codes().map(|code| self.relations[usize::from(code)])),
        }
    }

    pub(super) fn estimate(&self, connection: &Connection, filter: &NodeFilter) -> Outcome<u64> {
        let labelled = filter.labels.iter().map(|group| self.labelled(group)).min().unwrap_or(self.nodes);
        let mut estimate = labelled;
        for condition in &filter.conditions {
            estimate = estimate.min(match is_selective(condition) {
                true => {
                    let mut found = Where::default();
                    found.add_conditions(&CodeLayout, std::iter::once(condition));
                    filter::count(connection, &found, COUNTED)?
                }
                false => labelled / share(&condition.test),
            });
        }
        Ok(estimate.max(u64::from(labelled > 0)))
    }

    fn labelled(&self, labels: &[LabelKey]) -> u64 {
        let count = |label: &LabelKey| usize::try_from(label.0).ok().and_then(|code| self.labels.get(code)).copied();
        sum(labels.iter().filter_map(count))
    }
}

/// Whether an index finds what fits this condition.
pub(super) fn is_selective(condition: &Condition) -> bool {
    let has_index = matches!(
        Property::of_key(condition.property),
        Some(Property::Name | Property::QualifiedName | Property::FilePath)
    );
    let is_equality = match &condition.test {
        Test::Equals(_) => true,
        Test::OneOf(values) => values.len() <= filter::LONGEST_LIST,
        Test::Text { relation, lower_case, .. } => *relation == TextRelation::Is && !lower_case,
        Test::Between { .. } | Test::Exists => false,
    };
    has_index && is_equality
}

/// One of how many fits such a test; a guess.
fn share(test: &Test) -> u64 {
    match test {
        Test::Equals(_) | Test::OneOf(_) => 20,
        Test::Text { relation: TextRelation::Is, .. } => 200,
        Test::Text { relation: TextRelation::Contains, .. } => 20,
        Test::Text { relation: TextRelation::StartsWith | TextRelation::EndsWith, .. } => 50,
        Test::Between { .. } => 3,
        Test::Exists => 1,
    }
}

fn sum(counts: impl IntoIterator<Item = i64>) -> u64 {
    counts.into_iter().map(|count| u64::try_from(count).unwrap_or(0)).sum()
}
