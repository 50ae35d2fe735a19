//! Jobs waiting for a thread.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A queue that many tasks fill and a few threads empty.
#[derive(Debug)]
pub(crate) struct Queue<J> {
    state: Mutex<State<J>>,
    changed: Condvar,
}

#[derive(Debug)]
struct State<J> {
    jobs: VecDeque<J>,
    /// Jobs waiting or being done.
    unfinished: usize,
    closed: bool,
}

/// What a thread that asked for work gets.
#[derive(Debug)]
pub(crate) enum Next<J> {
    Job(J),
    /// Nothing came for as long as the thread was willing to wait.
    Idle,
    /// Nothing will ever come.
    Closed,
}

impl<J> Queue<J> {
    pub(crate) fn new() -> Self {
        let state = State { jobs: VecDeque::new(), unfinished: 0, closed: false };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Adds a job and says how many are unfinished now.
    pub(crate) fn push(&self, job: J) -> usize {
        let mut state = self.lock();
        state.jobs.push_back(job);
        state.unfinished += 1;
        self.changed.notify_one();
        state.unfinished
    }

    /// Tells that this many of the jobs taken are done.
    pub(crate) fn finished(&self, count: usize) {
        self.lock().unfinished -= count;
    }

    /// The next job, waiting for one at most this long, or without end.
    pub(crate) fn next(&self, patience: Option<Duration>) -> Next<J> {
        let mut state = self.wait(self.lock(), patience);
        match state.jobs.pop_front() {
            Some(job) => Next::Job(job),
            None if state.closed => Next::Closed,
            None => Next::Idle,
        }
    }

    /// Moves what is waiting now to the end of `batch` until that holds `limit` jobs, and says how many were moved.
    pub(crate) fn drain_into(&self, batch: &mut Vec<J>, limit: usize) -> usize {
        let mut state = self.lock();
        let count = state.jobs.len().min(limit.saturating_sub(batch.len()));
        batch.extend(state.jobs.drain(..count));
        count
    }

    /// Lets the threads end once the jobs already here are done.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State<J>>, patience: Option<Duration>) -> MutexGuard<'a, State<J>> {
        let nothing_to_do = |state: &mut State<J>| state.jobs.is_empty() && !state.closed;
        match patience {
            Some(patience) => {
                let waited = self.changed.wait_timeout_while(state, patience, nothing_to_do);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
            None => self.changed.wait_while(state, nothing_to_do).unwrap_or_else(PoisonError::into_inner),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
