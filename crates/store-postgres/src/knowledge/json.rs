//! Properties as they stand in their column.
//!
//! Numbers that are not whole are texts there: reading a decimal fraction from JSON may change its last digit.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde_json::{Map, Value as Json, json};
use store::knowledge::{List, Name, Properties, Value};

use crate::error::{self, Outcome};
use crate::text::storable;

pub(super) fn column(properties: &Properties) -> Outcome<Json> {
    storable(properties.iter().flat_map(|(_, value)| texts(value)).map(String::as_str))?;
    let fields = properties.iter().map(|(name, value)| (name.as_str().to_owned(), json(value)));
    Ok(Json::Object(fields.collect::<Map<_, _>>()))
}

pub(super) fn properties(column: Json) -> Outcome<Properties> {
    let Json::Object(fields) = column else { return Err(unreadable("no object").into()) };
    let mut values = BTreeMap::new();
    for (name, json) in fields {
        values.insert(Name::parse(&name)?, value(json)?);
    }
    Ok(Properties::new(values).map_err(unreadable)?)
}

fn texts(value: &Value) -> &[String] {
    match value {
        Value::Text(text) => std::slice::from_ref(text),
        Value::List(List::Texts(texts)) => texts,
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::List(_) => &[],
    }
}

fn json(value: &Value) -> Json {
    match value {
        Value::Text(text) => text.as_str().into(),
        Value::Integer(number) => (*number).into(),
        Value::Float(number) => json!({ "float": digits(*number) }),
        Value::Boolean(truth) => (*truth).into(),
        Value::List(List::Texts(texts)) => texts.as_slice().into(),
        Value::List(List::Integers(numbers)) => numbers.as_slice().into(),
        Value::List(List::Floats(numbers)) => {
            json!({ "floats": numbers.iter().map(|number| digits(*number)).collect::<Vec<_>>() })
        }
        Value::List(List::Booleans(truths)) => truths.as_slice().into(),
    }
}

/// The shortest digits that are exactly this number.
fn digits(number: f64) -> String {
    format!("{number:?}")
}

fn value(json: Json) -> Outcome<Value> {
    Ok(match json {
        Json::String(text) => Value::Text(text),
        Json::Bool(truth) => Value::Boolean(truth),
        Json::Number(number) => Value::Integer(number.as_i64().ok_or_else(|| unreadable(&number))?),
        Json::Array(elements) => Value::List(list(elements)?),
        Json::Object(mut fields) => match (fields.remove("float"), fields.remove("floats")) {
            (Some(Json::String(digits)), None) => Value::Float(number(&digits)?),
            (None, Some(Json::Array(all))) => {
                let all = all.iter().map(|digits| number(digits.as_str().unwrap_or_default()));
                Value::List(List::Floats(all.collect::<Outcome<_>>()?))
            }
            (one, other) => return Err(unreadable(format!("{one:?} {other:?}")).into()),
        },
        Json::Null => return Err(unreadable("null").into()),
    })
}

fn list(elements: Vec<Json>) -> Outcome<List> {
    let strange = |element: &Json| unreadable(element);
    Ok(match elements.first() {
        Some(Json::Bool(_)) => {
            List::Booleans(all(&elements, |element| element.as_bool().ok_or_else(|| strange(element)))?)
        }
        Some(Json::Number(_)) => {
            List::Integers(all(&elements, |element| element.as_i64().ok_or_else(|| strange(element)))?)
        }
        Some(_) | None => {
            let text = |element: Json| match element {
                Json::String(text) => Ok(text),
                Json::Null | Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_) => {
                    Err(unreadable("a list"))
                }
            };
            List::Texts(elements.into_iter().map(text).collect::<Result<_, _>>()?)
        }
    })
}

fn all<T>(elements: &[Json], each: impl Fn(&Json) -> Result<T, store::StoreError>) -> Outcome<Vec<T>> {
    Ok(elements.iter().map(each).collect::<Result<_, _>>()?)
}

fn number(digits: &str) -> Outcome<f64> {
    Ok(digits.parse().map_err(unreadable)?)
}

fn unreadable(cause: impl Display) -> store::StoreError {
    error::unreadable("properties", cause.to_string())
}
