//! What can be known of a node or a relationship, and how it changes?

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use super::Name;
use crate::error::{ErrorKind, Result, StoreError};

/// The most properties of one node or relationship.
pub const MOST_PROPERTIES: usize = 100;

/// The most elements of a list.
pub const MOST_ELEMENTS: usize = 1_000;

/// The most bytes of all names and values of one node or relationship together: texts as UTF-8, numbers as 8 bytes, booleans
/// as 1.
pub const MOST_BYTES: usize = 64 * 1024;

/// Beyond this, an integer is not exactly a float.
const LARGEST_EXACT: u64 = 1 << 53;

/// One thing that is known.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Text(String),
    Integer(i64),
    Float(f64),
    Boolean(bool),
    List(List),
}

/// Values of one kind. A list without elements is one of texts.
#[derive(Debug, Clone, PartialEq)]
pub enum List {
    Texts(Vec<String>),
    Integers(Vec<i64>),
    Floats(Vec<f64>),
    Booleans(Vec<bool>),
}

impl Value {
    /// Whether two values are equal: texts letter by letter, numbers by what they are worth (1 equals 1.0), lists element by
    /// element.
    pub fn equals(&self, other: &Self) -> bool {
        self.key() == other.key()
    }

    /// A text that equal values share and no others, for an index. It is about as long as the value.
    pub fn key(&self) -> String {
        match self {
            Self::Text(text) => format!("t{text}"),
            Self::Integer(number) => integer_key(*number),
            Self::Float(number) => float_key(*number),
            Self::Boolean(truth) => format!("b{truth}"),
            Self::List(list) => list.key(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Integer(_) | Self::Float(_) => 8,
            Self::Boolean(_) => 1,
            Self::List(List::Texts(texts)) => texts.iter().map(String::len).sum(),
            Self::List(List::Integers(numbers)) => 8 * numbers.len(),
            Self::List(List::Floats(numbers)) => 8 * numbers.len(),
            Self::List(List::Booleans(truths)) => truths.len(),
        }
    }

    /// The value as it is kept: no list of nothing but texts, no number that has a sign and no worth.
    fn normal(self) -> Self {
        match self {
            Self::Float(number) => Self::Float(number + 0.0),
            Self::List(List::Floats(numbers)) => {
                List::Floats(numbers.into_iter().map(|number| number + 0.0).collect()).normal().into()
            }
            Self::List(list) => list.normal().into(),
            Self::Text(_) | Self::Integer(_) | Self::Boolean(_) => self,
        }
    }

    fn problem(&self) -> Option<(String, String)> {
        let here = |problem: String| Some((String::new(), problem));
        match self {
            Self::Float(number) if !number.is_finite() => here(format!("must be a finite number, but is {number}")),
            Self::List(list) if list.len() > MOST_ELEMENTS => {
                here(format!("must have at most {MOST_ELEMENTS} elements, but has {}", list.len()))
            }
            Self::List(List::Floats(numbers)) => numbers
                .iter()
                .position(|number| !number.is_finite())
                .map(|at| (format!("[{at}]"), format!("must be a finite number, but is {}", numbers[at]))),
            Self::Text(_) | Self::Integer(_) | Self::Float(_) | Self::Boolean(_) | Self::List(_) => None,
        }
    }
}

impl From<List> for Value {
    fn from(list: List) -> Self {
        Self::List(list)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl List {
    /// How many elements it has.
    pub fn len(&self) -> usize {
        match self {
            Self::Texts(texts) => texts.len(),
            Self::Integers(numbers) => numbers.len(),
            Self::Floats(numbers) => numbers.len(),
            Self::Booleans(truths) => truths.len(),
        }
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn normal(self) -> Self {
        if self.is_empty() { Self::Texts(Vec::new()) } else { self }
    }

    fn key(&self) -> String {
        let joined = |keys: Vec<String>| {
            let mut joined = String::from("l");
            for key in keys {
                joined.push_str(&format!("{}:{key}", key.len()));
            }
            joined
        };
        match self {
            Self::Texts(texts) => joined(texts.iter().map(|text| format!("t{text}")).collect()),
            Self::Integers(numbers) => joined(numbers.iter().map(|number| integer_key(*number)).collect()),
            Self::Floats(numbers) => joined(numbers.iter().map(|number| float_key(*number)).collect()),
            Self::Booleans(truths) => joined(truths.iter().map(|truth| format!("b{truth}")).collect()),
        }
    }
}

fn integer_key(number: i64) -> String {
    format!("n{number}")
}

/// A float that is a whole number has the key of that number.
fn float_key(number: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "it is a whole number within the range of the integer")]
    if number.fract() == 0.0 && number.abs() <= LARGEST_EXACT as f64 {
        return integer_key(number as i64);
    }
    format!("f{number:e}")
}

/// All that is known of one node or relationship: names and values that any backend can keep, within the limits of this file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Properties(BTreeMap<Name, Value>);

impl Properties {
    /// These names and values, or what is wrong with them.
    pub fn new(values: BTreeMap<Name, Value>) -> std::result::Result<Self, PropertyProblem> {
        let values: BTreeMap<Name, Value> = values.into_iter().map(|(name, value)| (name, value.normal())).collect();
        let wrong = values.iter().find_map(|(name, value)| value.problem().map(|problem| (name, problem)));
        if let Some((name, (place, problem))) = wrong {
            return Err(PropertyProblem { place: format!("{name}{place}"), problem });
        }
        let whole = |problem: String| PropertyProblem { place: String::new(), problem };
        if values.len() > MOST_PROPERTIES {
            return Err(whole(format!("must have at most {MOST_PROPERTIES} properties, but has {}", values.len())));
        }
        let bytes: usize = values.iter().map(|(name, value)| name.as_str().len() + value.bytes()).sum();
        if bytes > MOST_BYTES {
            return Err(whole(format!("must have at most {MOST_BYTES} bytes, but has {bytes}")));
        }
        Ok(Self(values))
    }

