//! The body of an operation: which of its media types is sent, and as what.

use serde_json::{Map, Value};

use super::parameters::{collection_form, styled};
use super::{Reader, Shape, ShapeKind, texts};
use crate::document::Place;
use crate::operation::{Body, BodyKind, Field, Form, Location, Style};

/// The name of the argument, whatever the body is.
pub(super) const ARGUMENT: &str = "body";

const FORM: &str = "application/x-www-form-urlencoded";
const MULTIPART: &str = "multipart/form-data";
const JSON: &str = "application/json";

pub(super) fn is_json(media_type: &str) -> bool {
    let essence = essence(media_type);
    essence == JSON || essence.ends_with("+json") || essence == "*/*" || essence == "application/*"
}

/// The media type without its parameters.
fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn is_text(essence: &str) -> bool {
    essence.starts_with("text/")
        || ["xml", "yaml", "javascript", "graphql", "x-ndjson", "sql", "csv"].iter().any(|word| essence.ends_with(word))
}

impl<'a> Reader<'a> {
    /// OpenAPI 3: `requestBody`.
    pub(super) fn body_of_content(&self, operation: Place<'a>) -> Result<Option<(Body, Shape<'a>)>, String> {
        let Some(body) = operation.get("requestBody") else { return Ok(None) };
        let body = self.document.resolved(body).map_err(|reason| format!("the request body: {reason}"))?;
        let Some(content) = body.value.get("content").and_then(Value::as_object).filter(|content| !content.is_empty())
        else {
            return Ok(None);
        };
        let Some((media_type, media)) = preferred(content) else { return Ok(None) };
        let media = self.document.resolved(body.with(media)).unwrap_or_else(|_| body.with(media));
        let (kind, shape) = self.kind_of_media(media_type, media);
        let mut shape = Shape::new(shape, body.value);
        shape.example = media.value.get("example");
        let required = body.value.get("required") == Some(&Value::Bool(true));
        Ok(Some((Body { argument: ARGUMENT.to_owned(), required, media_type: sent_as(media_type), kind }, shape)))
    }

    fn kind_of_media(&self, media_type: &str, media: Place<'a>) -> (BodyKind, ShapeKind<'a>) {
        let schema = media.get("schema");
        let plain = |place: Option<Place<'a>>| place.map_or(ShapeKind::Text, ShapeKind::Schema);
        let essence = essence(media_type);
        if is_json(&essence) {
            let anything = Place { part: media.part, value: const { &Value::Bool(true) } };
            return (BodyKind::Json, ShapeKind::Schema(schema.unwrap_or(anything)));
        }
        if essence == FORM || essence.starts_with("multipart/") {
            let fields = schema.map(|schema| self.fields(media, schema)).unwrap_or_default();
            let shape = schema.map_or(ShapeKind::Fields(Vec::new()), ShapeKind::FormSchema);
            let kind = if essence == FORM { BodyKind::Form(fields) } else { BodyKind::Multipart(fields) };
            return (kind, shape);
        }
        if is_text(&essence) {
            let is_written = schema.and_then(|schema| self.document.resolved(schema).ok());
            let is_string = is_written.is_some_and(|schema| schema.value.get("type") == Some(&Value::from("string")));
            return (BodyKind::Text, plain(schema.filter(|_| is_string)));
        }
        (BodyKind::Binary, ShapeKind::File)
    }

    /// What the document says about single fields of a form.
    fn fields(&self, media: Place<'a>, schema: Place<'a>) -> Vec<Field> {
        let schema = self.document.resolved(schema).unwrap_or(schema);
        let mut fields = Vec::new();
        let properties = schema.value.get("properties").and_then(Value::as_object).into_iter().flatten();
        for (name, property) in properties {
            let property = self.document.resolved(schema.with(property)).unwrap_or(schema.with(property));
            let encoding = media.value.get("encoding").and_then(|encoding| encoding.get(name));
            fields.push(field(name, property.value, encoding));
        }
        fields
    }

    /// Swagger 2.0: parameters in `body` and `formData`.
    pub(super) fn body_of_parameters(
        &self,
        item: Place<'a>,
        operation: Place<'a>,
    ) -> Result<Option<(Body, Shape<'a>)>, String> {
        let all = self.all_parameters(item, operation)?;
        let is_in = |place: &Place<'a>, wanted: &str| place.value.get("in").and_then(Value::as_str) == Some(wanted);
        let consumes = texts(self.of_operation_or_root(operation, "consumes"));
        if let Some(body) = all.iter().find(|place| is_in(place, "body")) {
            return Ok(Some(self.whole_body(*body, &consumes)));
        }
        let form: Vec<Place<'a>> = all.into_iter().filter(|place| is_in(place, "formData")).collect();
        if form.is_empty() {
            return Ok(None);
        }
        Ok(Some(form_body(&form, &consumes)))
    }

