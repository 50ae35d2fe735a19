//! The names that every code graph may have, without a graph: enough to check a query that runs elsewhere.

use std::sync::Arc;

use graph::{
    Direction, EdgeEnds, EdgeKey, GraphRead, Label, LabelKey, NODE_PROPERTIES, NodeFilter, NodeKey, PROPERTY_ALIASES,
    PropertyKey, RELATIONSHIP_PROPERTIES, ReadResult, Relation, RelationKey, Step, Value,
};

pub(super) struct Schema;

fn labels() -> impl Iterator<Item = &'static str> {
    Label::ALL.into_iter().map(Label::name)
}

fn relations() -> impl Iterator<Item = &'static str> {
    Relation::ALL.iter().map(|relation| relation.name())
}

fn properties() -> impl Iterator<Item = &'static str> {
    NODE_PROPERTIES.iter().chain(RELATIONSHIP_PROPERTIES).copied()
}

fn place(mut names: impl Iterator<Item = &'static str>, wanted: &str) -> Option<u32> {
    names.position(|name| name == wanted).and_then(|place| u32::try_from(place).ok())
}

fn numbered<K>(names: impl Iterator<Item = &'static str>, key: fn(u32) -> K) -> Vec<(K, Arc<str>)> {
    (0..).zip(names).map(|(number, name)| (key(number), Arc::from(name))).collect()
}

impl GraphRead for Schema {
    fn label(&self, name: &str) -> Option<LabelKey> {
        place(labels(), name).map(LabelKey)
    }

    fn relation(&self, name: &str) -> Option<RelationKey> {
        place(relations(), name).map(RelationKey)
    }

    fn property(&self, name: &str) -> Option<PropertyKey> {
        let meant = PROPERTY_ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, meant)| meant);
        place(properties(), meant).map(PropertyKey)
    }

    fn label_names(&self) -> Vec<(LabelKey, Arc<str>)> {
        numbered(labels(), LabelKey)
    }

    fn relation_names(&self) -> Vec<(RelationKey, Arc<str>)> {
        numbered(relations(), RelationKey)
    }

    fn property_names(&self) -> Vec<(PropertyKey, Arc<str>)> {
        numbered(properties(), PropertyKey)
    }

    fn estimate(&self, _: &NodeFilter) -> u64 {
        0
    }

    fn scan(&self, _: &NodeFilter, _: Option<NodeKey>, _: usize, _: &mut Vec<NodeKey>) -> ReadResult<()> {
        Ok(())
    }

    fn expand(&self, _: NodeKey, _: Direction, _: &[RelationKey], _: &mut Vec<Step>) -> ReadResult<()> {
        Ok(())
    }

    fn degree(&self, _: NodeKey, _: Direction, _: &[RelationKey]) -> ReadResult<u64> {
        Ok(0)
    }

    fn edge_count(&self, _: &[RelationKey]) -> ReadResult<u64> {
        Ok(0)
    }

    fn edge_ends(&self, _: EdgeKey) -> ReadResult<EdgeEnds> {
        Err("there is no relationship here".into())
    }

    fn node_labels(&self, _: NodeKey, _: &mut Vec<LabelKey>) -> ReadResult<()> {
        Ok(())
    }

    fn node_property(&self, _: NodeKey, _: PropertyKey) -> ReadResult<Value> {
        Ok(Value::Null)
    }

    fn edge_property(&self, _: EdgeKey, _: PropertyKey) -> ReadResult<Value> {
        Ok(Value::Null)
    }

    fn node_properties(&self, _: NodeKey) -> ReadResult<Vec<(PropertyKey, Value)>> {
        Ok(Vec::new())
    }

    fn edge_properties(&self, _: EdgeKey) -> ReadResult<Vec<(PropertyKey, Value)>> {
        Ok(Vec::new())
    }
}
