//! Our values as the protocol library's.

use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{
    Annotations, CallToolResult, ContentBlock, ErrorData, JsonObject, MetaObject, Prompt, PromptArgument, Resource,
    ResourceContents, Role, TextContent, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use serde_json::{Value, json};
use tools::{Audience, BlockBody, CallFailure, DocumentResources, Entry, ResourceBody};

pub(super) fn tool(entry: &Entry, publish_output_schema: bool) -> Tool {
    let info = &entry.info;
    let effect = info.effect;
    let annotations = ToolAnnotations::with_title(info.title.clone())
        .read_only(effect.read_only)
        .destructive(effect.destructive)
        .idempotent(effect.idempotent)
        .open_world(effect.open_world);
    let mut tool = Tool::new(info.name.clone(), info.summary.clone(), object(entry.input_schema()))
        .with_title(info.title.clone())
        .annotate(annotations);
    if publish_output_schema {
        tool.output_schema = entry.output_schema().map(object);
    }
    tool
}

fn object(schema: &Arc<Value>) -> Arc<JsonObject> {
    Arc::new(schema.as_object().cloned().unwrap_or_default())
}

pub(super) fn answer(answer: tools::Answer) -> CallToolResult {
    let blocks = answer.content.into_iter().map(block).collect();
    let mut result = if answer.is_error { CallToolResult::error(blocks) } else { CallToolResult::success(blocks) };
    result.structured_content = answer.structured_content;
    result.meta = answer.meta.map(MetaObject);
    result
}

/// The two failures that are protocol errors carry the same text as a tool error in `data`.
pub(super) fn failure(failure: &CallFailure) -> ErrorData {
    let text = format!("Error: {failure}");
    let data = json!({"content": [{"type": "text", "text": text}], "isError": true});
    match failure {
        CallFailure::UnknownTool { .. } => ErrorData::invalid_params(failure.to_string(), Some(data)),
        CallFailure::Panicked { .. } => ErrorData::internal_error("Internal error", Some(data)),
        CallFailure::Cancelled => ErrorData::internal_error("Cancelled", Some(data)),
    }
}

pub(super) fn block(block: tools::ContentBlock) -> ContentBlock {
    let meta = block.meta.map(MetaObject);
    let annotations = block.annotations.map(annotations);
    let mut converted = match block.body {
        BlockBody::Text { text } => ContentBlock::Text(TextContent::new(text)),
        BlockBody::Image { data, mime_type } => ContentBlock::image(data, mime_type),
        BlockBody::Audio { data, mime_type } => ContentBlock::audio(data, mime_type),
        BlockBody::ResourceLink { uri, name, description, mime_type } => {
            let mut resource = Resource::new(uri, name);
            resource.description = description;
            resource.mime_type = mime_type;
            ContentBlock::resource_link(resource)
        }
        BlockBody::Resource { resource } => ContentBlock::resource(resource_body(resource)),
    };
    let (meta_slot, annotations_slot) = match &mut converted {
        ContentBlock::Text(content) => (&mut content.meta, &mut content.annotations),
        ContentBlock::Image(content) => (&mut content.meta, &mut content.annotations),
        ContentBlock::Audio(content) => (&mut content.meta, &mut content.annotations),
        ContentBlock::Resource(content) => (&mut content.meta, &mut content.annotations),
        ContentBlock::ResourceLink(content) => (&mut content.meta, &mut content.annotations),
        _ => return converted,
    };
    *meta_slot = meta;
    *annotations_slot = annotations;
    converted
}

fn resource_body(body: ResourceBody) -> ResourceContents {
    match body {
        ResourceBody::Text { uri, mime_type, text } => {
            ResourceContents::TextResourceContents { uri, mime_type, text, meta: None }
        }
        ResourceBody::Blob { uri, mime_type, blob } => {
            ResourceContents::BlobResourceContents { uri, mime_type, blob, meta: None }
        }
    }
}

fn annotations(annotations: tools::Annotations) -> Annotations {
    let audience = |audience: Audience| match audience {
        Audience::User => Role::User,
        Audience::Assistant => Role::Assistant,
    };
    let mut converted = Annotations::default();
    converted.audience = annotations.audience.map(|list| list.into_iter().map(audience).collect());
    converted.priority = annotations.priority;
    converted.last_modified = annotations.last_modified;
    converted
}

pub(super) fn resource(resource: tools::Resource) -> Resource {
    let mut annotations = Annotations::default();
    annotations.last_modified = Some(resource.last_modified.to_string());
    Resource::new(resource.uri, resource.name)
        .with_title(resource.title)
        .with_mime_type(DocumentResources::MIME_TYPE)
        .with_size(resource.size)
        .with_annotations(annotations)
}

pub(super) fn resource_text(resource: tools::ResourceText) -> ResourceContents {
    ResourceContents::TextResourceContents {
        uri: resource.uri,
        mime_type: Some(DocumentResources::MIME_TYPE.to_owned()),
        text: resource.text,
        meta: None,
    }
}

pub(super) fn prompt(prompt: &tools::Prompt) -> Prompt {
    let argument = |argument: &tools::PromptArgument| {
        PromptArgument::new(argument.name).with_description(argument.description).with_required(true)
    };
    let arguments = prompt.arguments.iter().map(argument).collect();
    Prompt::new(prompt.name, Some(prompt.description), Some(arguments)).with_title(prompt.title)
}

/// What an HTTP client that gave no name calls itself.
pub(super) fn user_agent(context: &RequestContext<RoleServer>) -> Option<String> {
    let parts = context.extensions.get::<http::request::Parts>()?;
    Some(parts.headers.get(http::header::USER_AGENT)?.to_str().ok()?.chars().take(200).collect())
}