    fn whole_body(&self, body: Place<'a>, consumes: &[String]) -> (Body, Shape<'a>) {
        let media_type = consumes.iter().find(|media_type| is_json(media_type)).or(consumes.first());
        let media_type = media_type.map_or(JSON, String::as_str);
        let (kind, shape) = match self.kind_of_media(media_type, body) {
            // Swagger 2.0 has forms in parameters of their own.
            (BodyKind::Form(_) | BodyKind::Multipart(_), _) => {
                (BodyKind::Json, body.get("schema").map_or(ShapeKind::Text, ShapeKind::Schema))
            }
            other => other,
        };
        let media_type = if kind == BodyKind::Json && !is_json(media_type) { JSON } else { media_type };
        let required = body.value.get("required") == Some(&Value::Bool(true));
        let written = Body { argument: ARGUMENT.to_owned(), required, media_type: sent_as(media_type), kind };
        (written, Shape::new(shape, body.value))
    }
}

/// JSON where there is any, then forms, then texts, then anything.
fn preferred(content: &Map<String, Value>) -> Option<(&String, &Value)> {
    let rank = |media_type: &str| {
        let essence = essence(media_type);
        match essence.as_str() {
            JSON => 0,
            FORM => 2,
            _ if is_json(&essence) => 1,
            _ if essence.starts_with("multipart/") => 3,
            _ if is_text(&essence) => 4,
            _ => 5,
        }
    };
    content.iter().min_by_key(|(media_type, _)| rank(media_type))
}

/// A range such as `*/*` is no type to send.
fn sent_as(media_type: &str) -> String {
    let is_sound = media_type.is_ascii() && !media_type.contains(['\r', '\n']) && media_type.contains('/');
    match essence(media_type).as_str() {
        "*/*" | "application/*" => JSON.to_owned(),
        essence if essence.starts_with("multipart/") => essence.to_owned(),
        essence if essence.contains('*') || !is_sound => "application/octet-stream".to_owned(),
        _ => media_type.trim().to_owned(),
    }
}

fn field(name: &str, property: &Value, encoding: Option<&Value>) -> Field {
    let said = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let items = property.get("items").unwrap_or(property);
    let is_file = [property, items].iter().any(|schema| is_file_schema(schema));
    let media_type = encoding.and_then(|encoding| said(encoding, "contentType"));
    let style = encoding.and_then(|encoding| said(encoding, "style")).and_then(|style| styled(&style, Location::Query));
    let explode = encoding.and_then(|encoding| encoding.get("explode")?.as_bool());
    let form = (style.is_some() || explode.is_some()).then(|| {
        let style = style.unwrap_or(Style::Form);
        Form::Styled { style, explode: explode.unwrap_or(style == Style::Form), allow_reserved: false }
    });
    let media_type = media_type.map(|list| list.split(',').next().unwrap_or_default().trim().to_owned());
    let media_type = media_type.filter(|media_type| media_type.is_ascii() && !media_type.contains(['\r', '\n', '*']));
    Field { name: name.to_owned(), is_file, media_type, form }
}

/// Whether a schema in a form stands for a file.
pub(crate) fn is_file_schema(schema: &Value) -> bool {
    let is = |key: &str, wanted: &str| schema.get(key).and_then(Value::as_str) == Some(wanted);
    is("type", "file") || is("format", "binary") || is("contentMediaType", "application/octet-stream")
}

fn form_body<'a>(form: &[Place<'a>], consumes: &[String]) -> (Body, Shape<'a>) {
    let has_file = form.iter().any(|place| is_file_schema(place.value));
    let is_multipart = has_file || (consumes.iter().any(|m| m == MULTIPART) && !consumes.iter().any(|m| m == FORM));
    let mut fields = Vec::new();
    let mut shapes = Vec::new();
    for place in form {
        let Some(name) = place.value.get("name").and_then(Value::as_str) else { continue };
        let is_file = is_file_schema(place.value);
        let form = (!is_file).then(|| collection_form(place.value, Location::Query));
        fields.push(Field { name: name.to_owned(), is_file, media_type: None, form });
        let kind = if is_file { ShapeKind::File } else { ShapeKind::Schema(*place) };
        let required = place.value.get("required") == Some(&Value::Bool(true));
        shapes.push((name.to_owned(), required, Shape::new(kind, place.value)));
    }
    let required = shapes.iter().any(|(_, required, _)| *required);
    let (media_type, kind) =
        if is_multipart { (MULTIPART, BodyKind::Multipart(fields)) } else { (FORM, BodyKind::Form(fields)) };
    let body = Body { argument: ARGUMENT.to_owned(), required, media_type: media_type.to_owned(), kind };
    (body, Shape { kind: ShapeKind::Fields(shapes), description: None, example: None })
}
