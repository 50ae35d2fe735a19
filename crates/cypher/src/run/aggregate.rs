//! The functions that make one value out of a group of rows.

use rustc_hash::FxHashSet;

use crate::functions::AggregateKind;
use crate::plan::{Aggregate, Aggregation};
use crate::value::{GroupKey, Value, order};
use cypher_syntax::{Error, ErrorKind, Result};

use super::groups::Groups;
use super::{ENOUGH, Flow, MORE, Row, Runtime, Sink};

pub(super) struct Total {
    seen: Option<FxHashSet<GroupKey>>,
    state: TotalState,
}

enum TotalState {
    Count(i64),
    Values(Vec<Value>),
    Sum { whole: i128, fraction: f64, is_float: bool, count: u64 },
    Extreme(Value),
    Deviation { count: f64, mean: f64, squares: f64 },
    Percentile { values: Vec<Value>, fraction: f64 },
}

impl Total {
    pub(super) fn new(aggregate: &Aggregate) -> Total {
        let state = match aggregate.kind {
            AggregateKind::Count => TotalState::Count(0),
            AggregateKind::Collect => TotalState::Values(Vec::new()),
            AggregateKind::Sum | AggregateKind::Average => {
                TotalState::Sum { whole: 0, fraction: 0.0, is_float: false, count: 0 }
            }
            AggregateKind::Min | AggregateKind::Max => TotalState::Extreme(Value::Null),
            AggregateKind::Deviation { .. } => TotalState::Deviation { count: 0.0, mean: 0.0, squares: 0.0 },
            AggregateKind::Percentile { .. } => TotalState::Percentile { values: Vec::new(), fraction: 0.0 },
        };
        Total { seen: aggregate.distinct.then(FxHashSet::default), state }
    }

    fn add(&mut self, aggregate: &Aggregate, value: Value, weight: i64) -> Result<()> {
        match &mut self.state {
            TotalState::Count(count) => *count += weight,
            TotalState::Values(values) => values.push(value),
            TotalState::Sum { whole, fraction, is_float, count } => {
                *count += 1;
                match value {
                    Value::Int(number) => *whole += i128::from(number),
                    Value::Float(number) => {
                        *fraction += number;
                        *is_float = true;
                    }
                    other => return Err(not_a_number(aggregate, &other)),
                }
            }
            TotalState::Extreme(extreme) => {
                let replaces = match aggregate.kind {
                    _ if extreme.is_null() => true,
                    AggregateKind::Min => order(&value, extreme).is_lt(),
                    _ => order(&value, extreme).is_gt(),
                };
                if replaces {
                    *extreme = value;
                }
            }
            TotalState::Deviation { count, mean, squares } => {
                let number = number(aggregate, &value)?;
                *count += 1.0;
                let distance = number - *mean;
                *mean += distance / *count;
                *squares += distance * (number - *mean);
            }
            TotalState::Percentile { values, .. } => {
                number(aggregate, &value)?;
                values.push(value);
            }
        }
        Ok(())
    }

    fn finish(self, aggregate: &Aggregate) -> Result<Value> {
        match self.state {
            TotalState::Count(count) => Ok(Value::Int(count)),
            TotalState::Values(values) => Ok(values.into()),
            TotalState::Extreme(extreme) => Ok(extreme),
            TotalState::Sum { whole, fraction, is_float, count } => {
                let total = fraction + whole as f64;
                if aggregate.kind == AggregateKind::Average {
                    return Ok(if count == 0 { Value::Null } else { Value::Float(total / count as f64) });
                }
                if is_float {
                    return Ok(Value::Float(total));
                }
                let too_large =
                    |_| Error::run(ErrorKind::NumberOutOfRange, "the sum does not fit into a 64-bit integer");
                i64::try_from(whole).map(Value::Int).map_err(too_large)
            }
            TotalState::Deviation { count, squares, .. } => {
                let of_population = aggregate.kind == AggregateKind::Deviation { of_population: true };
                let divisor = if of_population { count } else { count - 1.0 };
                Ok(Value::Float(if divisor > 0.0 { (squares / divisor).sqrt() } else { 0.0 }))
            }
            TotalState::Percentile { values, fraction } => {
                let continuous = aggregate.kind == AggregateKind::Percentile { continuous: true };
                Ok(percentile(values, fraction, continuous))
            }
        }
    }
}

