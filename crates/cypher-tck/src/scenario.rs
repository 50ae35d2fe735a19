//! Running one scenario.

use std::time::{Duration, Instant};

use cypher::{Error, ErrorKind, Limits, Parameters, Phase, Rows, parse, run};
use graph::GraphRead;

use crate::backend::Backend;
use crate::expected::{self, Expected};
use crate::gherkin::{Scenario, Step};
use crate::memory_graph::{Hints, MemoryGraph};
use crate::set_up;

/// What a scenario is about; only the first two count as reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    Core,
    /// An error is expected.
    Error,
    /// The query writes: it must be refused.
    Writing,
    /// Dates, times and durations, which the engine does not have.
    Temporal,
    /// Procedures that the scenario defines itself.
    Procedures,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Passed,
    /// An error was expected and came, but of another kind or at another time.
    PassedWithOtherError(String),
    Failed(String),
}

impl Outcome {
    pub fn has_passed(&self) -> bool {
        !matches!(self, Outcome::Failed(_))
    }
}

/// Which group a scenario belongs to, by rule.
pub fn group_of(scenario: &Scenario) -> Group {
    let query = tested_query(scenario);
    let writes = ["clauses/create/", "clauses/merge/", "clauses/set/", "clauses/delete/", "clauses/remove/"];
    let is_refused = parse(&query).is_err_and(|error| error.kind() == ErrorKind::WritingClause);
    if is_refused || writes.iter().any(|folder| scenario.feature.starts_with(folder)) {
        return Group::Writing;
    }
    if scenario.step("there exists a procedure").is_some() {
        return Group::Procedures;
    }
    if expects_error(scenario).is_some() {
        return Group::Error;
    }
    if scenario.steps.iter().filter_map(|step| step.document.as_deref()).any(is_temporal) {
        return Group::Temporal;
    }
    Group::Core
}

fn tested_query(scenario: &Scenario) -> String {
    scenario.step("executing query:").and_then(|step| step.document.clone()).unwrap_or_default()
}

fn is_temporal(query: &str) -> bool {
    let names = ["date", "time", "datetime", "localtime", "localdatetime", "duration"];
    names.iter().any(|name| {
        query.match_indices(name).any(|(index, _)| {
            let before = query[..index].chars().next_back();
            let after = query[index + name.len()..].chars().next();
            !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '\''))
                && matches!(after, Some('(' | '.'))
        })
    })
}

fn expects_error(scenario: &Scenario) -> Option<&Step> {
    scenario.steps.iter().find(|step| step.text.contains(" should be raised at "))
}

/// Runs a scenario on graphs of this backend.
pub fn run_scenario(scenario: &Scenario, backend: &dyn Backend) -> Outcome {
    match attempt(scenario, backend) {
        Ok(outcome) => outcome,
        Err(reason) => Outcome::Failed(reason),
    }
}

fn attempt(scenario: &Scenario, backend: &dyn Backend) -> Result<Outcome, String> {
    if group_of(scenario) == Group::Writing {
        return Ok(refused(&tested_query(scenario)));
    }
    let mut built = MemoryGraph::new(Hints::Honoured);
    for step in &scenario.steps {
        if step.text == "having executed:" {
            set_up::execute(&mut built, step.document.as_deref().unwrap_or_default())?;
        } else if let Some(number) = step.text.strip_prefix("the binary-tree-") {
            binary_tree(&mut built, number.starts_with('2'))?;
        }
    }
    let (nodes, relationships) = built.export();
    let graph = backend.graph(&nodes, &relationships);
    let parameters = parameters(scenario)?;
    let limits = Limits { deadline: Some(Instant::now() + Duration::from_secs(20)), ..Limits::default() };
    let query = tested_query(scenario);
    let answer = parse(&query).and_then(|query| run(&query, &*graph, &parameters, &limits));
    if let Some(step) = expects_error(scenario) {
        return Ok(judge_error(&step.text, answer));
    }
    let rows = answer.map_err(|error| error.to_string())?;
    let step = scenario.step("the result should be").ok_or("no result is expected")?;
    judge_rows(step, &rows, &*graph)
}

fn refused(query: &str) -> Outcome {
    match parse(query) {
        Err(error) if error.kind() == ErrorKind::WritingClause => Outcome::Passed,
        Err(error) => Outcome::PassedWithOtherError(error.to_string()),
        Ok(_) => Outcome::Failed("a query that writes was accepted".to_owned()),
    }
}

