//! What a service answered, as content blocks that fit into one answer.

use ::openapi::{CallError, Called, Reply};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::answer::indented;
use crate::budget::json_length;
use crate::content::{Annotations, BlockBody, ContentBlock, ResourceBody};
use crate::error::{ErrorKind, ToolError};
use crate::output::Blocks;

/// What the protocol, `_meta` and remarks take of an answer.
const AROUND: usize = 6 * 1024;
const REST: &str = "Ask for less: most services have parameters for pages, fields or filters.";

/// The blocks of a call. `lacks` names the API where it asks for credentials and has none.
pub(super) fn blocks(called: Called, lacks: Option<&str>, answer_bytes: usize) -> Result<Blocks, ToolError> {
    let Called { method, url, ended } = called;
    let mut meta = Map::new();
    if let Ok(reply) = &ended {
        meta.insert("httpStatus".to_owned(), json!(reply.status));
    }
    meta.insert("method".to_owned(), json!(method));
    if let Some(url) = &url {
        meta.insert("url".to_owned(), json!(url));
    }
    meta.insert("timestamp".to_owned(), json!(Timestamp::now().to_string()));
    let room = answer_bytes.saturating_sub(AROUND + meta_length(&meta)).max(1024);
    let reply = match (ended, &url) {
        (Ok(reply), _) => reply,
        (Err(error), Some(_)) => return Ok(failure(&error, meta)),
        (Err(error), None) => return Err(refused(error)),
    };
    let is_good = (200..300).contains(&reply.status);
    let status = reply.status;
    let (mut blocks, structured) = content(reply, url.as_deref().unwrap_or_default(), room);
    if let Some(api) = lacks.filter(|_| matches!(status, 401 | 403)) {
        blocks.push(ContentBlock::text(credentials_hint(api)));
    }
    Ok(Blocks { blocks, structured, meta, failed: !is_good })
}

fn meta_length(meta: &Map<String, Value>) -> usize {
    // On each of up to three blocks.
    json_length(meta).saturating_mul(3)
}

/// The environment has the credentials; which variables is said to whoever can set them.
fn credentials_hint(api: &str) -> String {
    let name = api.to_uppercase().replace('-', "_");
    format!(
        "This API asks for credentials and none are set. Whoever runs the server can set TRAILMARK_API_{name}_TOKEN, \
         TRAILMARK_API_{name}_KEY, or TRAILMARK_API_{name}_USER and TRAILMARK_API_{name}_PASSWORD."
    )
}

/// A call that never became a request.
fn refused(error: CallError) -> ToolError {
    let kind = match &error {
        CallError::Argument { .. } => ErrorKind::InvalidArgument,
        CallError::Setup { .. } | CallError::Refused { .. } => ErrorKind::Forbidden,
        CallError::NoConnection { .. } | CallError::Timeout { .. } => ErrorKind::Upstream,
    };
    ToolError::new(kind, error.to_string())
}

/// A request that got no answer.
fn failure(error: &CallError, meta: Map<String, Value>) -> Blocks {
    let text = format!("Error: {error}");
    Blocks { blocks: vec![ContentBlock::text(text)], structured: None, meta, failed: true }
}

fn content(reply: Reply, url: &str, room: usize) -> (Vec<ContentBlock>, Option<Value>) {
    let annotations =
        reply.last_modified.map(|time| Annotations { last_modified: Some(time.to_string()), ..Annotations::default() });
    let (mut blocks, structured) = unannotated(reply, url, room);
    if let Some(annotations) = annotations {
        blocks = blocks.into_iter().map(|block| block.with_annotations(annotations.clone())).collect();
    }
    (blocks, structured)
}

fn unannotated(reply: Reply, url: &str, room: usize) -> (Vec<ContentBlock>, Option<Value>) {
    let Reply { status, media_type, body, is_cut, .. } = reply;
    let media_type = media_type.unwrap_or_default();
    let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if body.is_empty() {
        return (vec![ContentBlock::text(format!("The service answered with status {status} and no content."))], None);
    }
    let is_json = essence.ends_with("/json") || essence.ends_with("+json") || essence.is_empty();
    if is_json
        && !is_cut
        && let Ok(value) = serde_json::from_slice::<Value>(&body)
    {
        return json_blocks(value, room);
    }
    let is_picture = essence.starts_with("image/") && essence != "image/svg+xml";
    let is_sound = essence.starts_with("audio/");
    match String::from_utf8(body) {
        Ok(text) if !is_picture && !is_sound && is_readable(&essence, &text) => (text_blocks(text, is_cut, room), None),
        Ok(text) => (vec![binary(text.into_bytes(), &essence, url, room, is_cut)], None),
        Err(bytes) => (vec![binary(bytes.into_bytes(), &essence, url, room, is_cut)], None),
    }
}