fn number(aggregate: &Aggregate, value: &Value) -> Result<f64> {
    match value {
        Value::Int(number) => Ok(*number as f64),
        Value::Float(number) => Ok(*number),
        other => Err(not_a_number(aggregate, other)),
    }
}

fn not_a_number(aggregate: &Aggregate, value: &Value) -> Error {
    let message = format!("the aggregation expects numbers, not {}", value.kind());
    Error::run(ErrorKind::InvalidArgumentType, message).at(aggregate.at)
}

fn percentile(mut values: Vec<Value>, fraction: f64, continuous: bool) -> Value {
    values.sort_by(order);
    let Some(last) = values.len().checked_sub(1) else { return Value::Null };
    let as_float = |value: &Value| match value {
        Value::Int(number) => *number as f64,
        Value::Float(number) => *number,
        _ => 0.0,
    };
    if continuous {
        let position = fraction * last as f64;
        let below = position.floor() as usize;
        let (low, high) = (as_float(&values[below.min(last)]), as_float(&values[(below + 1).min(last)]));
        return Value::Float(low + (high - low) * (position - position.floor()));
    }
    let position = (fraction * values.len() as f64).ceil() as usize;
    values.swap_remove(position.saturating_sub(1).min(last))
}

impl Runtime<'_> {
    pub(super) fn add_to_groups(&self, aggregation: &Aggregation, groups: &mut Groups, row: &mut Row) -> Result<()> {
        let index = self.group(aggregation, groups, row)?;
        let weight = match aggregation.weight.map(|slot| &row[slot]) {
            Some(Value::Int(weight)) => *weight,
            _ => 1,
        };
        let first = index * aggregation.aggregates.len();
        for (aggregate, total) in aggregation.aggregates.iter().zip(&mut groups.totals[first..]) {
            self.add_to_total(aggregate, total, weight, row)?;
        }
        Ok(())
    }

    fn add_to_total(&self, aggregate: &Aggregate, total: &mut Total, weight: i64, row: &mut Row) -> Result<()> {
        let Some(argument) = aggregate.arguments.first() else {
            return total.add(aggregate, Value::Null, weight);
        };
        if let (Some(fraction), TotalState::Percentile { fraction: known, .. }) =
            (aggregate.arguments.get(1), &mut total.state)
        {
            *known = self.fraction(aggregate, &self.evaluate(fraction, row)?)?;
        }
        let value = self.evaluate(argument, row)?;
        if value.is_null() {
            return Ok(());
        }
        if let Some(seen) = &mut total.seen {
            if seen.contains(&GroupKey(value.clone())) {
                return Ok(());
            }
            self.charge(value.size())?;
            seen.insert(GroupKey(value.clone()));
        } else if matches!(total.state, TotalState::Values(_) | TotalState::Percentile { .. }) {
            self.charge(value.size())?;
        }
        total.add(aggregate, value, weight)
    }

    fn fraction(&self, aggregate: &Aggregate, value: &Value) -> Result<f64> {
        let fraction = number(aggregate, value)?;
        if (0.0..=1.0).contains(&fraction) {
            return Ok(fraction);
        }
        let message = format!("a percentile lies between 0 and 1, and {fraction} does not");
        Err(Error::run(ErrorKind::NumberOutOfRange, message).at(aggregate.at))
    }

    pub(super) fn finish_groups(
        &self,
        aggregation: &Aggregation,
        groups: Groups,
        row: &mut Row,
        next: Sink<'_>,
    ) -> Result<Flow> {
        let (mut keys, mut totals) = (groups.keys.into_iter(), groups.totals.into_iter());
        for _ in 0..groups.count {
            match aggregation.late {
                Some(node) => row[node] = keys.next().unwrap_or(Value::Null),
                None => aggregation.keys.iter().zip(keys.by_ref()).for_each(|((slot, _), key)| row[*slot] = key),
            }
            for (aggregate, total) in aggregation.aggregates.iter().zip(totals.by_ref()) {
                row[aggregate.slot] = total.finish(aggregate)?;
            }
            if next(row)?.is_break() {
                return Ok(ENOUGH);
            }
        }
        Ok(MORE)
    }
}
