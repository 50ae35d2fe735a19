//! What flows out of a call or write, kept once for all that are alike.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::program::number;
use super::value::SetId;

/// What arrives where, in the order of where.
pub(super) type Outflow = Arc<[(u32, SetId)]>;

#[derive(Debug, Default)]
pub(super) struct Outflows {
    kept: Vec<Outflow>,
    ids: FxHashMap<Outflow, u32>,
}

impl Outflows {
    pub(super) fn keep(&mut self, outflow: Vec<(u32, SetId)>) -> SetId {
        if outflow.is_empty() {
            return SetId::EMPTY;
        }
        if let Some(known) = self.ids.get(outflow.as_slice()) {
            return SetId(*known);
        }
        let id = number(self.kept.len());
        let outflow: Outflow = outflow.into();
        self.kept.push(Arc::clone(&outflow));
        self.ids.insert(outflow, id);
        SetId(id)
    }

    pub(super) fn get(&self, id: SetId) -> &[(u32, SetId)] {
        match id {
            SetId::EMPTY => &[],
            SetId(id) => &self.kept[id as usize],
        }
    }

    /// What arrives at one node.
    pub(super) fn arriving(&self, id: SetId, at: u32) -> SetId {
        let outflow = self.get(id);
        outflow.binary_search_by_key(&at, |(node, _)| *node).map_or(SetId::EMPTY, |found| outflow[found].1)
    }
}