    /// The value under this name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&Name, &Value)> {
        self.0.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What it is called: the texts under `name` and `aliases`, each of which may be one text or a list of them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        ["name", "aliases"].into_iter().filter_map(|property| self.get(property)).flat_map(|value| match value {
            Value::Text(text) => std::slice::from_ref(text).iter().map(String::as_str),
            Value::List(List::Texts(texts)) => texts.iter().map(String::as_str),
            Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::List(_) => [].iter().map(String::as_str),
        })
    }
}

impl IntoIterator for Properties {
    type Item = (Name, Value);
    type IntoIter = std::collections::btree_map::IntoIter<Name, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// What is to change: values to write over those of the same name, and names to remove.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Patch(BTreeMap<Name, Option<Value>>);

impl Patch {
    /// A patch that removes what has no value here.
    pub fn new(changes: BTreeMap<Name, Option<Value>>) -> std::result::Result<Self, PropertyProblem> {
        let values = changes.iter().filter_map(|(name, value)| Some((name.clone(), value.clone()?))).collect();
        let values = Properties::new(values)?;
        let removed = changes.into_iter().filter(|(_, value)| value.is_none());
        Ok(Self(values.into_iter().map(|(name, value)| (name, Some(value))).chain(removed).collect()))
    }

    /// What these properties are after the change, or `InvalidInput` when they would be more than can be kept.
    pub fn apply(&self, properties: &Properties) -> Result<Properties> {
        let mut values = properties.0.clone();
        for (name, value) in &self.0 {
            match value {
                Some(value) => values.insert(name.clone(), value.clone()),
                None => values.remove(name),
            };
        }
        let after =
            |problem: PropertyProblem| StoreError::new(ErrorKind::InvalidInput, format!("with this patch, {problem}"));
        Properties::new(values).map_err(after)
    }

    /// What changes, by name; nothing where a name is removed.
    pub fn iter(&self) -> impl Iterator<Item = (&Name, Option<&Value>)> {
        self.0.iter().map(|(name, value)| (name, value.as_ref()))
    }
}

/// Why properties cannot be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PropertyProblem {
    /// The name of the property, with the number of an element in brackets; empty for all of them together.
    pub place: String,
    /// What must be and what is, after the name of the place.
    pub problem: String,
}

impl fmt::Display for PropertyProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place =
            if self.place.is_empty() { Cow::from("the properties") } else { format!("`{}`", self.place).into() };
        write!(f, "{place} {}", self.problem)
    }
}

impl From<PropertyProblem> for StoreError {
    fn from(problem: PropertyProblem) -> Self {
        Self::new(ErrorKind::InvalidInput, problem.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn properties(value: Value) -> std::result::Result<Properties, PropertyProblem> {
        Properties::new(BTreeMap::from([(Name::parse("n").unwrap(), value)]))
    }

    #[test]
    fn a_number_that_is_not_finite_is_refused_and_named() {
        for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let problem = properties(Value::Float(number)).unwrap_err().to_string();
            assert_eq!(problem, format!("`n` must be a finite number, but is {number}"));
            let problem = properties(Value::List(List::Floats(vec![1.0, number]))).unwrap_err().to_string();
            assert_eq!(problem, format!("`n[1]` must be a finite number, but is {number}"));
            let patch = BTreeMap::from([(Name::parse("n").unwrap(), Some(Value::Float(number)))]);
            assert!(Patch::new(patch).is_err());
        }
    }

    #[test]
    fn what_is_too_much_is_refused_with_the_limit() {
        let problem = properties(Value::List(List::Integers(vec![1; 10_000]))).unwrap_err().to_string();
        assert_eq!(problem, "`n` must have at most 1000 elements, but has 10000");
        let problem = properties(Value::Text("x".repeat(1 << 20))).unwrap_err().to_string();
        assert_eq!(problem, "the properties must have at most 65536 bytes, but has 1048577");
        assert!(properties(Value::Text("x".repeat(MOST_BYTES - 1))).is_ok());
    }
}
