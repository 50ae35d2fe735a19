//! Progress of a call to the client that asked for it: in order, not too often, and finished before the answer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tools::{Progress, ProgressSink};

/// The least time between two notifications of one call.
const INTERVAL: Duration = Duration::from_millis(10);

/// Sends one call's progress until the call ends.
#[derive(Debug)]
pub(super) struct ProgressForwarder {
    sink: Arc<Sink>,
    task: JoinHandle<()>,
}

#[derive(Debug)]
struct Sink(mpsc::UnboundedSender<Progress>);

impl ProgressSink for Sink {
    fn report(&self, progress: Progress) {
        let _ = self.0.send(progress);
    }
}

impl ProgressForwarder {
    /// `None` when the client did not ask for progress.
    pub(super) fn start(context: &RequestContext<RoleServer>) -> Option<Self> {
        let token = context.meta.get_progress_token()?;
        let (sender, receiver) = mpsc::unbounded_channel();
        let task = tokio::spawn(forward(context.peer.clone(), token, receiver));
        Some(Self { sink: Arc::new(Sink(sender)), task })
    }

    pub(super) fn sink(&self) -> Arc<dyn ProgressSink> {
        self.sink.clone()
    }

    /// Sends what is left.
    pub(super) async fn finish(self) {
        drop(self.sink);
        let _ = self.task.await;
    }
}

async fn forward(peer: Peer<RoleServer>, token: ProgressToken, mut progress: mpsc::UnboundedReceiver<Progress>) {
    let mut furthest = f64::NEG_INFINITY;
    let mut last_sent: Option<Instant> = None;
    while let Some(step) = progress.recv().await {
        let too_soon = last_sent.is_some_and(|sent| sent.elapsed() < INTERVAL) && !progress.is_empty();
        if step.done <= furthest || too_soon {
            continue;
        }
        furthest = step.done;
        last_sent = Some(Instant::now());
        let mut notification = ProgressNotificationParam::new(token.clone(), step.done);
        notification.total = step.total;
        notification.message = step.message;
        if peer.notify_progress(notification).await.is_err() {
            return;
        }
    }
}
