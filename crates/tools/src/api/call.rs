//! `api_call`: one operation, run.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{CALL, operation};
use crate::arguments;
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::Blocks;
use crate::tool::{Effect, ToolInfo, TypedTool};

/// More than any call of an API may take.
const DEADLINE: Option<Duration> = Some(Duration::from_secs(130));

pub(super) struct ApiCall;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// The operation's name, as `api_search` gives it.
    #[schemars(length(min = 1))]
    operation: String,
    /// Its arguments, as `api_describe` describes them.
    #[serde(default)]
    arguments: Map<String, Value>,
}

impl TypedTool for ApiCall {
    type Params = Params;
    type Output = Blocks;

    const INFO: ToolInfo = ToolInfo {
        name: CALL,
        title: "Call an API operation",
        summary: "Runs an operation of a connected API and answers with what the service answered. \
                  `api_describe` says which arguments it takes.",
        effect: Effect::DESTRUCTIVE.repeating().open_world(),
        deadline: DEADLINE,
        records: None,
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Blocks, ToolError> {
        let (api, operation) = context.apis().find(&params.operation)?;
        let schema = &*operation.input_schema;
        let arguments = arguments::normalise(params.arguments, schema);
        if let Ok(validator) = jsonschema::draft202012::new(schema) {
            let violations = arguments::violations(&validator, &arguments, schema);
            if !violations.is_empty() {
                return Err(arguments::refuse(&violations));
            }
        }
        let none = Map::new();
        operation::run(api, operation, arguments.as_object().unwrap_or(&none), context.answer_bytes()).await
    }
}
