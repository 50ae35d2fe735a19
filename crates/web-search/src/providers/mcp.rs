//! Any MCP server with a tool that searches, as a program or at an address.

mod arguments;
mod choice;
mod listed;
mod replies;

use std::ffi::OsString;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::future::{BoxFuture, FutureExt as _};
use jiff::Timestamp;
use reqwest::Url;
use tokio::time::Instant;
use upstream::{Address, Client, Program, Target};

use self::choice::SearchTool;
use super::{Bounds, Provider, ProviderInfo};
use crate::cleaning::one_line;
use crate::configuration::{Configuration, ConfigurationError};
use crate::error::Error;
use crate::query::Question;
use crate::rows::Found;
use crate::secrets::Secrets;

const NAME: &str = "mcp";
/// The code of the protocol for a tool that does not exist, or for arguments that are not taken.
const INVALID_PARAMS: i32 = -32602;
const MOST_SHOWN: usize = 400;
/// Variables whose values are taken for secrets, by parts of their names.
const SECRET_NAMES: &[&str] = &["KEY", "TOKEN", "SECRET", "PASS", "AUTH", "CREDENTIAL", "COOKIE"];

pub(crate) const INFO: ProviderInfo = ProviderInfo {
    name: NAME,
    summary: "an MCP server with a search tool: `command`, `arguments` and `environment` start it, or `url` is its address; `tool` names \
              the tool where it is not found by itself",
    open: |configuration| Ok(Box::new(McpServer::new(configuration)?)),
};

/// One server. Starts and reaches nothing before the first question; a server that died is started again.
#[derive(Debug)]
struct McpServer {
    client: Client,
    place: String,
    secrets: Secrets,
    /// The tool that the operator has named.
    named: Option<String>,
    /// The tool that was found, until the server no longer has it.
    tool: Mutex<Option<Arc<SearchTool>>>,
}

impl McpServer {
    fn new(configuration: &Configuration) -> Result<Self, ConfigurationError> {
        let (target, place) = match (&configuration.command, &configuration.url) {
            (Some(_), Some(_)) => return Err(ConfigurationError::TwoWays),
            (None, None) => {
                return Err(ConfigurationError::Missing { provider: NAME, needed: "`command` or `url`" });
            }
            (Some(command), None) => {
                configuration.has_none_of(NAME, &["token"])?;
                let texts = |texts: &[String]| texts.iter().map(OsString::from).collect();
                let variables = configuration.environment.iter().map(|(name, value)| (name.into(), value.into()));
                let program = Program {
                    arguments: texts(&configuration.arguments),
                    environment: variables.collect(),
                    ..Program::new(command)
                };
                (Target::Program(program), format!("the MCP server `{}`", command.display()))
            }
            (None, Some(url)) => {
                configuration.has_none_of(NAME, &["arguments", "environment"])?;
                let host = host(url).ok_or(ConfigurationError::NotAnAddress)?;
                let address = Address { url: url.clone(), token: configuration.token.clone() };
                (Target::Address(address), format!("the MCP server at {host}"))
            }
        };
        let (secrets, named) = (secrets(configuration), configuration.tool.clone());
        Ok(Self { client: Client::new(target), place, secrets, named, tool: Mutex::default() })
    }

    async fn search(&self, question: &Question, bounds: Bounds, until: Instant) -> Result<Found, Error> {
        let tool = self.tool(until).await?;
        match self.call(&tool, question, bounds, until).await {
            // A server that was started anew may have other tools.
            Err(upstream::Error::Refused { code: INVALID_PARAMS, .. }) => {
                *self.remembered() = None;
                let tool = self.tool(until).await?;
                self.call(&tool, question, bounds, until).await.map_err(|error| self.explain(&error))
            }
            answered => answered.map_err(|error| self.explain(&error)),
        }?
    }