/// Whether a text is meant to be read as one.
fn is_readable(essence: &str, text: &str) -> bool {
    let is_declared_binary = matches!(essence, "application/octet-stream" | "application/zip" | "application/pdf")
        || essence.starts_with("video/")
        || essence.starts_with("font/");
    !is_declared_binary && !text.contains('\0')
}

fn binary(bytes: Vec<u8>, essence: &str, url: &str, room: usize, is_cut: bool) -> ContentBlock {
    let encoded_length = bytes.len().div_ceil(3) * 4;
    if is_cut || encoded_length > room {
        let known = if is_cut { "more than ".to_owned() } else { String::new() };
        let mut link = ContentBlock::resource_link(url, None);
        if let BlockBody::ResourceLink { description, mime_type, .. } = &mut link.body {
            *description = Some(format!("{known}{} bytes, too long for an answer", bytes.len()));
            *mime_type = Some(essence.to_owned()).filter(|essence| !essence.is_empty());
        }
        return link;
    }
    let data = STANDARD.encode(&bytes);
    if essence.starts_with("image/") {
        return ContentBlock::image(data, essence);
    }
    if essence.starts_with("audio/") {
        return ContentBlock::audio(data, essence);
    }
    let mime_type = if essence.is_empty() { "application/octet-stream" } else { essence };
    ContentBlock::resource(ResourceBody::Blob {
        uri: url.to_owned(),
        mime_type: Some(mime_type.to_owned()),
        blob: data,
    })
}

fn text_blocks(text: String, is_cut: bool, room: usize) -> Vec<ContentBlock> {
    if !is_cut && json_length(&text) <= room {
        return vec![ContentBlock::text(text)];
    }
    let mut end = text.floor_char_boundary(room.min(text.len()));
    while json_length(&&text[..end]) > room {
        end = text.floor_char_boundary(end * 3 / 4);
    }
    let at_line = text[..end].rfind('\n').filter(|at| *at > end / 2).unwrap_or(end);
    let note = format!("The answer was too long and is cut after {at_line} of {} bytes. {REST}", text.len());
    vec![ContentBlock::text(note), ContentBlock::text(&text[..at_line])]
}

/// JSON as indented text and as structured content; a list is cut after as many items as fit.
fn json_blocks(value: Value, room: usize) -> (Vec<ContentBlock>, Option<Value>) {
    if cost(&value) <= room {
        return (vec![ContentBlock::text(indented(&value))], Some(structured(value)));
    }
    let Some((total, shortened)) = longest_list(&value) else {
        return (text_blocks(indented(&value), false, room), None);
    };
    let (mut fitting, mut too_many) = (0, total);
    while too_many - fitting > 1 {
        let middle = fitting.midpoint(too_many);
        if cost(&shortened(middle)) <= room { fitting = middle } else { too_many = middle }
    }
    if fitting == 0 {
        return (text_blocks(indented(&value), false, room), None);
    }
    let kept = shortened(fitting);
    let note = format!("Only the first {fitting} of {total} items fit into one answer. {REST}");
    (vec![ContentBlock::text(note), ContentBlock::text(indented(&kept))], Some(structured(kept)))
}

/// Once as text, once as structured content.
fn cost(value: &Value) -> usize {
    json_length(&indented(value)) + json_length(value)
}

/// A value with only so many items of its list.
type Shortened<'a> = Box<dyn Fn(usize) -> Value + 'a>;

/// How long the list is that the value is or holds, and the value with only so many items of it.
fn longest_list(value: &Value) -> Option<(usize, Shortened<'_>)> {
    if let Value::Array(items) = value {
        return Some((items.len(), Box::new(|count| Value::Array(items[..count].to_vec()))));
    }
    let fields = value.as_object()?;
    let lists = fields.iter().filter_map(|(name, field)| Some((name, field.as_array()?)));
    let (name, items) = lists.max_by_key(|(_, items)| json_length(items))?;
    Some((
        items.len(),
        Box::new(move |count| {
            let mut kept = fields.clone();
            kept.insert(name.clone(), Value::Array(items[..count].to_vec()));
            Value::Object(kept)
        }),
    ))
}

