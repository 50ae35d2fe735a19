//! Properties as they stand in their column.

use std::fmt::Display;

use serde_json::Value as Json;
use store::StoreError;
use store::knowledge::{Properties, json};

use crate::error;
use crate::job::Outcome;

pub(super) fn column(properties: &Properties) -> String {
    Json::Object(json::to_json(properties)).to_string()
}

pub(super) fn properties(column: &str) -> Outcome<Properties> {
    let fields = serde_json::from_str(column).map_err(unreadable)?;
    Ok(json::from_json(fields).map_err(unreadable)?)
}

fn unreadable(cause: impl Display) -> StoreError {
    error::unreadable("properties", cause.to_string())
}
