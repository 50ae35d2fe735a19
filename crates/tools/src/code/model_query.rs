//! A question that the translator is not sure of: a language model may write the query, and is told once what is wrong with it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use code_query::{Answer, AskError, Asking, Conversation, Question, ReplyError};
use store::ProjectGraph;
use tokio::time::timeout_at;

use super::query_code_graph::{DEADLINE, QUERY, explain};
use crate::blocking::off_runtime;
use crate::context::LanguageModel;
use crate::error::ToolError;

/// Of the time of a call, what is kept for the translator's own answer.
const KEPT_FOR_GUESS: Duration = Duration::from_secs(4);

/// And what is kept for sending any answer.
const KEPT_FOR_ANSWER: Duration = Duration::from_secs(1);

/// A question with what the translator made of it, if anything, and what a model is to be told.
pub(super) struct Unclear {
    pub(super) graph: Arc<dyn ProjectGraph>,
    pub(super) guess: Result<Question, AskError>,
    pub(super) conversation: Conversation,
    pub(super) model: Arc<dyn LanguageModel>,
}

impl Unclear {
    /// The answer to the model's query, else to the translator's, in the time that is left of a call that began then.
    pub(super) async fn answer(self, asking: Asking, began: Instant) -> Result<Answer, ToolError> {
        let Self { graph, guess, conversation, model } = self;
        let until = began + DEADLINE - KEPT_FOR_GUESS;
        let asked =
            Asked { model: &*model, graph: graph.clone(), asking: Asking { deadline: Some(until), ..asking.clone() } };
        let why = match timeout_at(until.into(), asked.answer(conversation)).await {
            Ok(Ok(answer)) => {
                return Ok(with_note(answer, format!("The language model {} wrote the query", model.name())));
            }
            Ok(Err(why)) => why,
            Err(_elapsed) => "that took too long".to_owned(),
        };
        let why = format!("the language model {} was asked too, but {why}", model.name());
        let question = guess.map_err(|error| ToolError::invalid(format!("{error}; {why}")))?;
        let deadline = (Instant::now() + QUERY).min(began + DEADLINE - KEPT_FOR_ANSWER);
        let asking = Asking { deadline: Some(deadline), ..asking };
        let answer = off_runtime(move || code_query::run(&*graph, &question, &asking).map_err(explain)).await?;
        Ok(with_note(answer, why))
    }
}

fn with_note(mut answer: Answer, note: String) -> Answer {
    answer.notes.push(note);
    answer
}

/// A model that is being asked, and what its queries may cost.
struct Asked<'a> {
    model: &'a dyn LanguageModel,
    graph: Arc<dyn ProjectGraph>,
    asking: Asking,
}

/// What a reply came to.
enum Outcome {
    Answered(Answer),
    /// The model can do better if it is told this.
    Wrong(String),
    Hopeless(String),
}

impl Asked<'_> {
    /// The answer to its first query that can be run, of two; else why there is none.
    async fn answer(&self, conversation: Conversation) -> Result<Answer, String> {
        let reply = self.model.complete(&conversation.instructions, &conversation.said).await?;
        let reason = match self.try_out(&reply).await? {
            Outcome::Answered(answer) => return Ok(answer),
            Outcome::Hopeless(reason) => return Err(reason),
            Outcome::Wrong(reason) => reason,
        };
        let conversation = conversation.repair(&reply, &reason);
        let reply = self.model.complete(&conversation.instructions, &conversation.said).await?;
        match self.try_out(&reply).await? {
            Outcome::Answered(answer) => Ok(answer),
            Outcome::Hopeless(reason) => Err(reason),
            Outcome::Wrong(reason) => Err(format!("its query cannot be used: {reason}")),
        }
    }

    async fn try_out(&self, reply: &str) -> Result<Outcome, String> {
        let (graph, asking, reply) = (self.graph.clone(), self.asking.clone(), reply.to_owned());
        let tried = off_runtime(move || Ok(try_out(&*graph, &reply, &asking))).await;
        tried.map_err(|error| error.message)
    }
}

fn try_out(graph: &dyn ProjectGraph, reply: &str, asking: &Asking) -> Outcome {
    let accepted = match graph.reader() {
        Ok(reader) => code_query::accept(reply, &*reader, asking.limit),
        Err(error) => return Outcome::Hopeless(error.to_string()),
    };
    let question = match accepted {
        Ok(question) => question,
        Err(error @ ReplyError::Declined) => return Outcome::Hopeless(error.to_string()),
        Err(error) => return Outcome::Wrong(error.to_string()),
    };
    match code_query::run(graph, &question, asking) {
        Ok(answer) => Outcome::Answered(answer),
        Err(error @ AskError::Query(_)) => Outcome::Wrong(error.to_string()),
        Err(error) => Outcome::Hopeless(error.to_string()),
    }
}
