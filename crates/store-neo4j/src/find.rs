//! Finding nodes: by what is known of them, by names that may be misspelt; and how many there are.

use std::collections::BTreeMap;

use neo4rs::{BoltType, Query, Row};
use search::fuzzy::{FuzzyQuery, MOST_CANDIDATES};
use store::knowledge::{FuzzySearch, GraphSize, Name, Node, NodeId, Properties, PropertyMatch, ScoredNode};
use store::{ErrorKind, StoreError};

use crate::connection::Session;
use crate::dialect::{self, NODE};
use crate::failure::{Outcome, unreadable};
use crate::row::{self, NODE_COLUMNS};
use crate::value;

/// A full-text index takes no longer question than this many words.
const MOST_WORDS: usize = 1_000;

pub(crate) async fn by_property(session: &mut Session, wanted: &PropertyMatch) -> Outcome<Node> {
    let PropertyMatch { label, property, value } = wanted;
    let statement = format!(
        "{} WITH n WHERE n._keys CONTAINS $key AND n._label = $label RETURN {NODE_COLUMNS} ORDER BY n._id",
        dialect::nodes_with_keys(session.has_keys_index)
    );
    let word = row::value_word(property, value);
    let query =
        Query::new(statement).param("label", label.as_str()).param("key", format!(" {word} ")).param("text", word);
    let is_wanted = |node: &Node| node.properties.get(property.as_str()).is_some_and(|found| found.equals(value));
    for row in session.rows(query).await? {
        let node = row::node(&row)?;
        if is_wanted(&node) {
            return Ok(node);
        }
    }
    let message = format!("no node with label `{label}` has this value of `{property}`");
    Err(StoreError::new(ErrorKind::NotFound, message).into())
}

/// Candidates are read with their names alone; the winners are read whole.
pub(crate) async fn fuzzy(session: &mut Session, search: &FuzzySearch) -> Outcome<Vec<ScoredNode>> {
    let Some(query) = FuzzyQuery::parse(&search.query) else { return Ok(Vec::new()) };
    let words: Vec<String> = query.keys().into_iter().map(row::name_word).collect();
    let statement = format!(
        "{} WITH n, size([key IN $keys WHERE n._keys CONTAINS key]) AS common \
         WHERE common > 0 AND (size($labels) = 0 OR n._label IN $labels) \
         RETURN n._id AS id, n._label AS label, n.name AS name, n.aliases AS aliases \
         ORDER BY common DESC, id LIMIT {MOST_CANDIDATES}",
        dialect::nodes_with_keys(session.has_keys_index)
    );
    let labels = search.labels.iter().map(Name::to_string);
    let asked = Query::new(statement)
        .param("keys", value::texts(words.iter().map(|word| format!(" {word} "))))
        .param("labels", value::texts(labels))
        .param("text", words[..words.len().min(MOST_WORDS)].join(" "));
    let candidates = session.rows(asked).await?.iter().map(candidate).collect::<Outcome<Vec<Node>>>()?;
    let ranked = search.rank(candidates);
    let nodes = by_ids(session, ranked.iter().map(|scored| scored.node.id)).await?;
    let whole =
        |scored: ScoredNode| Some(ScoredNode { node: nodes.get(&scored.node.id)?.clone(), score: scored.score });
    Ok(ranked.into_iter().filter_map(whole).collect())
}

/// Those of these nodes that are there.
pub(crate) async fn by_ids(
    session: &mut Session,
    ids: impl IntoIterator<Item = NodeId>,
) -> Outcome<BTreeMap<NodeId, Node>> {
    let ids = value::texts(ids.into_iter().map(|id| id.to_string()));
    let statement = format!("UNWIND $ids AS id MATCH (n:{NODE} {{_id: id}}) RETURN {NODE_COLUMNS}");
    let rows = session.rows(Query::new(statement).param("ids", ids)).await?;
    rows.iter().map(|row| row::node(row).map(|node| (node.id, node))).collect()
}

pub(crate) async fn size(session: &mut Session) -> Outcome<GraphSize> {
    let nodes = session.number(Query::new(format!("MATCH (n:{NODE}) RETURN count(n) AS number"))).await?;
    let all = format!("MATCH (:{NODE})-[r]->(:{NODE}) WHERE r._id IS NOT NULL RETURN count(r) AS number");
    Ok(GraphSize { nodes, relationships: session.number(Query::new(all)).await? })
}

/// As much of a node as its rank depends on.
fn candidate(row: &Row) -> Outcome<Node> {
    let mut names = BTreeMap::new();
    for property in ["name", "aliases"] {
        if let Some(value) = value::from_bolt(&row.get::<BoltType>(property)?) {
            names.insert(Name::parse(property)?, value);
        }
    }
    let time = jiff::Timestamp::UNIX_EPOCH;
    Ok(Node {
        id: row.get::<String>("id")?.parse().map_err(unreadable)?,
        label: Name::parse(&row.get::<String>("label")?)?,
        properties: Properties::new(names).map_err(unreadable)?,
        created_at: time,
        updated_at: time,
    })
}
