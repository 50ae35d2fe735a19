//! An operation and arguments → a request, exactly as the document says it is written.

mod body;
mod header;
mod path;
mod style;

use serde_json::{Map, Value};
use url::Url;

use crate::error::CallError;
use crate::operation::{Form, Location, Method, Operation, Parameter};

pub(crate) use header::{is_forbidden as is_forbidden_header, sound as sound_header};
pub(crate) use path::placeholders;
pub(crate) use style::{Part, encoded, query_pairs};

/// A request before credentials are added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: Vec<(String, String)>,
    /// Pairs of the `Cookie` header.
    pub(crate) cookies: Vec<String>,
    pub(crate) body: Option<Vec<u8>>,
}

/// The request of a call. The arguments have been checked against the schema of the operation.
pub(crate) fn build(operation: &Operation, arguments: &Map<String, Value>) -> Result<Request, CallError> {
    let base = operation.base.as_ref().map_err(|problem| CallError::setup(problem.as_str()))?;
    let given = |parameter: &Parameter| arguments.get(&parameter.argument).filter(|value| !value.is_null());
    let mut query: Vec<String> = Vec::new();
    let mut request =
        Request { method: operation.method, url: base.clone(), headers: Vec::new(), cookies: Vec::new(), body: None };
    for parameter in &operation.parameters {
        let Some(value) = given(parameter) else {
            if parameter.required {
                return Err(CallError::argument(&parameter.argument, "is required but missing"));
            }
            continue;
        };
        match parameter.location {
            Location::Path => {}
            Location::Query => query.extend(style::query(parameter, value)),
            Location::Header => request.headers.push(header::written(parameter, value)?),
            Location::Cookie => request.cookies.extend(style::cookie(parameter, value)),
        }
    }
    let (template, fixed) = split_template(&operation.path);
    let path = path::filled(template, |name| {
        let named = |parameter: &&Parameter| parameter.location == Location::Path && parameter.name == name;
        let parameter = operation.parameters.iter().find(named)?;
        Some((parameter, given(parameter)?))
    })?;
    query.splice(0..0, fixed.map(str::to_owned));
    request.url = address(base, &path, &query)?;
    request.headers.push(("accept".to_owned(), operation.accept.clone()));
    body::put(&mut request, operation, arguments)?;
    Ok(request)
}

/// Some documents write a part of the query, or a mark that tells operations apart, into the path.
fn split_template(path: &str) -> (&str, Option<&str>) {
    let path = path.split('#').next().unwrap_or(path);
    match path.split_once('?') {
        Some((path, query)) => (path, Some(query).filter(|query| !query.is_empty())),
        None => (path, None),
    }
}

/// The base with a path and a query after it. Whatever they hold, the result is on the base's host and below its path.
fn address(base: &Url, path: &str, query: &[String]) -> Result<Url, CallError> {
    let mut url = base.clone();
    let below = base.path().trim_end_matches('/');
    let slash = if path.is_empty() || path.starts_with('/') { "" } else { "/" };
    let whole = format!("{below}{slash}{path}");
    url.set_path(&whole);
    let pairs: Vec<&str> = base.query().into_iter().chain(query.iter().map(String::as_str)).collect();
    url.set_query(Some(pairs.join("&").as_str()).filter(|query| !query.is_empty()));
    url.set_fragment(None);
    let is_below = url.path().strip_prefix(below).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    if url.origin() != base.origin() || !is_below {
        return Err(CallError::refused(format!(
            "the path `{path}` leads out of the service at {}",
            base.origin().ascii_serialization()
        )));
    }
    Ok(url)
}

/// A value as text: what a text says, and JSON for what is nested.
pub(crate) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

impl Form {
    /// How a field of a form is written when nothing is said.
    pub(crate) const PLAIN: Self =
        Self::Styled { style: crate::operation::Style::Form, explode: true, allow_reserved: false };
}
