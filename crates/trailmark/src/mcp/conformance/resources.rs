//! Fixture resources: text, binary, watched, and one made from a template.

use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::json;

use super::samples;

/// The resource whose updates a client can watch.
pub(super) const WATCHED: &str = "test://watched-resource";
const TEXT: &str = "test://static-text";
const BINARY: &str = "test://static-binary";
const TEMPLATE: &str = "test://template/{id}/data";

pub(super) fn listed() -> [Resource; 3] {
    [
        Resource::new(TEXT, "static-text").with_description("A fixed text.").with_mime_type("text/plain"),
        Resource::new(BINARY, "static-binary").with_description("A fixed image.").with_mime_type("image/png"),
        Resource::new(WATCHED, "watched-resource").with_description("A text to watch.").with_mime_type("text/plain"),
    ]
}

pub(super) fn template() -> ResourceTemplate {
    ResourceTemplate::new(TEMPLATE, "template")
        .with_description("Data that is made from an identifier.")
        .with_mime_type("application/json")
}

/// `None` for a resource that is not a fixture.
pub(super) fn read(uri: &str) -> Option<ReadResourceResult> {
    let contents = match uri {
        TEXT => text(uri, "This is the content of the static text resource."),
        BINARY => ResourceContents::blob(samples::PNG, uri).with_mime_type("image/png"),
        WATCHED => text(uri, "This is the content of the watched resource."),
        _ => from_template(uri)?,
    };
    Some(ReadResourceResult::new(vec![contents]))
}

fn text(uri: &str, text: &str) -> ResourceContents {
    ResourceContents::text(text, uri).with_mime_type("text/plain")
}

fn from_template(uri: &str) -> Option<ResourceContents> {
    let (before, after) = TEMPLATE.split_once("{id}")?;
    let id = uri.strip_prefix(before)?.strip_suffix(after)?;
    let data = json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
    Some(ResourceContents::text(data.to_string(), uri).with_mime_type("application/json"))
}
