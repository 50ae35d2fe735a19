//! Operations of OpenAPI documents as tools: one each, or three for all of them where there are too many to list.

mod answer;
mod call;
mod describe;
mod operation;
mod search;

use std::sync::Arc;
use std::time::Duration;

use ::openapi::{Api, Operation};

use crate::error::ToolError;
use crate::registry::{Advice, Entry, Family};
use crate::styles::Style;
use crate::suggest::nearest;
use crate::tool::{Effect, Erased, Tool, ToolFacts};

use operation::OperationTool;

const SEARCH: &str = "api_search";
const DESCRIBE: &str = "api_describe";
const CALL: &str = "api_call";

/// What a look at the documents in memory may take.
const DEADLINE: Option<Duration> = Some(Duration::from_secs(5));

pub(crate) const FAMILY: Family = Family {
    name: "api",
    title: "APIs",
    purpose: "The operations of OpenAPI documents that the server was started with.",
    advice: &[Advice {
        needs: &[SEARCH, DESCRIBE, CALL],
        text: "APIs: `api_search` finds an operation, `api_describe` its arguments, `api_call` runs it.",
    }],
    style: Style::Api,
    tools: &[
        &Erased::<search::ApiSearch>::new(),
        &Erased::<describe::ApiDescribe>::new(),
        &Erased::<call::ApiCall>::new(),
    ],
};

/// The APIs of a server, and from how many operations on they are searched instead of listed.
#[derive(Debug, Default)]
pub struct Apis {
    apis: Vec<Arc<Api>>,
    most_tools: usize,
}

impl Apis {
    /// Above `most_tools` operations in all there are three tools for all of them.
    pub fn new(apis: Vec<Arc<Api>>, most_tools: usize) -> Self {
        Self { apis, most_tools }
    }

    pub fn all(&self) -> &[Arc<Api>] {
        &self.apis
    }

    pub fn is_empty(&self) -> bool {
        self.apis.is_empty()
    }

    /// Whether the operations are searched instead of listed.
    pub fn is_searched(&self) -> bool {
        self.operations().count() > self.most_tools
    }

    pub fn operations(&self) -> impl Iterator<Item = (&Arc<Api>, &Operation)> {
        self.apis.iter().flat_map(|api| api.operations.iter().map(move |operation| (api, operation)))
    }

    /// The operation of this name, or an error that names those that might be meant.
    fn find(&self, name: &str) -> Result<(&Arc<Api>, &Operation), ToolError> {
        if let Some(found) = self.operations().find(|(_, operation)| operation.name == name) {
            return Ok(found);
        }
        let known = self.operations().map(|(_, operation)| operation.name.as_str());
        let meant = nearest(name, known).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        let shown: String = name.chars().take(80).collect();
        Err(ToolError::not_found(format!("no operation is named `{shown}`{meant} (`{SEARCH}` finds them)")))
    }
}

/// The tools that these APIs give.
pub(crate) fn entries(apis: &Arc<Apis>) -> Vec<Entry> {
    if !apis.is_searched() {
        let tools = apis.apis.iter().flat_map(OperationTool::all);
        return tools.map(|tool| Entry::at_run_time(&FAMILY, Box::new(tool))).collect();
    }
    let only_reads = apis.operations().all(|(_, operation)| operation.method.is_read());
    FAMILY
        .tools
        .iter()
        .map(|tool| Entry::at_run_time(&FAMILY, Box::new(Searched { tool: *tool, only_reads })))
        .collect()
}

/// One of the three tools, which changes nothing where no operation does.
struct Searched {
    tool: &'static dyn Tool,
    only_reads: bool,
}

impl Tool for Searched {
    fn facts(&self) -> ToolFacts {
        let facts = self.tool.facts();
        let effect = if self.only_reads && facts.effect.open_world { Effect::READ.open_world() } else { facts.effect };
        ToolFacts { effect, ..facts }
    }

    fn input_schema(&self) -> serde_json::Value {
        self.tool.input_schema()
    }

    fn output_schema(&self) -> Option<serde_json::Value> {
        self.tool.output_schema()
    }

    fn refuse(&self, violations: &[crate::arguments::Violation], arguments: &serde_json::Value) -> Option<ToolError> {
        self.tool.refuse(violations, arguments)
    }

    fn run<'a>(
        &'a self,
        context: &'a crate::context::ToolContext,
        arguments: &'a serde_json::Value,
    ) -> futures::future::BoxFuture<'a, Result<crate::output::Payload, ToolError>> {
        self.tool.run(context, arguments)
    }
}
