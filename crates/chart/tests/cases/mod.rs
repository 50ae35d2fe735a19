//! The chart suite: requests as callers write them, with the marks and notes, or the refusal, that they must give.

use std::path::Path;

use chart::{Chart, Data, Invalid, Mapping, Options, Request, Row};
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) name: String,
    request: Wanted,
    pub(crate) marks: Option<usize>,
    pub(crate) notes: Option<Vec<String>>,
    pub(crate) error: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Wanted {
    chart_type: String,
    title: Option<String>,
    data: Option<Vec<Row>>,
    /// Rows that nobody wants to read.
    made: Option<Made>,
    graph: Option<Value>,
    #[serde(default)]
    mapping: Fields,
    #[serde(default)]
    options: Switches,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Made {
    rows: usize,
    /// Whether the places are names.
    #[serde(default)]
    named: bool,
}

impl Made {
    fn rows(&self) -> Vec<Row> {
        let place = |at: usize| if self.named { Value::from(format!("k{at}")) } else { Value::from(at) };
        let row = |at: usize| [("x".to_owned(), place(at)), ("y".to_owned(), Value::from(at * 7_919 % 1_009 + 1))];
        (0..self.rows).map(|at| Row::from_iter(row(at))).collect()
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Fields {
    x_field: Option<String>,
    y_field: Option<String>,
    series_field: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Switches {
    unit: Option<String>,
    stack: bool,
    smooth: bool,
}

impl Case {
    pub(crate) fn generate(&self) -> Result<Chart, Invalid> {
        let Wanted { chart_type, title, data, made, graph, mapping, options } = &self.request;
        let made = made.as_ref().map(Made::rows);
        chart::generate(&Request {
            kind: chart::kind(chart_type).unwrap(),
            title: title.as_deref(),
            data: match (data.as_ref().or(made.as_ref()), graph) {
                (_, Some(graph)) => Data::Graph(graph),
                (Some(rows), None) => Data::Rows(rows),
                (None, None) => Data::Nothing,
            },
            mapping: Mapping {
                x: mapping.x_field.clone(),
                y: mapping.y_field.clone(),
                series: mapping.series_field.clone(),
            },
            options: Options { unit: options.unit.clone(), stack: options.stack, smooth: options.smooth },
        })
    }
}

/// The cases of one file of the suite.
pub(crate) fn cases(file: &str) -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite").join(format!("{file}.json"));
    let text = std::fs::read_to_string(&path).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
