//! Values as Bolt carries them.

use neo4rs::{BoltMap, BoltType};
use store::knowledge::{List, Value};

pub(crate) fn to_bolt(value: &Value) -> BoltType {
    match value {
        Value::Text(text) => text.as_str().into(),
        Value::Integer(number) => (*number).into(),
        Value::Float(number) => (*number).into(),
        Value::Boolean(truth) => (*truth).into(),
        Value::List(List::Texts(texts)) => texts.iter().map(String::as_str).collect(),
        Value::List(List::Integers(numbers)) => list(numbers),
        Value::List(List::Floats(numbers)) => list(numbers),
        Value::List(List::Booleans(truths)) => list(truths),
    }
}

fn list<T: Copy + Into<BoltType>>(values: &[T]) -> BoltType {
    let values: Vec<BoltType> = values.iter().map(|value| (*value).into()).collect();
    BoltType::List(values.into())
}

/// `None` for what no property of ours can be: somebody else put it there.
#[expect(clippy::wildcard_enum_match_arm, reason = "only a few of the driver's kinds can be properties of ours")]
pub(crate) fn from_bolt(value: &BoltType) -> Option<Value> {
    match value {
        BoltType::String(text) => Some(Value::Text(text.value.clone())),
        BoltType::Integer(number) => Some(Value::Integer(number.value)),
        BoltType::Float(number) => Some(Value::Float(number.value)),
        BoltType::Boolean(truth) => Some(Value::Boolean(truth.value)),
        BoltType::List(list) => elements(&list.value).map(Value::List),
        _ => None,
    }
}

fn elements(values: &[BoltType]) -> Option<List> {
    let values: Vec<Value> = values.iter().map(from_bolt).collect::<Option<_>>()?;
    let texts = values.iter().map(|value| if let Value::Text(text) = value { Some(text.clone()) } else { None });
    let integers = values.iter().map(|value| if let Value::Integer(number) = value { Some(*number) } else { None });
    let floats = values.iter().map(|value| if let Value::Float(number) = value { Some(*number) } else { None });
    let truths = values.iter().map(|value| if let Value::Boolean(truth) = value { Some(*truth) } else { None });
    let texts: Option<Vec<String>> = texts.collect();
    texts
        .map(List::Texts)
        .or_else(|| integers.collect::<Option<_>>().map(List::Integers))
        .or_else(|| floats.collect::<Option<_>>().map(List::Floats))
        .or_else(|| truths.collect::<Option<_>>().map(List::Booleans))
}

/// A map for a parameter.
pub(crate) fn map(entries: impl IntoIterator<Item = (String, BoltType)>) -> BoltMap {
    let mut map = BoltMap::new();
    for (key, value) in entries {
        map.put(key.as_str().into(), value);
    }
    map
}

/// A list of texts for a parameter.
pub(crate) fn texts(texts: impl IntoIterator<Item = String>) -> BoltType {
    let texts: Vec<BoltType> = texts.into_iter().map(BoltType::from).collect();
    BoltType::List(texts.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_survives_the_way_there_and_back() {
        let values = [
            Value::Text("文 \" '".to_owned()),
            Value::Integer(i64::MIN),
            Value::Float(1.0),
            Value::Boolean(false),
            Value::List(List::Texts(vec!["a".to_owned(), String::new()])),
            Value::List(List::Texts(Vec::new())),
            Value::List(List::Integers(vec![1, -2])),
            Value::List(List::Floats(vec![1.0, 0.5])),
            Value::List(List::Booleans(vec![true, false])),
        ];
        for value in values {
            assert_eq!(from_bolt(&to_bolt(&value)).as_ref(), Some(&value));
        }
    }

    #[test]
    fn a_list_of_several_kinds_is_not_ours() {
        let mixed = BoltType::List(vec![BoltType::from("a"), BoltType::from(1_i64)].into());
        assert_eq!(from_bolt(&mixed), None);
    }
}
