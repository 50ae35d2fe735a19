//! Headers that an argument may set, and their values.

use serde_json::Value;

use super::style;
use crate::error::CallError;
use crate::operation::Parameter;

/// What belongs to the connection, to credentials, or is written by us.
const FORBIDDEN: &[&str] = &[
    "accept",
    "accept-encoding",
    "authorization",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "cookie",
    "cookie2",
    "date",
    "expect",
    "forwarded",
    "host",
    "http2-settings",
    "keep-alive",
    "origin",
    "referer",
    "set-cookie",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-http-method",
    "x-http-method-override",
    "x-method-override",
    "x-original-url",
    "x-rewrite-url",
    "x-real-ip",
];

/// Whether no argument may set this header.
pub(crate) fn is_forbidden(name: &str) -> bool {
    let name = name.trim().to_ascii_lowercase();
    let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    FORBIDDEN.contains(&name.as_str())
        || name.starts_with("proxy-")
        || name.starts_with("sec-")
        || name.is_empty()
        || !name.chars().all(is_token)
}

/// The header of a parameter.
pub(super) fn written(parameter: &Parameter, value: &Value) -> Result<(String, String), CallError> {
    if is_forbidden(&parameter.name) {
        return Err(CallError::refused(format!("the header `{}` cannot be set by an argument", parameter.name)));
    }
    let text = style::header(parameter, value);
    sound(&parameter.argument, &text)?;
    Ok((parameter.name.to_ascii_lowercase(), text))
}

/// A value that stays within its line.
pub(crate) fn sound(argument: &str, text: &str) -> Result<(), CallError> {
    if text.chars().any(char::is_control) {
        return Err(CallError::argument(
            argument,
            "must not hold line ends or other control characters: it goes into a header",
        ));
    }
    Ok(())
}
