//! Numbers of labels, types and properties → their names, read from the graph when first asked for.

use std::cell::OnceCell;
use std::hash::Hash;
use std::sync::Arc;

use graph::{GraphRead, LabelKey, PropertyKey, RelationKey};
use rustc_hash::FxHashMap;

pub(crate) struct Names<'a> {
    graph: &'a dyn GraphRead,
    labels: OnceCell<FxHashMap<LabelKey, Arc<str>>>,
    relations: OnceCell<FxHashMap<RelationKey, Arc<str>>>,
    properties: OnceCell<FxHashMap<PropertyKey, Arc<str>>>,
}

impl<'a> Names<'a> {
    pub(super) fn new(graph: &'a dyn GraphRead) -> Names<'a> {
        Names { graph, labels: OnceCell::new(), relations: OnceCell::new(), properties: OnceCell::new() }
    }

    pub(crate) fn label(&self, key: LabelKey) -> Option<Arc<str>> {
        look_up(&self.labels, key, || self.graph.label_names())
    }

    pub(crate) fn relation(&self, key: RelationKey) -> Option<Arc<str>> {
        look_up(&self.relations, key, || self.graph.relation_names())
    }

    pub(crate) fn property(&self, key: PropertyKey) -> Option<Arc<str>> {
        look_up(&self.properties, key, || self.graph.property_names())
    }
}

fn look_up<K: Eq + Hash>(
    cell: &OnceCell<FxHashMap<K, Arc<str>>>,
    key: K,
    read: impl FnOnce() -> Vec<(K, Arc<str>)>,
) -> Option<Arc<str>> {
    cell.get_or_init(|| read().into_iter().collect()).get(&key).cloned()
}
