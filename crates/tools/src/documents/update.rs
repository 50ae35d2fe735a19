//! `mongo_update_document`: change fields of a document.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use store::{DocumentId, DocumentPatch};

use super::{DEADLINE, LONGEST_CONTENT, LONGEST_TAG, LONGEST_TOPIC, MOST_TAGS};
use crate::arguments::Violation;
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::Json;
use crate::tool::{Effect, ToolInfo, TypedTool};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    #[schemars(length(min = 1, max = 200))]
    id: String,
    /// Fields to change; the others stay.
    patch: Patch,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("minProperties" = 1))]
struct Patch {
    #[schemars(length(max = LONGEST_TOPIC), regex(pattern = r"\S"))]
    topic: Option<String>,
    #[schemars(length(max = LONGEST_CONTENT), regex(pattern = r"\S"))]
    content: Option<String>,
    /// Replaces all tags; null removes them.
    #[serde(default, deserialize_with = "null_removes")]
    #[schemars(with = "TagsOrNull")]
    tags: Option<Vec<String>>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Updated {
    updated: bool,
}

pub(super) struct UpdateDocument;

impl TypedTool for UpdateDocument {
    type Params = Params;
    type Output = Json<Updated>;

    const INFO: ToolInfo = ToolInfo {
        name: "mongo_update_document",
        title: "Update document",
        summary: "Change topic, content or tags of a kept document.",
        effect: Effect::DESTRUCTIVE,
        deadline: DEADLINE,
        records: None,
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Json<Updated>, ToolError> {
        let id: DocumentId = params.id.parse()?;
        let Patch { topic, content, tags } = params.patch;
        context.documents().update(id, DocumentPatch { topic, content, tags }).await?;
        Ok(Json(Updated { updated: true }))
    }

    fn refuse(violations: &[Violation], _arguments: &Value) -> Option<ToolError> {
        let fixed = violations.iter().find(|violation| FIXED.contains(&violation.field.as_str()))?;
        let field = fixed.field.trim_start_matches("patch.");
        let message = format!("`{field}` is set by the store and cannot be changed; topic, content and tags can");
        Some(ToolError::forbidden(message).with_detail("field", fixed.field.as_str()))
    }
}

/// Fields that exist but that nobody may change.
const FIXED: &[&str] = &["patch.id", "patch.createdAt", "patch.updatedAt"];

/// The tags as published: a list, or null for none.
struct TagsOrNull;

impl JsonSchema for TagsOrNull {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "TagsOrNull".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let tag = serde_json::json!({"type": "string", "maxLength": LONGEST_TAG});
        schemars::json_schema!({"oneOf": [{"type": "array", "items": tag, "maxItems": MOST_TAGS}, {"type": "null"}]})
    }
}

fn null_removes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
    Ok(Some(Option::deserialize(deserializer)?.unwrap_or_default()))
}
