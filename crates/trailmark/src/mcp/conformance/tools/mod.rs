//! Fixture tools, by what they show.

mod announcing;
mod asking_inside;
mod asking_outside;
mod content;
mod reporting;
mod schemas;

use futures::FutureExt;
use futures::future::BoxFuture;
use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Tool};
use rmcp::service::RequestContext;
use serde_json::{Value, json};

use super::ConformanceServer;
use super::changes::Changes;

/// Comes and goes, for clients that want to hear of changes.
const EXTRA: &str = "test_extra_tool";

const GROUPS: &[&[Fixture]] =
    &[announcing::TOOLS, asking_inside::TOOLS, asking_outside::TOOLS, content::TOOLS, reporting::TOOLS, schemas::TOOLS];

type Ending = Result<CallToolResponse, ErrorData>;
type Running<'a> = BoxFuture<'a, Ending>;

/// One tool of the suite.
pub(super) struct Fixture {
    name: &'static str,
    description: &'static str,
    input_schema: fn() -> Value,
    run: for<'a> fn(Call<'a>) -> Running<'a>,
}

/// A call and what it may use.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    pub(super) server: &'a ConformanceServer,
    pub(super) request: &'a CallToolRequestParams,
    pub(super) context: &'a RequestContext<RoleServer>,
}

pub(super) fn find(name: &str, changes: &Changes) -> Option<&'static Fixture> {
    available(changes).find(|fixture| fixture.name == name)
}

pub(super) fn listed(changes: &Changes) -> impl Iterator<Item = Tool> {
    available(changes).map(Fixture::tool)
}

fn available(changes: &Changes) -> impl Iterator<Item = &'static Fixture> + use<> {
    let has_extra = changes.has_extra_tool();
    GROUPS.iter().copied().flatten().filter(move |fixture| fixture.name != EXTRA || has_extra)
}

impl Fixture {
    const fn without_arguments(
        name: &'static str,
        description: &'static str,
        run: for<'a> fn(Call<'a>) -> Running<'a>,
    ) -> Self {
        Self { name, description, input_schema: no_arguments, run }
    }

    pub(super) fn tool(&self) -> Tool {
        Tool::new(self.name, self.description, rmcp::model::object((self.input_schema)()))
    }

    pub(super) fn call<'a>(&self, call: Call<'a>) -> Running<'a> {
        (self.run)(call)
    }
}

impl<'a> Call<'a> {
    /// A text argument, or nothing.
    fn text_argument(self, name: &str) -> &'a str {
        let arguments = self.request.arguments.as_ref();
        arguments.and_then(|arguments| arguments.get(name)).and_then(Value::as_str).unwrap_or_default()
    }
}

fn no_arguments() -> Value {
    json!({"type": "object", "properties": {}})
}

fn one_text_argument(name: &str, description: &str) -> Value {
    json!({"type": "object", "properties": {name: {"type": "string", "description": description}}, "required": [name]})
}

fn at_once<'a>(ending: Ending) -> Running<'a> {
    std::future::ready(ending).boxed()
}

fn text(text: impl Into<String>) -> Ending {
    blocks([ContentBlock::text(text)])
}

fn blocks<const N: usize>(blocks: [ContentBlock; N]) -> Ending {
    Ok(CallToolResult::success(blocks.into()).into())
}

fn failure(text: impl Into<String>) -> Ending {
    Ok(CallToolResult::error(vec![ContentBlock::text(text)]).into())
}
