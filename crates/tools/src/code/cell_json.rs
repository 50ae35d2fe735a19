//! Values from a graph as JSON.

use code_query::Cell;
use serde_json::{Map, Number, Value};

/// The same value as JSON.
pub fn cell_json(cell: Cell) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Bool(value) => value.into(),
        Cell::Int(value) => value.into(),
        // JSON has no words for infinities and the like.
        Cell::Float(value) => Number::from_f64(value).map_or_else(|| value.to_string().into(), Value::Number),
        Cell::Text(value) => value.into(),
        Cell::List(values) => values.into_iter().map(cell_json).collect(),
        Cell::Map(entries) => {
            entries.into_iter().map(|(name, value)| (name, cell_json(value))).collect::<Map<_, _>>().into()
        }
    }
}
