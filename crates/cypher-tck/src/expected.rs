//! Values as the tables of feature files write them, and whether a value is one of them.

use cypher::Value;
use graph::{EdgeKey, GraphRead, NodeKey};

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Expected {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Expected>),
    Map(Vec<(String, Expected)>),
    Node {
        labels: Vec<String>,
        properties: Vec<(String, Expected)>,
    },
    Relationship {
        kind: String,
        properties: Vec<(String, Expected)>,
    },
    /// Nodes, and between them relationships with whether they point forwards.
    Path(Vec<Expected>, Vec<(Expected, bool)>),
}

pub(crate) fn parse(text: &str) -> Result<Expected, String> {
    let mut reader = Reader { text, whole: text };
    let value = reader.value()?;
    if reader.text.trim().is_empty() { Ok(value) } else { Err(reader.error("the end")) }
}

struct Reader<'t> {
    text: &'t str,
    whole: &'t str,
}

impl Reader<'_> {
    fn error(&self, expected: &str) -> String {
        format!("expected {expected} at `{}` in `{}`", self.text, self.whole)
    }

    fn take(&mut self, expected: &str) -> bool {
        self.text = self.text.trim_start();
        match self.text.strip_prefix(expected) {
            Some(rest) => {
                self.text = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, expected: &str) -> Result<(), String> {
        if self.take(expected) { Ok(()) } else { Err(self.error(expected)) }
    }

    fn word(&mut self) -> String {
        self.text = self.text.trim_start();
        let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '+');
        let end = self.text.find(|c| !part(c)).unwrap_or(self.text.len());
        let (word, rest) = self.text.split_at(end);
        self.text = rest;
        word.to_owned()
    }

    fn name(&mut self) -> String {
        self.text = self.text.trim_start();
        if let Some(rest) = self.text.strip_prefix('`') {
            let end = rest.find('`').unwrap_or(rest.len());
            self.text = rest.get(end + 1..).unwrap_or("");
            return rest[..end].to_owned();
        }
        let end = self.text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.text.len());
        let (word, rest) = self.text.split_at(end);
        self.text = rest;
        word.to_owned()
    }

    fn value(&mut self) -> Result<Expected, String> {
        self.text = self.text.trim_start();
        match self.text.chars().next() {
            Some('\'') => self.quoted().map(Expected::Text),
            Some('(') => self.node(),
            Some('{') => self.map().map(Expected::Map),
            Some('<') => self.path(),
            Some('[') if self.text[1..].trim_start().starts_with(':') => self.relationship(),
            Some('[') => self.list(),
            _ => self.scalar(),
        }
    }

    fn scalar(&mut self) -> Result<Expected, String> {
        let word = self.word();
        match word.as_str() {
            "null" => Ok(Expected::Null),
            "true" => Ok(Expected::Bool(true)),
            "false" => Ok(Expected::Bool(false)),
            "NaN" => Ok(Expected::Float(f64::NAN)),
            "Inf" => Ok(Expected::Float(f64::INFINITY)),
            "-Inf" => Ok(Expected::Float(f64::NEG_INFINITY)),
            number => match number.parse::<i64>() {
                Ok(number) => Ok(Expected::Int(number)),
                Err(_) => {
                    number.parse::<f64>().map(Expected::Float).map_err(|_| self.error(&format!("a value, not {word}")))
                }
            },
        }
    }

    fn quoted(&mut self) -> Result<String, String> {
        let mut text = String::new();
        let mut characters = self.text.char_indices().skip(1);
        while let Some((index, character)) = characters.next() {
            match character {
                '\'' => {
                    self.text = &self.text[index + 1..];
                    return Ok(text);
                }
                '\\' => match characters.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, 't')) => text.push('\t'),
                    Some((_, escaped)) => text.push(escaped),
                    None => return Err(self.error("a closing quote")),
                },
                _ => text.push(character),
            }
        }
        Err(self.error("a closing quote"))
    }

    fn list(&mut self) -> Result<Expected, String> {
        self.expect("[")?;
        let mut items = Vec::new();
        while !self.take("]") {
            if !items.is_empty() {
                self.expect(",")?;
            }
            items.push(self.value()?);
        }
        Ok(Expected::List(items))
    }

    fn map(&mut self) -> Result<Vec<(String, Expected)>, String> {
        self.expect("{")?;
        let mut entries = Vec::new();
        while !self.take("}") {
            if !entries.is_empty() {
                self.expect(",")?;
            }
            let name = self.name();
            self.expect(":")?;
            entries.push((name, self.value()?));
        }
        Ok(entries)
    }

    fn properties(&mut self) -> Result<Vec<(String, Expected)>, String> {
        if self.text.trim_start().starts_with('{') { self.map() } else { Ok(Vec::new()) }
    }

    fn node(&mut self) -> Result<Expected, String> {
        self.expect("(")?;
        let mut labels = Vec::new();
        while self.take(":") {
            labels.push(self.name());
        }
        labels.sort();
        let properties = self.properties()?;
        self.expect(")")?;
        Ok(Expected::Node { labels, properties })
    }

    fn relationship(&mut self) -> Result<Expected, String> {
        self.expect("[")?;
        self.expect(":")?;
        let kind = self.name();
        let properties = self.properties()?;
        self.expect("]")?;
        Ok(Expected::Relationship { kind, properties })
    }

    fn path(&mut self) -> Result<Expected, String> {
        self.expect("<")?;
        let mut nodes = vec![self.node()?];
        let mut relationships = Vec::new();
        while !self.take(">") {
            let backwards = self.take("<-");
            if !backwards {
                self.expect("-")?;
            }
            let relationship = self.relationship()?;
            self.expect(if backwards { "-" } else { "->" })?;
            relationships.push((relationship, !backwards));
            nodes.push(self.node()?);
        }
        Ok(Expected::Path(nodes, relationships))
    }
}

