//! Asking a model, within limits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Response, StatusCode};
use tokio::sync::OnceCell;
use tokio::time::timeout;

use crate::connection;
use crate::endpoint::Endpoint;
use crate::error::{Error, first_cause};
use crate::wire::{self, Request};

/// How much of an answer that is no reply an error shows, in characters.
const MOST_SHOWN: usize = 200;

/// What one reply may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Until there is a connection.
    pub connect: Duration,
    /// Until the last byte of the answer.
    pub total: Duration,
    pub answer_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { connect: Duration::from_secs(3), total: Duration::from_secs(8), answer_bytes: 256 * 1024 }
    }
}

/// Asks one model. Opens nothing before the first question.
#[derive(Debug)]
pub struct Client {
    endpoint: Endpoint,
    limits: Limits,
    connection: OnceCell<reqwest::Client>,
    /// Whether the model has refused to be told how to choose words and how many.
    refuses_tuning: AtomicBool,
}

impl Client {
    pub fn new(endpoint: Endpoint, limits: Limits) -> Self {
        Self { endpoint, limits, connection: OnceCell::new(), refuses_tuning: AtomicBool::new(false) }
    }

    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// The model's reply. What was said begins with who asks, and goes on in turn.
    pub async fn complete(&self, instructions: &str, said: &[String]) -> Result<String, Error> {
        let after = self.limits.total;
        let asking = timeout(after, self.complete_unbounded(instructions, said));
        asking.await.unwrap_or_else(|_elapsed| Err(Error::Timeout { host: self.endpoint.host(), after }))
    }

    async fn complete_unbounded(&self, instructions: &str, said: &[String]) -> Result<String, Error> {
        let is_tuned = !self.refuses_tuning.load(Ordering::Relaxed);
        let mut answer = self.ask(&Request::new(self.endpoint.model(), instructions, said, is_tuned)).await?;
        if is_tuned && answer.status == StatusCode::BAD_REQUEST && wire::refuses_tuning(&answer.body) {
            self.refuses_tuning.store(true, Ordering::Relaxed);
            answer = self.ask(&Request::new(self.endpoint.model(), instructions, said, false)).await?;
        }
        self.reply(&answer)
    }

    fn reply(&self, answer: &Answer) -> Result<String, Error> {
        let host = self.endpoint.host();
        if answer.status != StatusCode::OK {
            return Err(Error::Status { host, status: answer.status.as_u16(), body: self.shown(&answer.body) });
        }
        match wire::reply(&answer.body) {
            None => Err(Error::NotACompletion { host, body: self.shown(&answer.body) }),
            Some(reply) if reply.is_empty() => Err(Error::Empty { host }),
            Some(reply) => Ok(reply),
        }
    }

    async fn ask(&self, request: &Request<'_>) -> Result<Answer, Error> {
        self.post(serde_json::to_vec(request).expect("a request holds nothing but text and numbers")).await
    }

    /// One request and its answer, unless that takes longer than the limit.
    pub(crate) async fn post_within_limits(&self, body: Vec<u8>) -> Result<Answer, Error> {
        let after = self.limits.total;
        let asking = timeout(after, self.post(body));
        asking.await.unwrap_or_else(|_elapsed| Err(Error::Timeout { host: self.endpoint.host(), after }))
    }

    async fn post(&self, body: Vec<u8>) -> Result<Answer, Error> {
        let mut sending = self.connection().await?.post(self.endpoint.address().clone());
        if let Some(authorization) = self.endpoint.authorization() {
            sending = sending.header(AUTHORIZATION, authorization);
        }
        let sending = sending.header(CONTENT_TYPE, "application/json").body(body);
        let mut response = sending.send().await.map_err(|error| self.explain(error))?;
        let status = response.status();
        let retry_after =
            response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
        Ok(Answer { status, retry_after, body: self.read(&mut response).await? })
    }

    async fn connection(&self) -> Result<&reqwest::Client, Error> {
        let (is_encrypted, patience) = (self.endpoint.is_encrypted(), self.limits.connect);
        let open = async {
            let opening = tokio::task::spawn_blocking(move || connection::open(is_encrypted, patience));
            opening.await.unwrap_or_else(|error| Err(Error::NoSecurity { reason: error.to_string() }))
        };
        self.connection.get_or_try_init(|| open).await
    }

    async fn read(&self, response: &mut Response) -> Result<Vec<u8>, Error> {
        let most = self.limits.answer_bytes;
        let mut body = Vec::new();
        while let Some(part) = response.chunk().await.map_err(|error| self.explain(error))? {
            if body.len() + part.len() > most {
                return Err(Error::TooLong { host: self.endpoint.host(), most });
            }
            body.extend_from_slice(&part);
        }
        Ok(body)
    }

    fn explain(&self, error: reqwest::Error) -> Error {
        let host = self.endpoint.host();
        if error.is_timeout() {
            return Error::Timeout { host, after: self.limits.connect };
        }
        let is_connect = error.is_connect();
        let reason = self.endpoint.without_key(&first_cause(&error.without_url()));
        if is_connect { Error::NoConnection { host, reason } } else { Error::Lost { host, reason } }
    }

    /// The beginning of an answer on one line, without the key.
    pub(crate) fn shown(&self, body: &[u8]) -> String {
        let text = self.endpoint.without_key(&String::from_utf8_lossy(body));
        let text = text.split(|character: char| character.is_whitespace() || character.is_control());
        let text = text.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        text.chars().take(MOST_SHOWN).collect()
    }
}

pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    /// In seconds.
    pub(crate) retry_after: Option<u64>,
    pub(crate) body: Vec<u8>,
}
