//! Content blocks: the five kinds of thing a tool can answer with, as the MCP specification shapes them.

use serde::Serialize;
use serde_json::{Map, Value};

/// One block of an answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContentBlock {
    #[serde(flatten)]
    pub body: BlockBody,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Map<String, Value>>,
}

/// What a block holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum BlockBody {
    Text {
        text: String,
    },
    /// `data` is base64.
    Image {
        data: String,
        mime_type: String,
    },
    /// `data` is base64.
    Audio {
        data: String,
        mime_type: String,
    },
    ResourceLink {
        uri: String,
        name: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        mime_type: Option<String>,
    },
    Resource {
        resource: ResourceBody,
    },
}

/// An embedded resource: text, or base64 bytes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum ResourceBody {
    Text {
        uri: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        mime_type: Option<String>,
        text: String,
    },
    Blob {
        uri: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        mime_type: Option<String>,
        blob: String,
    },
}

/// Hints to the client on who a block is for and how much it matters.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Annotations {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audience: Option<Vec<Audience>>,
    /// From 0 (optional) to 1 (required).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<f32>,
    /// RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

/// Whom a block is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Audience {
    User,
    Assistant,
}

impl ContentBlock {
    pub fn text(text: impl Into<String>) -> Self {
        BlockBody::Text { text: text.into() }.into()
    }

    /// `data` is base64.
    pub fn image(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        BlockBody::Image { data: data.into(), mime_type: mime_type.into() }.into()
    }

    /// `data` is base64.
    pub fn audio(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        BlockBody::Audio { data: data.into(), mime_type: mime_type.into() }.into()
    }

    /// A pointer to a resource; without a name of its own it is called by the last part of its address.
    pub fn resource_link(uri: impl Into<String>, name: Option<String>) -> Self {
        let uri = uri.into();
        let name = name.filter(|name| !name.is_empty()).unwrap_or_else(|| last_segment(&uri));
        BlockBody::ResourceLink { uri, name, description: None, mime_type: None }.into()
    }

    pub fn resource(resource: ResourceBody) -> Self {
        BlockBody::Resource { resource }.into()
    }

    #[must_use]
    pub fn with_annotations(mut self, annotations: Annotations) -> Self {
        self.annotations = Some(annotations);
        self
    }

    #[must_use]
    pub fn with_meta(mut self, meta: Map<String, Value>) -> Self {
        self.meta = Some(meta);
        self
    }

    /// The text of a text block.
    pub fn as_text(&self) -> Option<&str> {
        match &self.body {
            BlockBody::Text { text } => Some(text),
            BlockBody::Image { .. }
            | BlockBody::Audio { .. }
            | BlockBody::ResourceLink { .. }
            | BlockBody::Resource { .. } => None,
        }
    }
}

impl From<BlockBody> for ContentBlock {
    fn from(body: BlockBody) -> Self {
        Self { body, annotations: None, meta: None }
    }
}

fn last_segment(uri: &str) -> String {
    let path = uri.split(['?', '#']).next().unwrap_or(uri);
    let segment = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    if segment.is_empty() { uri.to_owned() } else { segment.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(block: ContentBlock, expected: Value) {
        assert_eq!(serde_json::to_value(block).unwrap(), expected);
    }

    #[test]
    fn each_kind_of_block_has_the_shape_of_the_specification() {
        check(ContentBlock::text("hi"), json!({"type": "text", "text": "hi"}));
        check(
            ContentBlock::image("aGk=", "image/png"),
            json!({"type": "image", "data": "aGk=", "mimeType": "image/png"}),
        );
        check(
            ContentBlock::audio("aGk=", "audio/wav"),
            json!({"type": "audio", "data": "aGk=", "mimeType": "audio/wav"}),
        );
        check(
            ContentBlock::resource(ResourceBody::Text {
                uri: "test://a".into(),
                mime_type: Some("text/plain".into()),
                text: "hi".into(),
            }),
            json!({"type": "resource", "resource": {"uri": "test://a", "mimeType": "text/plain", "text": "hi"}}),
        );
        check(
            ContentBlock::resource(ResourceBody::Blob { uri: "test://a".into(), mime_type: None, blob: "aGk=".into() }),
            json!({"type": "resource", "resource": {"uri": "test://a", "blob": "aGk="}}),
        );
    }

    #[test]
    fn a_resource_link_always_has_a_name() {
        check(
            ContentBlock::resource_link("https://example.com/a/b.txt?x=1", None),
            json!({"type": "resource_link", "uri": "https://example.com/a/b.txt?x=1", "name": "b.txt"}),
        );
        check(
            ContentBlock::resource_link("urn:", Some(String::new())),
            json!({"type": "resource_link", "uri": "urn:", "name": "urn:"}),
        );
    }

    #[test]
    fn annotations_and_meta_stand_on_the_block_itself() {
        let annotations = Annotations {
            audience: Some(vec![Audience::User, Audience::Assistant]),
            priority: Some(0.5),
            last_modified: Some("2026-01-02T03:04:05Z".into()),
        };
        let meta = Map::from_iter([("httpStatus".to_owned(), json!(200))]);
        check(
            ContentBlock::text("hi").with_annotations(annotations).with_meta(meta),
            json!({
                "type": "text", "text": "hi",
                "annotations": {"audience": ["user", "assistant"], "priority": 0.5, "lastModified": "2026-01-02T03:04:05Z"},
                "_meta": {"httpStatus": 200},
            }),
        );
    }
}
