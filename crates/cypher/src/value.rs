//! The values of the language: what is equal, what comes first, what groups together.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use graph::{EdgeKey, NodeKey};

/// A value in a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Arc<str>),
    List(Arc<[Value]>),
    Map(Arc<Map>),
    Node(NodeKey),
    Relationship(EdgeKey),
    Path(Arc<Path>),
}

/// Entries in the order in which they were written; no name comes twice.
#[derive(Debug, Clone, Default)]
pub struct Map(Vec<(Arc<str>, Value)>);

/// One more node than relationships; each relationship joins the nodes before and after it, in either direction.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Path {
    pub nodes: Vec<NodeKey>,
    pub relationships: Vec<EdgeKey>,
}

impl Map {
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(key, _)| &**key == name).map(|(_, value)| value)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Arc<str>, &Value)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sets an entry; a later value replaces an earlier one.
    pub fn insert(&mut self, name: Arc<str>, value: Value) {
        match self.0.iter_mut().find(|(key, _)| *key == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name, value)),
        }
    }

    fn sorted(&self) -> Vec<&(Arc<str>, Value)> {
        let mut entries: Vec<_> = self.0.iter().collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        entries
    }
}

impl PartialEq for Map {
    fn eq(&self, other: &Map) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl FromIterator<(Arc<str>, Value)> for Map {
    fn from_iter<I: IntoIterator<Item = (Arc<str>, Value)>>(entries: I) -> Map {
        let mut map = Map::default();
        for (name, value) in entries {
            map.insert(name, value);
        }
        map
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text.into())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Int(number)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value::Float(number)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<Vec<Value>> for Value {
    fn from(items: Vec<Value>) -> Value {
        Value::List(items.into())
    }
}

impl From<graph::Value> for Value {
    fn from(value: graph::Value) -> Value {
        match value {
            graph::Value::Null => Value::Null,
            graph::Value::Bool(value) => Value::Bool(value),
            graph::Value::Int(number) => Value::Int(number),
            graph::Value::Float(number) => Value::Float(number),
            graph::Value::Text(text) => Value::Text(text),
            graph::Value::List(items) => Value::List(items.iter().cloned().map(Value::from).collect()),
        }
    }
}

impl Value {
    /// As a property of a graph could hold it.
    pub(crate) fn to_stored(&self) -> Option<graph::Value> {
        match self {
            Value::Null => Some(graph::Value::Null),
            Value::Bool(value) => Some(graph::Value::Bool(*value)),
            Value::Int(number) => Some(graph::Value::Int(*number)),
            Value::Float(number) => Some(graph::Value::Float(*number)),
            Value::Text(text) => Some(graph::Value::Text(text.clone())),
            Value::List(items) => {
                let items: Option<Vec<_>> = items.iter().map(Value::to_stored).collect();
                items.map(|items| graph::Value::List(items.into()))
            }
            Value::Map(_) | Value::Node(_) | Value::Relationship(_) | Value::Path(_) => None,
        }
    }

    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// What kind of value this is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Int(_) => "an integer",
            Value::Float(_) => "a float",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
            Value::Node(_) => "a node",
            Value::Relationship(_) => "a relationship",
            Value::Path(_) => "a path",
        }
    }

    /// About how many bytes it takes.
    pub(crate) fn size(&self) -> usize {
        let inner = match self {
            Value::Text(text) => text.len(),
            Value::List(items) => items.iter().map(Value::size).sum(),
            Value::Map(map) => map.iter().map(|(key, value)| key.len() + value.size()).sum(),
            Value::Path(path) => path.nodes.len() * 16,
            _ => 0,
        };
        inner + size_of::<Value>()
    }

    /// How deeply lists and maps are nested.
    pub(crate) fn depth(&self) -> usize {
        match self {
            Value::List(items) => 1 + items.iter().map(Value::depth).max().unwrap_or(0),
            Value::Map(map) => 1 + map.iter().map(|(_, value)| value.depth()).max().unwrap_or(0),
            _ => 0,
        }
    }
}

/// `=`: nothing where it cannot be known.
pub(crate) fn equals(left: &Value, right: &Value) -> Option<bool> {
    match (left, right) {
        (Value::Null, _) | (_, Value::Null) => None,
        (Value::List(left), Value::List(right)) => {
            if left.len() != right.len() {
                return Some(false);
            }
            all_equal(left.iter().zip(right.iter()))
        }
        (Value::Map(left), Value::Map(right)) => {
            if left.len() != right.len() || left.iter().any(|(key, _)| right.get(key).is_none()) {
                return Some(false);
            }
            all_equal(left.iter().filter_map(|(key, value)| Some((value, right.get(key)?))))
        }
        (Value::Float(left), Value::Float(right)) => Some(left == right),
        (Value::Int(left), Value::Float(right)) | (Value::Float(right), Value::Int(left)) => {
            Some(compare_numbers(*left, *right) == Some(Ordering::Equal))
        }
        _ => Some(left == right),
    }
}

fn all_equal<'a>(pairs: impl Iterator<Item = (&'a Value, &'a Value)>) -> Option<bool> {
    let mut result = Some(true);
    for (left, right) in pairs {
        match equals(left, right) {
            Some(false) => return Some(false),
            None => result = None,
            Some(true) => {}
        }
    }
    result
}

/// The result of `<` and its like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Known(Ordering),
    /// A number that is none: every comparison is false.
    NotANumber,
    Unknown,
}

