//! How a value is written in a path, a query, a header or a cookie: the table of RFC 6570, and what OpenAPI adds to it.

use serde_json::Value;

use super::plain;
use crate::operation::{Form, Parameter, Style};

/// Where a value stands, which decides what must be encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Path,
    Query {
        allow_reserved: bool,
    },
    /// In the body of a form, where a blank may be a plus.
    FormBody,
    Cookie,
}

/// The text with everything percent-encoded that means something else in this part.
pub(crate) fn encoded(text: &str, part: Part) -> String {
    let mut written = String::with_capacity(text.len());
    for byte in text.bytes() {
        let stays = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) || stays_in(byte, part);
        if stays {
            written.push(char::from(byte));
        } else if part == Part::FormBody && byte == b' ' {
            written.push('+');
        } else {
            written.push_str(&format!("%{byte:02X}"));
        }
    }
    written
}

fn stays_in(byte: u8, part: Part) -> bool {
    match part {
        // What separates pairs or begins a fragment is encoded in any case: a value must not become a second parameter.
        Part::Query { allow_reserved: true } => b":/?@!$'()*,;=".contains(&byte),
        Part::Cookie => b"!#$&'()*+/:<=>?@[]^`{|}".contains(&byte),
        Part::Path | Part::Query { .. } | Part::FormBody => false,
    }
}

/// The value of a parameter in the path, with what its style puts before it.
pub(super) fn path(parameter: &Parameter, value: &Value) -> String {
    let write = |text: &str| encoded(text, Part::Path);
    let (style, explode) = styled(parameter.form);
    let name = write(&parameter.name);
    match style {
        Style::Label => {
            let separator = if explode { "." } else { "," };
            format!(".{}", joined(value, explode, separator, &write))
        }
        Style::Matrix => matrix(&name, value, explode, &write),
        Style::SpaceDelimited => joined(value, explode, "%20", &write),
        Style::PipeDelimited => joined(value, explode, "%7C", &write),
        Style::TabDelimited => joined(value, explode, "%09", &write),
        Style::Simple | Style::Form | Style::DeepObject if matches!(parameter.form, Form::Json) => {
            write(&value.to_string())
        }
        Style::Simple | Style::Form | Style::DeepObject => joined(value, explode, ",", &write),
    }
}

/// The value of a parameter in a header, where nothing is encoded.
pub(super) fn header(parameter: &Parameter, value: &Value) -> String {
    let (_, explode) = styled(parameter.form);
    match parameter.form {
        Form::Json => value.to_string(),
        Form::Styled { .. } => joined(value, explode, ",", &str::to_owned),
    }
}

/// The pairs of a parameter in the query.
pub(super) fn query(parameter: &Parameter, value: &Value) -> Vec<String> {
    let allow_reserved = matches!(parameter.form, Form::Styled { allow_reserved: true, .. });
    pairs(&parameter.name, value, parameter.form, Part::Query { allow_reserved })
}

/// The pairs of a field of a form.
pub(crate) fn query_pairs(name: &str, value: &Value, form: Form, part: Part) -> Vec<String> {
    pairs(name, value, form, part)
}

/// The pairs of a parameter in the `Cookie` header.
pub(super) fn cookie(parameter: &Parameter, value: &Value) -> Vec<String> {
    pairs(&parameter.name, value, parameter.form, Part::Cookie)
}

fn pairs(name: &str, value: &Value, form: Form, part: Part) -> Vec<String> {
    let write = |text: &str| encoded(text, part);
    let pair = |name: &str, text: &str| format!("{}={text}", write(name));
    let (style, explode) = styled(form);
    if matches!(form, Form::Json) {
        return vec![pair(name, &write(&value.to_string()))];
    }
    if style == Style::DeepObject {
        let mut found = Vec::new();
        deep(name, value, &mut |name, text| found.push(pair(name, &write(text))));
        return found;
    }
    match value {
        Value::Array(items) if explode => items.iter().map(|item| pair(name, &write(&plain(item)))).collect(),
        Value::Object(fields) if explode => fields
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| pair(name, &write(&plain(value))))
            .collect(),
        Value::Array(items) if items.is_empty() => Vec::new(),
        Value::Object(fields) if fields.is_empty() => Vec::new(),
        Value::Array(_) | Value::Object(_) => {
            let separator = match (style, part) {
                (Style::SpaceDelimited, Part::FormBody) => "+",
                (Style::SpaceDelimited, _) => "%20",
                (Style::PipeDelimited, _) => "%7C",
                (Style::TabDelimited, _) => "%09",
                _ => ",",
            };
            vec![pair(name, &joined(value, false, separator, &write))]
        }
        Value::Null => Vec::new(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => vec![pair(name, &write(&plain(value)))],
    }
}

/// `name[a][b]=c` for what is nested.
fn deep(name: &str, value: &Value, found: &mut dyn FnMut(&str, &str)) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(field, value)| deep(&format!("{name}[{field}]"), value, found))
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, value)| deep(&format!("{name}[{index}]"), value, found));
        }
        Value::Null => {}
        Value::Bool(_) | Value::Number(_) | Value::String(_) => found(name, &plain(value)),
    }
}

fn matrix(name: &str, value: &Value, explode: bool, write: &dyn Fn(&str) -> String) -> String {
    match value {
        Value::Array(items) if explode => items.iter().map(|item| format!(";{name}={}", write(&plain(item)))).collect(),
        Value::Object(fields) if explode => {
            fields.iter().map(|(field, value)| format!(";{}={}", write(field), write(&plain(value)))).collect()
        }
        Value::String(text) if text.is_empty() => format!(";{name}"),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            format!(";{name}={}", joined(value, false, ",", write))
        }
    }
}

/// A list, or the names and values of an object, one after the other.
fn joined(value: &Value, explode: bool, separator: &str, write: &dyn Fn(&str) -> String) -> String {
    match value {
        Value::Array(items) => items.iter().map(|item| write(&plain(item))).collect::<Vec<_>>().join(separator),
        Value::Object(fields) => {
            let between = if explode { "=" } else { separator };
            let fields = fields.iter().map(|(name, value)| format!("{}{between}{}", write(name), write(&plain(value))));
            fields.collect::<Vec<_>>().join(separator)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => write(&plain(value)),
    }
}

fn styled(form: Form) -> (Style, bool) {
    match form {
        Form::Styled { style, explode, .. } => (style, explode),
        Form::Json => (Style::Simple, false),
    }
}
