//! `read_file`: a text file, or some lines of it.

use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::excerpt::{self, Wanted};
use super::file_errors::unusable;
use super::projects::Projects;
use super::root::Root;
use super::{DEADLINE, regular_file, saturated};
use crate::blocking::off_runtime;
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::Lines;
use crate::tool::{Effect, ToolInfo, TypedTool};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// From the project root.
    #[schemars(length(min = 1))]
    file_path: String,
    /// Lines to skip.
    #[serde(default, deserialize_with = "saturated")]
    #[schemars(with = "Option<usize>", range(min = 0))]
    offset: Option<usize>,
    /// Lines to read.
    #[serde(default, deserialize_with = "saturated")]
    #[schemars(with = "Option<usize>", range(min = 1))]
    limit: Option<usize>,
    /// An indexed project, if not that of the server's root.
    project: Option<String>,
}

pub(super) struct ReadFile;

impl TypedTool for ReadFile {
    type Params = Params;
    type Output = Lines;

    const INFO: ToolInfo = ToolInfo {
        name: "read_file",
        title: "Read file",
        summary: "Read a text file of the project, whole or by lines; with offset or limit the answer begins with \
                  `# Lines S-E of T`.",
        effect: Effect::READ,
        deadline: DEADLINE,
        records: None,
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Lines, ToolError> {
        let (projects, most_bytes, cancel) = (Projects::of(context), context.answer_bytes(), context.cancel().clone());
        off_runtime(move || read(&projects.root(params.project.as_deref())?, &params, most_bytes, &cancel)).await
    }
}

fn read(root: &Root, params: &Params, most_bytes: usize, cancel: &CancellationToken) -> Result<Lines, ToolError> {
    let place = root.place(&params.file_path)?;
    let file = regular_file::open(&place)?;
    let size = file.metadata().map_err(|error| unusable("read", &place, &error))?.len();
    let offset = params.offset.unwrap_or(0);
    let wanted = Wanted { offset, limit: params.limit.unwrap_or(usize::MAX), most_bytes };
    let excerpt = excerpt::read(file, size, wanted, &place, cancel)?;
    let headed = params.offset.is_some() || params.limit.is_some();
    Ok(Lines { text: excerpt.text, offset, total: excerpt.total, headed })
}
