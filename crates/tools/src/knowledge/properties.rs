//! Properties between JSON and what can be kept: the one place that says what a caller may give.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};
use store::knowledge::{List, Name, Patch, Properties, PropertyProblem, Value};

use crate::error::ToolError;

/// What is set by the store, or is no property at all.
pub(super) const OF_A_NODE: &[&str] = &["id", "label", "createdAt", "updatedAt"];
pub(super) const OF_A_RELATIONSHIP: &[&str] = &["id", "type", "fromId", "toId", "createdAt", "updatedAt"];

const KINDS: &str = "a string, a number, a boolean or a list of one of these";

/// Beyond this, a whole number is not exactly a fraction.
const LARGEST_EXACT: u64 = 1 << 53;

/// The properties of something new.
pub(super) fn new(field: &str, fields: Map<String, Json>, fixed: &[&str]) -> Result<Properties, ToolError> {
    let mut values = BTreeMap::new();
    for (key, json) in fields {
        let place = format!("{field}.{key}");
        values.insert(name(&place, &key, fixed)?, value(&place, &json)?);
    }
    Properties::new(values).map_err(|problem| refuse(field, &problem))
}

/// The change of something that is there; a null removes.
pub(super) fn patch(field: &str, fields: Map<String, Json>, fixed: &[&str]) -> Result<Patch, ToolError> {
    // What may never be changed is said before anything else.
    let keys: Vec<&String> = fields.keys().collect();
    keys.iter().filter(|key| fixed.contains(&key.as_str())).try_for_each(|key| Err(forbidden(field, key)))?;
    let mut changes = BTreeMap::new();
    for (key, json) in fields {
        let place = format!("{field}.{key}");
        let change = if json.is_null() { None } else { Some(value(&place, &json)?) };
        changes.insert(name(&place, &key, fixed)?, change);
    }
    Patch::new(changes).map_err(|problem| refuse(field, &problem))
}

/// The value of a property that is looked for.
pub(super) fn value(place: &str, json: &Json) -> Result<Value, ToolError> {
    Ok(match json {
        Json::String(text) => Value::Text(text.clone()),
        Json::Bool(truth) => Value::Boolean(*truth),
        Json::Number(_) => match integer(place, json)? {
            Some(integer) => Value::Integer(integer),
            None => Value::Float(float(place, json)?),
        },
        Json::Array(elements) => Value::List(list(place, elements)?),
        Json::Null | Json::Object(_) => return Err(strange(place, KINDS, json)),
    })
}

/// What is kept, as JSON.
pub(super) fn to_json(properties: Properties) -> Map<String, Json> {
    let json = |value: Value| match value {
        Value::Text(text) => Json::from(text),
        Value::Integer(number) => number.into(),
        Value::Float(number) => number.into(),
        Value::Boolean(truth) => truth.into(),
        Value::List(List::Texts(texts)) => texts.into(),
        Value::List(List::Integers(numbers)) => numbers.into(),
        Value::List(List::Floats(numbers)) => numbers.into(),
        Value::List(List::Booleans(truths)) => truths.into(),
    };
    properties.into_iter().map(|(name, value)| (name.as_str().to_owned(), json(value))).collect()
}

fn name(place: &str, key: &str, fixed: &[&str]) -> Result<Name, ToolError> {
    if fixed.contains(&key) {
        let field = place.strip_suffix(key).unwrap_or(place).trim_end_matches('.');
        return Err(forbidden(field, key));
    }
    Name::parse(key).map_err(|_| {
        let (shown, pattern, longest) = (cut(place), Name::PATTERN, Name::LONGEST);
        let rule = format!("names match {pattern} and have at most {longest} characters");
        ToolError::invalid(format!("`{shown}` is no name of a property: {rule}")).with_detail("field", shown)
    })
}

fn forbidden(field: &str, key: &str) -> ToolError {
    let message = format!("`{key}` is set by the store and cannot be given or changed as a property");
    ToolError::forbidden(message).with_detail("field", format!("{field}.{key}"))
}

fn integer(place: &str, json: &Json) -> Result<Option<i64>, ToolError> {
    if let Some(integer) = json.as_i64() {
        return Ok(Some(integer));
    }
    if json.is_u64() {
        let (least, most) = (i64::MIN, i64::MAX);
        let message = format!("`{place}` must lie between {least} and {most}, but is {json}");
        return Err(ToolError::invalid(message).with_detail("field", place));
    }
    Ok(None)
}

fn float(place: &str, json: &Json) -> Result<f64, ToolError> {
    let exact = json.as_i64().is_none_or(|integer| integer.unsigned_abs() <= LARGEST_EXACT);
    json.as_f64().filter(|number| number.is_finite() && exact).ok_or_else(|| strange(place, "a finite number", json))
}

/// Elements of one kind; whole numbers among fractions are fractions.
fn list(place: &str, elements: &[Json]) -> Result<List, ToolError> {
    let each = || elements.iter().enumerate().map(|(at, element)| (format!("{place}[{at}]"), element));
    let first = elements.first().unwrap_or(&Json::Array(Vec::new())).clone();
    Ok(match first {
        Json::Array(_) if elements.is_empty() => List::Texts(Vec::new()),
        Json::String(_) => List::Texts(
            each()
                .map(|(at, element)| {
                    element.as_str().map(str::to_owned).ok_or_else(|| unlike(&at, "a string", element))
                })
                .collect::<Result<_, _>>()?,
        ),
        Json::Bool(_) => List::Booleans(
            each()
                .map(|(at, element)| element.as_bool().ok_or_else(|| unlike(&at, "a boolean", element)))
                .collect::<Result<_, _>>()?,
        ),
        Json::Number(_) => return numbers(each().collect()),
        Json::Null | Json::Array(_) | Json::Object(_) => {
            return Err(strange(&format!("{place}[0]"), "a string, a number or a boolean", &first));
        }
    })
}

fn numbers(elements: Vec<(String, &Json)>) -> Result<List, ToolError> {
    if let Some((at, element)) = elements.iter().find(|(_, element)| !element.is_number()) {
        return Err(unlike(at, "a number", element));
    }
    let whole = elements.iter().map(|(at, element)| integer(at, element)).collect::<Result<Option<Vec<_>>, _>>()?;
    if let Some(whole) = whole {
        return Ok(List::Integers(whole));
    }
    Ok(List::Floats(elements.iter().map(|(at, element)| float(at, element)).collect::<Result<_, _>>()?))
}

fn unlike(place: &str, kind: &str, given: &Json) -> ToolError {
    strange(place, &format!("{kind}, as the first element is"), given)
}

fn strange(place: &str, wanted: &str, given: &Json) -> ToolError {
    let given = match given {
        Json::Null => "null".to_owned(),
        Json::Array(_) => "a list".to_owned(),
        Json::Object(_) => "an object".to_owned(),
        Json::Bool(_) => format!("the boolean {given}"),
        Json::Number(_) => format!("the number {given}"),
        Json::String(text) => format!("the string {}", Json::from(cut(text))),
    };
    let place = cut(place);
    ToolError::invalid(format!("`{place}` must be {wanted}, but is {given}")).with_detail("field", place)
}

fn refuse(field: &str, problem: &PropertyProblem) -> ToolError {
    let PropertyProblem { place, problem } = problem;
    let place = if place.is_empty() { field.to_owned() } else { format!("{field}.{place}") };
    ToolError::invalid(format!("`{place}` {problem}")).with_detail("field", place)
}

/// The beginning of a text that may be of any length.
fn cut(text: &str) -> String {
    const LONGEST_SHOWN: usize = 120;
    match text.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