/// Whether a value is what was expected. `any_list_order`: the order of elements does not count.
pub(crate) fn fits(graph: &dyn GraphRead, expected: &Expected, value: &Value, any_list_order: bool) -> bool {
    match (expected, value) {
        (Expected::Null, Value::Null) => true,
        (Expected::Bool(expected), Value::Bool(value)) => expected == value,
        (Expected::Int(expected), Value::Int(value)) => expected == value,
        (Expected::Float(expected), Value::Float(value)) => expected == value || expected.is_nan() && value.is_nan(),
        (Expected::Text(expected), Value::Text(value)) => **expected == **value,
        (Expected::List(expected), Value::List(items)) => list_fits(graph, expected, items, any_list_order),
        (Expected::Map(expected), Value::Map(map)) => {
            let entry = |name: &str| map.get(name).cloned();
            expected.len() == map.len() && entries_fit(graph, expected, &entry, any_list_order)
        }
        (expected @ Expected::Node { .. }, Value::Node(node)) => node_fits(graph, expected, *node),
        (expected @ Expected::Relationship { .. }, Value::Relationship(edge)) => edge_fits(graph, expected, *edge),
        (Expected::Path(nodes, relationships), Value::Path(path)) => {
            let edges = relationships.iter().zip(&path.relationships).zip(&path.nodes);
            nodes.len() == path.nodes.len()
                && nodes.iter().zip(&path.nodes).all(|(expected, node)| node_fits(graph, expected, *node))
                && edges.into_iter().all(|(((expected, forwards), edge), before)| {
                    let begins_here = graph
                        .edge_ends(*edge)
                        .is_ok_and(|ends| (ends.from == *before) == *forwards || ends.from == ends.to);
                    begins_here && edge_fits(graph, expected, *edge)
                })
        }
        _ => false,
    }
}

fn list_fits(graph: &dyn GraphRead, expected: &[Expected], items: &[Value], any_order: bool) -> bool {
    if expected.len() != items.len() {
        return false;
    }
    if !any_order {
        return expected.iter().zip(items).all(|(expected, item)| fits(graph, expected, item, false));
    }
    let mut left: Vec<&Value> = items.iter().collect();
    expected.iter().all(|expected| {
        let found = left.iter().position(|item| fits(graph, expected, item, true));
        found.map(|index| left.swap_remove(index)).is_some()
    })
}

fn entries_fit(
    graph: &dyn GraphRead,
    expected: &[(String, Expected)],
    value: &dyn Fn(&str) -> Option<Value>,
    any_list_order: bool,
) -> bool {
    expected
        .iter()
        .all(|(name, expected)| value(name).is_some_and(|value| fits(graph, expected, &value, any_list_order)))
}

fn node_fits(graph: &dyn GraphRead, expected: &Expected, node: NodeKey) -> bool {
    let Expected::Node { labels, properties } = expected else { return false };
    let mut keys = Vec::new();
    let names = graph.label_names();
    if graph.node_labels(node, &mut keys).is_err() {
        return false;
    }
    let mut found: Vec<String> =
        names.iter().filter(|(key, _)| keys.contains(key)).map(|(_, name)| name.to_string()).collect();
    found.sort();
    let Ok(stored) = graph.node_properties(node) else { return false };
    found == *labels && properties_fit(graph, properties, &stored)
}

fn edge_fits(graph: &dyn GraphRead, expected: &Expected, edge: EdgeKey) -> bool {
    let Expected::Relationship { kind, properties } = expected else { return false };
    let (Ok(ends), Ok(stored)) = (graph.edge_ends(edge), graph.edge_properties(edge)) else { return false };
    let names = graph.relation_names();
    let has_kind = names.iter().any(|(key, name)| *key == ends.relation && **name == **kind);
    has_kind && properties_fit(graph, properties, &stored)
}

fn properties_fit(
    graph: &dyn GraphRead,
    expected: &[(String, Expected)],
    stored: &[(graph::PropertyKey, graph::Value)],
) -> bool {
    let value = |name: &str| {
        let key = graph.property(name)?;
        stored.iter().find(|(found, _)| *found == key).map(|(_, value)| Value::from(value.clone()))
    };
    expected.len() == stored.len() && entries_fit(graph, expected, &value, false)
}
