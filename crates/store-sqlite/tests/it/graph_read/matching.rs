//! Whether a node fits a filter, by the rules of the query language, from what the reader says of it.

use std::cmp::Ordering;

use graph::{Bound, Condition, GraphRead, NodeFilter, NodeKey, Test, TextRelation, Value};

pub(super) fn fits(reader: &dyn GraphRead, node: NodeKey, filter: &NodeFilter) -> bool {
    let mut labels = Vec::new();
    reader.node_labels(node, &mut labels).unwrap();
    let has_labels = filter.labels.iter().all(|group| group.iter().any(|label| labels.contains(label)));
    has_labels && filter.conditions.iter().all(|condition| holds(reader, node, condition))
}

fn holds(reader: &dyn GraphRead, node: NodeKey, condition: &Condition) -> bool {
    let value = reader.node_property(node, condition.property).unwrap();
    match &condition.test {
        Test::Equals(wanted) => equal(&value, wanted),
        Test::OneOf(wanted) => wanted.iter().any(|wanted| equal(&value, wanted)),
        Test::Text { relation, wanted, lower_case } => {
            let Value::Text(text) = &value else { return false };
            let text = if *lower_case { text.to_lowercase() } else { text.to_string() };
            match relation {
                TextRelation::Is => text == **wanted,
                TextRelation::Contains => text.contains(&**wanted),
                TextRelation::StartsWith => text.starts_with(&**wanted),
                TextRelation::EndsWith => text.ends_with(&**wanted),
            }
        }
        Test::Between { low, high } => {
            let above = low.as_ref().is_none_or(|low| is_within(low, &value, true));
            above && high.as_ref().is_none_or(|high| is_within(high, &value, false)) && value != Value::Null
        }
        Test::Exists => value != Value::Null,
    }
}

fn equal(value: &Value, wanted: &Value) -> bool {
    match (value, wanted) {
        (Value::Null, _) | (_, Value::Null) => false,
        (Value::Int(_) | Value::Float(_), _) => order(value, wanted).is_some_and(Ordering::is_eq),
        _ => value == wanted,
    }
}

fn is_within(bound: &Bound, value: &Value, is_low: bool) -> bool {
    order(value, &bound.value)
        .is_some_and(|order| (order.is_eq() && bound.inclusive) || if is_low { order.is_gt() } else { order.is_lt() })
}

/// A whole number and a fraction are compared as an engine would that rounds the first.
fn order(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Text(left), Value::Text(right)) => Some(left.cmp(right)),
        (Value::Int(left), Value::Int(right)) => Some(left.cmp(right)),
        _ => fraction(left)?.partial_cmp(&fraction(right)?),
    }
}

fn fraction(value: &Value) -> Option<f64> {
    match value {
        Value::Int(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        Value::Null | Value::Bool(_) | Value::Text(_) | Value::List(_) => None,
    }
}
