//! Running a query from end to end.

use graph::GraphRead;

use crate::compile::{Compiled, Parameters, Warning, compile};
use crate::explain;
use crate::run::{ENOUGH, Limits, MORE, Runtime};
use crate::value::Value;
use cypher_syntax::Query;
use cypher_syntax::{Error, Result};

/// The answer to a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Value>>,
    pub warnings: Vec<Warning>,
}

/// Answers a query, or with `EXPLAIN` says how it would be answered.
pub fn run(query: &Query, graph: &dyn GraphRead, parameters: &Parameters, limits: &Limits) -> Result<Rows> {
    let answer = run_unlocated(query, graph, parameters, limits);
    answer.map_err(|error| error.locate(query.source()))
}

/// Checks a query against a graph without running it; what it gives are its warnings.
pub fn check(query: &Query, graph: &dyn GraphRead, parameters: &Parameters) -> Result<Vec<Warning>> {
    let compiled = compile(query, graph, parameters, &Limits::default());
    let compiled = compiled.map_err(|error| error.locate(query.source()))?;
    Ok(warnings(&compiled, query.source()))
}

fn run_unlocated(query: &Query, graph: &dyn GraphRead, parameters: &Parameters, limits: &Limits) -> Result<Rows> {
    let compiled = compile(query, graph, parameters, limits)?;
    let warnings = warnings(&compiled, query.source());
    if query.is_explain() {
        let lines = explain::lines(&compiled.pipeline, graph);
        let rows = lines.into_iter().map(|line| vec![Value::from(line)]).collect();
        return Ok(Rows { columns: vec!["plan".to_owned()], rows, warnings });
    }
    let runtime = Runtime::new(graph, limits);
    let mut row = vec![Value::Null; compiled.slots];
    let mut rows = Vec::new();
    runtime.each_row(&compiled.pipeline, &mut row, &mut |row| {
        if query.row_limit().is_some_and(|limit| rows.len() as u64 >= limit) {
            return Ok(ENOUGH);
        }
        runtime.count_row()?;
        let values: Vec<Value> = compiled.columns.iter().map(|column| row[column.slot].clone()).collect();
        runtime.charge(values.iter().map(Value::size).sum())?;
        rows.push(values);
        Ok(MORE)
    })?;
    let columns = compiled.columns.iter().map(|column| column.name.to_string()).collect();
    Ok(Rows { columns, rows, warnings })
}

fn warnings(compiled: &Compiled, source: &str) -> Vec<Warning> {
    let located = compiled.warnings.iter().map(|warning| warning.clone().locate(source));
    located.filter_map(warning).collect()
}

fn warning(error: Error) -> Option<Warning> {
    Some(Warning {
        message: error.message().to_owned(),
        suggestion: error.hint_text().map(str::to_owned),
        position: error.position()?,
    })
}
