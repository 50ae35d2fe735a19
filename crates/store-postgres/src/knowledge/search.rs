//! Finding nodes by names that may be misspelt, incomplete or in another order.

use deadpool_postgres::Client;
use search::fuzzy::{FuzzyQuery, MOST_CANDIDATES};
use store::knowledge::{FuzzySearch, Name, ScoredNode};

use super::find;
use super::row::NODE;
use crate::error::Outcome;
use crate::text::sql_limit;

/// The nodes with the most keys in common, lowest ids first.
fn candidates() -> String {
    format!(
        "SELECT {NODE} FROM (
             SELECT node, count(DISTINCT key) AS common
             FROM knowledge_word_key JOIN knowledge_word_node USING (word) JOIN knowledge_node ON knowledge_node.id = node
             WHERE key = ANY($1) AND ($2::text[] IS NULL OR label = ANY($2))
             GROUP BY node ORDER BY common DESC, node LIMIT $3
         ) AS candidate JOIN knowledge_node ON knowledge_node.id = candidate.node"
    )
}

pub(super) async fn fuzzy(client: &Client, search: &FuzzySearch) -> Outcome<Vec<ScoredNode>> {
    let Some(query) = FuzzyQuery::parse(&search.query) else { return Ok(Vec::new()) };
    let keys: Vec<i64> = query.keys().into_iter().map(u64::cast_signed).collect();
    let labels: Option<Vec<&str>> =
        (!search.labels.is_empty()).then(|| search.labels.iter().map(Name::as_str).collect());
    let most = sql_limit(MOST_CANDIDATES);
    Ok(search.rank(find::nodes(client, &candidates(), &[&keys, &labels, &most]).await?))
}
