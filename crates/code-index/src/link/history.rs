//! What every node came to, sweep by sweep, and who has read it.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::evaluate::Key;
use super::lineages::Lineages;
use super::outflow::Outflows;
use super::program::Symbol;
use super::sparse::Sparse;
use super::value::{Pool, SetId, Value};

/// How many sweeps there are: values pass through eight calls at most.
pub(super) const SWEEPS: u8 = FIRST_FLOW + 8;

/// Nothing flows out of calls and writes before this sweep, and what types inherit stays what it is in it.
pub(super) const FIRST_FLOW: u8 = 3;

/// What a node had up to a sweep, earliest first.
type Earlier = SmallVec<[(u8, SetId); 2]>;

/// Whether what was concluded is needed after a change.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    #[default]
    No,
    /// Then it is also noted who looked for which name, and what edges were made of.
    Yes,
}

/// Everything that was concluded. It stays true of a program until its facts change.
#[derive(Debug, Default)]
pub(super) struct History {
    kept: Kept,
    has_ended: bool,
    pub(super) pool: Pool,
    pub(super) lineages: Lineages,
    pub(super) outflows: Outflows,
    /// What each node came to in the end.
    current: Vec<SetId>,
    /// What those had before that did not come to it in the first sweep.
    earlier: FxHashMap<u32, Earlier>,
    /// Of each node: those that have read it.
    pub(super) readers: Sparse<SmallVec<[u32; 2]>>,
    /// Of each name: those that have looked for something so named.
    pub(super) name_readers: Sparse<SmallVec<[u32; 2]>>,
    /// Of each unit: those in other units that have looked through its wildcard imports.
    pub(super) wildcard_readers: FxHashMap<u32, SmallVec<[u32; 2]>>,
    /// Members that are written from outside, by owner and name.
    pub(super) written: FxHashMap<(Value, Key), u32>,
    /// Of each node that values flow into: where they came from in some sweep.
    pub(super) inflows: FxHashMap<u32, Vec<u32>>,
}

/// What a node was in another run, for as long as that matters.
#[derive(Debug, Clone)]
pub(super) struct Before {
    last: SetId,
    earlier: Earlier,
}

impl Before {
    pub(super) fn at(&self, sweep: u8) -> SetId {
        at(self.last, &self.earlier, sweep)
    }

    pub(super) fn last(&self) -> SetId {
        self.last
    }

    /// The sweeps in which it became something else, after this one.
    pub(super) fn changes_after(&self, sweep: u8) -> impl Iterator<Item = u8> + '_ {
        self.earlier.iter().map(|(until, _)| until + 1).filter(move |change| *change > sweep)
    }
}

fn at(last: SetId, earlier: &[(u8, SetId)], sweep: u8) -> SetId {
    match sweep {
        0 => SetId::EMPTY,
        _ => earlier.iter().find(|(until, _)| *until >= sweep).map_or(last, |(_, id)| *id),
    }
}

impl History {
    pub(super) fn new(kept: Kept) -> Self {
        Self { kept, ..Self::default() }
    }

    pub(super) fn is_kept(&self) -> bool {
        self.kept == Kept::Yes
    }

    pub(super) fn grow(&mut self, nodes: usize, symbols: usize) {
        self.current.resize(nodes.max(self.current.len()), SetId::EMPTY);
        if !self.has_ended {
            self.readers.grow(nodes);
            self.name_readers.grow(symbols);
        }
    }

    /// Gives back what only further sweeps would need, where there are none.
    pub(super) fn end_sweeps(&mut self) {
        if !self.is_kept() {
            let Self { pool, lineages, current, written, .. } = std::mem::take(self);
            *self = Self { pool, lineages, current, written, has_ended: true, ..Self::default() };
        }
    }

    pub(super) fn nodes(&self) -> usize {
        self.current.len()
    }

    pub(super) fn current(&self, node: u32) -> SetId {
        self.current[node as usize]
    }

    /// What a node had come to at the end of a sweep.
    pub(super) fn at(&self, node: u32, sweep: u8) -> SetId {
        match self.earlier.get(&node) {
            Some(earlier) => at(self.current(node), earlier, sweep),
            None if sweep == 0 => SetId::EMPTY,
            None => self.current(node),
        }
    }

    /// The first sweep after this one in which a node became something else.
    pub(super) fn next_change(&self, node: u32, sweep: u8) -> Option<u8> {
        if sweep == 0 && self.at(node, 1) != SetId::EMPTY {
            return Some(1);
        }
        let earlier = self.earlier.get(&node)?;
        earlier.iter().map(|(until, _)| until + 1).find(|change| *change > sweep)
    }

    /// Says what a node comes to in a sweep. Whether that is something else than before.
    pub(super) fn set(&mut self, node: u32, sweep: u8, id: SetId) -> bool {
        let before = std::mem::replace(&mut self.current[node as usize], id);
        if before == id {
            return false;
        }
        if sweep > 1 {
            self.earlier.entry(node).or_default().push((sweep - 1, before));
        }
        true
    }

    /// Takes away what a node came to from a sweep on, and gives back all that there was.
    pub(super) fn rewind(&mut self, node: u32, sweep: u8) -> Before {
        let last = self.current(node);
        let earlier = self.earlier.remove(&node).unwrap_or_default();
        self.current[node as usize] = at(last, &earlier, sweep - 1);
        let kept: Earlier = earlier.iter().copied().filter(|(until, _)| *until + 1 < sweep).collect();
        if !kept.is_empty() {
            self.earlier.insert(node, kept);
        }
        Before { last, earlier }
    }

    pub(super) fn note_reader(&mut self, node: u32, reader: u32) {
        note(self.readers.get_mut(node), reader);
    }

    pub(super) fn note_name_reader(&mut self, name: Symbol, reader: u32) {
        if self.is_kept() {
            note(self.name_readers.get_mut(name.0), reader);
        }
    }

    pub(super) fn note_wildcard_reader(&mut self, unit: u32, reader: u32) {
        if self.is_kept() {
            note(self.wildcard_readers.entry(unit).or_default(), reader);
        }
    }
}

fn note(readers: &mut SmallVec<[u32; 2]>, reader: u32) {
    if readers.last() != Some(&reader) {
        readers.push(reader);
        if readers.len() >= 32 && readers.len().is_power_of_two() {
            readers.sort_unstable();
            readers.dedup();
        }
    }
}
