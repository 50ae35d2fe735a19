//! `get_code_snippet`: the source of a definition, by its name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::FoundNode;
use tokio_util::sync::CancellationToken;

use super::file_errors::quoted;
use super::projects::{IndexedProject, Projects};
use super::source::{self, Source, State};
use super::up_to_date::{bring_up_to_date, checked_at};
use super::{DEADLINE, nullable_string, symbol};
use crate::blocking::off_runtime;
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::Json;
use crate::tool::{Effect, Records, ToolInfo, TypedTool};

/// Modules that an answer names.
const MOST_MODULES: usize = 20;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// As the language writes it, or its end if that is unique: `UserService.create`.
    #[schemars(length(min = 1, max = 1000), regex(pattern = r"\S"))]
    qualified_name: String,
    /// An indexed project, if not that of the server's root.
    project: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(super) struct Snippet {
    qualified_name: String,
    source_code: String,
    file_path: String,
    line_start: u32,
    line_end: u32,
    #[schemars(schema_with = "nullable_string")]
    docstring: Option<String>,
    found: bool,
    #[schemars(schema_with = "nullable_string")]
    error_message: Option<String>,
}

pub(super) struct GetCodeSnippet;

impl TypedTool for GetCodeSnippet {
    type Params = Params;
    type Output = Json<Snippet>;

    const INFO: ToolInfo = ToolInfo {
        name: "get_code_snippet",
        title: "Get code snippet",
        summary: "Get the source of a function, method, class or module by its name, with file, lines and docstring.",
        effect: Effect::READ,
        deadline: DEADLINE,
        records: Some(Records { pointer: "", rest: "read_file reads the rest by lines." }),
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Json<Snippet>, ToolError> {
        let search = Search {
            projects: Projects::of(context),
            name: params.qualified_name.trim().to_owned(),
            project: params.project,
            cancel: context.cancel().clone(),
        };
        let again = search.clone();
        let (project, certain) = off_runtime(move || again.at_once()).await?;
        if let Some(snippet) = certain {
            return Ok(Json(snippet));
        }
        let trouble = bring_up_to_date(&search.projects, &project.info, context.cancel()).await.err();
        Ok(Json(off_runtime(move || search.in_the_end(trouble.as_deref())).await?))
    }
}

#[derive(Debug, Clone)]
struct Search {
    projects: Projects,
    name: String,
    project: Option<String>,
    cancel: CancellationToken,
}

impl Search {
    /// The answer, if it does not depend on whether the graph is up to date.
    fn at_once(&self) -> Result<(IndexedProject, Option<Snippet>), ToolError> {
        let project = self.projects.indexed(self.project.as_deref())?;
        let found = symbol::find(&*project.graph, &self.name)?;
        let snippet = match found.as_slice() {
            [] => None,
            [one] if one.path.is_none() => Some(self.package(&project, one)?),
            [one] => match source::read(one, &project.info, checked_at(self.projects.workspace(), &project.info)) {
                Ok(source) if source.state == State::AsIndexed => Some(Snippet::of(one, source)),
                Ok(_) | Err(_) => None,
            },
            several => Some(self.ambiguous(several)),
        };
        Ok((project, snippet))
    }

    /// The best answer there is; `trouble` says why the graph may still be behind its files.
    fn in_the_end(&self, trouble: Option<&str>) -> Result<Snippet, ToolError> {
        let project = self.projects.indexed(self.project.as_deref())?;
        let found = symbol::find(&*project.graph, &self.name)?;
        match found.as_slice() {
            [] => self.nothing(&project, trouble),
            [one] if one.path.is_none() => self.package(&project, one),
            [one] => Ok(from_disk(one, &project, trouble)),
            several => Ok(self.ambiguous(several)),
        }
    }

    fn nothing(&self, project: &IndexedProject, trouble: Option<&str>) -> Result<Snippet, ToolError> {
        let mut message = symbol::unknown(project, &self.name, &self.cancel)?;
        if let Some(trouble) = trouble {
            message += &format!("; the graph may be behind the files, because {trouble}");
        }
        Ok(Snippet::not_found(&self.name, message))
    }

    fn ambiguous(&self, candidates: &[FoundNode]) -> Snippet {
        Snippet::not_found(&self.name, symbol::ambiguous(&self.name, candidates))
    }

    /// A package has no source of its own.
    fn package(&self, project: &IndexedProject, package: &FoundNode) -> Result<Snippet, ToolError> {
        let name = &package.node.qualified_name;
        let modules = symbol::modules_of(&*project.graph, name, &self.cancel)?;
        let shown = modules.iter().take(MOST_MODULES).map(|module| format!("\n- {module}"));
        let more = modules.len().saturating_sub(MOST_MODULES);
        let more = if more > 0 { format!("\n… and {more} more") } else { String::new() };
        let list = format!("{}{more}", shown.collect::<String>());
        let message =
            format!("{} is a package of {} modules, each with its own source:{list}", quoted(name), modules.len());
        let nothing = Snippet::not_found(name, message);
        Ok(Snippet { found: true, docstring: package.node.docstring.clone(), ..nothing })
    }
}

fn from_disk(found: &FoundNode, project: &IndexedProject, trouble: Option<&str>) -> Snippet {
    let source = match source::read(found, &project.info, None) {
        Ok(source) => source,
        Err(error) => return Snippet { error_message: Some(error.message), ..Snippet::place(found) },
    };
    let Some(trouble) = trouble else { return Snippet::of(found, source) };
    let path = quoted(found.path.as_deref().unwrap_or_default());
    let changed =
        format!("{path} changed after it was indexed, and the graph could not be brought up to date: {trouble}");
    match source.state {
        State::AsIndexed => Snippet::of(found, source),
        State::Plausible => {
            let message = Some(format!("{changed}; these are the lines it had then"));
            Snippet { error_message: message, ..Snippet::of(found, source) }
        }
        State::Elsewhere => {
            let message = Some(format!("{changed}; its lines no longer fit"));
            Snippet { error_message: message, ..Snippet::place(found) }
        }
    }
}

impl Snippet {
    fn of(found: &FoundNode, source: Source) -> Self {
        let place = Self::place(found);
        Self {
            source_code: source.text,
            line_start: source.first_line,
            line_end: source.last_line,
            found: true,
            error_message: None,
            ..place
        }
    }

    /// Where a definition was when it was indexed, without its source.
    fn place(found: &FoundNode) -> Self {
        let node = &found.node;
        Self {
            qualified_name: node.qualified_name.clone(),
            source_code: String::new(),
            file_path: found.path.clone().unwrap_or_default(),
            line_start: node.start_line,
            line_end: node.end_line,
            docstring: node.docstring.clone(),
            found: false,
            error_message: None,
        }
    }

    fn not_found(name: &str, message: String) -> Self {
        Self {
            qualified_name: name.to_owned(),
            source_code: String::new(),
            file_path: String::new(),
            line_start: 0,
            line_end: 0,
            docstring: None,
            found: false,
            error_message: Some(message),
        }
    }
}
