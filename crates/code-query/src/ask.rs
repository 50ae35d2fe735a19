//! From a question to its answer.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use cypher::{ErrorKind, Limits, Parameters, Query, Warning};
use graph::{GraphRead, ReadError};
use questions::{Confidence, Names, NotUnderstood, Summary, Translation};
use store::{ProjectGraph, StoreError};
use thiserror::Error;

use crate::answer::{Answer, Row, Total};
use crate::cell::Cell;
use crate::names::GraphNames;
use crate::server::ServerError;
use crate::wording::is_cypher;

/// What counting the rows behind the limit may cost.
const COUNTING: Duration = Duration::from_millis(500);
const MOST_COUNTED: u64 = 100_000;

/// A limit that limits nothing; some graph servers take no number of more than 31 bits, or add to it.
const EVERYTHING: u32 = 1_000_000_000;

/// What an answer may cost.
#[derive(Debug, Clone)]
pub struct Asking {
    /// The most rows that are given.
    pub limit: u32,
    pub deadline: Option<Instant>,
    /// Set by whoever no longer wants the answer.
    pub cancelled: Option<Arc<AtomicBool>>,
}

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum AskError {
    #[error("the question is empty; ask for example: who calls main?")]
    Empty,
    #[error(transparent)]
    NotUnderstood(#[from] NotUnderstood),
    #[error(transparent)]
    Query(#[from] cypher::Error),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the graph could not be read: {0}")]
    Graph(#[from] ReadError),
    #[error(transparent)]
    Server(#[from] ServerError),
}

/// A question that has become a query.
#[derive(Debug, Clone)]
pub struct Question {
    query: Query,
    /// As it is shown: a translation keeps the words it was written in.
    shown: String,
    /// The same without a limit, to count what there is.
    unlimited: Query,
    summary: Option<Summary>,
    notes: Vec<String>,
    /// Whether everything in the question was understood.
    pub is_sure: bool,
}

impl Question {
    /// A query as it was written, by a person or by a model.
    pub fn of_cypher(text: &str, limit: u32) -> Result<Self, cypher::Error> {
        let unlimited = cypher::parse(text)?;
        let query = if unlimited.is_explain() { unlimited.clone() } else { unlimited.clone().with_limit(limit.into()) };
        let shown = query.to_string();
        Ok(Self { query, shown, unlimited, summary: None, notes: Vec::new(), is_sure: true })
    }

    /// The query as it is shown.
    pub fn query_text(&self) -> &str {
        &self.shown
    }

    pub(crate) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What to know about its rows. The translator writes only names of the schema: that a project has nothing of a kind is
    /// then the answer, and no slip of whoever asked.
    pub(crate) fn remarks(&self, warnings: &[Warning]) -> Vec<String> {
        let is_translated = self.summary.is_some();
        let warnings = warnings.iter().filter(|_| !is_translated).map(ToString::to_string);
        self.notes.iter().cloned().chain(warnings).collect()
    }

    pub(crate) fn query(&self) -> &Query {
        &self.query
    }

    /// The query without its limit, where the limit may have hidden rows.
    pub(crate) fn hidden(&self, shown: u64, limit: u32) -> Option<&Query> {
        let may_hide = shown >= u64::from(limit) && !self.query.is_explain() && self.query != self.unlimited;
        may_hide.then_some(&self.unlimited)
    }

    /// What its rows say, in one sentence.
    pub(crate) fn sentence(&self, rows: &[Row], total: Total) -> String {
        let number = match rows {
            [row] if self.summary.as_ref().is_some_and(|summary| summary.counts) => counted(row),
            _ => None,
        };
        match &self.summary {
            Some(summary) => summary.render(number.unwrap_or(total.number())),
            None if total.number() == 1 => "1 row".to_owned(),
            None => format!("{} rows", total.number()),
        }
    }

    fn of_translation(translation: Translation, unlimited: &Translation) -> Result<Self, cypher::Error> {
        let Translation { cypher, summary, notes, confidence, .. } = translation;
        Ok(Self {
            query: cypher::parse(&cypher)?,
            unlimited: cypher::parse(&unlimited.cypher)?,
            shown: cypher,
            summary: Some(summary),
            notes,
            is_sure: confidence == Confidence::Sure,
        })
    }
}

/// Answers a query in Cypher, or a question in English or Chinese.
pub fn ask(graph: &dyn ProjectGraph, text: &str, asking: &Asking) -> Result<Answer, AskError> {
    let question = translate(graph, text, asking.limit)?;
    run(graph, &question, asking)
}

/// What would be run for this text.
pub fn translate(graph: &dyn ProjectGraph, text: &str, limit: u32) -> Result<Question, AskError> {
    if text.trim().is_empty() {
        return Err(AskError::Empty);
    }
    if is_cypher(text) {
        return Ok(Question::of_cypher(text, limit)?);
    }
    let reader = graph.reader()?;
    translate_plain(&*reader, text, limit)
}

fn translate_plain(graph: &dyn GraphRead, text: &str, limit: u32) -> Result<Question, AskError> {
    let names = GraphNames::new(graph);
    let question = translate_with(&names, text, limit)?;
    names.failure().map_or(Ok(()), Err)?;
    Ok(question)
}

/// A plain question about the things that have these names.
pub(crate) fn translate_with(names: &dyn Names, text: &str, limit: u32) -> Result<Question, AskError> {
    let translation = questions::translate(text, names, limit)?;
    let unlimited = questions::translate(text, names, EVERYTHING)?;
    Ok(Question::of_translation(translation, &unlimited)?)
}

/// Runs a query and counts what its limit hides.
pub fn run(graph: &dyn ProjectGraph, question: &Question, asking: &Asking) -> Result<Answer, AskError> {
    let reader = graph.reader()?;
    let limits = Limits { deadline: asking.deadline, cancelled: asking.cancelled.clone(), ..Limits::default() };
    let found = cypher::run(&question.query, &*reader, &Parameters::default(), &limits)?;
    let rows: Vec<Row> = found.rows.iter().map(|row| cells(row, &*reader)).collect::<Result<_, _>>()?;
    let total = total(question, rows.len() as u64, &*reader, asking)?;
    let summary = question.sentence(&rows, total);
    let notes = question.remarks(&found.warnings);
    Ok(Answer { query: question.shown.clone(), columns: found.columns, rows, total, summary, notes })
}

fn cells(row: &[cypher::Value], graph: &dyn GraphRead) -> Result<Row, ReadError> {
    row.iter().map(|value| Cell::of(value, graph)).collect()
}

/// The number in the only row of a question about how many there are.
pub(crate) fn counted(row: &Row) -> Option<u64> {
    row.iter().find_map(|cell| match cell {
        Cell::Int(number) => u64::try_from(*number).ok(),
        _ => None,
    })
}

fn total(question: &Question, shown: u64, graph: &dyn GraphRead, asking: &Asking) -> Result<Total, AskError> {
    let Some(unlimited) = question.hidden(shown, asking.limit) else { return Ok(Total::Exactly(shown)) };
    let deadline = Instant::now() + COUNTING;
    let limits = Limits {
        deadline: Some(asking.deadline.map_or(deadline, |own| own.min(deadline))),
        max_rows: MOST_COUNTED,
        cancelled: asking.cancelled.clone(),
        ..Limits::default()
    };
    match cypher::run(unlimited, graph, &Parameters::default(), &limits) {
        Ok(found) => Ok(Total::Exactly(found.rows.len() as u64)),
        Err(error) => match error.kind() {
            ErrorKind::DeadlineExceeded | ErrorKind::TooManyRows | ErrorKind::OutOfMemory => {
                Ok(Total::AtLeast(error.partial_rows().unwrap_or(shown).max(shown)))
            }
            _ => Err(error.into()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::sample::sample_graph;

    fn remarks(question: &Question) -> Vec<String> {
        let warnings = cypher::check(&question.query, &*sample_graph(), &Parameters::default()).unwrap();
        question.remarks(&warnings)
    }

    #[test]
    fn a_kind_that_the_project_lacks_is_remarked_only_to_who_wrote_its_name() {
        let translated = translate_plain(&*sample_graph(), "list all interfaces", 7).unwrap();
        assert!(translated.query_text().contains(":Interface"), "{}", translated.query_text());
        assert_eq!(remarks(&translated), Vec::<String>::new());
        let written = Question::of_cypher("MATCH (i:Interface) RETURN i.name", 7).unwrap();
        assert_eq!(remarks(&written), ["the graph has no label `Interface`"]);
    }

    #[test]
    fn what_a_translation_took_for_what_is_still_remarked() {
        let translated = translate_plain(&*sample_graph(), "who calls parze?", 7).unwrap();
        assert_eq!(remarks(&translated), ["took 'parze' for 'parse'"]);
    }
}
