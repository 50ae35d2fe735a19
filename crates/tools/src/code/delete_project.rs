//! `delete_project`: forget the code graph of one project.

use std::thread::sleep;
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::{ErrorKind, ProjectCatalog};
use tokio_util::sync::CancellationToken;

use super::DEADLINE;
use super::file_errors::quoted;
use super::projects::Projects;
use crate::blocking::off_runtime;
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::Json;
use crate::tool::{Effect, ToolInfo, TypedTool};

/// How long to wait for a process that indexes the project; one that only keeps it fresh has soon finished.
const PATIENCE: Duration = Duration::from_secs(3);
const LOOK_AGAIN: Duration = Duration::from_millis(20);

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    #[schemars(length(min = 1))]
    project_name: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Deleted {
    success: bool,
    project: String,
    message: String,
}

pub(super) struct DeleteProject;

impl TypedTool for DeleteProject {
    type Params = Params;
    type Output = Json<Deleted>;

    const INFO: ToolInfo = ToolInfo {
        name: "delete_project",
        title: "Delete project",
        summary: "Delete the code graph of a project; its files stay as they are.",
        effect: Effect::DESTRUCTIVE,
        deadline: DEADLINE,
        records: None,
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Json<Deleted>, ToolError> {
        let (projects, cancel) = (Projects::of(context), context.cancel().clone());
        off_runtime(move || {
            let project = params.project_name;
            if !delete(&**projects.workspace().projects(), &project, &cancel)? {
                return Err(projects.unknown(&project)?);
            }
            let message = format!("Deleted the code graph of {}; its files are untouched.", quoted(&project));
            Ok(Json(Deleted { success: true, project, message }))
        })
        .await
    }
}

/// Whether there was such a project.
pub(super) fn delete(projects: &dyn ProjectCatalog, name: &str, cancel: &CancellationToken) -> Result<bool, ToolError> {
    let until = Instant::now() + PATIENCE;
    loop {
        match projects.delete(name) {
            Err(error)
                if error.kind() == ErrorKind::Unavailable && Instant::now() < until && !cancel.is_cancelled() =>
            {
                sleep(LOOK_AGAIN);
            }
            deleted => return Ok(deleted?),
        }
    }
}
