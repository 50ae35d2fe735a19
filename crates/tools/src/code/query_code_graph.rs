//! `query_code_graph`: ask the graph in plain language or in Cypher.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use code_query::{Answer, AskError, Asking, Cell};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::cell_json::cell_json;
use super::projects::{IndexedProject, Projects};
use super::up_to_date::keep_up;
use crate::blocking::off_runtime;
use crate::context::ToolContext;
use crate::error::{ErrorKind, ToolError};
use crate::output::Json;
use crate::tool::{Effect, Records, ToolInfo, TypedTool};

const DEADLINE: Duration = Duration::from_secs(15);

/// What a query itself may take; the rest is for bringing the graph up to date and for the answer.
const QUERY: Duration = Duration::from_secs(8);

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
        let projects = Projects::of(context);
        let trouble = keep_up(&projects, params.project.as_deref(), context.cancel()).await?;
        let cancelled = Arc::new(AtomicBool::new(false));
        let _cancelled_when_dropped = SetWhenDropped(cancelled.clone());
        let asking = Asking {
            limit: params.limit.unwrap_or(DEFAULT_LIMIT),
            deadline: Some(Instant::now() + QUERY),
            cancelled: Some(cancelled),
        };
        let answer = off_runtime(move || {
            let IndexedProject { graph, .. } = projects.indexed(params.project.as_deref())?;
            code_query::ask(&*graph, &params.natural_language_query, &asking).map_err(explain)
        });
        Ok(Json(output(answer.await?, trouble)))
    }
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

fn explain(error: AskError) -> ToolError {
    match error {
        AskError::Store(error) => error.into(),
        AskError::Graph(error) => ToolError::new(ErrorKind::Storage, format!("the graph could not be read: {error}")),
        AskError::Empty | AskError::NotUnderstood(_) | AskError::Query(_) => ToolError::invalid(error.to_string()),
    }
}
