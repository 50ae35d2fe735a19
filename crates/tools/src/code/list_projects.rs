//! `list_projects`: every project with a code graph, how much is in it and how fresh it is.

use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::{ProjectGraph, ProjectInfo};
use tokio::time::{Instant, timeout_at};

use super::projects::Projects;
use super::{DEADLINE, nullable_integer, nullable_string};
use crate::blocking::off_runtime;
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::Json;
use crate::tool::{Effect, Records, ToolInfo, TypedTool};
use crate::workspace::Workspace;

/// How long the folders may be looked through for files that changed.
const LOOKING: Duration = Duration::from_secs(3);

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Listing {
    projects: Vec<String>,
    count: usize,
    details: Vec<Detail>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Detail {
    name: String,
    root: String,
    files: u64,
    nodes: u64,
    relationships: u64,
    /// Most files first.
    languages: Vec<String>,
    /// Null while the first run is under way.
    #[schemars(schema_with = "nullable_string")]
    indexed_at: Option<String>,
    /// Files on disk that are not as the graph has them; null where counting them took too long.
    #[schemars(schema_with = "nullable_integer")]
    stale_files: Option<u64>,
}

pub(super) struct ListProjects;

impl TypedTool for ListProjects {
    type Params = Params;
    type Output = Json<Listing>;

    const INFO: ToolInfo = ToolInfo {
        name: "list_projects",
        title: "List projects",
        summary: "List the indexed projects with their roots, sizes, languages and how many files changed since.",
        effect: Effect::READ,
        deadline: DEADLINE,
        records: Some(Records { pointer: "/details", rest: "`projects` names them all." }),
    };

    async fn run(context: &ToolContext, _: Params) -> Result<Json<Listing>, ToolError> {
        let projects = Projects::of(context);
        let workspace = projects.workspace().clone();
        let infos = off_runtime(move || Ok(workspace.projects().list()?)).await?;
        let until = Instant::now() + LOOKING;
        let mut details = Vec::with_capacity(infos.len());
        for info in infos {
            let counted = timeout_at(until, stale_files(projects.workspace().clone(), info.name.clone())).await;
            details.push(detail(info, counted.ok().transpose()?.flatten()));
        }
        let names: Vec<String> = details.iter().map(|detail| detail.name.clone()).collect();
        Ok(Json(Listing { count: names.len(), projects: names, details }))
    }
}

/// Nothing for a project that was deleted meanwhile.
async fn stale_files(workspace: Arc<Workspace>, name: String) -> Result<Option<u64>, ToolError> {
    off_runtime(move || {
        let Some(graph) = workspace.projects().find(&name)? else { return Ok(None) };
        Ok(Some(workspace.indexer().stale_files(&*graph as &dyn ProjectGraph)?))
    })
    .await
}

fn detail(info: ProjectInfo, stale_files: Option<u64>) -> Detail {
    let ProjectInfo { name, root, files, nodes, relationships, languages, indexed_at, epoch: _ } = info;
    Detail {
        name,
        root: root.to_string_lossy().into_owned(),
        files,
        nodes,
        relationships,
        languages: languages.into_iter().map(|(language, _)| language).collect(),
        indexed_at: indexed_at.map(|time| time.to_string()),
        stale_files,
    }
}