fn parameters(scenario: &Scenario) -> Result<Parameters, String> {
    let Some(step) = scenario.step("parameters are:") else { return Ok(Parameters::new()) };
    let mut parameters = Parameters::new();
    let empty = MemoryGraph::new(Hints::Ignored);
    for row in &step.table {
        let [name, text] = row.as_slice() else { return Err(format!("not a parameter: {row:?}")) };
        let query = parse(&format!("RETURN {text} AS value")).map_err(|error| error.to_string())?;
        let mut rows =
            run(&query, &empty, &Parameters::new(), &Limits::default()).map_err(|error| error.to_string())?;
        let value = rows.rows.pop().and_then(|mut row| row.pop()).ok_or("no value")?;
        parameters.insert(name.clone(), value);
    }
    Ok(parameters)
}

/// `a SyntaxError should be raised at compile time: UndefinedVariable`
fn judge_error(expected: &str, answer: Result<Rows, Error>) -> Outcome {
    let error = match answer {
        Ok(rows) => return Outcome::Failed(format!("an error was expected, there are {} rows", rows.rows.len())),
        Err(error) => error,
    };
    let (when, detail) = expected.rsplit_once(": ").unwrap_or((expected, "*"));
    let fits_phase = match error.phase() {
        Phase::Compile => when.ends_with("compile time") || when.ends_with("any time"),
        Phase::Run => when.ends_with("runtime") || when.ends_with("any time"),
    };
    if fits_phase && (detail == "*" || format!("{:?}", error.kind()) == detail) {
        return Outcome::Passed;
    }
    Outcome::PassedWithOtherError(format!("{:?} at {:?}: {error}", error.kind(), error.phase()))
}

fn judge_rows(step: &Step, rows: &Rows, graph: &dyn GraphRead) -> Result<Outcome, String> {
    if step.text.starts_with("the result should be empty") {
        return Ok(if rows.rows.is_empty() { Outcome::Passed } else { failed("no rows", rows) });
    }
    let Some((header, table)) = step.table.split_first() else { return Err("an empty table".to_owned()) };
    if *header != rows.columns {
        return Ok(Outcome::Failed(format!("columns {:?}, expected {header:?}", rows.columns)));
    }
    let mut wanted: Vec<Vec<Expected>> = Vec::new();
    for row in table {
        wanted.push(row.iter().map(|cell| expected::parse(cell)).collect::<Result<_, _>>()?);
    }
    let in_order = step.text.contains(", in order");
    let any_list_order = step.text.contains("ignoring element order for lists");
    let row_fits = |wanted: &Vec<Expected>, row: &Vec<cypher::Value>| {
        wanted.iter().zip(row).all(|(wanted, value)| expected::fits(graph, wanted, value, any_list_order))
    };
    if wanted.len() != rows.rows.len() {
        return Ok(failed(&format!("{} rows", wanted.len()), rows));
    }
    let all_fit = if in_order {
        wanted.iter().zip(&rows.rows).all(|(wanted, row)| row_fits(wanted, row))
    } else {
        let mut left: Vec<&Vec<cypher::Value>> = rows.rows.iter().collect();
        wanted.iter().all(|wanted| {
            let found = left.iter().position(|row| row_fits(wanted, row));
            found.map(|index| left.swap_remove(index)).is_some()
        })
    };
    Ok(if all_fit { Outcome::Passed } else { failed(&format!("{wanted:?}"), rows) })
}

fn failed(expected: &str, rows: &Rows) -> Outcome {
    Outcome::Failed(format!("expected {expected}, found {} rows: {:?}", rows.rows.len(), rows.rows))
}

/// A root that knows two nodes and follows two, a ring of friends among those, and two friends below each of them.
fn binary_tree(graph: &mut MemoryGraph, two_labels: bool) -> Result<(), String> {
    let mut statement = String::from("CREATE (a:A {name: 'a'})");
    for branch in 1..=4 {
        let kind = if branch <= 2 { "KNOWS" } else { "FOLLOWS" };
        statement += &format!(" CREATE (a)-[:{kind}]->(b{branch}:X {{name: 'b{branch}'}})");
        for leaf in 1..=2 {
            let label = if two_labels && leaf == 2 { "Y" } else { "X" };
            statement += &format!(" CREATE (b{branch})-[:FRIEND]->(:{label} {{name: 'c{branch}{leaf}'}})");
        }
    }
    for branch in 1..=4 {
        statement += &format!(" CREATE (b{branch})-[:FRIEND]->(b{})", branch % 4 + 1);
    }
    set_up::execute(graph, &statement)
}
