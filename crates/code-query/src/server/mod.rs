//! Asking a graph server that holds code graphs and answers Cypher itself.
//!
//! What runs there was parsed and checked here first: it only reads, knows only the functions that our engine has, and meets
//! only nodes of the project that is meant.

mod schema;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use cypher::{Confinement, Parameters, Query, Warning};
use questions::{Hit, MemoryNames};
use thiserror::Error;

use crate::answer::{Answer, Row, Total};
use crate::ask::{AskError, Asking, Question, translate_with};
use schema::Schema;

/// What counting the rows behind the limit may cost.
const COUNTING: Duration = Duration::from_secs(1);

/// A graph server as whoever has its driver sees it. Each promise ends in good time, or is dropped by who waits for it.
#[async_trait]
pub trait CypherServer: Send + Sync + fmt::Debug {
    /// Where it is, as it may be shown.
    fn address(&self) -> &str;

    /// What tells the state of this project there from its states before; nothing where the project is not there whole.
    async fn state(&self, project: &str) -> Result<Option<u64>, ServerError>;

    /// The projects that are there whole, by name.
    async fn projects(&self) -> Result<Vec<String>, ServerError>;

    /// Everything in this project that a question can name.
    async fn names(&self, project: &str) -> Result<Vec<Hit>, ServerError>;

    /// The first rows of a query, with these columns, or with those that the server says.
    async fn rows(&self, query: &str, columns: Option<&[String]>, most: usize) -> Result<ServerRows, ServerError>;

    /// How nodes of a project are told from those of others there.
    fn confinement<'a>(&self, project: &'a str) -> Confinement<'a>;
}

/// The rows of a query.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ServerRows {
    pub columns: Vec<String>,
    pub rows: Vec<Row>,
}

/// Why a graph server did not answer, in words that hold no secret.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ServerError {
    /// It cannot be asked now.
    #[error("{0}")]
    Unavailable(String),
    /// It refused the query.
    #[error("{0}")]
    Refused(String),
    #[error(
        "{address} has no whole graph of the project `{project}`; {known}put it there with `trailmark import --to {address}`"
    )]
    NoProject { address: String, project: String, known: String },
    #[error("{0} did not answer in time; ask for less")]
    Late(String),
}

/// A graph server, and what is remembered of it from one question to the next.
#[derive(Debug)]
pub struct ServerGraphs {
    server: Arc<dyn CypherServer>,
    /// The names of each project that was asked about, and the state they are of.
    names: Mutex<HashMap<String, (u64, Arc<MemoryNames>)>>,
}

impl ServerGraphs {
    pub fn new(server: Arc<dyn CypherServer>) -> Self {
        Self { server, names: Mutex::default() }
    }

    /// Where it is, as it may be shown.
    pub fn address(&self) -> &str {
        self.server.address()
    }

    /// Answers a query in Cypher, or a question in English or Chinese, on the server.
    pub async fn ask(&self, project: &str, text: &str, asking: &Asking) -> Result<Answer, AskError> {
        if text.trim().is_empty() {
            return Err(AskError::Empty);
        }
        let asked = self.answer(project, text, asking);
        match asking.deadline {
            Some(deadline) => {
                let late = |_| ServerError::Late(self.address().to_owned());
                tokio::time::timeout_at(deadline.into(), asked).await.map_err(late)?
            }
            None => asked.await,
        }
    }

    async fn answer(&self, project: &str, text: &str, asking: &Asking) -> Result<Answer, AskError> {
        let Some(state) = self.server.state(project).await? else { return Err(self.no_project(project).await?.into()) };
        let question = if crate::is_cypher(text) {
            Question::of_cypher(text, asking.limit)?
        } else {
            let names = self.names(project, state).await?;
            let (text, limit) = (text.to_owned(), asking.limit);
            let translated = tokio::task::spawn_blocking(move || translate_with(&*names, &text, limit));
            translated.await.map_err(|error| ServerError::Unavailable(error.to_string()))??
        };
        self.run(project, &question, asking).await
    }

    async fn run(&self, project: &str, question: &Question, asking: &Asking) -> Result<Answer, AskError> {
        let warnings = checked(question.query())?;
        let confinement = self.server.confinement(project);
        let query = question.query().clone().confined_to(&confinement)?;
        let columns: Option<Vec<String>> =
            query.column_names().map(|names| names.iter().map(ToString::to_string).collect());
        let most = query.row_limit().unwrap_or(u64::from(asking.limit)).min(u64::from(asking.limit));
        let text = query.to_string();
        let found = self.server.rows(&text, columns.as_deref(), usize::try_from(most).unwrap_or(usize::MAX)).await?;
        let shown = found.rows.len() as u64;
        let total = match question.hidden(shown, asking.limit) {
            Some(unlimited) => self.total(unlimited.clone().confined_to(&confinement)?, shown, asking).await,
            None => Total::Exactly(shown),
        };
        let summary = question.sentence(&found.rows, total);
        let mut notes = question.remarks(&warnings);
        notes.push(format!("asked of {}, as it was last imported there", self.address()));
        Ok(Answer { query: text, columns: found.columns, rows: found.rows, total, summary, notes })
    }

    /// How many rows there are; at least as many as are shown, where counting them takes too long.
    async fn total(&self, unlimited: Query, shown: u64, asking: &Asking) -> Total {
        let deadline = Instant::now() + COUNTING;
        let deadline = asking.deadline.map_or(deadline, |own| own.min(deadline));
        let query = format!("CALL {{ {unlimited} }} RETURN count(*) AS number");
        let columns = ["number".to_owned()];
        let counted = tokio::time::timeout_at(deadline.into(), self.server.rows(&query, Some(&columns), 1)).await;
        match counted {
            Ok(Ok(found)) => match found.rows.first().and_then(crate::ask::counted) {
                Some(number) => Total::Exactly(number.max(shown)),
                None => Total::AtLeast(shown),
            },
            Ok(Err(_)) | Err(_) => Total::AtLeast(shown),
        }
    }

    async fn names(&self, project: &str, state: u64) -> Result<Arc<MemoryNames>, AskError> {
        let known = self.names.lock().unwrap_or_else(PoisonError::into_inner).get(project).cloned();
        if let Some((_, names)) = known.filter(|(known, _)| *known == state) {
            return Ok(names);
        }
        let hits = self.server.names(project).await?;
        let made = tokio::task::spawn_blocking(move || Arc::new(MemoryNames::new(hits)));
        let names = made.await.map_err(|error| ServerError::Unavailable(error.to_string()))?;
        let mut all = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(project.to_owned(), (state, names.clone()));
        Ok(names)
    }

    async fn no_project(&self, project: &str) -> Result<ServerError, ServerError> {
        let known = match self.server.projects().await?.as_slice() {
            [] => String::new(),
            names => format!("it has {}; ", names.join(", ")),
        };
        Ok(ServerError::NoProject { address: self.address().to_owned(), project: project.to_owned(), known })
    }
}

/// Refuses what our engine would refuse: a server may have functions that do more than compute.
fn checked(query: &Query) -> Result<Vec<Warning>, AskError> {
    if query.is_explain() {
        let reason = "EXPLAIN shows how our own engine would answer; a graph server is asked without it";
        return Err(ServerError::Refused(reason.to_owned()).into());
    }
    Ok(cypher::check(query, &Schema, &Parameters::default())?)
}
