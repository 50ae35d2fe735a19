//! Operators on values.

use std::sync::Arc;

use crate::value::Value;
use cypher_syntax::ast::{Binary, Logic};
use cypher_syntax::{Error, ErrorKind, Result};

use super::Runtime;

pub(crate) fn arithmetic(runtime: &Runtime<'_>, operator: Binary, left: &Value, right: &Value) -> Result<Value> {
    match (left, right) {
        (Value::Null, _) | (_, Value::Null) => Ok(Value::Null),
        (Value::Int(left), Value::Int(right)) => integers(operator, *left, *right),
        (Value::Float(left), Value::Float(right)) => floats(operator, *left, *right),
        (Value::Int(left), Value::Float(right)) => floats(operator, *left as f64, *right),
        (Value::Float(left), Value::Int(right)) => floats(operator, *left, *right as f64),
        _ if operator == Binary::Add => add(runtime, left, right),
        _ => Err(mismatch(operator, left, right)),
    }
}

fn mismatch(operator: Binary, left: &Value, right: &Value) -> Error {
    let verb = match operator {
        Binary::Add => "add",
        Binary::Subtract => "subtract",
        Binary::Multiply => "multiply",
        Binary::Divide => "divide",
        Binary::Modulo => "take the remainder of",
        _ => "raise to a power",
    };
    let message = format!("cannot {verb} {} and {}", left.kind(), right.kind());
    Error::run(ErrorKind::InvalidArgumentType, message)
}

fn integers(operator: Binary, left: i64, right: i64) -> Result<Value> {
    let result = match operator {
        Binary::Add => left.checked_add(right),
        Binary::Subtract => left.checked_sub(right),
        Binary::Multiply => left.checked_mul(right),
        Binary::Divide | Binary::Modulo if right == 0 => {
            let message = format!("{left} cannot be divided by zero");
            return Err(
                Error::run(ErrorKind::NumberOutOfRange, message).hint("use a float, as in `1.0`, to get infinity")
            );
        }
        Binary::Divide => left.checked_div(right),
        Binary::Modulo => left.checked_rem(right),
        _ => return Ok(Value::Float((left as f64).powf(right as f64))),
    };
    let too_large = || Error::run(ErrorKind::NumberOutOfRange, "the result does not fit into a 64-bit integer");
    result.map(Value::Int).ok_or_else(too_large)
}

fn floats(operator: Binary, left: f64, right: f64) -> Result<Value> {
    Ok(Value::Float(match operator {
        Binary::Add => left + right,
        Binary::Subtract => left - right,
        Binary::Multiply => left * right,
        Binary::Divide => left / right,
        Binary::Modulo => left % right,
        _ => left.powf(right),
    }))
}

/// Joins texts and lists.
fn add(runtime: &Runtime<'_>, left: &Value, right: &Value) -> Result<Value> {
    match (left, right) {
        (Value::Text(left), Value::Text(right)) => {
            runtime.check_room(left.len() + right.len())?;
            Ok(Value::Text([&**left, &**right].concat().into()))
        }
        (Value::List(left), Value::List(right)) => join(runtime, left, right),
        (Value::List(left), one) => join(runtime, left, std::slice::from_ref(one)),
        (one, Value::List(right)) => join(runtime, std::slice::from_ref(one), right),
        (Value::Text(text), number @ (Value::Int(_) | Value::Float(_) | Value::Bool(_))) => {
            Ok(Value::Text(format!("{text}{}", plain(number)).into()))
        }
        (number @ (Value::Int(_) | Value::Float(_) | Value::Bool(_)), Value::Text(text)) => {
            Ok(Value::Text(format!("{}{text}", plain(number)).into()))
        }
        _ => Err(mismatch(Binary::Add, left, right)),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::Int(number) => number.to_string(),
        Value::Float(number) => format!("{number:?}"),
        Value::Bool(value) => value.to_string(),
        _ => String::new(),
    }
}

fn join(runtime: &Runtime<'_>, left: &[Value], right: &[Value]) -> Result<Value> {
    runtime.check_room((left.len() + right.len()).saturating_mul(size_of::<Value>()))?;
    let items: Arc<[Value]> = left.iter().chain(right).cloned().collect();
    Ok(Value::List(items))
}

pub(crate) fn sign(minus: bool, value: &Value) -> Result<Value> {
    match value {
        Value::Null => Ok(Value::Null),
        Value::Float(number) => Ok(Value::Float(if minus { -number } else { *number })),
        Value::Int(number) if !minus => Ok(Value::Int(*number)),
        Value::Int(number) => number
            .checked_neg()
            .map(Value::Int)
            .ok_or_else(|| Error::run(ErrorKind::NumberOutOfRange, "the result does not fit into a 64-bit integer")),
        other => {
            let message = format!("expected a number after the sign, not {}", other.kind());
            Err(Error::run(ErrorKind::InvalidArgumentType, message))
        }
    }
}

/// A boolean, or nothing for null.
pub(crate) fn truth(value: &Value) -> Result<Option<bool>> {
    match value {
        Value::Bool(value) => Ok(Some(*value)),
        Value::Null => Ok(None),
        other => {
            let message = format!("expected a boolean, not {}", other.kind());
            Err(Error::run(ErrorKind::InvalidArgumentType, message))
        }
    }
}

pub(crate) fn from_truth(truth: Option<bool>) -> Value {
    truth.map_or(Value::Null, Value::Bool)
}

/// Joins one more operand to what is known so far.
pub(crate) fn logical(logic: Logic, left: Option<bool>, right: Option<bool>) -> Option<bool> {
    match logic {
        Logic::And if left == Some(false) || right == Some(false) => Some(false),
        Logic::Or if left == Some(true) || right == Some(true) => Some(true),
        Logic::And => Some(left? && right?),
        Logic::Or => Some(left? || right?),
        Logic::Xor => Some(left? != right?),
    }
}
