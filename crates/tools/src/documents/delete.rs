//! `mongo_delete_document`: remove a document.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::DocumentId;

use super::DEADLINE;
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
pub(super) struct Deleted {
    deleted: bool,
}

pub(super) struct DeleteDocument;

impl TypedTool for DeleteDocument {
    type Params = Params;
    type Output = Json<Deleted>;

    const INFO: ToolInfo = ToolInfo {
        name: "mongo_delete_document",
        title: "Delete document",
        summary: "Remove a kept document for good.",
        effect: Effect::DESTRUCTIVE,
        deadline: DEADLINE,
        records: None,
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Json<Deleted>, ToolError> {
        let id: DocumentId = params.id.parse()?;
        context.documents().delete(id).await?;
        Ok(Json(Deleted { deleted: true }))
    }
}
