//! One step on a graph: what it calls, and how what comes back is written.

use std::collections::HashMap;

use super::read::{Options, Words};
use super::value;
use crate::behaviour::Problem;
use crate::behaviour::expect::equal;
use crate::knowledge::{
    FoundPath, FuzzySearch, Name, NeighborSearch, Neighborhood, PathSearch, Properties, PropertyMatch,
};
use crate::{
    KnowledgeGraph, NewNode, NewRelationship, Node, NodeId, Relationship, RelationshipId, Result as StoreResult,
};

/// What the names in the steps of one case stand for.
#[derive(Debug, Default)]
pub(super) struct Names {
    nodes: HashMap<String, NodeId>,
    relationships: HashMap<String, RelationshipId>,
}

/// What a step came to, as a text to compare; properties are compared as properties.
#[derive(Debug, PartialEq)]
enum Came {
    To(String),
    ToProperties(String, Properties),
}

/// Does what the step says and compares what comes back with what it says behind `=>`.
pub(super) async fn step(graph: &dyn KnowledgeGraph, names: &mut Names, text: &str) -> Result<(), Problem> {
    let (call, expected) = match text.split_once("=>") {
        Some((call, expected)) => (call, expected.trim()),
        None => (text, "done"),
    };
    let mut words = Words::new(call);
    let came = match call_step(graph, names, &mut words).await? {
        Ok(came) => came,
        Err(error) => Came::To(format!("{:?}", error.kind())),
    };
    if !words.is_empty() {
        return Err(Problem::new(format!("`{}` is more than the step takes", words.rest())));
    }
    let expected = match &came {
        Came::To(_) => Came::To(expected.to_owned()),
        Came::ToProperties(..) => {
            let at = expected.find('{').unwrap_or(expected.len());
            Came::ToProperties(
                expected[..at].trim().to_owned(),
                value::properties(&Words::new(&expected[at..]).json()?)?,
            )
        }
    };
    equal("came to", came, expected)
}

type Called = Result<StoreResult<Came>, Problem>;

async fn call_step(graph: &dyn KnowledgeGraph, names: &mut Names, words: &mut Words<'_>) -> Called {
    match words.word("the command")? {
        "create" => create(graph, names, words).await,
        "relate" => relate(graph, names, words).await,
        "absent" => {
            let name = words.word("a name")?.to_owned();
            names.relationships.insert(name.clone(), RelationshipId::generate());
            names.nodes.insert(name, NodeId::generate());
            Ok(Ok(done(())))
        }
        "node" => {
            let id = names.node(words.word("a node")?)?;
            Ok(graph.node(id).await.map(|node| Came::ToProperties(node.label.to_string(), node.properties)))
        }
        "relationship" => {
            let id = names.relationship(words.word("a relationship")?)?;
            Ok(graph.relationship(id).await.map(|found| names.written(found)))
        }
        "find" => find(graph, names, words).await,
        "update" => {
            let id = names.node(words.word("a node")?)?;
            Ok(graph.update_node(id, value::patch(&words.json()?)?).await.map(done))
        }
        "update-relationship" => {
            let id = names.relationship(words.word("a relationship")?)?;
            Ok(graph.update_relationship(id, value::patch(&words.json()?)?).await.map(done))
        }
        "delete" => {
            let id = names.node(words.word("a node")?)?;
            Ok(graph.delete_node(id, words.next() == Some("detach")).await.map(done))
        }
        "delete-relationship" => {
            let id = names.relationship(words.word("a relationship")?)?;
            Ok(graph.delete_relationship(id).await.map(done))
        }
        "path" => path(graph, names, words).await,
        "neighbors" => neighbors(graph, names, words).await,
        "search" => search(graph, names, words).await,
        command => Err(Problem::new(format!("`{command}` is no command"))),
    }
}

async fn create(graph: &dyn KnowledgeGraph, names: &mut Names, words: &mut Words<'_>) -> Called {
    let name = words.word("a name")?.to_owned();
    let label = value::name(words.word("a label")?)?;
    let properties = value::properties(&words.json()?)?;
    let created = graph.create_node(NewNode { label, properties }).await;
    Ok(created.map(|id| done(names.nodes.insert(name, id))))
}

async fn relate(graph: &dyn KnowledgeGraph, names: &mut Names, words: &mut Words<'_>) -> Called {
    let name = words.word("a name")?.to_owned();
    let from = names.node(words.word("where it begins")?)?;
    let kind = value::name(words.word("a type")?)?;
    let to = names.node(words.word("where it ends")?)?;
    let properties = if words.is_empty() { Properties::default() } else { value::properties(&words.json()?)? };
    let created = graph.create_relationship(NewRelationship { from, to, kind, properties }).await;
    Ok(created.map(|id| done(names.relationships.insert(name, id))))
}

