//! Reading nodes and relationships one at a time with SQL.

use graph::{Confidence, LabelKey, NodeKey, PropertyKey, Resolution, Value};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension as _, Row};
use store::{ErrorKind, StoreError};

use super::edges::StoredEdge;
use super::property::Property;
use crate::error;
use crate::job::Outcome;

const LABEL: &str = "SELECT label FROM node WHERE id = ?";

/// In the order of [`Property::of_nodes`].
macro_rules! columns {
    () => {
        "node.name, node.qualified_name, \
         CASE WHEN node.file IS NOT NULL THEN (SELECT path FROM file WHERE file.id = node.file) \
              WHEN node.label IN (3, 4) THEN node.qualified_name END, \
         node.start_line, node.end_line, node.signature, node.docstring, node.decorators, node.modifiers"
    };
}

const NODE: &str = concat!("SELECT ", columns!(), " FROM node WHERE id = ?");
const HOW_FOUND: &str = "SELECT resolution, confidence FROM edge WHERE src = ? AND type = ? AND dst = ? AND line = ?";

pub(super) fn label(connection: &Connection, node: NodeKey) -> Outcome<LabelKey> {
    let found = connection.prepare_cached(LABEL)?.query_row([node.0], |row| row.get(0)).optional()?;
    Ok(LabelKey(found.ok_or_else(|| no_node(node))?))
}

pub(super) fn node_property(connection: &Connection, node: NodeKey, property: Property) -> Outcome<Value> {
    let mut statement = connection.prepare_cached(of_one(property))?;
    let mut rows = statement.query([node.0])?;
    let row = rows.next()?.ok_or_else(|| no_node(node))?;
    value(row, 0, property)
}

pub(super) fn node_properties(connection: &Connection, node: NodeKey) -> Outcome<Vec<(PropertyKey, Value)>> {
    let mut statement = connection.prepare_cached(NODE)?;
    let mut rows = statement.query([node.0])?;
    let row = rows.next()?.ok_or_else(|| no_node(node))?;
    let mut properties = Vec::new();
    for (column, property) in Property::of_nodes().iter().enumerate() {
        let value = value(row, column, *property)?;
        if value != Value::Null {
            properties.push((property.key(), value));
        }
    }
    Ok(properties)
}

/// How the relationship was found and how sure it is.
pub(super) fn how_found(connection: &Connection, edge: &StoredEdge) -> Outcome<(Resolution, Confidence)> {
    let mut statement = connection.prepare_cached(HOW_FOUND)?;
    let mut rows = statement.query((edge.from, edge.relation, edge.to, edge.line))?;
    let row = rows.next()?.ok_or_else(|| error::unreadable("relationship", "it is gone"))?;
    let code = row.get(0)?;
    let resolution = Resolution::from_code(code).ok_or_else(|| error::unreadable("resolution", code))?;
    Ok((resolution, Confidence(row.get(1)?)))
}

pub(super) fn no_node(node: NodeKey) -> StoreError {
    StoreError::new(ErrorKind::NotFound, format!("no node has the key {}", node.0))
}

/// The statement that reads one property of a node.
fn of_one(property: Property) -> &'static str {
    match property {
        Property::Name => "SELECT name FROM node WHERE id = ?",
        Property::QualifiedName => "SELECT qualified_name FROM node WHERE id = ?",
        Property::LineStart => "SELECT start_line FROM node WHERE id = ?",
        Property::LineEnd => "SELECT end_line FROM node WHERE id = ?",
        Property::Signature => "SELECT signature FROM node WHERE id = ?",
        Property::Docstring => "SELECT docstring FROM node WHERE id = ?",
        Property::Decorators => "SELECT decorators FROM node WHERE id = ?",
        Property::Modifiers => "SELECT modifiers FROM node WHERE id = ?",
        Property::FilePath => {
            "SELECT CASE WHEN node.file IS NOT NULL THEN (SELECT path FROM file WHERE file.id = node.file) \
                         WHEN node.label IN (3, 4) THEN node.qualified_name END \
             FROM node WHERE id = ?"
        }
        Property::Line | Property::Resolution | Property::Confidence => "SELECT NULL FROM node WHERE id = ?",
    }
}

/// What a column holds, as a query sees it: no line 0, and lists instead of their JSON.
fn value(row: &Row<'_>, column: usize, property: Property) -> Outcome<Value> {
    Ok(match row.get_ref(column)? {
        ValueRef::Integer(0) => Value::Null,
        ValueRef::Integer(number) => Value::Int(number),
        ValueRef::Text(text) => {
            let text = std::str::from_utf8(text).map_err(|cause| error::unreadable("text", cause))?;
            let is_list = matches!(property, Property::Decorators | Property::Modifiers);
            if is_list { list(text)? } else { Value::Text(text.into()) }
        }
        ValueRef::Null | ValueRef::Real(_) | ValueRef::Blob(_) => Value::Null,
    })
}

fn list(text: &str) -> Outcome<Value> {
    let entries: Vec<String> = serde_json::from_str(text).map_err(|cause| error::unreadable("list", cause))?;
    Ok(Value::List(entries.into_iter().map(|entry| Value::Text(entry.into())).collect()))
}
