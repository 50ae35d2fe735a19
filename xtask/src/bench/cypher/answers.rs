//! The figures that the two programs print.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

/// What the bench of the embedded store measured.
#[derive(Debug)]
pub(super) struct Answers {
    pub(super) nodes: u64,
    pub(super) relationships: u64,
    /// To store the graph.
    pub(super) load: Duration,
    pub(super) snapshot_time: Duration,
    pub(super) snapshot_megabytes: f64,
    pub(super) snapshot: Costs,
    pub(super) sql: Costs,
    /// Statements written by hand.
    pub(super) by_hand: Costs,
}

#[derive(Debug)]
pub(super) struct Peer {
    pub(super) load: Duration,
    pub(super) questions: Costs,
}

#[derive(Debug)]
pub(super) struct Costs(BTreeMap<String, Cost>);

/// Of one question, in milliseconds, and what shows that the answers were those of others.
#[derive(Debug, PartialEq)]
pub(super) struct Cost {
    pub(super) p50: f64,
    pub(super) p99: f64,
    pub(super) rows: u64,
    pub(super) sum: i64,
}

impl Answers {
    pub(super) fn read(text: &str) -> Result<Self> {
        let said: Value = serde_json::from_str(text)?;
        let opening = &said["snapshot_open"];
        Ok(Self {
            nodes: said["nodes"].as_u64().context("no nodes")?,
            relationships: said["relationships"].as_u64().context("no relationships")?,
            load: seconds(&said["store_seconds"])?,
            snapshot_time: seconds(&opening["seconds"])?,
            snapshot_megabytes: opening["megabytes"].as_f64().context("no size of the snapshot")?,
            snapshot: Costs::read(&said["snapshot"])?,
            sql: Costs::read(&said["sql"])?,
            by_hand: Costs::read(&said["by_hand"])?,
        })
    }
}

impl Peer {
    pub(super) fn read(text: &str) -> Result<Self> {
        let said: Value = serde_json::from_str(text)?;
        Ok(Self { load: seconds(&said["store_seconds"])?, questions: Costs::read(&said["questions"])? })
    }
}

impl Costs {
    fn read(said: &Value) -> Result<Self> {
        let costs = said.as_object().context("no figures of questions")?;
        costs.iter().map(|(name, cost)| Ok((name.clone(), Cost::read(cost)?))).collect::<Result<_>>().map(Self)
    }

    pub(super) fn find(&self, name: &str) -> Option<&Cost> {
        self.0.get(name)
    }

    pub(super) fn cost(&self, name: &str) -> Result<&Cost> {
        self.find(name).with_context(|| format!("no figures of {name:?}"))
    }
}

impl Cost {
    fn read(said: &Value) -> Result<Self> {
        let time = |name: &str| said[name].as_f64().with_context(|| format!("no {name} in {said}"));
        Ok(Self {
            p50: time("p50")?,
            p99: time("p99")?,
            rows: said["rows"].as_u64().context("no rows")?,
            sum: said["sum"].as_i64().context("no sum")?,
        })
    }
}

fn seconds(said: &Value) -> Result<Duration> {
    Ok(Duration::from_secs_f64(said.as_f64().context("a number of seconds is missing")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_found_by_the_name_of_their_question() {
        let peer =
            Peer::read(r#"{"store_seconds": 1.5, "questions": {"a": {"p50": 1, "p99": 2.5, "rows": 3, "sum": -4}}}"#)
                .unwrap();
        assert_eq!(peer.load, Duration::from_millis(1500));
        assert_eq!(peer.questions.cost("a").unwrap(), &Cost { p50: 1.0, p99: 2.5, rows: 3, sum: -4 });
        assert_eq!(peer.questions.cost("b").unwrap_err().to_string(), "no figures of \"b\"");
        assert!(Peer::read(r#"{"store_seconds": 1}"#).is_err());
    }
}
