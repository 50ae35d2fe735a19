//! Properties as they stand in their column.

use serde_json::Value as Json;
use store::knowledge::{List, Properties, Value, json};

use crate::error::{self, Outcome};
use crate::text::storable;

pub(super) fn column(properties: &Properties) -> Outcome<Json> {
    storable(properties.iter().flat_map(|(_, value)| texts(value)).map(String::as_str))?;
    Ok(Json::Object(json::to_json(properties)))
}

pub(super) fn properties(column: Json) -> Outcome<Properties> {
    let unreadable = |cause: String| error::unreadable("properties", cause);
    let Json::Object(fields) = column else { return Err(unreadable("no object".to_owned()).into()) };
    Ok(json::from_json(fields).map_err(unreadable)?)
}

fn texts(value: &Value) -> &[String] {
    match value {
        Value::Text(text) => std::slice::from_ref(text),
        Value::List(List::Texts(texts)) => texts,
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::List(_) => &[],
    }
}
