//! A few threads that are started when there is work for them and end with their owner.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use tokio::sync::mpsc;

use crate::error;
use crate::queue::Queue;

/// Threads that serve one queue. Making a pool starts none.
pub(crate) struct Pool<J: Send + 'static> {
    name: &'static str,
    limit: usize,
    serve: Serve<J>,
    running: Mutex<Option<Running<J>>>,
}

/// What each thread does.
type Serve<J> = Arc<dyn Fn(&Queue<J>) + Send + Sync>;

struct Running<J> {
    queue: Arc<Queue<J>>,
    threads: usize,
    /// Every thread holds a sender, so the channel closes when the last thread has ended.
    alive: mpsc::Sender<()>,
    ended: mpsc::Receiver<()>,
}

impl<J: Send + 'static> Pool<J> {
    /// At most `limit` threads called `name` that each run `serve`, which returns when the queue is closed.
    pub(crate) fn new(name: &'static str, limit: usize, serve: impl Fn(&Queue<J>) + Send + Sync + 'static) -> Self {
        Self { name, limit, serve: Arc::new(serve), running: Mutex::new(None) }
    }

    /// Hands over a job, starting a thread if none is free for it.
    pub(crate) fn submit(&self, job: J) -> store::Result<()> {
        let mut guard = self.lock();
        let running = guard.get_or_insert_with(Running::new);
        if running.threads == 0 {
            self.start_thread(running)?;
        }
        let unfinished = running.queue.push(job);
        if unfinished > running.threads && running.threads < self.limit {
            self.start_helper(running);
        }
        Ok(())
    }

    /// Waits until the jobs at hand are done and the threads have ended. A later job starts new ones.
    pub(crate) async fn close(&self) {
        let Some(running) = self.lock().take() else { return };
        let Running { queue, alive, mut ended, .. } = running;
        queue.close();
        drop(alive);
        ended.recv().await;
    }

    /// One more thread; without it the others get the work done too.
    fn start_helper(&self, running: &mut Running<J>) {
        if let Err(error) = self.start_thread(running) {
            tracing::warn!(%error, "working with fewer threads");
        }
    }

    fn start_thread(&self, running: &mut Running<J>) -> store::Result<()> {
        let name =
            if self.limit == 1 { self.name.to_owned() } else { format!("{}-{}", self.name, running.threads + 1) };
        let (queue, serve, alive) = (Arc::clone(&running.queue), Arc::clone(&self.serve), running.alive.clone());
        let work = move || {
            serve(&queue);
            drop(alive);
        };
        thread::Builder::new().name(name).spawn(work).map_err(error::no_thread)?;
        running.threads += 1;
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Option<Running<J>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<J> Running<J> {
    fn new() -> Self {
        let (alive, ended) = mpsc::channel(1);
        Self { queue: Arc::new(Queue::new()), threads: 0, alive, ended }
    }
}

impl<J: Send + 'static> Drop for Pool<J> {
    fn drop(&mut self) {
        if let Some(running) = self.lock().take() {
            running.queue.close();
        }
    }
}

impl<J: Send + 'static> fmt::Debug for Pool<J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("name", &self.name).field("limit", &self.limit).finish_non_exhaustive()
    }
}