    async fn call(
        &self,
        tool: &SearchTool,
        question: &Question,
        bounds: Bounds,
        until: Instant,
    ) -> Result<Result<Found, Error>, upstream::Error> {
        let (arguments, is_ranged) = tool.arguments(question);
        let answer = self.client.call(&tool.name, arguments, left(until)).await?;
        if answer.text.len() > bounds.bytes {
            return Ok(Err(Error::TooLong { place: self.place.clone(), most: bounds.bytes }));
        }
        let mut found = match replies::read(&answer, Timestamp::now()) {
            Ok(found) => found,
            Err(message) => return Ok(Err(Error::Server { message: self.shown(&message), is_passing: false })),
        };
        found.said = found.said.map(|said| self.shown(&said));
        found.is_ranged = is_ranged;
        Ok(Ok(found))
    }

    /// The tool that searches: known, or looked for.
    async fn tool(&self, until: Instant) -> Result<Arc<SearchTool>, Error> {
        if let Some(tool) = self.remembered().clone() {
            return Ok(tool);
        }
        let offers = self.client.tools(left(until)).await.map_err(|error| self.explain(&error))?;
        let tool = choice::choose(&offers, self.named.as_deref()).ok_or_else(|| Error::NoSearchTool {
            place: self.place.clone(),
            offered: offers.iter().take(30).map(|offer| one_line(&offer.name, 80)).collect(),
        })?;
        tracing::debug!(tool = tool.name, "the search tool of an MCP server");
        let tool = Arc::new(tool);
        *self.remembered() = Some(Arc::clone(&tool));
        Ok(tool)
    }

    fn remembered(&self) -> MutexGuard<'_, Option<Arc<SearchTool>>> {
        self.tool.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn explain(&self, error: &upstream::Error) -> Error {
        use upstream::Error as Failure;
        match error {
            Failure::Timeout { after, .. } => Error::Timeout { place: self.place.clone(), after: *after },
            Failure::Ended { .. } | Failure::NoConnection { .. } => {
                Error::Server { message: self.shown(&error.to_string()), is_passing: true }
            }
            Failure::NotStarted { .. }
            | Failure::NotMcp { .. }
            | Failure::Refused { .. }
            | Failure::Tool { .. }
            | Failure::Malformed { .. } => Error::Server { message: self.shown(&error.to_string()), is_passing: false },
        }
    }

    fn shown(&self, said: &str) -> String {
        self.secrets.hide(&one_line(said, MOST_SHOWN))
    }
}

impl Provider for McpServer {
    fn place(&self) -> &str {
        &self.place
    }

    fn ask<'a>(&'a self, question: &'a Question, bounds: Bounds) -> BoxFuture<'a, Result<Found, Error>> {
        // The client ends in time by itself, and then ends a server that hangs.
        self.search(question, bounds, Instant::now() + bounds.time).boxed()
    }

    fn source(&self) -> String {
        self.remembered().as_ref().map_or_else(|| NAME.to_owned(), |tool| tool.name.clone())
    }

    fn engines<'a>(&'a self, _question: &'a Question, _bounds: Bounds) -> BoxFuture<'a, Option<Vec<String>>> {
        futures::future::ready(None).boxed()
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        self.client.close().boxed()
    }
}

fn left(until: Instant) -> std::time::Duration {
    until.saturating_duration_since(Instant::now())
}

fn host(url: &str) -> Option<String> {
    let url = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let host = url.host_str().filter(|host| !host.is_empty())?;
    Some(url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")))
}

/// What the server may repeat and nobody should read.
fn secrets(configuration: &Configuration) -> Secrets {
    let is_secret = |name: &str| SECRET_NAMES.iter().any(|part| name.to_ascii_uppercase().contains(part));
    let values = configuration.environment.iter().filter(|(name, _)| is_secret(name)).map(|(_, value)| value.clone());
    let given = Secrets::new(values.chain(configuration.token.clone()));
    let address = configuration.url.as_deref().and_then(|url| Url::parse(url).ok());
    address.map(|address| Secrets::of_address(&address)).unwrap_or_default().and(given)
}
