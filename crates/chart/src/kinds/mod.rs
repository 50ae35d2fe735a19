//! The kinds of charts, one file each.

mod bar;
mod cartesian;
mod graph;
mod line;
mod pie;
mod scatter;

use serde_json::{Map, Number, Value};

use crate::chart::Marks;
use crate::error::Invalid;
use crate::notes::Notes;
use crate::request::Request;

/// A kind of chart.
#[derive(Debug)]
pub struct Kind {
    /// What callers call it; also the type of its series in ECharts.
    pub name: &'static str,
    /// What it shows, for the model that must choose one.
    pub summary: &'static str,
    pub(crate) build: fn(&Request<'_>, &mut Notes) -> Result<Drawing, Invalid>,
    /// How rows of its dataset may be left out where an answer is too small for all of them.
    pub(crate) thinning: Thinning,
}

/// What a kind makes of a request.
#[derive(Debug)]
pub(crate) struct Drawing {
    pub(crate) option: Value,
    pub(crate) marks: Vec<Marks>,
}

/// What is left of a dataset that is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Thinning {
    /// The highest and the lowest of each stretch: the shape stays.
    Extremes,
    /// Every n-th row.
    Evenly,
    /// The first rows.
    Beginning,
    /// Nothing can be left out.
    Never,
}

/// Every kind this build knows.
pub const KINDS: &[Kind] = &[bar::KIND, line::KIND, pie::KIND, scatter::KIND, graph::KIND];

/// The kind of this name.
pub fn kind(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == name)
}

/// A whole number without a fraction, so that options read well.
pub(crate) fn number_value(number: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() < EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
        let whole = number as i64;
        return Value::from(whole);
    }
    Number::from_f64(number).map_or(Value::Null, Value::Number)
}

/// A dataset as ECharts takes it; the rows are moved, since there may be many.
fn dataset(dimensions: Value, source: Vec<Value>) -> Value {
    Value::Object(Map::from_iter([("dimensions".to_owned(), dimensions), ("source".to_owned(), Value::Array(source))]))
}

/// Says of each switch that this kind does not know that it was of no use.
fn note_unused(request: &Request<'_>, stack: bool, smooth: bool, notes: &mut Notes) {
    let name = request.kind.name;
    if request.options.stack && !stack {
        notes.add(format!("`options.stack` has no effect on a {name} chart."));
    }
    if request.options.smooth && !smooth {
        notes.add(format!("`options.smooth` has no effect on a {name} chart."));
    }
}
