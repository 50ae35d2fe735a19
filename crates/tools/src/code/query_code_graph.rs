//! `query_code_graph`: ask the graph in plain language or in Cypher.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use code_query::{Answer, AskError, Asking, Cell, Conversation, ServerError, ServerGraphs};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::ProjectGraph;

use super::cell_json::cell_json;
use super::model_query::Unclear;
use super::projects::{IndexedProject, Projects};
use super::up_to_date::keep_up;
use crate::blocking::off_runtime;
use crate::context::{LanguageModel, ToolContext};
use crate::error::{ErrorKind, ToolError};
use crate::output::Json;
use crate::tool::{Effect, Records, ToolInfo, TypedTool};

pub(super) const DEADLINE: Duration = Duration::from_secs(15);

/// What a query itself may take; the rest is for bringing the graph up to date and for the answer.
pub(super) const QUERY: Duration = Duration::from_secs(8);

const DEFAULT_LIMIT: u32 = 50;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// English, Chinese or Cypher: `who calls load_config?`, `MATCH (c:Class) RETURN c.name`.
    #[schemars(length(min = 1))]
    natural_language_query: String,
    /// The most rows.
    #[schemars(range(min = 1, max = 500), extend("default" = DEFAULT_LIMIT))]
    limit: Option<u32>,
    /// An indexed project, if not that of the server's root.
    project: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    query_used: String,
    #[schemars(schema_with = "rows")]
    results: Vec<Value>,
    summary: String,
}

fn rows(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "array", "items": {"type": "object"}})
}

pub(super) struct QueryCodeGraph;

impl TypedTool for QueryCodeGraph {
    type Params = Params;
    type Output = Json<Output>;

    const INFO: ToolInfo = ToolInfo {
        name: "query_code_graph",
        title: "Query code graph",
        summary: "Ask who calls what, what inherits, imports, is unused, largest or in a file, in English, Chinese or \
                  read-only Cypher; shows the Cypher it ran.",
        effect: Effect::READ,
        deadline: Some(DEADLINE),
        records: Some(Records { pointer: "/results", rest: "ask for fewer columns or a smaller limit." }),
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Json<Output>, ToolError> {
        if let Some(server) = context.code_server() {
            return ask_server(server, Projects::of(context), params).await;
        }
        let began = Instant::now();
        let projects = Projects::of(context);
        let trouble = keep_up(&projects, params.project.as_deref(), context.cancel()).await?;
        let cancelled = Arc::new(AtomicBool::new(false));
        let _cancelled_when_dropped = SetWhenDropped(cancelled.clone());
        let asking = Asking {
            limit: params.limit.unwrap_or(DEFAULT_LIMIT),
            deadline: Some(Instant::now() + QUERY),
            cancelled: Some(cancelled),
        };
        let (model, first_asking) = (context.language_model().cloned(), asking.clone());
        let step = off_runtime(move || {
            let IndexedProject { graph, .. } = projects.indexed(params.project.as_deref())?;
            first_step(graph, &params.natural_language_query, model, &first_asking).map_err(explain)
        });
        let answer = match step.await? {
            FirstStep::Answered(answer) => answer,
            FirstStep::Unclear(unclear) => unclear.answer(asking, began).await?,
        };
        Ok(Json(output(answer, trouble)))
    }
}

/// Asks the graph server; what is kept here is only asked for the name of the project that is meant.
async fn ask_server(server: &ServerGraphs, projects: Projects, params: Params) -> Result<Json<Output>, ToolError> {
    let Params { natural_language_query, limit, project } = params;
    let project = match project {
        Some(project) => project,
        None => off_runtime(move || Ok(projects.workspace().root_name()?)).await?,
    };
    let deadline = Some(Instant::now() + QUERY);
    let asking = Asking { limit: limit.unwrap_or(DEFAULT_LIMIT), deadline, cancelled: None };
    let answer = server.ask(&project, &natural_language_query, &asking).await.map_err(explain)?;
    Ok(Json(output(answer, None)))
}

enum FirstStep {
    Answered(Answer),
    Unclear(Box<Unclear>),
}

/// Answers what can be answered without a model. Cypher, right or wrong, is never a model's affair.
fn first_step(
    graph: Arc<dyn ProjectGraph>,
    text: &str,
    model: Option<Arc<dyn LanguageModel>>,
    asking: &Asking,
) -> Result<FirstStep, AskError> {
    let guess = code_query::translate(&*graph, text, asking.limit);
    let is_unclear = match &guess {
        Ok(question) => !question.is_sure,
        Err(error) => matches!(error, AskError::NotUnderstood(_)),
    };
    if let Some(model) = model.filter(|_| is_unclear) {
        let conversation = Conversation::about(text, guess.as_ref().ok(), &*graph.reader()?, asking.limit)?;
        if let Some(conversation) = conversation {
            return Ok(FirstStep::Unclear(Box::new(Unclear { graph, guess, conversation, model })));
        }
    }
    Ok(FirstStep::Answered(code_query::run(&*graph, &guess?, asking)?))
}

struct SetWhenDropped(Arc<AtomicBool>);

impl Drop for SetWhenDropped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn output(answer: Answer, trouble: Option<String>) -> Output {
    let mut summary = answer.text();
    if let Some(trouble) = trouble {
        summary += &format!(". The graph may be behind the files, because {trouble}");
    }
    let Answer { query, columns, rows, .. } = answer;
    let row =
        |cells: Vec<Cell>| columns.iter().cloned().zip(cells.into_iter().map(cell_json)).collect::<Map<_, _>>().into();
    Output { query_used: query, results: rows.into_iter().map(row).collect(), summary }
}

pub(super) fn explain(error: AskError) -> ToolError {
    match error {
        AskError::Store(error) => error.into(),
        AskError::Graph(error) => ToolError::new(ErrorKind::Storage, format!("the graph could not be read: {error}")),
        AskError::Server(error) => {
            let kind = match &error {
                ServerError::Unavailable(_) | ServerError::Late(_) => ErrorKind::Upstream,
                ServerError::Refused(_) => ErrorKind::InvalidArgument,
                ServerError::NoProject { .. } => ErrorKind::NotFound,
            };
            ToolError::new(kind, error.to_string())
        }
        AskError::Empty | AskError::NotUnderstood(_) | AskError::Query(_) => ToolError::invalid(error.to_string()),
    }
}
