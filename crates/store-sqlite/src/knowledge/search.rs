//! Finding nodes by names that are near.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rusqlite::{Connection, ToSql};
use rustc_hash::{FxHashMap, FxHashSet};
use search::fuzzy::{Explained, FuzzyQuery, MOST_CANDIDATES};
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
    let mut highest = Highest { scores: BinaryHeap::new(), limit: *limit };
    for candidate in candidates(connection, &query)? {
        let least = highest.least();
        if query.at_most(candidate.explained) < least {
            break;
        }
        if let Some(found) = score(connection, &query, labels.as_deref(), &candidate, least)? {
            highest.add(found.score);
            near.push(found);
        }
    }
    near.sort_by(|left, right| right.score.total_cmp(&left.score).then_with(|| left.id.cmp(&right.id)));
    near.truncate(*limit);
    let found = |near: Near| Ok(ScoredNode { node: find::node_by_key(connection, near.node)?, score: near.score });
    near.into_iter().map(found).collect()
}

/// A node that has words in common with the query.
#[derive(Debug)]
struct Candidate {
    node: i64,
    explained: Explained,
}

/// The nodes that have a word in common with the query, those that can be nearest first. If there are too many, those with rare
/// words.
fn candidates(connection: &Connection, query: &FuzzyQuery) -> Outcome<Vec<Candidate>> {
    let mut statement =
        connection.prepare_cached("SELECT node FROM knowledge_word_node WHERE word = ? ORDER BY node")?;
    let mut found: FxHashMap<i64, Explained> = FxHashMap::default();
    // Words that are not looked at any more may be in nodes that were found by others.
    let mut unread = Explained::default();
    for Word { key, explained, .. } in words(connection, query)? {
        if found.len() == MOST_CANDIDATES {
            unread = unread.and(explained);
            continue;
        }
        let mut rows = statement.query([key])?;
        while let Some(row) = rows.next()? {
            let known = found.entry(row.get(0)?).or_default();
            *known = known.and(explained);
            if found.len() == MOST_CANDIDATES {
                unread = unread.and(explained);
                break;
            }
        }
    }
    let candidate = |(node, explained): (i64, Explained)| Candidate { node, explained: explained.and(unread) };
    let mut candidates: Vec<Candidate> = found.into_iter().map(candidate).collect();
    candidates
        .sort_unstable_by(|left, right| right.explained.order(left.explained).then_with(|| left.node.cmp(&right.node)));
    Ok(candidates)
}

/// A word that explains something of the query.
#[derive(Debug)]
struct Word {
    key: i64,
    /// How many nodes have it, or more than any word has.
    nodes: u64,
    explained: Explained,
}

/// The words that explain something of the query: rare ones first, and at last those that only begin with a word of it.
fn words(connection: &Connection, query: &FuzzyQuery) -> Outcome<Vec<Word>> {
    let mut count = connection.prepare_cached("SELECT nodes FROM knowledge_word WHERE key = ?")?;
    let mut words: Vec<Word> = Vec::new();
    let mut read = |sql: &str, parameter: &dyn ToSql| -> Outcome<()> {
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query([parameter])?;
        while let Some(row) = rows.next()? {
            let (key, text) = (row.get(0)?, row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?);
            let explained = query.explained_by(text);
            if explained.is_nothing() {
                continue;
            }
            let last = query.can_only_begin(text);
            let nodes = if last { u64::MAX } else { count.query_row([key], |row| row.get(0))? };
            words.push(Word { key, nodes, explained });
        }
        Ok(())
    };
    read("SELECT key, word FROM knowledge_word WHERE word = ?", &query.whole_word())?;
    for family in families(connection, query)? {
        read("SELECT key, word FROM knowledge_word WHERE family = ?", &family)?;
    }
    words.sort_unstable_by_key(|word| (word.nodes, word.key));
    Ok(words)
}

/// The families of words that have a key in common with the query.
fn families(connection: &Connection, query: &FuzzyQuery) -> Outcome<FxHashSet<i64>> {
    let mut statement = connection.prepare_cached("SELECT family FROM knowledge_family_key WHERE hash = ?")?;
    let mut found = FxHashSet::default();
    for key in query.keys() {
        let mut rows = statement.query([key.cast_signed()])?;
        while let Some(row) = rows.next()? {
            found.insert(row.get(0)?);
        }
    }
    Ok(found)
}

/// How near the names of a node are, unless they cannot be nearer than the least that is of interest.
fn score(
    connection: &Connection,
    query: &FuzzyQuery,
    labels: Option<&[i64]>,
    candidate: &Candidate,
    least: f64,
) -> Outcome<Option<Near>> {
    let Candidate { node, explained } = *candidate;
    let mut statement = connection.prepare_cached("SELECT id, label, names FROM knowledge_named WHERE node = ?")?;
    let (id, label, names): ([u8; 16], i64, String) =
        statement.query_row([node], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    if labels.is_some_and(|labels| !labels.contains(&label)) {
        return Ok(None);
    }
    let names: Vec<Cow<'_, str>> = serde_json::from_str(&names).map_err(|cause| error::unreadable("names", cause))?;
    let names = || names.iter().map(|name| &**name);
    if query.at_most_with(explained, names()) < least {
        return Ok(None);
    }
    let score = query.score(names());
    Ok((score > 0.0).then_some(Near { score, id: Uuid::from_bytes(id), node }))
}

/// The highest scores so far, as many as are asked for.
struct Highest {
    scores: BinaryHeap<Reverse<u64>>,
    limit: usize,
}

impl Highest {
    /// A lower score is not among them any more.
    fn least(&self) -> f64 {
        let full = self.scores.len() >= self.limit;
        self.scores.peek().filter(|_| full).map_or(0.0, |Reverse(bits)| f64::from_bits(*bits))
    }

    /// Scores are not negative, so their bits have their order.
    fn add(&mut self, score: f64) {
        self.scores.push(Reverse(score.to_bits()));
        if self.scores.len() > self.limit {
            self.scores.pop();
        }
    }
}
