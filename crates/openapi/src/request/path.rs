//! A path template and values → a path that cannot lead anywhere else.

use serde_json::Value;

use super::style;
use crate::document::percent_decoded;
use crate::error::CallError;
use crate::operation::Parameter;

/// Decoding this often finds every dot that somebody hid.
const MOST_DECODED: usize = 4;

/// The names in braces, in order, without what some frameworks put around them.
pub(crate) fn placeholders(template: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for piece in template.split('{').skip(1) {
        let Some((name, _)) = piece.split_once('}') else { continue };
        let name = bare(name);
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// `+name`, `name*`, `name:pattern` and `name=pattern` all mean `name`.
fn bare(name: &str) -> &str {
    let name = name.trim_start_matches(['+', '.', ';', '/', '*', '?', '&']);
    name.split([':', '=', '*']).next().unwrap_or_default().trim()
}

/// The template with each placeholder filled.
pub(super) fn filled<'a>(
    template: &str,
    value_of: impl Fn(&str) -> Option<(&'a Parameter, &'a Value)>,
) -> Result<String, CallError> {
    let mut path = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        path.push_str(before);
        let Some((name, following)) = after.split_once('}') else {
            path.push_str("%7B");
            rest = after;
            continue;
        };
        let name = bare(name);
        let (parameter, value) = value_of(name).ok_or_else(|| CallError::argument(name, "is required but missing"))?;
        check(&parameter.argument, value)?;
        path.push_str(&style::path(parameter, value));
        rest = following;
    }
    path.push_str(rest);
    if path.split('/').any(is_dots) {
        return Err(CallError::refused(format!(
            "the path `{path}` has a part that is only dots, which would lead out of it"
        )));
    }
    Ok(path)
}

/// A value that would change which path is asked for is refused: empty ones, dots, and what cannot be printed.
fn check(argument: &str, value: &Value) -> Result<(), CallError> {
    match value {
        Value::Array(items) => {
            if items.is_empty() {
                return Err(CallError::argument(argument, "must not be empty: it is a part of the path"));
            }
            items.iter().try_for_each(|item| check(argument, item))
        }
        Value::Object(fields) => {
            if fields.is_empty() {
                return Err(CallError::argument(argument, "must not be empty: it is a part of the path"));
            }
            fields.iter().try_for_each(|(name, value)| {
                check_text(argument, name)?;
                check(argument, value)
            })
        }
        Value::String(text) => check_text(argument, text),
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
    }
}

fn check_text(argument: &str, text: &str) -> Result<(), CallError> {
    if text.is_empty() {
        return Err(CallError::argument(argument, "must not be empty: it is a part of the path"));
    }
    let mut decoded = text.to_owned();
    for _ in 0..MOST_DECODED {
        if decoded.chars().any(char::is_control) {
            return Err(CallError::argument(argument, "must not hold line ends or other control characters"));
        }
        if decoded.split(['/', '\\']).any(is_dots) {
            return Err(CallError::argument(
                argument,
                "must not have `.` or `..` as a part: they would lead to another path",
            ));
        }
        let further = percent_decoded(&decoded);
        if further == decoded {
            return Ok(());
        }
        decoded = further;
    }
    Err(CallError::argument(argument, "is percent-encoded many times over; give it as it is meant"))
}

/// Whether a part of a path means this folder or the one above; servers that know path parameters ignore what comes after `;`.
fn is_dots(segment: &str) -> bool {
    let segment = segment.split(';').next().unwrap_or_default();
    matches!(percent_decoded(segment).as_str(), "." | "..")
}
