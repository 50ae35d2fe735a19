//! The body of a request in its media type.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE};
use serde_json::{Map, Value};

use super::{Part, Request, plain, query_pairs, sound_header};
use crate::error::CallError;
use crate::operation::{Body, BodyKind, Field, Form, Operation};

/// Puts the body of a call into its request, if it has one.
pub(super) fn put(
    request: &mut Request,
    operation: &Operation,
    arguments: &Map<String, Value>,
) -> Result<(), CallError> {
    let Some(body) = &operation.body else { return Ok(()) };
    let Some(value) = arguments.get(&body.argument) else {
        if body.required {
            return Err(CallError::argument(&body.argument, "is required but missing"));
        }
        return Ok(());
    };
    let (media_type, bytes) = written(body, value)?;
    sound_header(&body.argument, &media_type)?;
    request.headers.push(("content-type".to_owned(), media_type));
    request.body = Some(bytes);
    Ok(())
}

fn written(body: &Body, value: &Value) -> Result<(String, Vec<u8>), CallError> {
    let media_type = body.media_type.clone();
    match &body.kind {
        BodyKind::Json => Ok((media_type, value.to_string().into_bytes())),
        BodyKind::Text => Ok((media_type, plain(value).into_bytes())),
        BodyKind::Form(fields) => Ok((media_type, form(body, fields, value)?.into_bytes())),
        BodyKind::Multipart(fields) => multipart(body, fields, value),
        BodyKind::Binary => {
            let file = File::read(&body.argument, value)?;
            Ok((file.media_type.unwrap_or(media_type), file.bytes))
        }
    }
}

fn fields_of<'a>(body: &Body, value: &'a Value) -> Result<&'a Map<String, Value>, CallError> {
    value.as_object().ok_or_else(|| CallError::argument(&body.argument, "must be an object: it is sent as a form"))
}

fn form(body: &Body, fields: &[Field], value: &Value) -> Result<String, CallError> {
    let mut pairs = Vec::new();
    for (name, value) in fields_of(body, value)? {
        let said = fields.iter().find(|field| field.name == *name).and_then(|field| field.form);
        // Nested values of a form have no style of their own; brackets are what services read.
        let nested = Form::Styled { style: crate::operation::Style::DeepObject, explode: true, allow_reserved: false };
        let has_objects = value.is_object() || value.as_array().is_some_and(|items| items.iter().any(Value::is_object));
        let form = said.unwrap_or(if has_objects { nested } else { Form::PLAIN });
        pairs.extend(query_pairs(name, value, form, Part::FormBody));
    }
    Ok(pairs.join("&"))
}

fn multipart(body: &Body, fields: &[Field], value: &Value) -> Result<(String, Vec<u8>), CallError> {
    let mut parts = Vec::new();
    for (name, value) in fields_of(body, value)? {
        let field = fields.iter().find(|field| field.name == *name);
        let is_file = field.is_some_and(|field| field.is_file);
        let said = field.and_then(|field| field.media_type.clone());
        let values = match value {
            Value::Array(items) if said.is_none() => items.iter().collect(),
            Value::Null => Vec::new(),
            Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => vec![value],
        };
        for value in values {
            parts.push(part(&body.argument, name, value, is_file, said.as_deref())?);
        }
    }
    let boundary = boundary(&parts);
    let mut bytes = Vec::new();
    for (head, content) in &parts {
        bytes.extend_from_slice(format!("--{boundary}\r\n{head}\r\n\r\n").as_bytes());
        bytes.extend_from_slice(content);
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    Ok((format!("{}; boundary={boundary}", body.media_type), bytes))
}

/// The lines before a part, and the part.
fn part(
    argument: &str,
    name: &str,
    value: &Value,
    is_file: bool,
    said: Option<&str>,
) -> Result<(String, Vec<u8>), CallError> {
    let disposition = format!("content-disposition: form-data; name=\"{}\"", quoted(name));
    if is_file {
        let file = File::read(&format!("{argument}.{name}"), value)?;
        let filename = file.filename.as_deref().unwrap_or("file");
        let media_type = file.media_type.as_deref().or(said).unwrap_or("application/octet-stream");
        sound_header(argument, media_type)?;
        let head = format!("{disposition}; filename=\"{}\"\r\ncontent-type: {media_type}", quoted(filename));
        return Ok((head, file.bytes));
    }
    let is_nested = value.is_object() || value.is_array();
    let media_type = said.or(is_nested.then_some("application/json"));
    let head =
        media_type.map_or(disposition.clone(), |media_type| format!("{disposition}\r\ncontent-type: {media_type}"));
    Ok((head, plain(value).into_bytes()))
}

/// A name within quotes, as browsers write it.
fn quoted(name: &str) -> String {
    name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A")
}

/// A line that no part holds; made of the parts, so that the same call is the same request.
fn boundary(parts: &[(String, Vec<u8>)]) -> String {
    let mut hasher = blake3::Hasher::new();
    for (head, content) in parts {
        hasher.update(head.as_bytes()).update(content);
    }
    format!("trailmark-{}", &hasher.finalize().to_hex()[..32])
}

/// A file as it is given.
struct File {
    bytes: Vec<u8>,
    filename: Option<String>,
    media_type: Option<String>,
}

impl File {
    fn read(argument: &str, value: &Value) -> Result<Self, CallError> {
        let text = |key: &str| value.get(key).and_then(Value::as_str);
        let bytes = match (text("text"), text("base64"), value.as_str()) {
            (Some(text), None, _) => text.as_bytes().to_vec(),
            (None, Some(encoded), _) | (None, None, Some(encoded)) => decoded(encoded).ok_or_else(|| {
                CallError::argument(argument, "is not valid base64; give `text` for content that is text")
            })?,
            (Some(_), Some(_), _) => {
                return Err(CallError::argument(argument, "has both `text` and `base64`; give one of them"));
            }
            (None, None, None) => {
                return Err(CallError::argument(argument, "needs the file's content, as `text` or `base64`"));
            }
        };
        let said = |key: &str| text(key).map(str::to_owned);
        Ok(Self { bytes, filename: said("filename"), media_type: said("content_type") })
    }
}

fn decoded(text: &str) -> Option<Vec<u8>> {
    let compact: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    [STANDARD, STANDARD_NO_PAD, URL_SAFE].iter().find_map(|engine| engine.decode(&compact).ok())
}
