//! The words of a document, and how well they answer a question: the same rules as the embedded store's, done by the server.

use std::collections::BTreeMap;

use futures::future::try_join_all;
use mongodb::Collection;
use mongodb::bson::{Bson, Document as Row, doc};
use search::Expression;
use store::Document;

use crate::failure::Outcome;
use crate::row;

/// How much a word counts in the topic, in the tags and in the content.
const WEIGHTS: [i32; 3] = [8, 4, 1];
const SATURATION: f64 = 1.2;
const LENGTH: f64 = 0.75;
/// Tokens of a usual document. The embedded store knows the true average; here every write would have to change one shared
/// row to keep it, and the order would hardly differ.
const USUAL_LENGTH: f64 = 200.0;
/// A word in more documents than this says nothing about any of them, and scoring them all would take too long.
const COMMON: u64 = 20_000;

/// What is kept of a document's words: each once, with how much it counts.
pub(crate) struct Words {
    pub(crate) rows: Vec<Bson>,
    pub(crate) length: i32,
}

pub(crate) fn of(document: &Document) -> Words {
    let tags = document.tags.join("\n");
    let mut counts: BTreeMap<String, i32> = BTreeMap::new();
    let mut length = 0;
    for (text, weight) in [document.topic.as_str(), &tags, &document.content].into_iter().zip(WEIGHTS) {
        for token in search::index_text(text).split(' ').filter(|token| !token.is_empty()) {
            *counts.entry(token.to_owned()).or_default() += weight;
            length += 1;
        }
    }
    let rows = counts.into_iter().map(|(word, count)| doc! { "word": word, "count": count }.into());
    Words { rows: rows.collect(), length }
}

/// A search that knows how common its words are.
#[derive(Debug)]
pub(crate) struct Search {
    condition: Row,
    leaves: Vec<(Expression, f64)>,
}

impl Search {
    /// `None` when no document can match.
    pub(crate) async fn prepare(documents: &Collection<Row>, expression: &Expression) -> Outcome<Option<Self>> {
        let leaves = expression.leaves();
        let counts = try_join_all(
            leaves.iter().map(|leaf| async { documents.count_documents(condition(leaf)).limit(COMMON + 1).await }),
        );
        let (counts, all) = (counts.await?, documents.estimated_document_count().await?);
        if counts.iter().all(|count| *count == 0) {
            return Ok(None);
        }
        let found = leaves.into_iter().cloned().zip(counts);
        let leaves: Vec<(Expression, u64)> = found.filter(|(_, count)| *count > 0).collect();
        let condition = match expression {
            Expression::Any(_) => condition(&Expression::Any(telling(&leaves))),
            Expression::All(_) | Expression::Token(_) | Expression::Prefix(_) => condition(expression),
        };
        let leaves = leaves.into_iter().map(|(leaf, count)| (leaf, rarity(count, all))).collect();
        Ok(Some(Self { condition, leaves }))
    }

    /// What finds the best of the documents that also fulfil `others`, best first and then newest first.
    pub(crate) fn pipeline(&self, others: Row, limit: i64) -> Vec<Row> {
        let scores: Vec<Row> = self.leaves.iter().map(|(leaf, rarity)| score(leaf, *rarity)).collect();
        vec![
            doc! { "$match": { "$and": [self.condition.clone(), others] } },
            doc! { "$addFields": { "score": { "$sum": scores } } },
            doc! { "$sort": { "score": -1, "_id": -1 } },
            doc! { "$limit": limit },
            doc! { "$project": row::projection() },
        ]
    }
}

/// Those that tell documents apart; if there is none, the one that does so best.
fn telling(leaves: &[(Expression, u64)]) -> Vec<Expression> {
    let rare: Vec<Expression> =
        leaves.iter().filter(|(_, count)| *count <= COMMON).map(|(leaf, _)| leaf.clone()).collect();
    if rare.is_empty() { leaves.iter().take(1).map(|(leaf, _)| leaf.clone()).collect() } else { rare }
}

/// The condition as a filter. Both ends of a range must hold for one word.
fn condition(expression: &Expression) -> Row {
    match expression {
        Expression::All(parts) => doc! { "$and": parts.iter().map(condition).collect::<Vec<_>>() },
        Expression::Any(parts) => doc! { "$or": parts.iter().map(condition).collect::<Vec<_>>() },
        Expression::Token(token) => doc! { "words.word": token },
        Expression::Prefix(prefix) => {
            doc! { "words": { "$elemMatch": { "word": { "$gte": prefix, "$lt": end_of(prefix) } } } }
        }
    }
}

fn end_of(prefix: &str) -> String {
    format!("{prefix}{}", char::MAX)
}

/// What a word that this many of all documents have says about one of them.
fn rarity(with: u64, all: u64) -> f64 {
    let (with, all) = (with as f64, all.max(with) as f64);
    ((all - with + 0.5) / (with + 0.5)).ln().max(1e-6)
}

/// What one word or prefix adds to the score of a document (BM25).
fn score(leaf: &Expression, rarity: f64) -> Row {
    let is_meant = match leaf {
        Expression::Token(token) => doc! { "$eq": ["$$this.word", { "$literal": token }] },
        Expression::Prefix(prefix) => doc! { "$and": [
            { "$gte": ["$$this.word", { "$literal": prefix }] },
            { "$lt": ["$$this.word", { "$literal": end_of(prefix) }] },
        ] },
        Expression::All(_) | Expression::Any(_) => doc! { "$literal": false },
    };
    let counted = doc! { "$reduce": {
        "input": "$words",
        "initialValue": 0,
        "in": { "$cond": [is_meant, { "$add": ["$$value", "$$this.count"] }, "$$value"] },
    } };
    let length = doc! { "$add": [1.0 - LENGTH, { "$multiply": [LENGTH / USUAL_LENGTH, "$length"] }] };
    let below = doc! { "$add": ["$$counted", { "$multiply": [SATURATION, length] }] };
    let part = doc! { "$divide": [{ "$multiply": [rarity * (SATURATION + 1.0), "$$counted"] }, below] };
    doc! { "$let": { "vars": { "counted": counted }, "in": part } }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use store::DocumentId;

    use super::*;

    #[test]
    fn a_word_is_kept_once_with_what_it_counts() {
        let (id, now) = (DocumentId::generate(), Timestamp::UNIX_EPOCH);
        let (topic, content, tags) = ("索引 rust".to_owned(), "rust rust x".to_owned(), vec!["rust".to_owned()]);
        let document = Document { id, topic, content, tags, source: None, created_at: now, updated_at: now };
        let words = of(&document);
        let count = |word: &str, count: i32| Bson::from(doc! { "word": word, "count": count });
        assert_eq!(words.rows, [count("rust", 14), count("x", 1), count("引", 8), count("索引", 8)]);
        assert_eq!(words.length, 7);
    }

    #[test]
    fn a_rare_word_says_more_than_a_common_one() {
        assert!(rarity(1, 100) > rarity(10, 100));
        assert!(rarity(100, 100) > 0.0 && rarity(5, 0) > 0.0);
    }
}
