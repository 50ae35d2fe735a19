//! What a query engine asks, answered from the snapshot or with SQL.

use std::sync::Arc;

use graph::{
    Direction, EdgeEnds, EdgeKey, GraphRead, Label, LabelKey, NodeFilter, NodeKey, PropertyKey, ReadResult, Relation,
    RelationKey, Step, Value,
};
use store::{ErrorKind, StoreError};

use super::edges::StoredEdges;
use super::property::Property;
use super::relations::Relations;
use super::{GraphReader, ROWS_IN_A_MICROSECOND, rows};
use crate::job::Outcome;

/// What one statement costs, in microseconds.
const COST_OF_STATEMENT: u64 = 2;

/// Labels and types are those that a code graph can have, also where this one has none of them.
impl GraphRead for GraphReader<'_> {
    fn label(&self, name: &str) -> Option<LabelKey> {
        Label::ALL.into_iter().find(|label| label.name() == name).map(label_key)
    }

    fn relation(&self, name: &str) -> Option<RelationKey> {
        Relation::ALL.iter().find(|relation| relation.name() == name).map(relation_key)
    }

    fn property(&self, name: &str) -> Option<PropertyKey> {
        Property::named(name).map(Property::key)
    }

    fn label_names(&self) -> Vec<(LabelKey, Arc<str>)> {
        Label::ALL.into_iter().map(|label| (label_key(label), label.name().into())).collect()
    }

    fn relation_names(&self) -> Vec<(RelationKey, Arc<str>)> {
        Relation::ALL.iter().map(|relation| (relation_key(relation), relation.name().into())).collect()
    }

    fn property_names(&self) -> Vec<(PropertyKey, Arc<str>)> {
        Property::ALL.iter().map(|property| (property.key(), property.name().into())).collect()
    }

    fn estimate(&self, filter: &NodeFilter) -> u64 {
        // A plan is only as good as its estimates; an error will show when the graph is read.
        self.counts.estimate(self.connection(), filter).unwrap_or(self.counts.nodes)
    }

    fn scan(
        &self,
        filter: &NodeFilter,
        after: Option<NodeKey>,
        limit: usize,
        nodes: &mut Vec<NodeKey>,
    ) -> ReadResult<()> {
        let everything = NodeFilter::default();
        let filter = if self.reading.uses_filters { filter } else { &everything };
        self.told(self.scan_nodes(filter, after, limit, nodes))
    }

    fn expand(
        &self,
        node: NodeKey,
        direction: Direction,
        relations: &[RelationKey],
        steps: &mut Vec<Step>,
    ) -> ReadResult<()> {
        let relations = Relations::of(relations);
        self.told(self.expand_node(node, direction, relations, steps))
    }

    fn degree(&self, node: NodeKey, direction: Direction, relations: &[RelationKey]) -> ReadResult<u64> {
        let relations = Relations::of(relations);
        if let Some(snapshot) = self.snapshot() {
            let place = self.told(snapshot.find(node).ok_or_else(|| rows::no_node(node).into()))?;
            return Ok(u64::try_from(snapshot.degree(place, direction, relations))?);
        }
        self.told(self.stored_edges().degree(node, direction, relations).and_then(|degree| {
            self.spend(COST_OF_STATEMENT + degree / ROWS_IN_A_MICROSECOND)?;
            Ok(degree)
        }))
    }

    fn degrees(
        &self,
        nodes: &[NodeKey],
        direction: Direction,
        relations: &[RelationKey],
        degrees: &mut Vec<u64>,
    ) -> ReadResult<()> {
        let mut after = 0;
        for node in nodes {
            let Some(snapshot) = self.snapshot() else {
                degrees.push(self.degree(*node, direction, relations)?);
                continue;
            };
            let place = self.told(snapshot.find_from(after, *node).ok_or_else(|| rows::no_node(*node).into()))?;
            after = place + 1;
            degrees.push(u64::try_from(snapshot.degree(place, direction, Relations::of(relations)))?);
        }
        Ok(())
    }

    fn edge_count(&self, relations: &[RelationKey]) -> ReadResult<u64> {
        match self.snapshot() {
            Some(snapshot) => Ok(snapshot.count_edges(Relations::of(relations))),
            None if self.counts.may_be_loose => self.told(self.stored_edges().count_all(Relations::of(relations))),
            None => Ok(self.counts.edges_of(relations)),
        }
    }

    fn edge_ends(&self, edge: EdgeKey) -> ReadResult<EdgeEnds> {
        if let Some(met) = self.met(edge) {
            let relation = RelationKey(met.relation.into());
            return Ok(EdgeEnds { from: NodeKey(met.from), relation, to: NodeKey(met.to) });
        }
        let ends = self.snapshot().and_then(|snapshot| snapshot.ends(edge.0));
        self.told(ends.ok_or_else(|| no_edge(edge).into()))
    }

    fn node_labels(&self, node: NodeKey, labels: &mut Vec<LabelKey>) -> ReadResult<()> {
        let label = match self.snapshot() {
            Some(snapshot) => {
                let place = snapshot.find(node).ok_or_else(|| rows::no_node(node).into());
                place.map(|place| snapshot.label(place))
            }
            None => rows::label(self.connection(), node).and_then(|label| {
                self.spend(COST_OF_STATEMENT)?;
                Ok(label)
            }),
        };
        labels.push(self.told(label)?);
        Ok(())
    }

    fn node_property(&self, node: NodeKey, property: PropertyKey) -> ReadResult<Value> {
        let Some(property) = Property::of_key(property).filter(|property| property.is_of_node()) else {
            return Ok(Value::Null);
        };
        self.told(self.property_of_node(node, property))
    }

    fn property_number(&self, node: NodeKey, property: PropertyKey) -> Option<u32> {
        let snapshot = self.snapshot()?;
        let place = snapshot.find_from(self.last_place.get(), node)?;
        self.last_place.set(place);
        snapshot.property_number(place, Property::of_key(property)?)
    }

    fn edge_property(&self, edge: EdgeKey, property: PropertyKey) -> ReadResult<Value> {
        match Property::of_key(property) {
            Some(property) => self.told(self.property_of_edge(edge, property)),
            None => Ok(Value::Null),
        }
    }

    fn node_properties(&self, node: NodeKey) -> ReadResult<Vec<(PropertyKey, Value)>> {
        self.told(rows::node_properties(self.connection(), node))
    }

    fn edge_properties(&self, edge: EdgeKey) -> ReadResult<Vec<(PropertyKey, Value)>> {
        let value = |property: &Property| Ok((property.key(), self.property_of_edge(edge, *property)?));
        self.told(Property::of_edges().iter().map(value).collect())
    }
}

