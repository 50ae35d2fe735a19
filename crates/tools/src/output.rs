//! What a tool returns to its style: JSON, text, lines of a file, JSON with pictures, or ready-made blocks.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::content::ContentBlock;
use crate::error::ToolError;
use crate::schema;

/// A tool's result, before its family's style dresses it.
pub trait Output: Send {
    /// The JSON Schema of the data, for tools that speak JSON.
    fn schema() -> Option<Value>;

    /// The result itself.
    fn into_payload(self) -> Result<Payload, ToolError>;
}

/// The forms a result can take.
#[derive(Debug, Clone, PartialEq)]
pub enum Payload {
    Text(String),
    Lines(Lines),
    /// Data, remarks on it (`meta.notes` where the style has them), blocks that go beside it, and facts about the answer
    /// (further fields of `meta` where the style has that).
    Json {
        data: Value,
        notes: Vec<String>,
        beside: Vec<ContentBlock>,
        facts: Map<String, Value>,
    },
    Blocks(Blocks),
}

/// A result that is JSON.
#[derive(Debug)]
pub struct Json<T>(pub T);

impl<T: Serialize + JsonSchema + Send> Output for Json<T> {
    fn schema() -> Option<Value> {
        Some(schema::of_output::<T>())
    }

    fn into_payload(self) -> Result<Payload, ToolError> {
        Ok(Payload::Json { data: to_value(&self.0)?, notes: Vec::new(), beside: Vec::new(), facts: Map::new() })
    }
}

/// A result that is JSON with remarks and pictures beside it.
#[derive(Debug)]
pub struct Illustrated<T> {
    pub data: T,
    pub notes: Vec<String>,
    pub beside: Vec<ContentBlock>,
}

impl<T: Serialize + JsonSchema + Send> Output for Illustrated<T> {
    fn schema() -> Option<Value> {
        Some(schema::of_output::<T>())
    }

    fn into_payload(self) -> Result<Payload, ToolError> {
        Ok(Payload::Json { data: to_value(&self.data)?, notes: self.notes, beside: self.beside, facts: Map::new() })
    }
}

/// A result that is JSON with remarks and facts about how it was come by.
#[derive(Debug)]
pub struct Explained<T> {
    pub data: T,
    pub notes: Vec<String>,
    pub facts: Map<String, Value>,
}

impl<T: Serialize + JsonSchema + Send> Output for Explained<T> {
    fn schema() -> Option<Value> {
        Some(schema::of_output::<T>())
    }

    fn into_payload(self) -> Result<Payload, ToolError> {
        let Self { data, notes, facts } = self;
        Ok(Payload::Json { data: to_value(&data)?, notes, beside: Vec::new(), facts })
    }
}

/// A result that is JSON, found by a search that may end before there was no more to look at.
#[derive(Debug)]
pub struct Measured<T> {
    pub data: T,
    pub visited: usize,
    pub truncated: bool,
    pub notes: Vec<String>,
}

impl<T: Serialize + JsonSchema + Send> Output for Measured<T> {
    fn schema() -> Option<Value> {
        Some(schema::of_output::<T>())
    }

    fn into_payload(self) -> Result<Payload, ToolError> {
        let Self { data, visited, truncated, notes } = self;
        let facts = [("visited", Value::from(visited)), ("truncated", Value::from(truncated))];
        let facts = facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Explained { data, notes, facts }.into_payload()
    }
}

/// A result that is plain text.
#[derive(Debug)]
pub struct Text(pub String);

impl Output for Text {
    fn schema() -> Option<Value> {
        None
    }

    fn into_payload(self) -> Result<Payload, ToolError> {
        Ok(Payload::Text(self.0))
    }
}

/// A result that is lines of a file. When it is too long for an answer, whole lines go from its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    /// The lines with their ends.
    pub text: String,
    /// How many lines of the file come before them.
    pub offset: usize,
    /// How many lines the file has.
    pub total: usize,
    /// Whether the answer begins by saying which lines these are.
    pub headed: bool,
}

impl Lines {
    /// The text as the caller sees it.
    pub(crate) fn into_text(self) -> String {
        if !self.headed {
            return self.text;
        }
        let end = self.offset.saturating_add(self.text.lines().count());
        format!("# Lines {}-{end} of {}\n{}", self.offset.saturating_add(1), self.total, self.text)
    }
}

impl Output for Lines {
    fn schema() -> Option<Value> {
        None
    }

    fn into_payload(self) -> Result<Payload, ToolError> {
        Ok(Payload::Lines(self))
    }
}

/// A result that is content blocks already: what an HTTP service sent back.
#[derive(Debug, Clone, PartialEq)]
pub struct Blocks {
    pub blocks: Vec<ContentBlock>,
    /// The body as JSON, when it was JSON.
    pub structured: Option<Value>,
    /// Put on every block: `httpStatus`, `method`, `url`, `timestamp`.
    pub meta: Map<String, Value>,
    pub failed: bool,
}

impl Output for Blocks {
    fn schema() -> Option<Value> {
        None
    }

    fn into_payload(self) -> Result<Payload, ToolError> {
        Ok(Payload::Blocks(self))
    }
}

fn to_value(data: &impl Serialize) -> Result<Value, ToolError> {
    serde_json::to_value(data).map_err(|error| ToolError::internal(format!("the result is not JSON: {error}")))
}
