//! Functions on nodes, relationships, paths and single values.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::kind::{Expects, Gives};
use crate::run::Runtime;
use crate::value::{Map, Value, equals};
use cypher_syntax::Result;

use super::{Body, Function, any_number, row, wrong_type};

pub(super) const FUNCTIONS: &[Function] = &[
    any_number(row(
        "coalesce",
        "coalesce(value, …) → value",
        "The first value that is not null.",
        ("scalar", 1),
        (&[Expects::Anything], Gives::Anything),
        Body::WithNull(coalesce),
    )),
    row(
        "id",
        "id(entity) → integer",
        "The number of a node or relationship, good while the graph is unchanged.",
        ("scalar", 1),
        (&[Expects::Entity], Gives::Int),
        Body::Plain(id),
    ),
    row(
        "elementId",
        "elementId(entity) → text",
        "The number of a node or relationship as text.",
        ("scalar", 1),
        (&[Expects::Entity], Gives::Text),
        Body::Plain(element_id),
    ),
    row(
        "type",
        "type(relationship) → text",
        "The type of a relationship.",
        ("scalar", 1),
        (&[Expects::Relationship], Gives::Text),
        Body::Plain(type_of),
    ),
    row(
        "labels",
        "labels(node) → list",
        "The labels of a node.",
        ("scalar", 1),
        (&[Expects::Node], Gives::TextList),
        Body::Plain(labels),
    ),
    row(
        "properties",
        "properties(entity) → map",
        "All properties of a node or relationship, or the map itself.",
        ("scalar", 1),
        (&[Expects::Properties], Gives::Map),
        Body::Plain(properties),
    ),
    row(
        "keys",
        "keys(entity) → list",
        "The names of all properties of a node, relationship or map.",
        ("scalar", 1),
        (&[Expects::Properties], Gives::TextList),
        Body::Plain(keys),
    ),
    row(
        "startNode",
        "startNode(relationship) → node",
        "Where a relationship begins.",
        ("scalar", 1),
        (&[Expects::Relationship], Gives::Node),
        Body::Plain(start_node),
    ),
    row(
        "endNode",
        "endNode(relationship) → node",
        "Where a relationship ends.",
        ("scalar", 1),
        (&[Expects::Relationship], Gives::Node),
        Body::Plain(end_node),
    ),
    row(
        "length",
        "length(path) → integer",
        "How many relationships a path has.",
        ("scalar", 1),
        (&[Expects::Path], Gives::Int),
        Body::Plain(length),
    ),
    row(
        "nodes",
        "nodes(path) → list",
        "The nodes of a path.",
        ("scalar", 1),
        (&[Expects::Path], Gives::NodeList),
        Body::Plain(nodes),
    ),
    row(
        "relationships",
        "relationships(path) → list",
        "The relationships of a path.",
        ("scalar", 1),
        (&[Expects::Path], Gives::RelationshipList),
        Body::Plain(relationships),
    ),
    row(
        "exists",
        "exists(value) → boolean",
        "Whether a value is not null, or whether a pattern is found.",
        ("scalar", 1),
        (&[Expects::Anything], Gives::Bool),
        Body::WithNull(exists),
    ),
    row(
        "isEmpty",
        "isEmpty(value) → boolean",
        "Whether a text, list or map has nothing in it.",
        ("scalar", 1),
        (&[Expects::Anything], Gives::Bool),
        Body::Plain(is_empty),
    ),
    row(
        "nullIf",
        "nullIf(value, other) → value",
        "Null if both are equal, else the first.",
        ("scalar", 2),
        (&[Expects::Anything, Expects::Anything], Gives::Anything),
        Body::WithNull(null_if),
    ),
    row(
        "toBoolean",
        "toBoolean(value) → boolean",
        "A text or integer as a boolean; null if it is none.",
        ("scalar", 1),
        (&[Expects::Anything], Gives::Bool),
        Body::Plain(to_boolean),
    ),
    row(
        "toBooleanOrNull",
        "toBooleanOrNull(value) → boolean",
        "The same, with null for every other kind of value.",
        ("scalar", 1),
        (&[Expects::Anything], Gives::Bool),
        Body::Plain(to_boolean_or_null),
    ),
    row(
        "toInteger",
        "toInteger(value) → integer",
        "A text or number as an integer; null if it is none.",
        ("scalar", 1),
        (&[Expects::Anything], Gives::Int),
        Body::Plain(to_integer),
    ),
    row(
        "toIntegerOrNull",
        "toIntegerOrNull(value) → integer",
        "The same, with null for every other kind of value.",
        ("scalar", 1),
        (&[Expects::Anything], Gives::Int),
        Body::Plain(to_integer_or_null),
    ),
    row(
        "toFloat",
        "toFloat(value) → float",
        "A text or number as a float; null if it is none.",
        ("scalar", 1),
        (&[Expects::Anything], Gives::Float),
        Body::Plain(to_float),
    ),
    row(
        "toFloatOrNull",
        "toFloatOrNull(value) → float",
        "The same, with null for every other kind of value.",
        ("scalar", 1),
        (&[Expects::Anything], Gives::Float),
        Body::Plain(to_float_or_null),
    ),
    row(
        "toString",
        "toString(value) → text",
        "A text, number or boolean as text.",
        ("scalar", 1),
        (&[Expects::Anything], Gives::Text),
        Body::Plain(to_text),
    ),
    row(
        "toStringOrNull",
        "toStringOrNull(value) → text",
        "The same, with null for every other kind of value.",
        ("scalar", 1),
        (&[Expects::Anything], Gives::Text),
        Body::Plain(to_text_or_null),
    ),
    row(
        "valueType",
        "valueType(value) → text",
        "The name of the kind of a value.",
        ("scalar", 1),
        (&[Expects::Anything], Gives::Text),
        Body::WithNull(value_type),
    ),
    row(
        "timestamp",
        "timestamp() → integer",
        "Milliseconds since 1970.",
        ("scalar", 0),
        (&[], Gives::Int),
        Body::Plain(timestamp),
    ),
];

