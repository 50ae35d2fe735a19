//! The parameters of an operation: those of its path as well, each once, and where and how they are written.

use serde_json::Value;

use super::{Reader, Shape, ShapeKind};
use crate::document::{Place, Version};
use crate::operation::{Form, Location, Parameter, Style};
use crate::request::{is_forbidden_header, placeholders};

/// What a parameter of a document is, whatever the version.
const IN_BODY: &[&str] = &["body", "formData"];

impl<'a> Reader<'a> {
    /// Every parameter outside of the body, without those that nobody may set.
    pub(super) fn parameters(
        &self,
        path: &str,
        item: Place<'a>,
        operation: Place<'a>,
    ) -> Result<Vec<(Parameter, Shape<'a>)>, String> {
        let in_path = placeholders(path);
        let mut found = Vec::new();
        for place in self.all_parameters(item, operation)? {
            let said = place.value.get("in").and_then(Value::as_str).unwrap_or_default();
            if IN_BODY.contains(&said) {
                continue;
            }
            let name = place.value.get("name").and_then(Value::as_str).ok_or("a parameter has no name")?;
            let location =
                location(said).ok_or_else(|| format!("the parameter `{name}` is in `{said}`, which is no place"))?;
            let is_placed = location != Location::Path || in_path.contains(&name);
            if !is_placed || self.is_reserved(location, name) {
                continue;
            }
            let parameter = Parameter {
                argument: String::new(),
                name: name.to_owned(),
                location,
                required: location == Location::Path || place.value.get("required") == Some(&Value::Bool(true)),
                form: self.form(place, location),
            };
            found.push((parameter, Shape::new(self.shape(place), place.value)));
        }
        for name in in_path {
            let is_declared =
                |(parameter, _): &(Parameter, _)| parameter.location == Location::Path && parameter.name == name;
            if !found.iter().any(is_declared) {
                found.push(undeclared(name));
            }
        }
        Ok(found)
    }

    /// Those of the path and those of the operation, which replace the former where they have their name and place.
    pub(super) fn all_parameters(&self, item: Place<'a>, operation: Place<'a>) -> Result<Vec<Place<'a>>, String> {
        let mut all: Vec<Place<'a>> = Vec::new();
        for owner in [item, operation] {
            let list = owner.value.get("parameters").and_then(Value::as_array).into_iter().flatten();
            for parameter in list {
                let place =
                    self.document.resolved(owner.with(parameter)).map_err(|reason| format!("a parameter: {reason}"))?;
                let key = |place: &Place<'a>| [place.value.get("name").cloned(), place.value.get("in").cloned()];
                match all.iter_mut().find(|other| key(other) == key(&place)) {
                    Some(other) => *other = place,
                    None => all.push(place),
                }
            }
        }
        Ok(all)
    }

    /// Credentials and what belongs to the connection are no arguments.
    fn is_reserved(&self, location: Location, name: &str) -> bool {
        let is_key = |(place, key): &(Location, String)| {
            *place == location
                && if location == Location::Header { key.eq_ignore_ascii_case(name) } else { key == name }
        };
        (location == Location::Header && is_forbidden_header(name)) || self.reserved.iter().any(is_key)
    }

    fn shape(&self, place: Place<'a>) -> ShapeKind<'a> {
        if self.document.version == Version::Swagger2 {
            return ShapeKind::Schema(place);
        }
        let content = place.value.get("content").and_then(Value::as_object);
        let in_content = content.and_then(|content| content.values().next()?.get("schema"));
        match place.value.get("schema").or(in_content) {
            Some(schema) => ShapeKind::Schema(place.with(schema)),
            None => ShapeKind::Text,
        }
    }

    fn form(&self, place: Place<'a>, location: Location) -> Form {
        if self.document.version == Version::Swagger2 {
            return collection_form(place.value, location);
        }
        if place.value.get("content").is_some_and(Value::is_object) {
            return Form::Json;
        }
        let style = place.value.get("style").and_then(Value::as_str).and_then(|style| styled(style, location));
        let style = style.unwrap_or_else(|| usual_style(location));
        let explode = place.value.get("explode").and_then(Value::as_bool).unwrap_or(style == Style::Form);
        let allow_reserved =
            place.value.get("allowReserved") == Some(&Value::Bool(true)) && location == Location::Query;
        Form::Styled { style, explode, allow_reserved }
    }
}

/// A placeholder that the document forgot to describe.
fn undeclared<'a>(name: &str) -> (Parameter, Shape<'a>) {
    let form = Form::Styled { style: Style::Simple, explode: false, allow_reserved: false };
    let location = Location::Path;
    let parameter = Parameter { argument: String::new(), name: name.to_owned(), location, required: true, form };
    (parameter, Shape { kind: ShapeKind::Text, description: None, example: None })
}

fn location(said: &str) -> Option<Location> {
    Some(match said {
        "path" => Location::Path,
        "query" => Location::Query,
        "header" => Location::Header,
        "cookie" => Location::Cookie,
        _ => return None,
    })
}

fn usual_style(location: Location) -> Style {
    match location {
        Location::Path | Location::Header => Style::Simple,
        Location::Query | Location::Cookie => Style::Form,
    }
}

/// The style of this name, where the place has it.
pub(super) fn styled(name: &str, location: Location) -> Option<Style> {
    Some(match (name, location) {
        ("simple", Location::Path | Location::Header) => Style::Simple,
        ("label", Location::Path) => Style::Label,
        ("matrix", Location::Path) => Style::Matrix,
        ("form", Location::Query | Location::Cookie) => Style::Form,
        ("spaceDelimited", Location::Query) => Style::SpaceDelimited,
        ("pipeDelimited", Location::Query) => Style::PipeDelimited,
        ("deepObject", Location::Query) => Style::DeepObject,
        _ => return None,
    })
}

/// Swagger 2.0 writes lists in one of five ways.
pub(super) fn collection_form(parameter: &Value, location: Location) -> Form {
    let said = parameter.get("collectionFormat").and_then(Value::as_str).unwrap_or("csv");
    let (style, explode) = match (said, location) {
        ("multi", Location::Query) => (Style::Form, true),
        ("ssv", _) => (Style::SpaceDelimited, false),
        ("pipes", _) => (Style::PipeDelimited, false),
        ("tsv", _) => (Style::TabDelimited, false),
        _ => (usual_style(location), false),
    };
    Form::Styled { style, explode, allow_reserved: false }
}
