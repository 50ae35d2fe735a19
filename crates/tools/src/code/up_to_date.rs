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

/// Why not, in words, if it cannot be done in time.
pub(super) async fn bring_up_to_date(
    projects: &Projects,
    info: &ProjectInfo,
    cancel: &CancellationToken,
) -> Result<(), String> {
    let stop = cancel.child_token();
    let _stopped_when_too_slow = stop.clone().drop_guard();
    let (workspace, info) = (projects.workspace().clone(), info.clone());
    let run = off_runtime(move || index(&workspace, &info, &stop));
    match timeout(PATIENCE, run).await {
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
    workspace.indexer().index(&request, &UntilCancelled(stop))?;
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
