//! The five styles of answers, one per family, as the five specifications shape them.

mod api;
mod codes;
mod experience;
mod knowledge;
mod plain;

use std::time::Duration;

use serde_json::Value;
use store::TraceId;

use crate::answer::Answer;
use crate::error::ToolError;
use crate::output::Payload;

pub use codes::{ERROR_CODES, ErrorCode, FixedBy};

/// How a family's answers and errors look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// The JSON or text itself; errors are text.
    Code,
    /// As [`Style::Code`], with a `metadata` object in every body.
    Intelligence,
    /// `{ok, data, error, meta}`.
    Knowledge,
    /// `{success, data}` or `{success, error}`.
    Experience,
    /// Content blocks with `_meta` from an HTTP service.
    Api,
}

/// What every answer knows about its call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CallFacts {
    pub(crate) trace_id: TraceId,
    pub(crate) took: Duration,
}

impl Style {
    pub(crate) fn success(self, payload: Payload, facts: CallFacts) -> Answer {
        match (self, payload) {
            (Self::Knowledge, Payload::Json { data, notes, beside, facts: more }) => {
                knowledge::success(data, notes, beside, (facts, more))
            }
            (Self::Experience, Payload::Json { data, notes, beside, .. }) => experience::success(data, notes, beside),
            (Self::Code | Self::Intelligence | Self::Api, Payload::Json { data, notes, beside, .. }) => {
                plain::success(data, notes, beside)
            }
            (_, Payload::Text(text)) => Answer::text(text),
            (_, Payload::Lines(lines)) => Answer::text(lines.into_text()),
            (_, Payload::Blocks(blocks)) => api::answer(blocks),
        }
    }

    pub(crate) fn error(self, tool: &str, error: &ToolError, facts: CallFacts) -> Answer {
        match self {
            Self::Code | Self::Intelligence => plain::error(tool, error),
            Self::Knowledge => knowledge::error(error, self.code(error), facts),
            Self::Experience => experience::error(error, self.code(error)),
            Self::Api => api::error(tool, error),
        }
    }

    /// The schema of the whole structured answer around the schema of the data.
    pub(crate) fn output_schema(self, data: Option<Value>) -> Option<Value> {
        let data = data?;
        Some(match self {
            Self::Code | Self::Intelligence | Self::Api => data,
            Self::Knowledge => knowledge::output_schema(data),
            Self::Experience => experience::output_schema(data),
        })
    }

    /// The code under which this style reports the error.
    pub(crate) fn code(self, error: &ToolError) -> &'static str {
        error.code.unwrap_or_else(|| codes::default_code(self, error.kind))
    }
}

#[cfg(test)]
mod tests;
