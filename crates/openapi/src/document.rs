//! A document as plain values: its parts (itself, and files it refers to), and what a reference leads to.

use serde_json::Value;
use url::Url;

use crate::error::DocumentError;

/// More references than this in a row lead in a circle.
const LONGEST_CHAIN: usize = 32;

/// Which specification a document follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    Swagger2,
    OpenApi30,
    /// 3.1 and later, whose schemas are JSON Schema.
    OpenApi31,
}

#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) version: Version,
    /// The document itself comes first.
    pub(crate) parts: Vec<Part>,
}

#[derive(Debug)]
pub(crate) struct Part {
    /// Where it was read from; relative references start here.
    pub(crate) location: Option<Url>,
    pub(crate) value: Value,
}

/// A value and the part that it stands in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) part: usize,
    pub(crate) value: &'a Value,
}

impl<'a> Place<'a> {
    /// A value in the same part.
    pub(crate) fn with(self, value: &'a Value) -> Self {
        Self { value, ..self }
    }

    pub(crate) fn get(self, key: &str) -> Option<Self> {
        Some(self.with(self.value.get(key)?))
    }
}

impl Document {
    pub(crate) fn new(parts: Vec<Part>) -> Result<Self, DocumentError> {
        let not = |reason: &str| DocumentError::NotOpenApi { reason: reason.to_owned() };
        let root = parts.first().map(|part| &part.value).and_then(Value::as_object);
        let root = root.ok_or_else(|| not("it is not an object"))?;
        let said =
            |key: &str| root.get(key).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        let version = match (said("openapi"), said("swagger")) {
            (Some(version), _) if version.starts_with("3.0") => Version::OpenApi30,
            (Some(version), _) if version.starts_with('3') => Version::OpenApi31,
            (None, Some(version)) if version.starts_with('2') => Version::Swagger2,
            (Some(version), _) | (None, Some(version)) => {
                let reason = format!("it says version `{version}`; 2.0, 3.0 and 3.1 are read");
                return Err(DocumentError::NotOpenApi { reason });
            }
            (None, None) => return Err(not("it has neither `openapi` nor `swagger` at its top")),
        };
        if !root.get("paths").is_some_and(Value::is_object) {
            return Err(not("it has no `paths`"));
        }
        Ok(Self { version, parts })
    }

    pub(crate) fn root(&self) -> Place<'_> {
        Place { part: 0, value: &self.parts[0].value }
    }

    /// What this reference of a part leads to, one step.
    pub(crate) fn target<'a>(&'a self, reference: &str, part: usize) -> Result<Place<'a>, String> {
        let (file, pointer) = reference.split_once('#').unwrap_or((reference, ""));
        let part = if file.is_empty() { part } else { self.part_named(file, part)? };
        let pointer = percent_decoded(pointer);
        let value = self.parts[part].value.pointer(&pointer);
        let value = value.ok_or_else(|| format!("the reference `{reference}` leads nowhere"))?;
        Ok(Place { part, value })
    }

    fn part_named(&self, file: &str, from: usize) -> Result<usize, String> {
        let wanted = self.parts[from].location.as_ref().and_then(|base| base.join(file).ok());
        let found =
            wanted.and_then(|wanted| self.parts.iter().position(|part| part.location.as_ref() == Some(&wanted)));
        found.ok_or_else(|| {
            format!("the reference to `{file}` leads out of the document; allow-external-refs lets it be read")
        })
    }

    /// The value itself, or what its references lead to at last.
    pub(crate) fn resolved<'a>(&'a self, mut place: Place<'a>) -> Result<Place<'a>, String> {
        for _ in 0..LONGEST_CHAIN {
            let Some(reference) = place.value.get("$ref").and_then(Value::as_str) else { return Ok(place) };
            place = self.target(reference, place.part)?;
        }
        Err("its references lead in a circle".to_owned())
    }
}

/// A text with `%41` read as `A`; what does not stand for UTF-8 stays as it is.
pub(crate) fn percent_decoded(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let pair = bytes.get(at + 1..at + 3).and_then(|pair| std::str::from_utf8(pair).ok());
        match pair.and_then(|pair| u8::from_str_radix(pair, 16).ok()).filter(|_| bytes[at] == b'%') {
            Some(byte) => {
                decoded.push(byte);
                at += 3;
            }
            None => {
                decoded.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8(decoded).unwrap_or_else(|_| text.to_owned())
}
