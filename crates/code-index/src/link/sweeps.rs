//! In which sweep each node is looked at.
//!
//! A sweep goes through nodes in the order of their ranks. A node sees what those before it have come to in this sweep and what those
//! behind it came to in the last one; what flows into parameters, receivers and written members is what flowed out of calls and
//! writes in the last one. So what a node comes to in a sweep is a function of the facts and of the sweep, whoever looks at
//! it first. After the first sweep only nodes are looked at that have read something that has changed.
//!
//! When facts change, the sweeps are gone through again, looking only at nodes that read something else in a sweep than they
//! did in the same sweep before; all others came to the same. What that gives is what all sweeps from nothing would give.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::evaluate::Evaluator;
use super::history::{Before, FIRST_FLOW, SWEEPS};
use super::lineages::Inherited;
use super::program::{Place, Source};
use super::value::{Set, SetId, Value};
use super::{ranks, sources};

/// With more kinds of receivers than this, a method is taken as it is declared.
const MOST_RECEIVERS: usize = 4;

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing is known yet.
    #[default]
    First,
    /// What was concluded before is corrected.
    Again,
    /// All sweeps are over.
    Settled,
}

/// What is to be looked at when.
#[derive(Debug, Default)]
pub(super) struct Agenda {
    stage: Stage,
    sweep: u8,
    /// Of this sweep, by the rank of the file and that within it.
    now: BinaryHeap<Reverse<(u32, u32, u32)>>,
    is_now: Vec<bool>,
    /// Of each sweep.
    later: [Vec<u32>; SWEEPS as usize + 1],
    /// Of each sweep: what values flow into.
    receiving: [Vec<u32>; SWEEPS as usize + 1],
    /// What nodes were that have been looked at again.
    before: FxHashMap<u32, Before>,
}