impl GraphReader<'_> {
    fn stored_edges(&self) -> StoredEdges<'_> {
        StoredEdges { connection: self.connection(), may_be_loose: self.counts.may_be_loose }
    }

    fn expand_node(
        &self,
        node: NodeKey,
        direction: Direction,
        relations: Relations,
        steps: &mut Vec<Step>,
    ) -> Outcome<()> {
        if let Some(used) = self.snapshot.get() {
            let place = used.snapshot.find(node).ok_or_else(|| rows::no_node(node))?;
            let key = |place| EdgeKey(u64::from(place));
            match used.met_at.is_empty() {
                true => used.snapshot.expand(place, direction, relations, steps, key),
                false => used.snapshot.expand(place, direction, relations, steps, |place| {
                    used.met_at.get(&place).copied().unwrap_or_else(|| key(place))
                }),
            }
            return Ok(());
        }
        let known = steps.len();
        self.stored_edges().expand(&mut self.met.borrow_mut(), node, direction, relations, steps)?;
        let found = u64::try_from(steps.len() - known).unwrap_or(u64::MAX);
        self.spend(COST_OF_STATEMENT + found / ROWS_IN_A_MICROSECOND)
    }

    fn property_of_node(&self, node: NodeKey, property: Property) -> Outcome<Value> {
        if let Some(snapshot) = self.snapshot() {
            let place = snapshot.find(node).ok_or_else(|| rows::no_node(node))?;
            if let Some(value) = snapshot.node_property(place, property) {
                return Ok(value);
            }
            return rows::node_property(self.connection(), node, property);
        }
        let value = rows::node_property(self.connection(), node, property)?;
        self.spend(COST_OF_STATEMENT)?;
        Ok(value)
    }

    fn property_of_edge(&self, edge: EdgeKey, property: Property) -> Outcome<Value> {
        let met = self.met(edge);
        let line = match &met {
            Some(met) => Some(met.line),
            None => self.snapshot().and_then(|snapshot| snapshot.line(edge.0)),
        };
        let line = line.ok_or_else(|| no_edge(edge))?;
        let how_found = || match &met {
            Some(met) => rows::how_found(self.connection(), met),
            None => {
                let found = self.snapshot().and_then(|snapshot| snapshot.how_found(edge.0));
                found.ok_or_else(|| no_edge(edge).into())
            }
        };
        Ok(match property {
            Property::Line => Value::Int(line.into()),
            Property::Resolution => Value::Text(how_found()?.0.name().into()),
            Property::Confidence => Value::Float(how_found()?.1.as_fraction()),
            Property::Name
            | Property::QualifiedName
            | Property::FilePath
            | Property::LineStart
            | Property::LineEnd
            | Property::Signature
            | Property::Docstring
            | Property::Decorators
            | Property::Modifiers => Value::Null,
        })
    }
}

fn label_key(label: Label) -> LabelKey {
    LabelKey(label.code().into())
}

fn relation_key(relation: &Relation) -> RelationKey {
    RelationKey(relation.code().into())
}

fn no_edge(edge: EdgeKey) -> StoreError {
    StoreError::new(ErrorKind::NotFound, format!("no relationship has the key {}", edge.0))
}
