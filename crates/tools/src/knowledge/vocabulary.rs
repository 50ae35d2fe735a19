//! Which labels and types may be used?

use store::knowledge::Name;

use crate::error::ToolError;

/// The allow-lists of labels and types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vocabulary {
    labels: Vec<Name>,
    types: Vec<Name>,
}

impl Vocabulary {
    /// The labels that are allowed where nobody says otherwise.
    pub const LABELS: &[&str] = &["Entity", "Document"];

    /// The types that are allowed where nobody says otherwise.
    pub const TYPES: &[&str] = &["RELATED_TO", "MENTIONS"];

    /// These labels and types, or the first text of either that is no name.
    pub fn new(labels: &[impl AsRef<str>], types: &[impl AsRef<str>]) -> Result<Self, String> {
        Ok(Self { labels: names(labels)?, types: names(types)? })
    }

    pub(super) fn label(&self, field: &str, text: &str) -> Result<Name, ToolError> {
        allowed("label", "labels", &self.labels, field, text)
    }

    pub(super) fn kind(&self, field: &str, text: &str) -> Result<Name, ToolError> {
        allowed("type", "types", &self.types, field, text)
    }

    pub(super) fn labels(&self, field: &str, texts: Option<Vec<String>>) -> Result<Vec<Name>, ToolError> {
        each(field, texts, |field, text| self.label(field, text))
    }

    pub(super) fn kinds(&self, field: &str, texts: Option<Vec<String>>) -> Result<Vec<Name>, ToolError> {
        each(field, texts, |field, text| self.kind(field, text))
    }
}

impl Default for Vocabulary {
    fn default() -> Self {
        Self::new(Self::LABELS, Self::TYPES).expect("the names above are names")
    }
}

fn names(texts: &[impl AsRef<str>]) -> Result<Vec<Name>, String> {
    let name = |text: &str| Name::parse(text).map_err(|_| text.to_owned());
    texts.iter().map(|text| name(text.as_ref().trim())).collect()
}

fn allowed(what: &str, all: &str, known: &[Name], field: &str, text: &str) -> Result<Name, ToolError> {
    if let Some(name) = known.iter().find(|name| name.as_str() == text) {
        return Ok(name.clone());
    }
    let shown: String = text.chars().take(60).collect();
    let list = known.iter().map(Name::as_str).collect::<Vec<_>>().join(", ");
    let message = format!("`{field}`: `{shown}` is not an allowed {what}; allowed {all}: {list}");
    let error = ToolError::forbidden(message).with_detail("field", field);
    Err(error.with_hint(format!("The operator can allow more with the setting knowledge-{all}.")))
}

fn each(
    field: &str,
    texts: Option<Vec<String>>,
    check: impl Fn(&str, &str) -> Result<Name, ToolError>,
) -> Result<Vec<Name>, ToolError> {
    let texts = texts.unwrap_or_default();
    texts.iter().enumerate().map(|(at, text)| check(&format!("{field}[{at}]"), text)).collect()
}
