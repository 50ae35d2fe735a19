//! `wipe_database`: forget every code graph, and nothing else.

use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::DEADLINE;
use super::delete_project::delete;
use super::projects::{Projects, listed};
use crate::blocking::off_runtime;
use crate::context::ToolContext;
use crate::error::{ErrorKind, ToolError};
use crate::output::Text;
use crate::tool::{Effect, ToolInfo, TypedTool};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// Must be true for anything to happen.
    confirm: bool,
}

pub(super) struct WipeDatabase;

impl TypedTool for WipeDatabase {
    type Params = Params;
    type Output = Text;

    const INFO: ToolInfo = ToolInfo {
        name: "wipe_database",
        title: "Wipe database",
        summary: "Delete the code graphs of all projects. Files, documents and everything else stay.",
        effect: Effect::DESTRUCTIVE,
        deadline: DEADLINE,
        records: None,
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Text, ToolError> {
        let (projects, cancel) = (Projects::of(context), context.cancel().clone());
        off_runtime(move || wipe(&projects, params.confirm, &cancel)).await
    }
}

fn wipe(projects: &Projects, confirm: bool, cancel: &CancellationToken) -> Result<Text, ToolError> {
    let catalog = projects.workspace().projects();
    let known = catalog.list()?;
    let Some(names) = listed(known.iter().map(|project| project.name.as_str())) else {
        return Ok(Text("There is no code graph; nothing was changed.".to_owned()));
    };
    if !confirm {
        let text = format!("Nothing was changed. With confirm=true, these code graphs are deleted: {names}.");
        return Ok(Text(text));
    }
    let deleted = known.iter().map(|project| delete(&**catalog, &project.name, cancel));
    let failed: Vec<String> = deleted.filter_map(Result::err).map(|error| error.message).collect();
    if !failed.is_empty() {
        let message = format!("{} of {} code graphs are still there: {}", failed.len(), known.len(), failed.join("; "));
        return Err(ToolError::new(ErrorKind::Storage, message));
    }
    Ok(Text(format!("Successfully deleted every code graph: {names}. Files and documents are untouched.")))
}
