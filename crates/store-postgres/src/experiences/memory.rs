//! What a store remembers between calls, and the work that goes on after one.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::task::JoinHandle;

use super::known::Known;
use super::merge;
use crate::Inner;
use crate::pool::in_bulk_time;

/// Belongs to one store.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    known: Mutex<Arc<Known>>,
    merging: Mutex<Option<JoinHandle<()>>>,
}

impl Memory {
    pub(super) fn known(&self) -> Arc<Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Remembers a state, unless a newer one is remembered already.
    pub(super) fn remember(&self, known: Arc<Known>) {
        let mut held = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.replaces(&held) {
            *held = known;
        }
    }

    /// Makes a section, so that nobody who keeps an experience has to wait for it. If it does not come to an end, the next one who
    /// keeps an experience tries again.
    pub(super) fn merge_later(&self, inner: &Arc<Inner>) {
        let mut merging = self.merging.lock().unwrap_or_else(PoisonError::into_inner);
        if merging.as_ref().is_some_and(|task| !task.is_finished()) {
            return;
        }
        let inner = inner.clone();
        *merging = Some(tokio::spawn(async move {
            let merged = async {
                let mut lease = inner.pool.lease().await?;
                let outcome = in_bulk_time(merge::all(&mut lease)).await;
                lease.end(outcome)
            };
            if let Err(error) = merged.await {
                tracing::warn!(%error, "the index of experiences could not be tidied up yet");
            }
        }));
    }

    /// Waits for the work that goes on.
    pub(crate) async fn close(&self) {
        let merging = self.merging.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(task) = merging {
            let _ = task.await;
        }
    }
}
