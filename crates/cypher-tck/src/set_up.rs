//! Statements that set a scenario up. The parts that read go to the engine itself; `CREATE` and `DELETE` are carried out
//! here, row by row.

use std::collections::BTreeMap;
use std::sync::Arc;

use cypher::{Limits, Map, Parameters, Value, parse, run};
use graph::NodeKey;

use crate::backend::NodeData;
use crate::memory_graph::MemoryGraph;

type Row = BTreeMap<String, Value>;

/// Runs a statement that builds a graph.
pub(crate) fn execute(graph: &mut MemoryGraph, statement: &str) -> Result<(), String> {
    let mut rows: Vec<Row> = vec![Row::new()];
    let statement: String = statement.lines().flat_map(|line| [line.split("//").next().unwrap_or(""), "\n"]).collect();
    for (keyword, text) in clauses(&statement) {
        match keyword {
            "CREATE" => {
                for row in &mut rows {
                    create(graph, &text, row)?;
                }
            }
            "DELETE" => rows.iter().for_each(|row| delete(graph, &text, row)),
            _ => rows = read(graph, &format!("{keyword} {text}"), &rows)?,
        }
    }
    Ok(())
}

const KEYWORDS: &[&str] = &["CREATE", "DELETE", "MATCH", "UNWIND", "WITH"];

/// Clauses with their keywords; words inside texts and brackets begin none.
fn clauses(statement: &str) -> Vec<(&'static str, String)> {
    let mut clauses: Vec<(&'static str, String)> = Vec::new();
    let mut depth = 0;
    let mut rest = statement;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\'' | '"' => 1 + rest[1..].find(first).map_or(rest.len() - 1, |end| end + 1),
            _ if first.is_alphabetic() => rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (piece, after) = rest.split_at(length);
        depth += i32::from(matches!(first, '(' | '[' | '{')) - i32::from(matches!(first, ')' | ']' | '}'));
        match KEYWORDS.iter().find(|keyword| depth == 0 && keyword.eq_ignore_ascii_case(piece)) {
            Some(keyword) => clauses.push((keyword, String::new())),
            None => clauses.iter_mut().last().into_iter().for_each(|(_, text)| text.push_str(piece)),
        }
        rest = after;
    }
    clauses
}

/// What turns rows, given as a parameter, into variables again.
fn prefix(rows: &[Row]) -> String {
    let names: Vec<String> =
        rows.first().into_iter().flat_map(Row::keys).map(|name| format!("row_.`{name}` AS `{name}`")).collect();
    let columns = if names.is_empty() { "1 AS row_".to_owned() } else { names.join(", ") };
    format!("UNWIND $rows_ AS row_ WITH {columns}")
}

fn query(graph: &MemoryGraph, text: &str, rows: &[Row]) -> Result<cypher::Rows, String> {
    let as_map = |row: &Row| {
        let entries = row.iter().map(|(name, value)| (Arc::from(name.as_str()), value.clone()));
        Value::Map(Arc::new(entries.collect::<Map>()))
    };
    let rows: Vec<Value> = rows.iter().map(as_map).collect();
    let parameters = Parameters::from([("rows_".to_owned(), Value::from(rows))]);
    let parsed = parse(text).map_err(|error| format!("{error} in {text}"))?;
    run(&parsed, graph, &parameters, &Limits::default()).map_err(|error| format!("{error} in {text}"))
}

fn read(graph: &MemoryGraph, clause: &str, rows: &[Row]) -> Result<Vec<Row>, String> {
    let answer = query(graph, &format!("{} {clause} WITH *, 1 AS one_ RETURN *", prefix(rows)), rows)?;
    let named = |values: Vec<Value>| {
        answer.columns.iter().cloned().zip(values).filter(|(name, _)| name != "one_" && name != "row_")
    };
    Ok(answer.rows.clone().into_iter().map(|values| named(values).collect()).collect())
}

fn delete(graph: &mut MemoryGraph, text: &str, row: &Row) {
    for name in text.split(',') {
        if let Some(Value::Relationship(edge)) = row.get(name.trim()) {
            graph.delete_relationship(*edge);
        }
    }
}

