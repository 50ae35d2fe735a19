//! Reading it.

use std::sync::Arc;

use graph::{
    Direction, EdgeEnds, EdgeKey, GraphRead, LabelKey, NodeFilter, NodeKey, PropertyKey, ReadResult, RelationKey, Step,
    Value,
};
use serde_json::{Map, Value as Json};

use super::PropertyGraph;
use super::json::to_value;
use super::layout::JsonLayout;
use crate::error::Failure;
use crate::filter::{self, Where};

const OUTGOING: &str = "SELECT id, type, dst FROM edge WHERE src = ? ORDER BY type, id";
const INCOMING: &str = "SELECT id, type, src FROM edge WHERE dst = ? ORDER BY type, id";

impl GraphRead for PropertyGraph {
    fn label(&self, name: &str) -> Option<LabelKey> {
        self.labels.find(name).map(LabelKey)
    }

    fn relation(&self, name: &str) -> Option<RelationKey> {
        self.relations.find(name).map(RelationKey)
    }

    fn property(&self, name: &str) -> Option<PropertyKey> {
        self.properties.find(name).map(PropertyKey)
    }

    fn label_names(&self) -> Vec<(LabelKey, Arc<str>)> {
        self.labels.all(LabelKey)
    }

    fn relation_names(&self) -> Vec<(RelationKey, Arc<str>)> {
        self.relations.all(RelationKey)
    }

    fn property_names(&self) -> Vec<(PropertyKey, Arc<str>)> {
        self.properties.all(PropertyKey)
    }

    fn estimate(&self, filter: &NodeFilter) -> u64 {
        filter::count(&self.connection, &Where::of(&JsonLayout, self.used(filter)), 1_000).unwrap_or(1_000)
    }

    fn scan(
        &self,
        filter: &NodeFilter,
        after: Option<NodeKey>,
        limit: usize,
        nodes: &mut Vec<NodeKey>,
    ) -> ReadResult<()> {
        filter::scan(&self.connection, &JsonLayout, self.used(filter), after, limit, nodes).map_err(plain)
    }

    fn expand(
        &self,
        node: NodeKey,
        direction: Direction,
        relations: &[RelationKey],
        steps: &mut Vec<Step>,
    ) -> ReadResult<()> {
        for (sql, outgoing, unused) in [(OUTGOING, true, Direction::Incoming), (INCOMING, false, Direction::Outgoing)] {
            if direction == unused {
                continue;
            }
            let mut statement = self.connection.prepare_cached(sql)?;
            let mut rows = statement.query([node.0])?;
            while let Some(row) = rows.next()? {
                let (edge, relation, far) = (EdgeKey(row.get(0)?), RelationKey(row.get(1)?), NodeKey(row.get(2)?));
                let is_second = direction == Direction::Either && !outgoing && far == node;
                if !is_second && (relations.is_empty() || relations.contains(&relation)) {
                    steps.push(Step { edge, relation, far, outgoing });
                }
            }
        }
        Ok(())
    }

    fn degree(&self, node: NodeKey, direction: Direction, relations: &[RelationKey]) -> ReadResult<u64> {
        let mut steps = Vec::new();
        self.expand(node, direction, relations, &mut steps)?;
        Ok(u64::try_from(steps.len())?)
    }

    fn edge_count(&self, relations: &[RelationKey]) -> ReadResult<u64> {
        let mut statement = self.connection.prepare_cached("SELECT type, count(*) FROM edge GROUP BY type")?;
        let mut rows = statement.query(())?;
        let mut count = 0;
        while let Some(row) = rows.next()? {
            let is_wanted = relations.is_empty() || relations.contains(&RelationKey(row.get(0)?));
            count += if is_wanted { row.get(1)? } else { 0 };
        }
        Ok(count)
    }

    fn edge_ends(&self, edge: EdgeKey) -> ReadResult<EdgeEnds> {
        let mut statement = self.connection.prepare_cached("SELECT src, type, dst FROM edge WHERE id = ?")?;
        Ok(statement.query_row([edge.0], |row| {
            let (from, to) = (NodeKey(row.get(0)?), NodeKey(row.get(2)?));
            Ok(EdgeEnds { from, relation: RelationKey(row.get(1)?), to })
        })?)
    }

    fn node_labels(&self, node: NodeKey, labels: &mut Vec<LabelKey>) -> ReadResult<()> {
        let sql = "SELECT label FROM node_label WHERE node = ? ORDER BY place";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query([node.0])?;
        while let Some(row) = rows.next()? {
            labels.push(LabelKey(row.get(0)?));
        }
        Ok(())
    }

    fn node_property(&self, node: NodeKey, property: PropertyKey) -> ReadResult<Value> {
        let stored = self.stored("SELECT json(properties) FROM node WHERE id = ?", node.0)?;
        Ok(stored.get(&property.0.to_string()).map_or(Value::Null, to_value))
    }

    fn edge_property(&self, edge: EdgeKey, property: PropertyKey) -> ReadResult<Value> {
        let stored = self.stored("SELECT json(properties) FROM edge WHERE id = ?", edge.0)?;
        Ok(stored.get(&property.0.to_string()).map_or(Value::Null, to_value))
    }

    fn node_properties(&self, node: NodeKey) -> ReadResult<Vec<(PropertyKey, Value)>> {
        decoded(&self.stored("SELECT json(properties) FROM node WHERE id = ?", node.0)?)
    }

    fn edge_properties(&self, edge: EdgeKey) -> ReadResult<Vec<(PropertyKey, Value)>> {
        decoded(&self.stored("SELECT json(properties) FROM edge WHERE id = ?", edge.0)?)
    }
}

impl PropertyGraph {
    fn stored(&self, sql: &str, key: u64) -> ReadResult<Map<String, Json>> {
        let text: String = self.connection.prepare_cached(sql)?.query_row([key], |row| row.get(0))?;
        Ok(serde_json::from_str(&text)?)
    }

    fn used<'a>(&self, filter: &'a NodeFilter) -> &'a NodeFilter {
        const EVERYTHING: &NodeFilter = &NodeFilter { labels: Vec::new(), conditions: Vec::new() };
        if self.uses_filters { filter } else { EVERYTHING }
    }
}

fn decoded(stored: &Map<String, Json>) -> ReadResult<Vec<(PropertyKey, Value)>> {
    stored.iter().map(|(key, value)| Ok((PropertyKey(key.parse()?), to_value(value)))).collect()
}

fn plain(failure: Failure) -> Box<dyn std::error::Error + Send + Sync> {
    match failure {
        Failure::Sqlite(error) => error.into(),
        Failure::Store(error) => error.into(),
    }
}