pub(crate) fn compare(left: &Value, right: &Value) -> Comparison {
    let of_floats = |ordering: Option<Ordering>| ordering.map_or(Comparison::NotANumber, Comparison::Known);
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => Comparison::Known(left.cmp(right)),
        (Value::Float(left), Value::Float(right)) => of_floats(left.partial_cmp(right)),
        (Value::Int(left), Value::Float(right)) => of_floats(compare_numbers(*left, *right)),
        (Value::Float(left), Value::Int(right)) => of_floats(compare_numbers(*right, *left).map(Ordering::reverse)),
        (Value::Text(left), Value::Text(right)) => Comparison::Known(left.cmp(right)),
        (Value::Bool(left), Value::Bool(right)) => Comparison::Known(left.cmp(right)),
        (Value::List(left), Value::List(right)) => {
            for (left, right) in left.iter().zip(right.iter()) {
                match compare(left, right) {
                    Comparison::Known(Ordering::Equal) => {}
                    decided => return decided,
                }
            }
            Comparison::Known(left.len().cmp(&right.len()))
        }
        _ => Comparison::Unknown,
    }
}

/// Exact even where an integer has more digits than a float.
fn compare_numbers(integer: i64, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    if float >= 9_223_372_036_854_775_808.0 {
        return Some(Ordering::Less);
    }
    if float < -9_223_372_036_854_775_808.0 {
        return Some(Ordering::Greater);
    }
    // The fraction decides only between numbers whose whole parts are equal.
    let whole = float.trunc();
    let fraction = if float > whole {
        Ordering::Less
    } else if float < whole {
        Ordering::Greater
    } else {
        Ordering::Equal
    };
    Some(integer.cmp(&(whole as i64)).then(fraction))
}

/// The order of `ORDER BY`: total, over all kinds of values, null last.
pub(crate) fn order(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => left.cmp(right),
        (Value::Text(left), Value::Text(right)) => left.cmp(right),
        (Value::Bool(left), Value::Bool(right)) => left.cmp(right),
        (Value::Int(_) | Value::Float(_), Value::Int(_) | Value::Float(_)) => order_numbers(left, right),
        (Value::Node(left), Value::Node(right)) => left.cmp(right),
        (Value::Relationship(left), Value::Relationship(right)) => left.cmp(right),
        (Value::List(left), Value::List(right)) => {
            let by_item = left.iter().zip(right.iter()).map(|(left, right)| order(left, right));
            by_item.into_iter().find(|ordering| ordering.is_ne()).unwrap_or_else(|| left.len().cmp(&right.len()))
        }
        (Value::Map(left), Value::Map(right)) => order_maps(left, right),
        (Value::Path(left), Value::Path(right)) => {
            left.nodes.cmp(&right.nodes).then_with(|| left.relationships.cmp(&right.relationships))
        }
        _ => rank(left).cmp(&rank(right)),
    }
}

fn order_numbers(left: &Value, right: &Value) -> Ordering {
    match compare(left, right) {
        Comparison::Known(ordering) => ordering,
        // Whatever is no number comes after all numbers.
        _ => is_nan(left).cmp(&is_nan(right)),
    }
}

fn is_nan(value: &Value) -> bool {
    matches!(value, Value::Float(number) if number.is_nan())
}

fn order_maps(left: &Map, right: &Map) -> Ordering {
    let (left, right) = (left.sorted(), right.sorted());
    let by_entry = left.iter().zip(right.iter()).map(|(a, b)| a.0.cmp(&b.0).then_with(|| order(&a.1, &b.1)));
    by_entry.into_iter().find(|ordering| ordering.is_ne()).unwrap_or_else(|| left.len().cmp(&right.len()))
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Map(_) => 0,
        Value::Node(_) => 1,
        Value::Relationship(_) => 2,
        Value::List(_) => 3,
        Value::Path(_) => 4,
        Value::Text(_) => 5,
        Value::Bool(_) => 6,
        Value::Int(_) | Value::Float(_) => 7,
        Value::Null => 8,
    }
}

/// A value that groups: null is the same as null, 1 the same as 1.0.
#[derive(Debug, Clone)]
pub(crate) struct GroupKey(pub(crate) Value);

impl PartialEq for GroupKey {
    fn eq(&self, other: &GroupKey) -> bool {
        order(&self.0, &other.0).is_eq()
    }
}

impl Eq for GroupKey {}

impl Hash for GroupKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash_value(&self.0, state);
    }
}

fn hash_value<H: Hasher>(value: &Value, state: &mut H) {
    rank(value).hash(state);
    match value {
        Value::Null => {}
        Value::Bool(value) => value.hash(state),
        Value::Int(number) => number.hash(state),
        Value::Float(number) => hash_float(*number, state),
        Value::Text(text) => text.hash(state),
        Value::Node(node) => node.hash(state),
        Value::Relationship(edge) => edge.hash(state),
        Value::Path(path) => path.hash(state),
        Value::List(items) => items.iter().for_each(|item| hash_value(item, state)),
        Value::Map(map) => {
            for (key, value) in map.sorted() {
                key.hash(state);
                hash_value(value, state);
            }
        }
    }
}

fn hash_float<H: Hasher>(number: f64, state: &mut H) {
    let whole = number as i64;
    if whole as f64 == number && whole != i64::MAX {
        whole.hash(state);
    } else if number.is_nan() {
        f64::NAN.to_bits().hash(state);
    } else {
        number.to_bits().hash(state);
    }
}
