//! `mongo_find_by_id`: one whole document.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::DocumentId;

use super::{DEADLINE, Source};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::Json;
use crate::tool::{Effect, ToolInfo, TypedTool};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    #[schemars(length(min = 1, max = 200))]
    id: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    id: String,
    topic: String,
    content: String,
    tags: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Source>,
    created_at: String,
    updated_at: String,
}

impl From<store::Document> for Document {
    fn from(document: store::Document) -> Self {
        let store::Document { id, topic, content, tags, source, created_at, updated_at } = document;
        Self {
            id: id.to_string(),
            topic,
            content,
            tags,
            source: source.map(Source::from),
            created_at: created_at.to_string(),
            updated_at: updated_at.to_string(),
        }
    }
}

pub(super) struct FindById;

impl TypedTool for FindById {
    type Params = Params;
    type Output = Json<Document>;

    const INFO: ToolInfo = ToolInfo {
        name: "mongo_find_by_id",
        title: "Read document",
        summary: "Read one kept document whole, with its source and times.",
        effect: Effect::READ,
        deadline: DEADLINE,
        records: None,
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Json<Document>, ToolError> {
        let id: DocumentId = params.id.parse()?;
        Ok(Json(context.documents().get(id).await?.into()))
    }
}
