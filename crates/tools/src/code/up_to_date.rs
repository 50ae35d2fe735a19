//! A graph that a call has found behind its files is brought up to date, if that does not take long.

use std::time::Duration;

use code_index::{IndexRequest, Observer};
use jiff::Timestamp;
use store::ProjectInfo;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::projects::Projects;
use crate::blocking::off_runtime;
use crate::error::ToolError;
use crate::workspace::{Check, Workspace};

/// What a call may spend on it; it has to answer in any case.
const PATIENCE: Duration = Duration::from_secs(3);

/// Brings the graph of a project up to date, unless it follows its files by itself. Gives why that could not be done, in words.
pub(super) async fn keep_up(
    projects: &Projects,
    project: Option<&str>,
    cancel: &CancellationToken,
) -> Result<Option<String>, ToolError> {
    let (asked, name) = (projects.clone(), project.map(str::to_owned));
    let info = off_runtime(move || asked.indexed(name.as_deref()).map(|found| found.info)).await?;
    if projects.workspace().is_watched(&info.root) {
        return Ok(None);
    }
    Ok(bring_up_to_date(projects, &info, cancel).await.err())
}

/// The same for a call that needs no graph to begin with: a root that has none is indexed, if that does not take long.
pub(crate) async fn keep_up_or_index(
    projects: &Projects,
    project: Option<&str>,
    cancel: &CancellationToken,
) -> Result<Option<String>, ToolError> {
    let asked = projects.clone();
    if project.is_some() || off_runtime(move || asked.has_root()).await? {
        return keep_up(projects, project, cancel).await;
    }
    let workspace = projects.workspace().clone();
    let root = workspace.root().to_owned();
    let run = in_time(cancel, move |stop| {
        workspace.indexer().index(&IndexRequest { root, project: None, force: false }, &UntilCancelled(stop))?;
        // Tells whoever waits for a graph of the root.
        workspace.root_project()?;
        Ok(())
    });
    let root = projects.workspace().root().display().to_string();
    let refused =
        |why| ToolError::not_found(format!("{root} is not indexed yet, and {why}; call index_repository first"));
    run.await.map_err(refused)?;
    Ok(None)
}

/// Why not, in words, if it cannot be done in time.
pub(super) async fn bring_up_to_date(
    projects: &Projects,
    info: &ProjectInfo,
    cancel: &CancellationToken,
) -> Result<(), String> {
    let (workspace, info) = (projects.workspace().clone(), info.clone());
    in_time(cancel, move |stop| index(&workspace, &info, stop)).await
}

async fn in_time(
    cancel: &CancellationToken,
    work: impl FnOnce(&CancellationToken) -> Result<(), ToolError> + Send + 'static,
) -> Result<(), String> {
    let stop = cancel.child_token();
    let _stopped_when_too_slow = stop.clone().drop_guard();
    match timeout(PATIENCE, off_runtime(move || work(&stop))).await {
        Ok(ended) => ended.map_err(|error| error.message),
        Err(_elapsed) => Err(format!("it takes longer than {} s", PATIENCE.as_secs())),
    }
}

fn index(workspace: &Workspace, info: &ProjectInfo, stop: &CancellationToken) -> Result<(), ToolError> {
    let at = Timestamp::now();
    if workspace.projects().find(&info.name)?.is_none() {
        return Err(ToolError::not_found("the project was deleted"));
    }
    let request = IndexRequest { root: info.root.clone(), project: Some(info.name.clone()), force: false };
    workspace.indexer().keep_up(&request, &UntilCancelled(stop))?;
    if let Some(graph) = workspace.projects().find(&info.name)? {
        workspace.note_check(&info.name, Check { epoch: graph.info()?.epoch, at });
    }
    Ok(())
}

/// When a graph was last seen to agree with its files, as far as this process knows.
pub(super) fn checked_at(workspace: &Workspace, info: &ProjectInfo) -> Option<Timestamp> {
    let check = workspace.last_check(&info.name).filter(|check| check.epoch == info.epoch);
    info.indexed_at.max(check.map(|check| check.at))
}

struct UntilCancelled<'a>(&'a CancellationToken);

impl Observer for UntilCancelled<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}