async fn find(graph: &dyn KnowledgeGraph, names: &Names, words: &mut Words<'_>) -> Called {
    let label = value::name(words.word("a label")?)?;
    let property = value::name(words.word("a property")?)?;
    let value = value::value(&words.json()?)?;
    let found = graph.find_node(PropertyMatch { label, property, value }).await;
    Ok(found.map(|node| Came::To(names.of_node(node.id))))
}

async fn path(graph: &dyn KnowledgeGraph, names: &Names, words: &mut Words<'_>) -> Called {
    let from = names.node(words.word("where it begins")?)?;
    let to = names.node(words.word("where it ends")?)?;
    let Options { depth, budget, names: types, .. } = Options::read(words)?;
    let search = PathSearch { from, to, max_depth: depth, types: all_names(&types)?, budget };
    let written = |found: FoundPath| {
        let FoundPath { path, visited, truncated } = found;
        let way = path.map_or_else(
            || "none".to_owned(),
            |path| {
                let relationships = path.relationships.iter().map(|found| names.of_relationship(found.id));
                let nodes = path.nodes.iter().map(|node| names.of_node(node.id));
                let mut relationships = relationships.map(Some).chain([None]);
                let pairs = nodes.map(|node| [Some(node), relationships.next().flatten()]);
                pairs.flatten().flatten().collect::<Vec<_>>().join(" ")
            },
        );
        Came::To(format!("{way} | visited {visited}{}", if truncated { " truncated" } else { "" }))
    };
    Ok(graph.shortest_path(search).await.map(written))
}

async fn neighbors(graph: &dyn KnowledgeGraph, names: &Names, words: &mut Words<'_>) -> Called {
    let id = names.node(words.word("a node")?)?;
    let Options { depth, budget, names: types, .. } = Options::read(words)?;
    let search = NeighborSearch { id, depth, types: all_names(&types)?, budget };
    let written = |found: Neighborhood| {
        let Neighborhood { nodes, relationships, visited, truncated } = found;
        let nodes: Vec<String> = nodes.iter().map(|node| names.of_node(node.id)).collect();
        let relationships: Vec<String> = relationships.iter().map(|found| names.of_relationship(found.id)).collect();
        let truncated = if truncated { " truncated" } else { "" };
        let found = [nodes.join(" "), relationships.join(" ")].join(" | ");
        Came::To(format!("{found} | visited {visited}{truncated}").trim().to_owned())
    };
    Ok(graph.neighbors(search).await.map(written))
}

async fn search(graph: &dyn KnowledgeGraph, names: &Names, words: &mut Words<'_>) -> Called {
    let query = words.json()?.as_str().unwrap_or_default().to_owned();
    let Options { limit, names: labels, .. } = Options::read(words)?;
    let found = graph.fuzzy_search(FuzzySearch { query, labels: all_names(&labels)?, limit }).await;
    Ok(found.map(|found| {
        let all = found.iter().map(|scored| format!("{} {}", names.of_node(scored.node.id), scored.score));
        let all = all.collect::<Vec<_>>().join(", ");
        Came::To(if all.is_empty() { "nothing".to_owned() } else { all })
    }))
}

fn done<T>(_: T) -> Came {
    Came::To("done".to_owned())
}

fn all_names(names: &[&str]) -> Result<Vec<Name>, Problem> {
    names.iter().map(|name| value::name(name)).collect()
}

impl Names {
    fn node(&self, name: &str) -> Result<NodeId, Problem> {
        self.nodes.get(name).copied().ok_or_else(|| Problem::new(format!("no node is called `{name}`")))
    }

    fn relationship(&self, name: &str) -> Result<RelationshipId, Problem> {
        self.relationships.get(name).copied().ok_or_else(|| Problem::new(format!("no relationship is called `{name}`")))
    }

    fn of_node(&self, id: NodeId) -> String {
        let known = self.nodes.iter().find(|(_, known)| **known == id);
        known.map_or_else(|| format!("unknown node {id}"), |(name, _)| name.clone())
    }

    fn of_relationship(&self, id: RelationshipId) -> String {
        let known = self.relationships.iter().find(|(_, known)| **known == id);
        known.map_or_else(|| format!("unknown relationship {id}"), |(name, _)| name.clone())
    }

    fn written(&self, found: Relationship) -> Came {
        let Relationship { from, to, kind, properties, .. } = found;
        Came::ToProperties(format!("{} {kind} {}", self.of_node(from), self.of_node(to)), properties)
    }
}

/// So that nodes read by different calls can be compared by a case in Rust.
pub(super) fn ids(nodes: &[Node]) -> Vec<NodeId> {
    nodes.iter().map(|node| node.id).collect()
}