fn coalesce(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    Ok(values.iter().find(|value| !value.is_null()).cloned().unwrap_or(Value::Null))
}

fn key_of(name: &str, value: &Value) -> Result<u64> {
    match value {
        Value::Node(node) => Ok(node.0),
        Value::Relationship(edge) => Ok(edge.0),
        other => Err(wrong_type(name, "a node or a relationship", other)),
    }
}

fn id(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    Ok(Value::Int(key_of("id", &values[0])?.cast_signed()))
}

fn element_id(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    Ok(key_of("elementId", &values[0])?.to_string().into())
}

fn type_of(runtime: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    let Value::Relationship(edge) = values[0] else {
        return Err(wrong_type("type", "a relationship", &values[0]));
    };
    let ends = runtime.graph.edge_ends(edge)?;
    Ok(runtime.names().relation(ends.relation).map_or(Value::Null, Value::Text))
}

fn labels(runtime: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    let Value::Node(node) = values[0] else { return Err(wrong_type("labels", "a node", &values[0])) };
    let mut keys = Vec::new();
    runtime.graph.node_labels(node, &mut keys)?;
    let names = keys.into_iter().filter_map(|key| runtime.names().label(key)).map(Value::Text);
    Ok(Value::List(names.collect()))
}

fn properties(runtime: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    runtime.properties("properties", &values[0]).map(Value::Map)
}

fn keys(runtime: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    let properties: Arc<Map> = runtime.properties("keys", &values[0])?;
    Ok(Value::List(properties.iter().map(|(name, _)| Value::Text(name.clone())).collect()))
}

fn start_node(runtime: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    let Value::Relationship(edge) = values[0] else {
        return Err(wrong_type("startNode", "a relationship", &values[0]));
    };
    Ok(Value::Node(runtime.graph.edge_ends(edge)?.from))
}

fn end_node(runtime: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    let Value::Relationship(edge) = values[0] else {
        return Err(wrong_type("endNode", "a relationship", &values[0]));
    };
    Ok(Value::Node(runtime.graph.edge_ends(edge)?.to))
}

fn length(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    match &values[0] {
        Value::Path(path) => Ok(count(path.relationships.len())),
        Value::List(items) => Ok(count(items.len())),
        other => Err(wrong_type("length", "a path", other)),
    }
}

pub(super) fn count(length: usize) -> Value {
    Value::Int(i64::try_from(length).unwrap_or(i64::MAX))
}

fn nodes(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    let Value::Path(path) = &values[0] else { return Err(wrong_type("nodes", "a path", &values[0])) };
    Ok(Value::List(path.nodes.iter().copied().map(Value::Node).collect()))
}

fn relationships(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    let Value::Path(path) = &values[0] else { return Err(wrong_type("relationships", "a path", &values[0])) };
    Ok(Value::List(path.relationships.iter().copied().map(Value::Relationship).collect()))
}

fn exists(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    Ok(Value::Bool(!values[0].is_null()))
}

