//! The code graph of the root stays fresh while a server runs, from the moment there is one.

use std::sync::Arc;

use code_index::{IndexReport, WatchRequest, Watcher};
use tokio::task::{JoinHandle, spawn_blocking};
use tokio_util::sync::CancellationToken;
use tools::Workspace;

/// Owns the thread that watches the root.
#[derive(Debug)]
pub(crate) struct Watching {
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Watching {
    /// Returns at once. Nothing is watched before the root has a code graph, made now or earlier, by this process or another.
    /// Must be called on a runtime.
    pub(crate) fn start(workspace: Arc<Workspace>) -> Self {
        let stop = CancellationToken::new();
        let until_stopped = stop.clone();
        let task = tokio::spawn(async move {
            let watcher = tokio::select! {
                () = until_stopped.cancelled() => None,
                watcher = watch(workspace.clone()) => watcher,
            };
            if let Some(watcher) = watcher {
                tokio::select! {
                    () = until_stopped.cancelled() => {}
                    () = workspace.root_is_indexed() => watcher.note_use(),
                }
                until_stopped.cancelled().await;
                // Its end waits for a run under way.
                let _ = spawn_blocking(move || drop(watcher)).await;
            }
        });
        Self { stop, task }
    }

    /// Ends when the thread has ended. Nothing breaks when the process does not wait for it: every run stores its result in
    /// one step.
    pub(crate) async fn stop(self) {
        self.stop.cancel();
        let _ = self.task.await;
    }
}

async fn watch(workspace: Arc<Workspace>) -> Option<Watcher> {
    let asked = workspace.clone();
    let _ = spawn_blocking(move || asked.root_project()).await.ok()?;
    // Where there is a graph, looking for it was noted, and is not taken for a call later.
    workspace.root_is_indexed().await;
    let started = spawn_blocking(move || {
        let request = WatchRequest { root: workspace.root().to_owned(), project: None };
        Watcher::start(workspace.indexer().clone(), &request, note).inspect(|_| workspace.note_watched())
    });
    match started.await.ok()? {
        Ok(watcher) => Some(watcher),
        Err(error) => {
            tracing::warn!(%error, "the root is not watched: its code graph may fall behind");
            None
        }
    }
}

fn note(report: &IndexReport) {
    let IndexReport { project, parsed, removed, .. } = report;
    tracing::debug!(
        project,
        parsed,
        removed,
        seconds = report.timings.total().as_secs_f64(),
        "the graph is up to date"
    );
}
