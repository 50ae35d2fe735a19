//! What a graph is made of, in words, from its names and a sample of its nodes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use graph::{Direction, GraphRead, NodeFilter, NodeKey, PropertyKey, ReadResult, RelationKey, Value};

/// Nodes of each label that are looked at.
const SAMPLE: usize = 60;

/// Relationships of each of them.
const MOST_STEPS: usize = 40;

/// What names alone do not tell.
const MEANINGS: &[(&str, &str)] = &[
    ("name", "the last part of the name"),
    ("qualified_name", "unique for its label; files and folders have their path here"),
    ("file_path", "where it is written, from the root of the project"),
    ("signature", "the declaration without its body"),
    ("modifiers", "such as async, static, abstract, public"),
    ("line", "where the call, use or import is written"),
    ("confidence", "between 0 and 1"),
    ("resolution", "how the far end was found"),
];

/// Labels, types with what they were seen to connect, and properties with what they hold.
pub(super) fn describe(graph: &dyn GraphRead) -> ReadResult<String> {
    let seen = Seen::in_graph(graph)?;
    let labels: Vec<Arc<str>> = graph.label_names().into_iter().map(|(_, name)| name).collect();
    let mut text = format!("Node labels: {}\n\nRelationships:\n", labels.join(", "));
    for (key, name) in graph.relation_names() {
        let ends: Vec<String> = seen.ends(key).map(|(from, to)| format!("({from})-[:{name}]->({to})")).collect();
        text += &if ends.is_empty() { format!("()-[:{name}]->()\n") } else { format!("{}\n", ends.join(", ")) };
    }
    let (mut of_nodes, mut of_relationships) = (String::new(), String::new());
    for (key, name) in graph.property_names() {
        // What no node in the sample has is more likely to be rare than to be a relationship's.
        let is_of_nodes = seen.of_nodes.contains_key(&key) || !seen.of_relationships.contains_key(&key);
        if is_of_nodes {
            of_nodes += &property(&name, seen.of_nodes.get(&key));
        }
        if let Some(kind) = seen.of_relationships.get(&key) {
            of_relationships += &property(&name, Some(kind));
        }
    }
    text += &format!("\nProperties of nodes:\n{of_nodes}");
    if !of_relationships.is_empty() {
        text += &format!("\nProperties of relationships:\n{of_relationships}");
    }
    Ok(text)
}

fn property(name: &str, kind: Option<&&'static str>) -> String {
    let meaning = MEANINGS.iter().find(|(known, _)| *known == name).map(|(_, meaning)| *meaning);
    let told: Vec<&str> = kind.copied().into_iter().chain(meaning).collect();
    if told.is_empty() { format!("{name}\n") } else { format!("{name}: {}\n", told.join("; ")) }
}

/// What a sample of nodes shows.
#[derive(Default)]
struct Seen {
    ends: BTreeSet<(RelationKey, String, String)>,
    of_nodes: BTreeMap<PropertyKey, &'static str>,
    of_relationships: BTreeMap<PropertyKey, &'static str>,
}

impl Seen {
    fn in_graph(graph: &dyn GraphRead) -> ReadResult<Self> {
        let mut seen = Self::default();
        for (label, name) in graph.label_names() {
            let filter = NodeFilter { labels: vec![vec![label]], conditions: Vec::new() };
            let mut nodes = Vec::new();
            graph.scan(&filter, None, SAMPLE, &mut nodes)?;
            for node in nodes.into_iter().take(SAMPLE) {
                seen.look_at(node, &name, graph)?;
            }
        }
        Ok(seen)
    }

    fn look_at(&mut self, node: NodeKey, label: &str, graph: &dyn GraphRead) -> ReadResult<()> {
        for (key, value) in graph.node_properties(node)? {
            self.of_nodes.entry(key).or_insert(kind(&value));
        }
        let mut steps = Vec::new();
        graph.expand(node, Direction::Outgoing, &[], &mut steps)?;
        for step in steps.into_iter().take(MOST_STEPS) {
            let far = crate::cell::label_of(step.far, graph)?;
            if self.ends.insert((step.relation, label.to_owned(), far)) {
                let properties = graph.edge_properties(step.edge)?;
                self.of_relationships.extend(properties.into_iter().map(|(key, value)| (key, kind(&value))));
            }
        }
        Ok(())
    }

    fn ends(&self, relation: RelationKey) -> impl Iterator<Item = (&str, &str)> {
        let own = self.ends.iter().filter(move |(known, ..)| *known == relation);
        own.map(|(_, from, to)| (from.as_str(), to.as_str()))
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Int(_) => "integer",
        Value::Float(_) => "float",
        Value::Text(_) => "text",
        Value::List(_) => "list of texts",
    }
}

#[cfg(test)]
mod tests {
    use super::describe;
    use crate::model::sample::sample_graph;

    #[test]
    fn everything_in_a_graph_is_told() {
        let text = describe(&*sample_graph()).unwrap();
        for line in [
            "Node labels: File, Function, Class, Method",
            "(File)-[:DEFINES]->(Class), (File)-[:DEFINES]->(Function)",
            "(Class)-[:DEFINES_METHOD]->(Method)",
            "line_start: integer",
            "decorators: list of texts",
            "confidence: float; between 0 and 1",
        ] {
            assert!(text.lines().any(|told| told == line), "no `{line}`:\n{text}");
        }
        let (nodes, relationships) = text.split_once("Properties of relationships").unwrap();
        assert!(!nodes.contains("confidence") && !relationships.contains("docstring"), "{text}");
    }
}
