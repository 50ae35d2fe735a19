//! Times, many calls at once, and what is handed from one store to another.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::apply::ids;
use crate::behaviour::expect::{all_at_once, equal, fails_with, holds};
use crate::behaviour::{Case, Verdict};
use crate::knowledge::{FuzzySearch, GraphSize, Name, NeighborSearch, Patch, Properties, Value};
use crate::{ErrorKind, KnowledgeGraph, NewNode, NewRelationship, Node, NodeId, Relationship, RelationshipId, Result};

pub(super) const CASES: &[Case<dyn KnowledgeGraph>] = &[
    Case { name: "a node has the times of its making and its last change", run: |graph| Box::pin(node_times(graph)) },
    Case { name: "a relationship has such times too", run: |graph| Box::pin(relationship_times(graph)) },
    Case { name: "every text reads back unchanged", run: |graph| Box::pin(texts(graph)) },
    Case { name: "200 nodes and relationships at once are all kept", run: |graph| Box::pin(creates(graph)) },
    Case { name: "patches at once of different properties are all kept", run: |graph| Box::pin(patches(graph)) },
    Case { name: "a node is never removed from under a relationship", run: |graph| Box::pin(races(graph)) },
    Case { name: "what is imported keeps ids and times, and is found", run: |graph| Box::pin(imports(graph)) },
    Case { name: "importing nodes and relationships twice changes nothing", run: |graph| Box::pin(twice(graph)) },
    Case { name: "a relationship is not imported without its ends", run: |graph| Box::pin(without_ends(graph)) },
    Case { name: "everything is listed in the order of ids, page by page", run: |graph| Box::pin(pages(graph)) },
];

fn name(text: &str) -> Result<Name> {
    Name::parse(text)
}

fn properties(values: &[(&str, &str)]) -> Result<Properties> {
    let values = values.iter().map(|(property, text)| Ok((name(property)?, Value::from(*text))));
    Ok(Properties::new(values.collect::<Result<BTreeMap<_, _>>>()?)?)
}

fn patch(property: &str, value: &str) -> Result<Patch> {
    Ok(Patch::new(BTreeMap::from([(name(property)?, Some(Value::from(value)))]))?)
}

async fn entity(graph: &dyn KnowledgeGraph, called: &str) -> Result<NodeId> {
    graph.create_node(NewNode { label: name("Entity")?, properties: properties(&[("name", called)])? }).await
}

async fn relate(graph: &dyn KnowledgeGraph, from: NodeId, to: NodeId) -> Result<RelationshipId> {
    let (kind, properties) = (name("RELATED_TO")?, Properties::default());
    graph.create_relationship(NewRelationship { from, to, kind, properties }).await
}

async fn node_times(graph: &dyn KnowledgeGraph) -> Verdict {
    let id = entity(graph, "a").await?;
    let made = graph.node(id).await?;
    equal("updated_at of a new node", made.updated_at, made.created_at)?;
    graph.update_node(id, patch("kind", "b")?).await?;
    let changed = graph.node(id).await?;
    holds(changed.updated_at > made.updated_at, || "updated_at did not move".to_owned())?;
    equal("created_at", changed.created_at, made.created_at)
}

async fn relationship_times(graph: &dyn KnowledgeGraph) -> Verdict {
    let (a, b) = (entity(graph, "a").await?, entity(graph, "b").await?);
    let id = relate(graph, a, b).await?;
    let made = graph.relationship(id).await?;
    equal("updated_at of a new relationship", made.updated_at, made.created_at)?;
    graph.update_relationship(id, patch("reason", "b")?).await?;
    let changed = graph.relationship(id).await?;
    holds(changed.updated_at > made.updated_at, || "updated_at did not move".to_owned())?;
    let before = Relationship { updated_at: changed.updated_at, properties: properties(&[("reason", "b")])?, ..made };
    equal("the rest", changed, before)
}

