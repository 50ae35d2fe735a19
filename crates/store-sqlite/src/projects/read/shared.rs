//! The snapshot that all readers of a process share, and when one is worth making.
//!
//! A snapshot answers for one state of the graph only: that of its file and its epoch. After a change SQL answers, until what SQL
//! has cost since then comes up to what a snapshot costs; then the reader at hand makes one, from the state that it sees. So an
//! answer right after an edit waits for nothing, a process that asks little never makes a snapshot, and at worst twice the
//! cheaper way is paid. No thread works in the background.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use super::snapshot::Snapshot;
use crate::file_system::FileIdentity;
use crate::job::Outcome;

/// When readers use a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Snapshots {
    #[default]
    WhenWorthIt,
    Always,
    Never,
}

/// What a snapshot is made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    pub(super) file: FileIdentity,
    pub(super) epoch: u64,
}

#[derive(Debug, Default)]
pub(in super::super) struct Shared {
    newest: Mutex<Option<Newest>>,
    /// Held while a snapshot is made: two at once would cost twice the memory.
    making: Mutex<()>,
}

#[derive(Debug)]
struct Newest {
    state: State,
    /// What SQL has cost in this state, in microseconds.
    spent: u64,
    snapshot: Option<Arc<Snapshot>>,
}

impl Shared {
    /// The snapshot of this state, if there is one.
    pub(super) fn find(&self, state: State) -> Option<Arc<Snapshot>> {
        self.of(state).as_ref().and_then(|newest| newest.snapshot.clone())
    }

    /// Adds to what was spent on this state, and gives the sum.
    pub(super) fn spend(&self, state: State, cost: u64) -> u64 {
        let mut newest = self.of(state);
        newest.as_mut().map_or(0, |newest| {
            newest.spent += cost;
            newest.spent
        })
    }

    /// The snapshot of this state, made now if there is none. `None` while another thread makes one.
    pub(super) fn make(
        &self,
        state: State,
        build: impl FnOnce() -> Outcome<Snapshot>,
    ) -> Outcome<Option<Arc<Snapshot>>> {
        let _making = match self.making.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(None),
        };
        if let Some(snapshot) = self.find(state) {
            return Ok(Some(snapshot));
        }
        let snapshot = Arc::new(build()?);
        if let Some(newest) = self.of(state).as_mut() {
            newest.snapshot = Some(Arc::clone(&snapshot));
        }
        Ok(Some(snapshot))
    }

    /// Gives its memory back.
    pub(in super::super) fn forget(&self) {
        *self.lock() = None;
    }

    /// What is known of this state; nothing if a newer one is known. What is known of an older one is dropped.
    fn of(&self, state: State) -> Entry<'_> {
        let mut newest = self.lock();
        let is_newer = |known: &Newest| known.state.file != state.file || known.state.epoch < state.epoch;
        if newest.as_ref().is_none_or(is_newer) {
            *newest = Some(Newest { state, spent: 0, snapshot: None });
        }
        Entry { newest, state }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Newest>> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Entry<'a> {
    newest: MutexGuard<'a, Option<Newest>>,
    state: State,
}

impl Entry<'_> {
    fn as_ref(&self) -> Option<&Newest> {
        self.newest.as_ref().filter(|newest| newest.state == self.state)
    }

    fn as_mut(&mut self) -> Option<&mut Newest> {
        self.newest.as_mut().filter(|newest| newest.state == self.state)
    }
}
