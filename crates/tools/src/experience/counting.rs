//! Counting the answers that experiences were part of, after those answers.
//!
//! A call hands over ids and goes on; one task adds them up and writes them together. What it holds is one number for each
//! experience, so nothing is dropped however many calls there are. A crash may lose counts, never an experience.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use store::{ExperienceId, Experiences};
use tokio::sync::{Notify, mpsc, oneshot};

/// How long counts are gathered before they are written together.
const GATHER: Duration = Duration::from_millis(200);
/// As many counts as one step writes: more would keep other writers waiting.
const BATCH: usize = 500;

/// Takes the ids of what was answered.
#[derive(Debug, Clone)]
pub struct AnswerCounter {
    running: Option<Running>,
}

#[derive(Debug, Clone)]
struct Running {
    waiting: Arc<Waiting>,
    /// The task ends when the last of these has gone.
    flushes: mpsc::Sender<oneshot::Sender<()>>,
}

#[derive(Debug, Default)]
struct Waiting {
    counts: Mutex<HashMap<ExperienceId, u64>>,
    arrived: Notify,
}

impl AnswerCounter {
    /// Starts the writing task on the current runtime. It ends with the last clone of the counter.
    pub fn start(store: Arc<dyn Experiences>) -> Self {
        let waiting = Arc::new(Waiting::default());
        let (flushes, requests) = mpsc::channel(1);
        tokio::spawn(write_all(store, waiting.clone(), requests));
        Self { running: Some(Running { waiting, flushes }) }
    }

    /// Counts nothing, for a server that changes nothing.
    pub fn off() -> Self {
        Self { running: None }
    }

    pub(crate) fn add(&self, ids: impl IntoIterator<Item = ExperienceId>) {
        let Some(Running { waiting, .. }) = &self.running else { return };
        waiting.add(ids.into_iter().map(|id| (id, 1)));
        waiting.arrived.notify_one();
    }

    /// Waits until everything counted so far is written, or could not be.
    pub async fn flush(&self) {
        let Some(Running { flushes, .. }) = &self.running else { return };
        let (written, done) = oneshot::channel();
        if flushes.send(written).await.is_ok() {
            let _ = done.await;
        }
    }
}

impl Waiting {
    fn add(&self, counts: impl IntoIterator<Item = (ExperienceId, u64)>) {
        let mut held = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        for (id, count) in counts {
            *held.entry(id).or_default() += count;
        }
    }

    fn take(&self) -> Vec<(ExperienceId, u64)> {
        mem::take(&mut *self.counts.lock().unwrap_or_else(PoisonError::into_inner)).into_iter().collect()
    }
}

async fn write_all(
    store: Arc<dyn Experiences>,
    waiting: Arc<Waiting>,
    mut flushes: mpsc::Receiver<oneshot::Sender<()>>,
) {
    loop {
        let flush = tokio::select! {
            biased;
            flush = flushes.recv() => Some(flush),
            () = waiting.arrived.notified() => tokio::time::timeout(GATHER, flushes.recv()).await.ok(),
        };
        write(&*store, &waiting).await;
        match flush {
            Some(Some(written)) => drop(written.send(())),
            Some(None) => return,
            None => {}
        }
    }
}

async fn write(store: &dyn Experiences, waiting: &Waiting) {
    let counts = waiting.take();
    for batch in counts.chunks(BATCH) {
        if let Err(error) = store.count(batch.to_vec()).await {
            tracing::warn!(%error, count = batch.len(), "answers could not be counted yet");
            // They are written with the next ones.
            waiting.add(batch.iter().copied());
        }
    }
}