impl Evaluator<'_> {
    /// Looks at everything.
    pub(super) fn settle(&mut self) {
        for sweep in 1..=SWEEPS {
            self.begin(sweep);
            if sweep == 1 {
                self.look_at_all();
            } else {
                self.look_at_those_due();
            }
        }
        self.agenda.stage = Stage::Settled;
    }

    /// Looks again at these nodes, and at what follows from them. Gives back those that came to something else in the end.
    pub(super) fn settle_again(&mut self, nodes: impl Iterator<Item = u32>) -> Vec<u32> {
        self.agenda.stage = Stage::Again;
        nodes.for_each(|node| self.schedule(node, 1));
        for sweep in 1..=SWEEPS {
            self.begin(sweep);
            self.look_at_those_due();
        }
        self.agenda.stage = Stage::Settled;
        let before = std::mem::take(&mut self.agenda.before);
        before
            .into_iter()
            .filter(|(node, before)| before.last() != self.history.current(*node))
            .map(|(node, _)| node)
            .collect()
    }

    /// Everything has settled before, and is only read.
    pub(super) fn settled(mut self) -> Self {
        self.agenda.stage = Stage::Settled;
        self
    }

    /// What flowed out of a call or write that is there no more has to be taken back.
    pub(super) fn withdraw(&mut self, source: u32) {
        let before = self.history.rewind(source, 1);
        for sweep in std::iter::once(1).chain(before.changes_after(1)).filter(|sweep| *sweep < SWEEPS) {
            let outflow = self.history.outflows.get(before.at(sweep));
            self.agenda.receiving[usize::from(sweep) + 1].extend(outflow.iter().map(|(node, _)| *node));
        }
    }

    /// What a node stands for.
    pub(super) fn read(&mut self, node: u32) -> Set {
        let id = self.read_id(node);
        self.history.pool.get(id)
    }

    /// A type and all it inherits from.
    pub(super) fn inherited(&mut self, of: u32) -> Inherited {
        let found = self.program.def(of);
        if !found.kind.is_type() {
            return Inherited { lineage: [of].into(), is_foreign: false };
        }
        let id = self.read_id(self.unit_of_def(of).lineage_of(of));
        self.history.lineages.get(id, of)
    }

    /// The same as a list, without being read.
    pub(super) fn lineage_found(&self, of: u32) -> Arc<[u32]> {
        let id = self.history.current(self.unit_of_def(of).lineage_of(of));
        self.history.lineages.get(id, of).lineage
    }

    fn read_id(&mut self, node: u32) -> SetId {
        let reader = self.reader;
        let is_noted = match self.agenda.stage {
            Stage::First | Stage::Again => true,
            Stage::Settled => self.history.is_kept() && self.program.unit_of(node) != self.program.unit_of(reader),
        };
        if is_noted {
            self.history.note_reader(node, reader);
        }
        if self.agenda.stage != Stage::Again || self.agenda.before.contains_key(&node) {
            return self.history.current(node);
        }
        let lag = u8::from(!self.is_seen_at_once(node, reader));
        let seen = self.agenda.sweep - lag;
        if let Some(change) = self.history.next_change(node, seen) {
            self.schedule(reader, change + lag);
        }
        self.history.at(node, seen)
    }

    /// Whether a reader sees what a node comes to in the same sweep.
    fn is_seen_at_once(&self, node: u32, reader: u32) -> bool {
        match (self.rank(node), self.rank(reader)) {
            (Some(node), Some(reader)) => node < reader,
            _ => true,
        }
    }

    /// `None` for what values flow into: that comes before all others.
    fn rank(&self, node: u32) -> Option<(u32, u32)> {
        let (index, unit) = self.program.home(node)?;
        let rank = unit.ranks[unit.place(node) as usize];
        (rank != ranks::UNKNOWN).then(|| (self.ranks[index as usize], rank))
    }

    fn begin(&mut self, sweep: u8) {
        self.agenda.sweep = sweep;
        let mut receiving = std::mem::take(&mut self.agenda.receiving[usize::from(sweep)]);
        receiving.sort_unstable();
        receiving.dedup();
        for node in receiving {
            self.receive(node);
        }
    }

    fn look_at_all(&mut self) {
        let mut units: Vec<u32> = self.program.in_order().map(|(unit, _)| unit).collect();
        units.sort_unstable_by_key(|unit| self.ranks[*unit as usize]);
        let mut places: Vec<u32> = Vec::new();
        for unit in units {
            let unit = self.program.unit(unit);
            let ranked = || (0..).zip(&unit.ranks).filter(|(_, rank)| **rank != ranks::UNKNOWN);
            places.resize(ranked().count(), 0);
            ranked().for_each(|(place, rank)| places[*rank as usize] = place);
            for place in places.drain(..) {
                self.look_at(unit.node(place));
            }
        }
    }

    fn look_at_those_due(&mut self) {
        let sweep = self.agenda.sweep;
        for node in std::mem::take(&mut self.agenda.later[usize::from(sweep)]) {
            self.schedule(node, sweep);
        }
        while let Some(Reverse((_, _, node))) = self.agenda.now.pop() {
            self.agenda.is_now[node as usize] = false;
            self.look_at(node);
        }
    }

    fn schedule(&mut self, node: u32, sweep: u8) {
        if sweep > SWEEPS {
            return;
        }
        if sweep > self.agenda.sweep {
            self.agenda.later[usize::from(sweep)].push(node);
            return;
        }
        let Some((file, within)) = self.rank(node) else { return };
        let is_now = &mut self.agenda.is_now;
        is_now.resize(is_now.len().max(node as usize + 1), false);
        if !std::mem::replace(&mut is_now[node as usize], true) {
            self.agenda.now.push(Reverse((file, within, node)));
        }
    }

    fn look_at(&mut self, node: u32) {
        let Some((unit, base)) = self.program.home(node) else { return };
        self.reader = node;
        let what = base.what(node);
        match what {
            Place::Literal(_) | Place::Receiver(_) | Place::Parameter(_) | Place::Edges => return,
            Place::Lineage(_) if self.agenda.sweep > FIRST_FLOW => return,
            Place::Source(Source::Call(_) | Source::Write(_)) if self.agenda.sweep < FIRST_FLOW => {
                return self.schedule(node, FIRST_FLOW);
            }
            _ => {}
        }
        self.set_aside(node);
        let id = match what {
            Place::Lineage(def) => {
                let of = base.def(languages::facts::DefId(def));
                let inherited = self.lineage_of(of);
                self.history.lineages.keep(inherited)
            }
            Place::Source(source) => {
                let outflow = sources::outflow(self, unit, source);
                self.flow_out(node, outflow);
                return;
            }
            _ => {
                let set = self.compute(unit, what);
                self.history.pool.keep(&set)
            }
        };
        self.conclude(node, id);
    }

    /// Keeps what a node was before it is looked at again for the first time.
    fn set_aside(&mut self, node: u32) {
        if self.agenda.stage != Stage::Again || self.agenda.before.contains_key(&node) {
            return;
        }
        let before = self.history.rewind(node, self.agenda.sweep);
        // When it became something else, those that read it did too, which may not be so now.
        let is_received = self.rank(node).is_none();
        for change in before.changes_after(self.agenda.sweep) {
            match is_received {
                true => self.agenda.receiving[usize::from(change)].push(node),
                false => self.agenda.later[usize::from(change)].push(node),
            }
        }
        self.agenda.before.insert(node, before);
    }

    fn conclude(&mut self, node: u32, id: SetId) {
        let sweep = self.agenda.sweep;
        let is_changed = self.history.set(node, sweep, id);
        let before = self.agenda.before.get(&node);
        let is_other = before.is_some_and(|before| before.at(sweep) != id);
        if !is_changed && !is_other {
            return;
        }
        for index in 0..self.history.readers.get(node).len() {
            let reader = self.history.readers.get(node)[index];
            let matters = match self.agenda.stage == Stage::Again && !self.agenda.before.contains_key(&reader) {
                true => is_other,
                false => is_changed,
            };
            if matters {
                let lag = u8::from(!self.is_seen_at_once(node, reader));
                self.schedule(reader, sweep + lag);
            }
        }
    }

    fn flow_out(&mut self, source: u32, outflow: Vec<(u32, Set)>) {
        let sweep = self.agenda.sweep;
        let pool = &mut self.history.pool;
        let outflow: Vec<(u32, SetId)> = outflow.into_iter().map(|(node, set)| (node, pool.keep(&set))).collect();
        let last = self.history.current(source);
        let id = self.history.outflows.keep(outflow);
        let before = self.agenda.before.get(&source).map_or(last, |before| before.at(sweep));
        self.history.set(source, sweep, id);
        if id == last && id == before {
            return;
        }
        let outflows = &self.history.outflows;
        for (node, _) in outflows.get(id) {
            if outflows.arriving(last, *node) == SetId::EMPTY {
                self.history.inflows.entry(*node).or_default().push(source);
            }
        }
        if sweep < SWEEPS {
            let receiving = &mut self.agenda.receiving[usize::from(sweep) + 1];
            for (node, _) in [id, last, before].into_iter().flat_map(|id| outflows.get(id)) {
                let [new, last, before] = [id, last, before].map(|id| outflows.arriving(id, *node));
                if new != last || new != before {
                    receiving.push(*node);
                }
            }
        }
    }

    /// Gathers what flows into a node.
    fn receive(&mut self, node: u32) {
        self.set_aside(node);
        let Some(mut sources) = self.history.inflows.remove(&node) else { return self.conclude(node, SetId::EMPTY) };
        sources.sort_unstable();
        sources.dedup();
        sources.retain(|source| self.program.home(*source).is_some());
        let mut arriving: Vec<SetId> = Vec::new();
        let seen = self.agenda.sweep - 1;
        for source in &sources {
            let outflow = match self.agenda.stage == Stage::Again && !self.agenda.before.contains_key(source) {
                true => {
                    if let Some(change) = self.history.next_change(*source, seen).filter(|change| *change < SWEEPS) {
                        self.agenda.receiving[usize::from(change) + 1].push(node);
                    }
                    self.history.at(*source, seen)
                }
                false => self.history.current(*source),
            };
            arriving.push(self.history.outflows.arriving(outflow, node));
        }
        self.history.inflows.insert(node, sources);
        arriving.sort_unstable();
        arriving.dedup();
        let mut set = Set::default();
        for id in arriving {
            set.extend(&self.history.pool.get(id));
        }
        // What was crowded once stays so, or the sweeps would swing between two answers.
        let was_crowded = self.found(node).is_too_many();
        if self.is_receiver(node) && (was_crowded || set.len() > MOST_RECEIVERS) {
            set = Set::one(Value::MANY);
        }
        let id = self.history.pool.keep(&set);
        self.conclude(node, id);
    }

    fn is_receiver(&self, node: u32) -> bool {
        self.program.home(node).is_some_and(|(_, unit)| matches!(unit.what(node), Place::Receiver(_)))
    }
}
