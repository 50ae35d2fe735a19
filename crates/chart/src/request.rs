//! What a caller may ask for.

use serde_json::{Map, Value};

use crate::kinds::Kind;

/// One row: field names and values.
pub type Row = Map<String, Value>;

/// What to draw, and how.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    pub kind: &'static Kind,
    pub title: Option<&'a str>,
    pub data: Data<'a>,
    pub mapping: Mapping,
    pub options: Options,
}

/// What is drawn.
#[derive(Debug, Clone, Copy)]
pub enum Data<'a> {
    Rows(&'a [Row]),
    /// Nodes with links or relationships, a call chain, or an answer that holds one of these.
    Graph(&'a Value),
    Nothing,
}

/// Which field means what; what is not said is inferred.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mapping {
    pub x: Option<String>,
    pub y: Option<String>,
    pub series: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    pub unit: Option<String>,
    pub stack: bool,
    pub smooth: bool,
}

impl Options {
    /// The unit, unless it is blank.
    pub(crate) fn unit(&self) -> Option<&str> {
        self.unit.as_deref().map(str::trim).filter(|unit| !unit.is_empty())
    }
}