/// Texts that storage has been known to change.
const TEXTS: &[&str] = &[
    "plain",
    "",
    " ",
    "知识图谱",
    "🚀 emoji 👩‍👩‍👧 family",
    "quotes ' \" ` and \\ backslash \\n",
    "line one\nline two\r\n\ttab",
    "cafe\u{301} is not café",
    "$set {\"a\": 1} %s %% ?1 :name }) DETACH DELETE n //",
    "عربى עברית हिन्दी ไทย",
    "\u{10FFFF}\u{FEFF}\u{1}",
    "null",
    "1",
];

async fn texts(graph: &dyn KnowledgeGraph) -> Verdict {
    for text in TEXTS {
        let given = properties(&[("name", text), ("note", text)])?;
        let id = graph.create_node(NewNode { label: name("Entity")?, properties: given.clone() }).await?;
        equal(text, graph.node(id).await?.properties, given)?;
    }
    Ok(())
}

async fn creates(graph: &dyn KnowledgeGraph) -> Verdict {
    let hub = entity(graph, "hub").await?;
    let all = all_at_once((0..200).map(|number| async move {
        let node = entity(graph, &format!("number {number}")).await?;
        Ok((node, relate(graph, hub, node).await?))
    }));
    let all = all.await.into_iter().collect::<Result<Vec<_>>>()?;
    for (number, (node, relationship)) in all.iter().enumerate() {
        let expected = properties(&[("name", &format!("number {number}"))])?;
        equal("properties", graph.node(*node).await?.properties, expected)?;
        equal("ends", graph.relationship(*relationship).await?.to, *node)?;
    }
    let near = graph.neighbors(NeighborSearch { id: hub, depth: 1, types: Vec::new(), budget: 1_000 }).await?;
    equal("neighbours", (near.nodes.len(), near.relationships.len()), (200, 200))?;
    equal("size", graph.size().await?, GraphSize { nodes: 201, relationships: 200 })
}

async fn patches(graph: &dyn KnowledgeGraph) -> Verdict {
    let id = entity(graph, "a").await?;
    let all = all_at_once(
        (0..40).map(|number| async move { graph.update_node(id, patch(&format!("p{number}"), "x")?).await }),
    );
    all.await.into_iter().collect::<Result<Vec<_>>>()?;
    equal("properties", graph.node(id).await?.properties.len(), 41)
}

/// Of a deletion and a new relationship at once, one comes too late.
async fn races(graph: &dyn KnowledgeGraph) -> Verdict {
    let hub = entity(graph, "hub").await?;
    for detach in [false, true].repeat(10) {
        let node = entity(graph, "short-lived").await?;
        let deletion = async { graph.delete_node(node, detach).await.err().map(|error| error.kind()) };
        let relation = async { relate(graph, hub, node).await.err().map(|error| error.kind()) };
        let ends =
            all_at_once([Box::pin(deletion) as std::pin::Pin<Box<dyn Future<Output = _> + Send>>, Box::pin(relation)]);
        let ends = ends.await;
        let allowed: &[[Option<ErrorKind>; 2]] =
            &[[None, Some(ErrorKind::NotFound)], [Some(ErrorKind::Conflict), None], [None, None]];
        let both = [ends[0], ends[1]];
        holds(allowed.contains(&both) && (detach || both != [None, None]), || format!("they ended with {both:?}"))?;
    }
    let size = graph.size().await?;
    let near = graph.neighbors(NeighborSearch { id: hub, depth: 1, types: Vec::new(), budget: 1_000 }).await?;
    equal("neighbours", near.nodes.len() as u64, size.nodes - 1)?;
    equal("relationships", near.relationships.len() as u64, size.relationships)
}

/// A node as another store would hand it over.
fn handed_over(called: &str) -> Result<Node> {
    let created_at = Timestamp::from_second(1_600_000_000).unwrap_or_default();
    let updated_at = Timestamp::from_second(1_600_000_060).unwrap_or_default();
    let properties = properties(&[("name", called)])?;
    Ok(Node { id: NodeId::generate(), label: name("Entity")?, properties, created_at, updated_at })
}