/// Clients before the newest revision take only objects.
fn structured(value: Value) -> Value {
    if value.is_object() { value } else { json!({"result": value}) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(media_type: &str, body: &[u8]) -> Reply {
        let media_type = Some(media_type.to_owned()).filter(|media_type| !media_type.is_empty());
        Reply { status: 200, media_type, last_modified: None, body: body.to_vec(), is_cut: false }
    }

    fn shown(reply: Reply) -> (Value, Option<Value>, bool) {
        let url = Some("https://example.com/files/a.bin".to_owned());
        let blocks = blocks(Called { method: "GET", url, ended: Ok(reply) }, None, 200_000).unwrap();
        (serde_json::to_value(&blocks.blocks).unwrap(), blocks.structured, blocks.failed)
    }

    #[test]
    fn json_is_text_and_structured_content_whatever_it_is() {
        let (content, structured, failed) = shown(reply("application/json; charset=utf-8", b"{\"a\":1}"));
        assert_eq!(content, json!([{"type": "text", "text": "{\n  \"a\": 1\n}"}]));
        assert_eq!((structured, failed), (Some(json!({"a": 1})), false));
        for (body, expected) in
            [("[]", json!([])), ("0", json!(0)), ("false", json!(false)), ("\"\"", json!("")), ("null", json!(null))]
        {
            let (content, structured, _) = shown(reply("application/problem+json", body.as_bytes()));
            assert_eq!(content[0]["text"], body);
            assert_eq!(structured, Some(json!({"result": expected})));
        }
    }

    #[test]
    fn pictures_sounds_and_bytes_have_blocks_of_their_own() {
        assert_eq!(
            shown(reply("image/png", b"\x89PNG")).0,
            json!([{"type": "image", "data": "iVBORw==", "mimeType": "image/png"}])
        );
        assert_eq!(
            shown(reply("audio/wav", b"hi")).0,
            json!([{"type": "audio", "data": "aGk=", "mimeType": "audio/wav"}])
        );
        assert_eq!(
            shown(reply("application/zip", b"PK\xff")).0,
            json!([{"type": "resource", "resource": {"uri": "https://example.com/files/a.bin", "mimeType": "application/zip", "blob": "UEv/"}}])
        );
        assert_eq!(shown(reply("text/csv", b"a,b\n")).0, json!([{"type": "text", "text": "a,b\n"}]));
        assert_eq!(shown(reply("", b"plain")).0, json!([{"type": "text", "text": "plain"}]));
    }

    #[test]
    fn what_is_too_long_is_linked_or_cut_and_says_so() {
        let (content, ..) = shown(reply("image/png", &vec![7; 200_000]));
        assert_eq!(content[0]["type"], "resource_link");
        assert_eq!(content[0]["name"], "a.bin");
        assert_eq!(content[0]["description"], "200000 bytes, too long for an answer");
        let items: Vec<Value> = (0..5_000).map(|n| json!({"id": n, "text": "some words"})).collect();
        let (content, structured, _) =
            shown(reply("application/json", json!({"items": items, "next": 2}).to_string().as_bytes()));
        let note = content[0]["text"].as_str().unwrap();
        let kept = structured.unwrap()["items"].as_array().unwrap().len();
        assert!(note.starts_with(&format!("Only the first {kept} of 5000 items")), "{note}");
        let (content, ..) = shown(reply("text/plain", "line\n".repeat(100_000).as_bytes()));
        assert!(content[0]["text"].as_str().unwrap().contains("is cut after"), "{}", content[0]);
        assert!(content.to_string().len() < 200_000);
    }

    #[test]
    fn a_status_that_is_not_good_is_a_failure_with_the_body() {
        let called = Called {
            method: "GET",
            url: Some("https://example.com/".into()),
            ended: Ok(Reply { status: 401, ..reply("text/plain", b"no") }),
        };
        let blocks = blocks(called, Some("pet-store"), 200_000).unwrap();
        assert!(blocks.failed);
        assert_eq!(blocks.meta["httpStatus"], 401);
        assert_eq!(blocks.blocks[0].as_text(), Some("no"));
        assert!(blocks.blocks[1].as_text().unwrap().contains("TRAILMARK_API_PET_STORE_TOKEN"));
    }

    #[test]
    fn a_request_that_got_no_answer_says_where_it_went() {
        let error = CallError::NoConnection { host: "example.com".into(), reason: "refused".into() };
        let called = Called { method: "POST", url: Some("https://example.com/a".into()), ended: Err(error) };
        let blocks = blocks(called, None, 200_000).unwrap();
        assert!(
            blocks.failed && blocks.meta["url"] == "https://example.com/a" && !blocks.meta.contains_key("httpStatus")
        );
        assert_eq!(blocks.blocks[0].as_text(), Some("Error: example.com does not answer: refused"));
    }
}
