//! `mongo_save_document`: keep a new document.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::NewDocument;

use super::{DEADLINE, LONGEST_CONTENT, LONGEST_TAG, LONGEST_TOPIC, MOST_TAGS, Source};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::Json;
use crate::tool::{Effect, ToolInfo, TypedTool};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// What it is about; found again by this.
    #[schemars(length(max = LONGEST_TOPIC), regex(pattern = r"\S"))]
    topic: String,
    /// The text to keep.
    #[schemars(length(max = LONGEST_CONTENT), regex(pattern = r"\S"))]
    content: String,
    #[schemars(length(max = MOST_TAGS), inner(length(max = LONGEST_TAG)))]
    tags: Option<Vec<String>>,
    /// Where it comes from.
    source: Option<Source>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Saved {
    id: String,
}

pub(super) struct SaveDocument;

impl TypedTool for SaveDocument {
    type Params = Params;
    type Output = Json<Saved>;

    const INFO: ToolInfo = ToolInfo {
        name: "mongo_save_document",
        title: "Save document",
        summary: "Keep a new document (a fact, a decision, a summary) for later and for other agents.",
        effect: Effect::WRITE,
        deadline: DEADLINE,
        records: None,
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Json<Saved>, ToolError> {
        let Params { topic, content, tags, source } = params;
        let document = NewDocument { topic, content, tags: tags.unwrap_or_default(), source: source.map(Into::into) };
        let id = context.documents().save(document).await?;
        Ok(Json(Saved { id: id.to_string() }))
    }
}
