//! Values of steps, which are written as JSON.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::behaviour::Problem;
use crate::knowledge::{List, Name, Patch, Properties, Value};

pub(super) fn name(text: &str) -> Result<Name, Problem> {
    Ok(Name::parse(text)?)
}

pub(super) fn properties(json: &Json) -> Result<Properties, Problem> {
    let fields = json.as_object().ok_or_else(|| Problem::new(format!("{json} is no object")))?;
    let mut values = BTreeMap::new();
    for (field, json) in fields {
        values.insert(name(field)?, value(json)?);
    }
    Properties::new(values).map_err(|problem| Problem::new(problem.to_string()))
}

pub(super) fn patch(json: &Json) -> Result<Patch, Problem> {
    let fields = json.as_object().ok_or_else(|| Problem::new(format!("{json} is no object")))?;
    let mut changes = BTreeMap::new();
    for (field, json) in fields {
        let change = if json.is_null() { None } else { Some(value(json)?) };
        changes.insert(name(field)?, change);
    }
    Patch::new(changes).map_err(|problem| Problem::new(problem.to_string()))
}

pub(super) fn value(json: &Json) -> Result<Value, Problem> {
    let strange = || Problem::new(format!("{json} is no value of a property"));
    Ok(match json {
        Json::String(text) => Value::Text(text.clone()),
        Json::Bool(truth) => Value::Boolean(*truth),
        Json::Number(number) => match number.as_i64() {
            Some(integer) => Value::Integer(integer),
            None => Value::Float(number.as_f64().ok_or_else(strange)?),
        },
        Json::Array(elements) => Value::List(list(elements).ok_or_else(strange)?),
        Json::Null | Json::Object(_) => return Err(strange()),
    })
}

fn list(elements: &[Json]) -> Option<List> {
    fn all<T>(elements: &[Json], each: impl Fn(&Json) -> Option<T>) -> Option<Vec<T>> {
        elements.iter().map(each).collect()
    }
    all(elements, |element| element.as_str().map(str::to_owned))
        .map(List::Texts)
        .or_else(|| all(elements, Json::as_i64).map(List::Integers))
        .or_else(|| all(elements, Json::as_f64).map(List::Floats))
        .or_else(|| all(elements, Json::as_bool).map(List::Booleans))
}
