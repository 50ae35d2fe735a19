//! Calling one server: started when first needed, used again, started anew after its end.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout_at};

use crate::answer::{Answer, Offer};
use crate::error::Error;
use crate::session::Session;
use crate::target::Target;

/// A client of one MCP server.
///
/// Nothing is started before the first call. Calls from many tasks share one connection; one that broke is replaced by the
/// next call. A program that does not answer is killed with all that it started; so is every program when its client is
/// dropped.
///
/// ```no_run
/// # async fn example() -> Result<(), upstream::Error> {
/// use std::time::Duration;
/// use upstream::{Client, Program, Target};
///
/// let client = Client::new(Target::Program(Program::new("mcp-searxng")));
/// let arguments = serde_json::json!({"query": "rust"}).as_object().cloned().unwrap_or_default();
/// let answer = client.call("searxng_web_search", arguments, Duration::from_secs(10)).await?;
/// # let _ = answer.text; Ok(()) }
/// ```
#[derive(Debug)]
pub struct Client {
    target: Target,
    session: Mutex<Option<Arc<Session>>>,
}

impl Client {
    pub fn new(target: Target) -> Self {
        Self { target, session: Mutex::new(None) }
    }

    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Calls a tool. Starting the server, where that is needed, counts towards the time.
    pub async fn call(&self, tool: &str, arguments: Map<String, Value>, within: Duration) -> Result<Answer, Error> {
        self.ask(within, async |session| session.call(tool, arguments).await).await
    }

    /// The tools that the server offers, under the same rules.
    pub async fn tools(&self, within: Duration) -> Result<Vec<Offer>, Error> {
        self.ask(within, async |session| session.tools().await).await
    }

    /// Ends the server, politely at first. A later call starts it again.
    pub async fn close(&self) {
        let session = self.session.lock().await.take();
        if let Some(session) = session.and_then(Arc::into_inner) {
            session.close().await;
        }
    }

    /// Kills the server at once and waits for nothing. A later call starts it again.
    pub fn abandon(&self) {
        // Where the lock is taken the server is just being started by somebody who has a time limit, too.
        if let Ok(mut session) = self.session.try_lock() {
            *session = None;
        }
    }

    async fn ask<T>(
        &self,
        within: Duration,
        question: impl AsyncFnOnce(&Session) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let until = Instant::now() + within;
        let Ok(session) = timeout_at(until, self.session()).await else {
            return Err(Error::Timeout { server: self.target.label(), after: within, last_line: None });
        };
        let session = session?;
        let answers = session.answers();
        match timeout_at(until, question(&session)).await {
            Ok(result) => result,
            Err(_elapsed) => {
                let last_line = session.last_words().await;
                // One that has answered others meanwhile is only slow; one that has answered nobody hangs.
                if session.answers() == answers {
                    self.discard(&session).await;
                }
                Err(Error::Timeout { server: self.target.label(), after: within, last_line })
            }
        }
    }

    /// The connection at hand, or a new one. Callers who come while it is being made wait for it.
    async fn session(&self) -> Result<Arc<Session>, Error> {
        let mut current = self.session.lock().await;
        if let Some(session) = current.as_ref() {
            if session.is_alive().await {
                return Ok(Arc::clone(session));
            }
            tracing::debug!(server = self.target.label(), "the connection broke; a new one is made");
            *current = None;
        }
        let session = Arc::new(Session::open(&self.target).await?);
        *current = Some(Arc::clone(&session));
        Ok(session)
    }

    async fn discard(&self, broken: &Arc<Session>) {
        let mut current = self.session.lock().await;
        if current.as_ref().is_some_and(|session| Arc::ptr_eq(session, broken)) {
            *current = None;
        }
    }
}
