//! One operation of a document: what it is called, what it takes, where each argument goes.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;
use url::Url;

/// An operation, whole in itself: the document it comes from is not needed any more.
#[derive(Debug, Clone)]
pub struct Operation {
    /// The name of its tool.
    pub name: String,
    /// What the document calls it.
    pub id: Option<String>,
    pub method: Method,
    /// The template of its path.
    pub path: String,
    pub title: String,
    /// What it does, what was cut from it, and its method and path.
    pub description: String,
    pub tags: Vec<String>,
    pub deprecated: bool,
    /// The schema of its arguments.
    pub input_schema: Arc<Value>,
    /// What the byte budget left out of the schema.
    pub cuts: Vec<String>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Option<Body>,
    /// Where it is, or why that is not known.
    pub(crate) base: Result<Url, String>,
    /// Names of security schemes: one of these lists suffices, and needs every name in it.
    pub(crate) security: Vec<Vec<String>>,
    pub(crate) accept: String,
}

/// The methods that operations have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    Get,
    Put,
    Post,
    Delete,
    Options,
    Head,
    Patch,
    Trace,
}

impl Method {
    pub(crate) const ALL: [Self; 8] =
        [Self::Get, Self::Put, Self::Post, Self::Delete, Self::Options, Self::Head, Self::Patch, Self::Trace];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Put => "PUT",
            Self::Post => "POST",
            Self::Delete => "DELETE",
            Self::Options => "OPTIONS",
            Self::Head => "HEAD",
            Self::Patch => "PATCH",
            Self::Trace => "TRACE",
        }
    }

    /// Whether it is meant to change nothing.
    pub fn is_read(self) -> bool {
        matches!(self, Self::Get | Self::Head | Self::Options | Self::Trace)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An argument that goes into the path, the query, a header or a cookie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// The name of the argument.
    pub(crate) argument: String,
    /// The name on the wire.
    pub(crate) name: String,
    pub(crate) location: Location,
    pub(crate) required: bool,
    pub(crate) form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Location {
    Path,
    Query,
    Header,
    Cookie,
}

impl Location {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Header => "header",
            Self::Cookie => "cookie",
        }
    }
}

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Styled {
        style: Style,
        explode: bool,
        allow_reserved: bool,
    },
    /// As JSON text.
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Simple,
    Label,
    Matrix,
    Form,
    SpaceDelimited,
    PipeDelimited,
    TabDelimited,
    DeepObject,
}

/// What is sent in the body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Body {
    /// The name of the argument.
    pub(crate) argument: String,
    pub(crate) required: bool,
    pub(crate) media_type: String,
    pub(crate) kind: BodyKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BodyKind {
    Json,
    Form(Vec<Field>),
    Multipart(Vec<Field>),
    Text,
    Binary,
}

/// How a field of a form is written where the document says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) is_file: bool,
    /// The media type of this part.
    pub(crate) media_type: Option<String>,
    pub(crate) form: Option<Form>,
}

impl Operation {
    /// Where it is, if the document or the operator says so.
    pub fn base(&self) -> Result<&Url, &str> {
        self.base.as_ref().map_err(String::as_str)
    }

    /// Whether the document asks for credentials.
    pub fn needs_credentials(&self) -> bool {
        !self.security.is_empty() && self.security.iter().all(|names| !names.is_empty())
    }
}
