//! Functions on lists.

use crate::kind::{Expects, Gives};
use crate::run::Runtime;
use crate::value::Value;
use cypher_syntax::{Error, ErrorKind, Result};

use super::scalars::{as_boolean, as_float, as_integer, as_text, count};
use super::{Body, Function, row, wrong_type};

pub(super) const FUNCTIONS: &[Function] = &[
    row(
        "head",
        "head(list) → value",
        "The first element.",
        ("list", 1),
        (&[Expects::List], Gives::Element),
        Body::Plain(head),
    ),
    row(
        "last",
        "last(list) → value",
        "The last element.",
        ("list", 1),
        (&[Expects::List], Gives::Element),
        Body::Plain(last),
    ),
    row(
        "tail",
        "tail(list) → list",
        "All elements but the first.",
        ("list", 1),
        (&[Expects::List], Gives::Same),
        Body::Plain(tail),
    ),
    row(
        "size",
        "size(list or text) → integer",
        "How many elements or characters there are.",
        ("list", 1),
        (&[Expects::ListOrText], Gives::Int),
        Body::Plain(size),
    ),
    row(
        "range",
        "range(first, last[, step]) → list",
        "The integers from first to last, both included.",
        ("list", 2),
        (&[Expects::Anything, Expects::Anything, Expects::Anything], Gives::List),
        Body::Plain(range),
    ),
    row(
        "reverse",
        "reverse(list or text) → the same kind",
        "The other way round.",
        ("list", 1),
        (&[Expects::ListOrText], Gives::Same),
        Body::Plain(reverse),
    ),
    row(
        "toBooleanList",
        "toBooleanList(list) → list",
        "Each element as a boolean, null where it is none.",
        ("list", 1),
        (&[Expects::List], Gives::List),
        Body::Plain(to_boolean_list),
    ),
    row(
        "toIntegerList",
        "toIntegerList(list) → list",
        "Each element as an integer, null where it is none.",
        ("list", 1),
        (&[Expects::List], Gives::List),
        Body::Plain(to_integer_list),
    ),
    row(
        "toFloatList",
        "toFloatList(list) → list",
        "Each element as a float, null where it is none.",
        ("list", 1),
        (&[Expects::List], Gives::List),
        Body::Plain(to_float_list),
    ),
    row(
        "toStringList",
        "toStringList(list) → list",
        "Each element as text, null where it has none.",
        ("list", 1),
        (&[Expects::List], Gives::TextList),
        Body::Plain(to_text_list),
    ),
];

fn list<'a>(name: &str, value: &'a Value) -> Result<&'a [Value]> {
    match value {
        Value::List(items) => Ok(items),
        other => Err(wrong_type(name, "a list", other)),
    }
}

fn head(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    Ok(list("head", &values[0])?.first().cloned().unwrap_or(Value::Null))
}

fn last(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    Ok(list("last", &values[0])?.last().cloned().unwrap_or(Value::Null))
}

fn tail(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    let items = list("tail", &values[0])?;
    Ok(Value::List(items.get(1..).unwrap_or_default().into()))
}

fn size(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    match &values[0] {
        Value::List(items) => Ok(count(items.len())),
        Value::Text(text) => Ok(count(text.chars().count())),
        other => Err(wrong_type("size", "a list or a text", other)),
    }
}

fn range(runtime: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    let integer = |value: &Value| match value {
        Value::Int(number) => Ok(i128::from(*number)),
        other => {
            let message = format!("range() expects integers, not {}", other.kind());
            Err(Error::run(ErrorKind::InvalidArgumentType, message))
        }
    };
    let first = integer(&values[0])?;
    let last = integer(&values[1])?;
    let step = values.get(2).map_or(Ok(1), integer)?;
    if step == 0 {
        return Err(Error::run(ErrorKind::NumberOutOfRange, "range() expects a step other than 0"));
    }
    let length = ((last - first) / step + 1).max(0);
    let is_empty = (step > 0) != (last >= first) && last != first;
    if is_empty {
        return Ok(Value::List([].into()));
    }
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    runtime.check_room(length.saturating_mul(size_of::<Value>()))?;
    let mut items = Vec::with_capacity(length);
    let mut next = first;
    for _ in 0..length {
        items.push(Value::Int(i64::try_from(next).unwrap_or(i64::MAX)));
        next += step;
    }
    Ok(items.into())
}

fn reverse(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    match &values[0] {
        Value::List(items) => Ok(Value::List(items.iter().rev().cloned().collect())),
        Value::Text(text) => Ok(text.chars().rev().collect::<String>().into()),
        other => Err(wrong_type("reverse", "a list or a text", other)),
    }
}

fn each(name: &str, value: &Value, convert: fn(&Value) -> Option<Value>) -> Result<Value> {
    let items = list(name, value)?.iter();
    Ok(Value::List(items.map(|item| convert(item).unwrap_or(Value::Null)).collect()))
}

fn to_boolean_list(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    each("toBooleanList", &values[0], as_boolean)
}

fn to_integer_list(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    each("toIntegerList", &values[0], as_integer)
}

fn to_float_list(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    each("toFloatList", &values[0], as_float)
}

fn to_text_list(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    each("toStringList", &values[0], as_text)
}