fn is_empty(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    match &values[0] {
        Value::Text(text) => Ok(Value::Bool(text.is_empty())),
        Value::List(items) => Ok(Value::Bool(items.is_empty())),
        Value::Map(map) => Ok(Value::Bool(map.is_empty())),
        other => Err(wrong_type("isEmpty", "a text, a list or a map", other)),
    }
}

fn null_if(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    Ok(if equals(&values[0], &values[1]) == Some(true) { Value::Null } else { values[0].clone() })
}

/// The value if it can be made, nothing if the kind of value is wrong.
type Conversion = fn(&Value) -> Option<Value>;

fn convert(name: &str, expected: &str, conversion: Conversion, value: &Value) -> Result<Value> {
    conversion(value).ok_or_else(|| wrong_type(name, expected, value))
}

pub(super) fn as_boolean(value: &Value) -> Option<Value> {
    match value {
        Value::Bool(_) => Some(value.clone()),
        Value::Int(number) => Some(Value::Bool(*number != 0)),
        Value::Text(text) => match text.trim().to_lowercase().as_str() {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => Some(Value::Null),
        },
        _ => None,
    }
}

pub(super) fn as_integer(value: &Value) -> Option<Value> {
    let from_float = |number: f64| {
        let fits = number.is_finite() && number.abs() < 9.3e18;
        if fits { Value::Int(number as i64) } else { Value::Null }
    };
    match value {
        Value::Int(_) => Some(value.clone()),
        Value::Bool(value) => Some(Value::Int(i64::from(*value))),
        Value::Float(number) => Some(from_float(*number)),
        Value::Text(text) => {
            let text = text.trim();
            let whole = text.parse::<i64>().ok().map(Value::Int);
            Some(whole.or_else(|| text.parse::<f64>().ok().map(from_float)).unwrap_or(Value::Null))
        }
        _ => None,
    }
}

pub(super) fn as_float(value: &Value) -> Option<Value> {
    match value {
        Value::Float(_) => Some(value.clone()),
        Value::Int(number) => Some(Value::Float(*number as f64)),
        Value::Text(text) => Some(text.trim().parse::<f64>().map_or(Value::Null, Value::Float)),
        _ => None,
    }
}

pub(super) fn as_text(value: &Value) -> Option<Value> {
    match value {
        Value::Text(_) => Some(value.clone()),
        Value::Bool(value) => Some(value.to_string().into()),
        Value::Int(number) => Some(number.to_string().into()),
        Value::Float(number) => Some(float_text(*number).into()),
        _ => None,
    }
}

/// As literals are written, with a capital E.
pub(crate) fn float_text(number: f64) -> String {
    if number.is_infinite() {
        return if number > 0.0 { "Infinity".to_owned() } else { "-Infinity".to_owned() };
    }
    let text = format!("{number:?}");
    match text.split_once('e') {
        Some((digits, exponent)) if digits.contains('.') => format!("{digits}E{exponent}"),
        Some((digits, exponent)) => format!("{digits}.0E{exponent}"),
        None => text,
    }
}

const BOOLEAN: &str = "a boolean, an integer or a text";
const INTEGER: &str = "a number, a boolean or a text";
const FLOAT: &str = "a number or a text";
const TEXT: &str = "a text, a number or a boolean";

fn to_boolean(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    convert("toBoolean", BOOLEAN, as_boolean, &values[0])
}

fn to_boolean_or_null(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    Ok(as_boolean(&values[0]).unwrap_or(Value::Null))
}

fn to_integer(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    convert("toInteger", INTEGER, as_integer, &values[0])
}

fn to_integer_or_null(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    Ok(as_integer(&values[0]).unwrap_or(Value::Null))
}

fn to_float(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    convert("toFloat", FLOAT, as_float, &values[0])
}

fn to_float_or_null(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    Ok(as_float(&values[0]).unwrap_or(Value::Null))
}

fn to_text(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    convert("toString", TEXT, as_text, &values[0])
}

fn to_text_or_null(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    Ok(as_text(&values[0]).unwrap_or(Value::Null))
}

fn value_type(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    let name = match &values[0] {
        Value::Null => "NULL",
        Value::Bool(_) => "BOOLEAN",
        Value::Int(_) => "INTEGER",
        Value::Float(_) => "FLOAT",
        Value::Text(_) => "STRING",
        Value::List(_) => "LIST",
        Value::Map(_) => "MAP",
        Value::Node(_) => "NODE",
        Value::Relationship(_) => "RELATIONSHIP",
        Value::Path(_) => "PATH",
    };
    Ok(name.into())
}

fn timestamp(_: &Runtime<'_>, _: &[Value]) -> Result<Value> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(Value::Int(i64::try_from(since.as_millis()).unwrap_or(i64::MAX)))
}
