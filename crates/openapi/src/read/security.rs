//! Security schemes, and which of them an operation asks for.

use serde_json::Value;

use crate::document::{Document, Place, Version};
use crate::operation::Location;

/// How a caller shows who it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Scheme {
    Basic,
    /// A token in `Authorization`, however it was got.
    Bearer,
    Key {
        location: Location,
        name: String,
    },
    /// A token in `Authorization` from this address, or one that the operator has.
    OAuth {
        token_url: Option<String>,
    },
    Unknown,
}

impl Scheme {
    /// Where a key goes.
    pub(super) fn key_place(&self) -> Option<(Location, String)> {
        let Self::Key { location, name } = self else { return None };
        Some((*location, name.clone()))
    }
}

/// The schemes of a document, by name.
pub(crate) fn schemes(document: &Document) -> Vec<(String, Scheme)> {
    let root = document.root();
    let defined = match document.version {
        Version::Swagger2 => root.get("securityDefinitions"),
        Version::OpenApi30 | Version::OpenApi31 => {
            root.get("components").and_then(|components| components.get("securitySchemes"))
        }
    };
    let Some(defined) = defined else { return Vec::new() };
    let named = defined.value.as_object().into_iter().flatten();
    named
        .map(|(name, value)| {
            let value = document.resolved(defined.with(value)).map_or(&Value::Null, |place| place.value);
            (name.clone(), scheme(value))
        })
        .collect()
}

fn scheme(value: &Value) -> Scheme {
    let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
    match text("type").to_ascii_lowercase().as_str() {
        "basic" => Scheme::Basic,
        "http" if text("scheme").eq_ignore_ascii_case("basic") => Scheme::Basic,
        "http" | "openidconnect" => Scheme::Bearer,
        "oauth2" => oauth(value),
        "apikey" => {
            let location = match text("in") {
                "query" => Location::Query,
                "cookie" => Location::Cookie,
                _ => Location::Header,
            };
            // Many documents describe a bearer token as a key in this header.
            Scheme::Key { location, name: text("name").to_owned() }
        }
        _ => Scheme::Unknown,
    }
}

fn oauth(value: &Value) -> Scheme {
    let flow = value.get("flows").and_then(|flows| flows.get("clientCredentials"));
    let is_swagger_flow = value.get("flow").and_then(Value::as_str) == Some("application");
    let flow = flow.or(Some(value).filter(|_| is_swagger_flow));
    let token_url = flow.and_then(|flow| flow.get("tokenUrl")).and_then(Value::as_str).map(str::to_owned);
    Scheme::OAuth { token_url }
}

/// One of these lists suffices; an empty one asks for nothing, and none at all says nothing.
pub(super) fn requirements(document: &Document, operation: Place<'_>) -> Vec<Vec<String>> {
    let said = operation.value.get("security").or_else(|| document.root().value.get("security"));
    let Some(alternatives) = said.and_then(Value::as_array) else { return Vec::new() };
    if alternatives.is_empty() {
        return vec![Vec::new()];
    }
    alternatives.iter().filter_map(Value::as_object).map(|names| names.keys().cloned().collect()).collect()
}
