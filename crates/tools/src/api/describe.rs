//! `api_describe`: what one operation takes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{DEADLINE, DESCRIBE};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::Json;
use crate::tool::{Effect, ToolInfo, TypedTool};

pub(super) struct ApiDescribe;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// The operation's name, as `api_search` gives it.
    #[schemars(length(min = 1))]
    operation: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Described {
    operation: String,
    method: &'static str,
    path: String,
    title: String,
    description: String,
    api: String,
    tags: Vec<String>,
    deprecated: bool,
    /// The JSON Schema of `arguments` for `api_call`.
    arguments: Map<String, Value>,
}

impl TypedTool for ApiDescribe {
    type Params = Params;
    type Output = Json<Described>;

    const INFO: ToolInfo = ToolInfo {
        name: DESCRIBE,
        title: "Describe an API operation",
        summary: "Says what an operation does and takes: the schema of the arguments that `api_call` needs.",
        effect: Effect::READ,
        deadline: DEADLINE,
        records: None,
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Self::Output, ToolError> {
        let (api, operation) = context.apis().find(&params.operation)?;
        Ok(Json(Described {
            operation: operation.name.clone(),
            method: operation.method.as_str(),
            path: operation.path.clone(),
            title: operation.title.clone(),
            description: operation.description.clone(),
            api: api.name.clone(),
            tags: operation.tags.clone(),
            deprecated: operation.deprecated,
            arguments: operation.input_schema.as_object().cloned().unwrap_or_default(),
        }))
    }
}
