//! Which group a row belongs to.

use graph::NodeKey;
use rustc_hash::FxHashMap;

use crate::plan::{Aggregation, Slot, Term};
use crate::value::{GroupKey, Value};
use cypher_syntax::Result;

use super::aggregate::Total;
use super::{Row, Runtime};

pub(super) struct Groups {
    by_key: FxHashMap<Vec<GroupKey>, usize>,
    /// Where there is one key only.
    by_one_key: FxHashMap<GroupKey, usize>,
    /// Where keys are read late and have numbers.
    by_number: Vec<Option<u32>>,
    by_numbers: FxHashMap<Vec<u32>, usize>,
    /// Whether the keys have numbers; the first row tells, because a reader may come to have them later.
    is_numbered: Option<bool>,
    /// The totals of all groups, one group after the other; so are the keys, or the one node that is kept in their place.
    pub(super) totals: Vec<Total>,
    pub(super) keys: Vec<Value>,
    pub(super) count: usize,
}

impl Groups {
    pub(super) fn new(aggregation: &Aggregation) -> Groups {
        let mut groups = Groups {
            by_key: FxHashMap::default(),
            by_one_key: FxHashMap::default(),
            by_number: Vec::new(),
            by_numbers: FxHashMap::default(),
            is_numbered: None,
            totals: Vec::new(),
            keys: Vec::new(),
            count: 0,
        };
        if aggregation.keys.is_empty() {
            groups.add(aggregation);
        }
        groups
    }

    /// Begins a group whose keys have been added.
    fn add(&mut self, aggregation: &Aggregation) -> usize {
        self.totals.extend(aggregation.aggregates.iter().map(Total::new));
        self.count += 1;
        self.count - 1
    }
}

impl Runtime<'_> {
    /// The number of the row's group, which is new if no row before was of it.
    pub(super) fn group(&self, aggregation: &Aggregation, groups: &mut Groups, row: &mut Row) -> Result<usize> {
        if let Some(slot) = aggregation.late
            && let Value::Node(node) = row[slot]
        {
            let number_of = |term: &Term| self.number(node, term);
            if *groups
                .is_numbered
                .get_or_insert_with(|| aggregation.keys.iter().all(|(_, term)| number_of(term).is_some()))
            {
                return self.group_by_number(aggregation, node, groups);
            }
        }
        match aggregation.keys.as_slice() {
            [] => Ok(0),
            [(_, term)] => {
                let key = GroupKey(self.evaluate(term, row)?);
                if let Some(index) = groups.by_one_key.get(&key) {
                    return Ok(*index);
                }
                self.charge_group(aggregation, key.0.size())?;
                groups.keys.push(kept(aggregation.late, row).unwrap_or_else(|| key.0.clone()));
                groups.by_one_key.insert(key, groups.count);
                Ok(groups.add(aggregation))
            }
            keys => {
                let mut values = Vec::with_capacity(keys.len());
                for (_, key) in keys {
                    values.push(GroupKey(self.evaluate(key, row)?));
                }
                if let Some(index) = groups.by_key.get(&values) {
                    return Ok(*index);
                }
                self.charge_group(aggregation, values.iter().map(|value| value.0.size()).sum())?;
                match kept(aggregation.late, row) {
                    Some(node) => groups.keys.push(node),
                    None => groups.keys.extend(values.iter().map(|value| value.0.clone())),
                }
                groups.by_key.insert(values, groups.count);
                Ok(groups.add(aggregation))
            }
        }
    }

    fn group_by_number(&self, aggregation: &Aggregation, node: NodeKey, groups: &mut Groups) -> Result<usize> {
        let numbers = aggregation.keys.iter().map(|(_, term)| self.number(node, term).unwrap_or(u32::MAX));
        let new = groups.count;
        let index = match aggregation.keys.as_slice() {
            [(_, term)] => {
                let place = self.number(node, term).unwrap_or(u32::MAX) as usize;
                if groups.by_number.len() <= place {
                    self.charge((place + 1 - groups.by_number.len()) * size_of::<Option<u32>>())?;
                    groups.by_number.resize(place + 1, None);
                }
                *groups.by_number[place].get_or_insert(u32::try_from(new).unwrap_or(u32::MAX)) as usize
            }
            _ => *groups.by_numbers.entry(numbers.collect()).or_insert(new),
        };
        if index == new {
            self.charge_group(aggregation, aggregation.keys.len() * size_of::<u32>() + size_of::<Value>())?;
            groups.keys.push(Value::Node(node));
            groups.add(aggregation);
        }
        Ok(index)
    }

    fn number(&self, node: NodeKey, key: &Term) -> Option<u32> {
        match key {
            Term::Property(_, property, _) => self.graph.property_number(node, property.key?),
            _ => None,
        }
    }

    fn charge_group(&self, aggregation: &Aggregation, key_size: usize) -> Result<()> {
        self.charge(key_size * 2 + aggregation.aggregates.len() * size_of::<Total>())
    }
}

/// What a group has in the place of its keys.
fn kept(late: Option<Slot>, row: &Row) -> Option<Value> {
    late.map(|slot| row[slot].clone())
}
