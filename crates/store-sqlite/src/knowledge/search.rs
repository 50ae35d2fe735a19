//! Finding nodes by names that are near.

use rusqlite::Connection;
use rustc_hash::FxHashSet;
use search::fuzzy::{FuzzyQuery, MOST_CANDIDATES};
use store::ScoredNode;
use store::knowledge::FuzzySearch;
use uuid::Uuid;

use super::{find, names};
use crate::error;
use crate::job::Outcome;

/// A name that is near, and where its node is.
#[derive(Debug)]
struct Near {
    score: f64,
    id: Uuid,
    node: i64,
}

pub(super) fn fuzzy(connection: &Connection, search: &FuzzySearch) -> Outcome<Vec<ScoredNode>> {
    let FuzzySearch { query, labels, limit } = search;
    let Some(query) = FuzzyQuery::parse(query) else { return Ok(Vec::new()) };
    let labels = names::numbers(connection, labels)?;
    let mut near = Vec::new();
    for node in candidates(connection, &query)? {
        near.extend(score(connection, &query, labels.as_deref(), node)?);
    }
    near.sort_by(|left, right| right.score.total_cmp(&left.score).then_with(|| left.id.cmp(&right.id)));
    near.truncate(*limit);
    let found = |near: Near| Ok(ScoredNode { node: find::node_by_key(connection, near.node)?, score: near.score });
    near.into_iter().map(found).collect()
}

/// The nodes that have a word in common with the query, those with rare words first.
fn candidates(connection: &Connection, query: &FuzzyQuery) -> Outcome<FxHashSet<i64>> {
    let mut statement =
        connection.prepare_cached("SELECT node FROM knowledge_word_node WHERE word = ? ORDER BY node")?;
    let mut found = FxHashSet::default();
    for word in words(connection, query)? {
        let mut rows = statement.query([word])?;
        while let Some(row) = rows.next()? {
            if found.len() == MOST_CANDIDATES {
                return Ok(found);
            }
            found.insert(row.get(0)?);
        }
    }
    Ok(found)
}

/// The words that have a key in common with the query, rare ones first.
fn words(connection: &Connection, query: &FuzzyQuery) -> Outcome<Vec<i64>> {
    let mut by_key = connection.prepare_cached("SELECT word FROM knowledge_word_key WHERE hash = ?")?;
    let mut found = FxHashSet::default();
    for key in query.keys() {
        let mut rows = by_key.query([key.cast_signed()])?;
        while let Some(row) = rows.next()? {
            found.insert(row.get::<_, i64>(0)?);
        }
    }
    let mut count = connection.prepare_cached("SELECT nodes FROM knowledge_word WHERE key = ?")?;
    let mut words = Vec::with_capacity(found.len());
    for word in found {
        words.push((count.query_row([word], |row| row.get::<_, u64>(0))?, word));
    }
    words.sort_unstable();
    Ok(words.into_iter().map(|(_, word)| word).collect())
}

fn score(connection: &Connection, query: &FuzzyQuery, labels: Option<&[i64]>, node: i64) -> Outcome<Option<Near>> {
    let mut statement = connection.prepare_cached("SELECT id, label, names FROM knowledge_named WHERE node = ?")?;
    let (id, label, names): ([u8; 16], i64, String) =
        statement.query_row([node], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    if labels.is_some_and(|labels| !labels.contains(&label)) {
        return Ok(None);
    }
    let names: Vec<String> = serde_json::from_str(&names).map_err(|cause| error::unreadable("names", cause))?;
    let score = query.score(names.iter().map(String::as_str));
    Ok((score > 0.0).then_some(Near { score, id: Uuid::from_bytes(id), node }))
}