fn create(graph: &mut MemoryGraph, pattern: &str, row: &mut Row) -> Result<(), String> {
    let mut reader = PatternReader { text: pattern.trim() };
    while !reader.text.is_empty() {
        let mut near = node(graph, &mut reader, row)?;
        while let Some(relationship) = reader.relationship()? {
            let far = node(graph, &mut reader, row)?;
            let properties = properties(graph, &relationship.element.properties, row)?;
            let (from, to) = if relationship.points_left { (far, near) } else { (near, far) };
            let kind = relationship.element.labels.first().ok_or("a relationship without a type")?;
            let edge = graph.add_relationship(from, kind, to, &properties);
            if let Some(name) = relationship.element.name {
                row.insert(name, Value::Relationship(edge));
            }
            near = far;
        }
        reader.skip(",");
    }
    Ok(())
}

fn node(graph: &mut MemoryGraph, reader: &mut PatternReader<'_>, row: &mut Row) -> Result<NodeKey, String> {
    let element = reader.element('(', ')')?;
    if let Some(Value::Node(node)) = element.name.as_ref().and_then(|name| row.get(name)) {
        return Ok(*node);
    }
    let properties = properties(graph, &element.properties, row)?;
    let node = graph.add_node(&NodeData { labels: element.labels, properties });
    if let Some(name) = element.name {
        row.insert(name, Value::Node(node));
    }
    Ok(node)
}

fn properties(graph: &MemoryGraph, map: &str, row: &Row) -> Result<Vec<(Arc<str>, graph::Value)>, String> {
    if map.is_empty() {
        return Ok(Vec::new());
    }
    let rows = std::slice::from_ref(row);
    let answer = query(graph, &format!("{} RETURN {map} AS map", prefix(rows)), rows)?;
    let Some(Value::Map(map)) = answer.rows.first().and_then(|row| row.first()) else {
        return Err(format!("no map: {map}"));
    };
    map.iter().map(|(name, value)| Ok((name.clone(), stored(value)?))).collect()
}

fn stored(value: &Value) -> Result<graph::Value, String> {
    Ok(match value {
        Value::Null => graph::Value::Null,
        Value::Bool(value) => graph::Value::Bool(*value),
        Value::Int(number) => graph::Value::Int(*number),
        Value::Float(number) => graph::Value::Float(*number),
        Value::Text(text) => graph::Value::Text(text.clone()),
        Value::List(items) => graph::Value::List(items.iter().map(stored).collect::<Result<Vec<_>, _>>()?.into()),
        Value::Map(_) | Value::Node(_) | Value::Relationship(_) | Value::Path(_) => {
            return Err(format!("{} cannot be stored", value.kind()));
        }
    })
}

struct PatternReader<'t> {
    text: &'t str,
}

#[derive(Debug)]
struct Element {
    name: Option<String>,
    labels: Vec<Arc<str>>,
    /// The text of a map, or nothing.
    properties: String,
}

struct Relationship {
    points_left: bool,
    element: Element,
}

impl PatternReader<'_> {
    fn skip(&mut self, expected: &str) -> bool {
        self.text = self.text.trim_start();
        match self.text.strip_prefix(expected) {
            Some(rest) => {
                self.text = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn relationship(&mut self) -> Result<Option<Relationship>, String> {
        let points_left = self.skip("<");
        if !self.skip("-") {
            return Ok(None);
        }
        let element = self.element('[', ']')?;
        self.skip("-");
        self.skip(">");
        Ok(Some(Relationship { points_left, element }))
    }

    fn element(&mut self, open: char, close: char) -> Result<Element, String> {
        self.text = self.text.trim_start();
        let inner = self.text.strip_prefix(open).ok_or_else(|| format!("expected `{open}` at {}", self.text))?;
        let end = closing(inner, close).ok_or_else(|| format!("no `{close}` in {inner}"))?;
        self.text = inner[end + 1..].trim_start();
        let inner = &inner[..end];
        let (head, properties) = inner.split_at(inner.find('{').unwrap_or(inner.len()));
        let mut parts = head.split(':').map(|part| part.trim().trim_matches('`').to_owned());
        let name = parts.next().filter(|name| !name.is_empty());
        let labels = parts.map(|label| Arc::from(label.as_str())).collect();
        Ok(Element { name, labels, properties: properties.trim().to_owned() })
    }
}

/// Where the bracket is closed; brackets inside texts do not count.
fn closing(text: &str, close: char) -> Option<usize> {
    let mut quote = None;
    let mut depth = 0;
    for (index, character) in text.char_indices() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(character),
            (None, '(' | '[' | '{') => depth += 1,
            (None, _) if character == close && depth == 0 => return Some(index),
            (None, ')' | ']' | '}') => depth -= 1,
            _ => {}
        }
    }
    None
}
