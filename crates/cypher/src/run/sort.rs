//! `ORDER BY`, with a bound on what is kept when only the first rows are wanted.

use std::cmp::Ordering;

use crate::plan::{Slot, Term};
use crate::value::{Value, order};
use cypher_syntax::Result;

use super::{ENOUGH, Flow, MORE, Row, Runtime, Sink};

pub(super) struct Sorted {
    rows: Vec<(Vec<Value>, Vec<Value>)>,
    /// Only so many rows are wanted.
    limit: Option<usize>,
    /// Once there are enough rows, those that do not come before this one are of no interest.
    last_wanted: Option<Vec<Value>>,
    directions: Vec<bool>,
    /// The keys of the row at hand.
    keys: Vec<Value>,
}

impl Sorted {
    pub(super) fn new(limit: Option<u64>) -> Sorted {
        let limit = limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
        Sorted { rows: Vec::new(), limit, last_wanted: None, directions: Vec::new(), keys: Vec::new() }
    }

    fn sort(&mut self) {
        let directions = &self.directions;
        self.rows.sort_by(|left, right| compare_keys(&left.0, &right.0, directions));
        if let Some(limit) = self.limit {
            self.rows.truncate(limit);
            if self.rows.len() == limit {
                self.last_wanted = self.rows.last().map(|(keys, _)| keys.clone());
            }
        }
    }
}

fn compare_keys(left: &[Value], right: &[Value], descending: &[bool]) -> Ordering {
    for ((left, right), descending) in left.iter().zip(right).zip(descending) {
        let ordering = directed(order(left, right), *descending);
        if ordering.is_ne() {
            return ordering;
        }
    }
    Ordering::Equal
}

fn directed(ordering: Ordering, descending: bool) -> Ordering {
    if descending { ordering.reverse() } else { ordering }
}

impl Runtime<'_> {
    pub(super) fn add_to_sort(
        &self,
        keys: &[(Term, bool)],
        kept: &[Slot],
        sorted: &mut Sorted,
        row: &mut Row,
    ) -> Result<()> {
        if sorted.limit == Some(0) {
            return Ok(());
        }
        if sorted.directions.is_empty() {
            sorted.directions = keys.iter().map(|(_, descending)| *descending).collect();
        }
        sorted.keys.clear();
        // While the keys are as those of the last row that is wanted, the next one decides; mostly the first does.
        let mut comes_before = sorted.last_wanted.is_none();
        for (number, (key, descending)) in keys.iter().enumerate() {
            let value = self.evaluate(key, row)?;
            if let Some(last) = sorted.last_wanted.as_ref().filter(|_| !comes_before) {
                match directed(order(&value, &last[number]), *descending) {
                    Ordering::Less => comes_before = true,
                    Ordering::Equal => {}
                    Ordering::Greater => return Ok(()),
                }
            }
            sorted.keys.push(value);
        }
        if !comes_before {
            return Ok(());
        }
        let values = std::mem::take(&mut sorted.keys);
        let row: Vec<Value> = kept.iter().map(|slot| row[*slot].clone()).collect();
        if sorted.limit.is_none() {
            self.charge(values.iter().chain(&row).map(Value::size).sum())?;
        }
        sorted.rows.push((values, row));
        if sorted.limit.is_some_and(|limit| sorted.rows.len() >= limit.saturating_mul(2).saturating_add(256)) {
            sorted.sort();
        }
        Ok(())
    }

    pub(super) fn finish_sort(&self, kept: &[Slot], mut sorted: Sorted, row: &mut Row, next: Sink<'_>) -> Result<Flow> {
        sorted.sort();
        for (_, values) in sorted.rows {
            for (slot, value) in kept.iter().zip(values) {
                row[*slot] = value;
            }
            if next(row)?.is_break() {
                return Ok(ENOUGH);
            }
        }
        Ok(MORE)
    }
}
