//! Where a document is read from, and the files beside it that it refers to.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use url::Url;

use crate::document::Part;
use crate::error::DocumentError;
use crate::net::{Connection, Limits, Outgoing, Reach, SystemLookup, send};
use crate::operation::Method;
use crate::parse::{self, MOST_BYTES};

/// A client gives up on a server that does not start.
const PATIENCE: Duration = Duration::from_secs(10);
const MOST_FILES: usize = 200;

/// A document's place as the operator names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    File(PathBuf),
    Web(Url),
}

impl Source {
    pub(crate) fn named(text: &str) -> Result<Self, DocumentError> {
        let text = text.trim();
        let has_scheme = text
            .split_once("://")
            .is_some_and(|(scheme, _)| scheme.chars().all(|c| c.is_ascii_alphanumeric() || c == '+'));
        if !has_scheme {
            return Ok(Self::File(PathBuf::from(text)));
        }
        let bad =
            |reason: &str| DocumentError::BadAddress { given: without_credentials(text), reason: reason.to_owned() };
        let url = Url::parse(text).map_err(|error| bad(&error.to_string()))?;
        match url.scheme() {
            "file" => url.to_file_path().map(Self::File).map_err(|()| bad("it names no file")),
            "http" | "https" if url.password().is_some() || !url.username().is_empty() => {
                Err(bad("credentials do not belong into an address"))
            }
            "http" | "https" => Ok(Self::Web(url)),
            _ => Err(bad("its scheme is not served")),
        }
    }

    /// What relative references and servers start from.
    fn location(&self) -> Option<Url> {
        match self {
            Self::File(path) => Url::from_file_path(std::path::absolute(path).unwrap_or_else(|_| path.clone())).ok(),
            Self::Web(url) => Some(url.clone()),
        }
    }

    async fn read(&self) -> Result<Vec<u8>, DocumentError> {
        match self {
            Self::File(path) => {
                let path = path.clone();
                let reading = tokio::task::spawn_blocking(move || read_file(&path));
                reading.await.unwrap_or_else(|error| Err(DocumentError::Unreadable { reason: error.to_string() }))
            }
            Self::Web(url) => download(url).await,
        }
    }
}

fn without_credentials(text: &str) -> String {
    match (text.split_once("://"), text.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, rest))) => format!("{scheme}://{rest}"),
        _ => text.to_owned(),
    }
}

fn read_file(path: &Path) -> Result<Vec<u8>, DocumentError> {
    let unreadable = |error: std::io::Error| DocumentError::Unreadable { reason: error.to_string() };
    let facts = std::fs::metadata(path).map_err(unreadable)?;
    if !facts.is_file() {
        return Err(DocumentError::Unreadable { reason: "it is not a file".to_owned() });
    }
    parse::check_length(usize::try_from(facts.len()).unwrap_or(usize::MAX))?;
    std::fs::read(path).map_err(unreadable)
}

async fn download(url: &Url) -> Result<Vec<u8>, DocumentError> {
    let unreadable = |reason: String| DocumentError::Unreadable { reason };
    // The operator named this address.
    let connection = Connection::new(Reach::Private, url.scheme() == "https", Arc::new(SystemLookup));
    let accept = "application/json, application/yaml, */*;q=0.1".to_owned();
    let outgoing =
        Outgoing { method: Method::Get, url: url.clone(), headers: vec![("accept".to_owned(), accept)], body: None };
    let limits = Limits { total: PATIENCE, answer_bytes: MOST_BYTES };
    let answer = send(&connection, outgoing, limits).await.map_err(|error| unreadable(error.to_string()))?;
    if answer.is_cut {
        return Err(DocumentError::TooLong { most: MOST_BYTES });
    }
    if answer.status != 200 {
        return Err(unreadable(format!(
            "{} answers with status {}",
            url.host_str().unwrap_or_default(),
            answer.status
        )));
    }
    Ok(answer.body)
}

/// The document and, where that is allowed, everything it refers to.
pub(crate) async fn parts(source: &Source, allows_external: bool) -> Result<Vec<Part>, DocumentError> {
    let mut parts = vec![part(source).await?];
    if !allows_external {
        return Ok(parts);
    }
    let mut at = 0;
    while at < parts.len() {
        for wanted in wanted(&parts[at]) {
            if parts.iter().any(|part| part.location.as_ref() == Some(&wanted)) {
                continue;
            }
            let beside = beside(source, &wanted)?;
            if parts.len() >= MOST_FILES {
                let reason = format!("one file too many: at most {MOST_FILES} are read for one document");
                return Err(DocumentError::ExternalRefused { reference: wanted.to_string(), reason });
            }
            parts.push(Part { location: Some(wanted), ..part(&beside).await? });
        }
        at += 1;
    }
    Ok(parts)
}

async fn part(source: &Source) -> Result<Part, DocumentError> {
    let bytes = source.read().await?;
    let parsing = tokio::task::spawn_blocking(move || parse::parse(&bytes));
    let value = parsing.await.unwrap_or_else(|error| Err(DocumentError::Unreadable { reason: error.to_string() }))?;
    Ok(Part { location: source.location(), value })
}

/// The files that a part refers to.
fn wanted(part: &Part) -> Vec<Url> {
    let Some(location) = &part.location else { return Vec::new() };
    let mut files = Vec::new();
    references(&part.value, &mut |reference| {
        let file = reference.split('#').next().unwrap_or_default();
        if let Some(url) = Some(file).filter(|file| !file.is_empty()).and_then(|file| location.join(file).ok())
            && !files.contains(&url)
        {
            files.push(url);
        }
    });
    files
}

fn references(value: &Value, found: &mut dyn FnMut(&str)) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get("$ref") {
                found(reference);
            }
            fields.values().for_each(|value| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| references(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// A file in the document's own folder or below, or an address on its own host.
fn beside(source: &Source, wanted: &Url) -> Result<Source, DocumentError> {
    let refused =
        |reason: &str| DocumentError::ExternalRefused { reference: wanted.to_string(), reason: reason.to_owned() };
    match source {
        Source::Web(url) if url.origin() == wanted.origin() => Ok(Source::Web(wanted.clone())),
        Source::Web(_) => Err(refused("on another host than the document")),
        Source::File(path) => {
            let file = wanted.to_file_path().map_err(|()| refused("not a file beside the document"))?;
            let real =
                |path: &Path| std::fs::canonicalize(path).map_err(|error| refused(&format!("not readable: {error}")));
            let folder = real(path)?.parent().map(Path::to_owned).unwrap_or_default();
            if !real(&file)?.starts_with(&folder) {
                return Err(refused("outside of the document's folder"));
            }
            Ok(Source::File(file))
        }
    }
}