fn handed_over_between(from: &Node, to: &Node) -> Result<Relationship> {
    let (created_at, updated_at) = (from.created_at, from.updated_at);
    let (id, kind, properties) = (RelationshipId::generate(), name("MENTIONS")?, properties(&[("reason", "x")])?);
    Ok(Relationship { id, from: from.id, to: to.id, kind, properties, created_at, updated_at })
}

async fn imports(graph: &dyn KnowledgeGraph) -> Verdict {
    let (a, b) = (handed_over("Ada")?, handed_over("Byron")?);
    let relationship = handed_over_between(&a, &b)?;
    equal("new nodes", graph.import_nodes(vec![a.clone(), b.clone()]).await?, 2)?;
    equal("new relationships", graph.import_relationships(vec![relationship.clone()]).await?, 1)?;
    equal("a node", graph.node(a.id).await?, a.clone())?;
    equal("a relationship", graph.relationship(relationship.id).await?, relationship)?;
    let search = FuzzySearch { query: "ada".to_owned(), labels: Vec::new(), limit: 5 };
    let found: Vec<Node> = graph.fuzzy_search(search).await?.into_iter().map(|scored| scored.node).collect();
    equal("found", ids(&found), vec![a.id])?;
    let near = graph.neighbors(NeighborSearch { id: a.id, depth: 1, types: Vec::new(), budget: 10 }).await?;
    equal("neighbours", ids(&near.nodes), vec![b.id])
}

async fn twice(graph: &dyn KnowledgeGraph) -> Verdict {
    let (a, b) = (handed_over("a")?, handed_over("b")?);
    let relationship = handed_over_between(&a, &b)?;
    graph.import_nodes(vec![a.clone(), b.clone()]).await?;
    graph.import_relationships(vec![relationship.clone()]).await?;
    let changed = Node { properties: properties(&[("name", "changed")])?, ..a.clone() };
    equal("new nodes", graph.import_nodes(vec![changed, handed_over("c")?]).await?, 1)?;
    let other = handed_over_between(&b, &a)?;
    equal("new relationships", graph.import_relationships(vec![relationship.clone(), other]).await?, 1)?;
    equal("the first node", graph.node(a.id).await?, a)?;
    equal("the first relationship", graph.relationship(relationship.id).await?, relationship)?;
    equal("nothing", (graph.import_nodes(Vec::new()).await?, graph.import_relationships(Vec::new()).await?), (0, 0))?;
    equal("size", graph.size().await?, GraphSize { nodes: 3, relationships: 2 })
}

async fn without_ends(graph: &dyn KnowledgeGraph) -> Verdict {
    let (a, b, absent) = (handed_over("a")?, handed_over("b")?, handed_over("absent")?);
    graph.import_nodes(vec![a.clone(), b.clone()]).await?;
    let all = vec![handed_over_between(&a, &b)?, handed_over_between(&a, &absent)?];
    fails_with("import", ErrorKind::NotFound, graph.import_relationships(all).await)?;
    equal("size", graph.size().await?, GraphSize { nodes: 2, relationships: 0 })
}

async fn pages(graph: &dyn KnowledgeGraph) -> Verdict {
    let mut nodes = Vec::new();
    let mut relationships = Vec::new();
    for number in 0..7 {
        nodes.push(entity(graph, &format!("node {number}")).await?);
        relationships.push(relate(graph, nodes[0], nodes[number]).await?);
    }
    nodes.sort();
    relationships.sort();
    let (mut found_nodes, mut found_relationships) = (Vec::new(), Vec::new());
    for _ in 0..4 {
        found_nodes.extend(ids(&graph.nodes_in_order(found_nodes.last().copied(), 3).await?));
        let page = graph.relationships_in_order(found_relationships.last().copied(), 3).await?;
        found_relationships.extend(page.iter().map(|found| found.id));
    }
    equal("nodes", found_nodes, nodes.clone())?;
    equal("relationships", found_relationships, relationships)?;
    let gone = nodes[3];
    graph.delete_node(gone, true).await?;
    equal("after one that is gone", ids(&graph.nodes_in_order(Some(gone), 1).await?), vec![nodes[4]])
}
