//! Properties as a JSON object, for backends that keep them as one.
//!
//! Numbers that are not whole are texts there: reading a decimal fraction from JSON may change its last digit. What is written so
//! is on disks: a change must still read it.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};

use super::{List, Name, Properties, Value};

/// Why an object holds no properties.
type Unreadable = String;

pub fn to_json(properties: &Properties) -> Map<String, Json> {
    properties.iter().map(|(name, value)| (name.as_str().to_owned(), of_value(value))).collect()
}

/// The properties that [`to_json`] made this object of.
pub fn from_json(fields: Map<String, Json>) -> Result<Properties, Unreadable> {
    let mut values = BTreeMap::new();
    for (name, json) in fields {
        values.insert(Name::parse(&name).map_err(|error| error.to_string())?, value(json)?);
    }
    Properties::new(values).map_err(|problem| problem.to_string())
}

fn of_value(value: &Value) -> Json {
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

fn value(json: Json) -> Result<Value, Unreadable> {
    Ok(match json {
        Json::String(text) => Value::Text(text),
        Json::Bool(truth) => Value::Boolean(truth),
        Json::Number(number) => Value::Integer(number.as_i64().ok_or_else(|| number.to_string())?),
        Json::Array(elements) => Value::List(list(elements)?),
        Json::Object(mut fields) => match (fields.remove("float"), fields.remove("floats")) {
            (Some(Json::String(digits)), None) => Value::Float(number(&digits)?),
            (None, Some(Json::Array(all))) => {
                let all = all.iter().map(|digits| number(digits.as_str().unwrap_or_default()));
                Value::List(List::Floats(all.collect::<Result<_, _>>()?))
            }
            (one, other) => return Err(format!("{one:?} {other:?}")),
        },
        Json::Null => return Err("null".to_owned()),
    })
}

fn list(elements: Vec<Json>) -> Result<List, Unreadable> {
    fn all<T>(elements: &[Json], each: impl Fn(&Json) -> Option<T>) -> Result<Vec<T>, Unreadable> {
        elements.iter().map(|element| each(element).ok_or_else(|| element.to_string())).collect()
    }
    Ok(match elements.first() {
        Some(Json::Bool(_)) => List::Booleans(all(&elements, Json::as_bool)?),
        Some(Json::Number(_)) => List::Integers(all(&elements, Json::as_i64)?),
        Some(_) | None => List::Texts(all(&elements, |element| element.as_str().map(str::to_owned))?),
    })
}

fn number(digits: &str) -> Result<f64, Unreadable> {
    digits.parse().map_err(|error| format!("{error}: {digits}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(json: Json) -> Map<String, Json> {
        json.as_object().unwrap().clone()
    }

    #[test]
    fn every_value_reads_back_exactly() {
        let values = [
            ("text", Value::from("文 \" \\ \u{1}")),
            ("least", Value::Integer(i64::MIN)),
            ("third", Value::Float(1.0 / 3.0)),
            ("small", Value::Float(5e-324)),
            ("whole", Value::Float(1e300)),
            ("truth", Value::Boolean(true)),
            ("texts", Value::List(List::Texts(vec!["a".to_owned(), String::new()]))),
            ("none", Value::List(List::Texts(Vec::new()))),
            ("integers", Value::List(List::Integers(vec![1, i64::MAX]))),
            ("floats", Value::List(List::Floats(vec![0.1, 2.0]))),
            ("truths", Value::List(List::Booleans(vec![false, true]))),
        ];
        let values = values.into_iter().map(|(name, value)| (Name::parse(name).unwrap(), value)).collect();
        let properties = Properties::new(values).unwrap();
        let text = Json::Object(to_json(&properties)).to_string();
        assert_eq!(from_json(serde_json::from_str(&text).unwrap()).unwrap(), properties);
    }

    #[test]
    fn what_was_written_before_keeps_its_form() {
        let properties = from_json(object(json!({"a": 1, "b": {"float": "0.5"}, "c": {"floats": ["1.0"]}, "d": []})));
        assert_eq!(
            Json::Object(to_json(&properties.unwrap())).to_string(),
            r#"{"a":1,"b":{"float":"0.5"},"c":{"floats":["1.0"]},"d":[]}"#
        );
    }

    #[test]
    fn what_are_no_properties_is_refused() {
        for json in [
            json!({"a": null}),
            json!({"a": 0.5}),
            json!({"a": {"float": 1}}),
            json!({"a": {"float": "x"}}),
            json!({"a": {"floats": ["x"]}}),
            json!({"a": {}}),
            json!({"a": [1, "b"]}),
            json!({"a": [[]]}),
            json!({"a": [true, 1]}),
            json!({"_a": 1}),
        ] {
            assert!(from_json(object(json.clone())).is_err(), "{json}");
        }
    }
}
