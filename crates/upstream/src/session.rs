//! One connection to one server, from the handshake to its end.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ClientConfig, Implementation,
};
use rmcp::service::{ClientInitializeError, RunningService, ServiceError};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{RoleClient, serve_client};
use serde_json::{Map, Value};
use tokio::sync::Mutex;
use tokio::time::{sleep, timeout};

use crate::answer::{Answer, Offer};
use crate::error::{Error, first_cause, shortened};
use crate::forgiving::Forgiving;
use crate::http;
use crate::process::Process;
use crate::target::{Program, Target};

/// The longest line or event that is read, in bytes; longer ones are thrown away as they come.
pub(crate) const LONGEST_MESSAGE: usize = 4 * 1024 * 1024;
/// Time between two looks at whether the program still runs: a child of it may hold its pipes open when it does not.
const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// How long an answer may take that was sent just before the end.
const LAST_ANSWER: Duration = Duration::from_millis(200);
/// How long a program may take to end by itself once nobody speaks to it any more.
const FAREWELL: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub(crate) struct Session {
    server: String,
    service: RunningService<RoleClient, ClientConfig>,
    process: Option<Mutex<Process>>,
    answers: AtomicU64,
}

impl Session {
    /// Starts or reaches the server and introduces Trailmark to it. Dropping the future ends what was started.
    pub(crate) async fn open(target: &Target) -> Result<Self, Error> {
        let server = target.label();
        match target {
            Target::Program(program) => Self::start(server, program.clone()).await,
            Target::Address(address) => {
                let (for_client, label) = (address.clone(), server.clone());
                let client = blocking(&server, move || http::client(&for_client, &label)).await?;
                let greeting = serve_client(introduction(), http::transport(client, address)).await;
                let service = greeting.map_err(|error| unreachable_server(&server, &error))?;
                Ok(Self { server, service, process: None, answers: AtomicU64::new(0) })
            }
        }
    }

    async fn start(server: String, program: Program) -> Result<Self, Error> {
        let (mut process, stdout, stdin) = blocking(&server, move || Process::start(&program)).await?;
        let transport = AsyncRwTransport::new_client(stdout, stdin).with_max_line_length(LONGEST_MESSAGE);
        let mut greeting = Box::pin(serve_client(introduction(), Forgiving::new(transport)));
        let greeted = loop {
            tokio::select! {
                biased;
                greeted = &mut greeting => break Some(greeted),
                () = sleep(LOOK_AGAIN) => {}
            }
            if process.has_ended() {
                break timeout(LAST_ANSWER, &mut greeting).await.ok();
            }
        };
        drop(greeting);
        match greeted {
            Some(Ok(service)) => {
                Ok(Self { server, service, process: Some(Mutex::new(process)), answers: AtomicU64::new(0) })
            }
            Some(Err(error)) => Err(not_greeted(server, &mut process, &error).await),
            None => Err(ended(server, &mut process).await),
        }
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Map<String, Value>) -> Result<Answer, Error> {
        let parameters = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let response = self.while_it_runs(self.service.call_tool_once(parameters)).await?;
        match response {
            Ok(CallToolResponse::Complete(result)) => self.answer(tool, result),
            Ok(_) => Err(self.malformed(tool, "it asks back, which Trailmark does not answer")),
            Err(error) => Err(self.explain(tool, error).await),
        }
    }

    /// The tools that the server offers.
    pub(crate) async fn tools(&self) -> Result<Vec<Offer>, Error> {
        match self.while_it_runs(self.service.list_all_tools()).await? {
            Ok(tools) => Ok(tools.into_iter().map(offer).collect()),
            Err(error) => Err(self.explain("tools/list", error).await),
        }
    }

    /// How many answers have come.
    pub(crate) fn answers(&self) -> u64 {
        self.answers.load(Ordering::Relaxed)
    }

    pub(crate) async fn is_alive(&self) -> bool {
        !self.service.is_closed() && !self.service.is_transport_closed() && !self.has_ended().await
    }

    pub(crate) async fn last_words(&self) -> Option<String> {
        self.process.as_ref()?.lock().await.last_words()
    }

    /// Lets the server end by itself for a moment.
    pub(crate) async fn close(self) {
        let Self { service, process, .. } = self;
        let _ = timeout(FAREWELL, service.cancel()).await;
        let Some(process) = process else { return };
        will_have_ended(&mut process.into_inner(), FAREWELL).await;
    }

    async fn has_ended(&self) -> bool {
        match &self.process {
            Some(process) => process.lock().await.has_ended(),
            None => false,
        }
    }

    /// What came of it, or how the program ended before that.
    async fn while_it_runs<T>(&self, asking: impl Future<Output = T>) -> Result<T, Error> {
        let mut asking = Box::pin(asking);
        loop {
            tokio::select! {
                biased;
                result = &mut asking => {
                    self.answers.fetch_add(1, Ordering::Relaxed);
                    return Ok(result);
                }
                () = sleep(LOOK_AGAIN) => {}
            }
            if self.has_ended().await {
                return match timeout(LAST_ANSWER, &mut asking).await {
                    Ok(result) => Ok(result),
                    Err(_elapsed) => Err(self.lost("it ended").await),
                };
            }
        }
    }

    fn answer(&self, tool: &str, result: CallToolResult) -> Result<Answer, Error> {
        let texts = result.content.iter().filter_map(|block| Some(block.as_text()?.text.as_str()));
        let text = texts.collect::<Vec<_>>().join("\n");
        if result.is_error == Some(true) {
            return Err(Error::Tool { tool: tool.to_owned(), message: shortened(&text) });
        }
        Ok(Answer { text, structured: result.structured_content })
    }

    async fn explain(&self, tool: &str, error: ServiceError) -> Error {
        if let ServiceError::McpError(error) = error {
            let message = shortened(&error.message);
            return Error::Refused { server: self.server.clone(), code: error.code.0, message };
        }
        if matches!(error, ServiceError::UnexpectedResponse) {
            return self.malformed(tool, "it is of another kind");
        }
        self.lost(&first_cause(&error)).await
    }

    async fn lost(&self, reason: &str) -> Error {
        let server = self.server.clone();
        match &self.process {
            Some(process) => ended(server, &mut *process.lock().await).await,
            None => Error::NoConnection { server, reason: reason.to_owned() },
        }
    }

    fn malformed(&self, tool: &str, reason: &str) -> Error {
        Error::Malformed { server: self.server.clone(), tool: tool.to_owned(), reason: reason.to_owned() }
    }
}

fn introduction() -> ClientConfig {
    ClientConfig::new(ClientCapabilities::default(), Implementation::new("trailmark", env!("CARGO_PKG_VERSION")))
}

fn offer(tool: rmcp::model::Tool) -> Offer {
    let description = tool.description.map(std::borrow::Cow::into_owned).unwrap_or_default();
    Offer { name: tool.name.into_owned(), description, input: Value::Object((*tool.input_schema).clone()) }
}

async fn blocking<T: Send + 'static>(
    server: &str,
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let failed =
        |error: tokio::task::JoinError| Err(Error::NotStarted { server: server.to_owned(), reason: error.to_string() });
    tokio::task::spawn_blocking(work).await.unwrap_or_else(failed)
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the library's list of errors is open")]
fn unreachable_server(server: &str, error: &ClientInitializeError) -> Error {
    // The library names its own types in front of what happened, and knows no cause of that.
    let reason = match error {
        ClientInitializeError::TransportError { error, .. } => first_cause(error),
        other => first_cause(other),
    };
    let server = server.to_owned();
    let is_connection =
        matches!(error, ClientInitializeError::TransportError { .. } | ClientInitializeError::ConnectionClosed(_));
    if is_connection {
        return Error::NoConnection { server, reason };
    }
    Error::NotMcp { server, reason, last_line: None }
}

async fn not_greeted(server: String, process: &mut Process, error: &ClientInitializeError) -> Error {
    if will_have_ended(process, LAST_ANSWER).await {
        return ended(server, process).await;
    }
    Error::NotMcp { server, reason: first_cause(error), last_line: process.last_words() }
}

async fn ended(server: String, process: &mut Process) -> Error {
    will_have_ended(process, LAST_ANSWER).await;
    match process.end().await {
        Some((status, last_line)) => Error::Ended { server, status, last_line },
        None => Error::Ended { server, status: "it closed its output".to_owned(), last_line: process.last_words() },
    }
}

/// Whether the program ends in time: it closes its pipes a little before its end can be seen.
async fn will_have_ended(process: &mut Process, within: Duration) -> bool {
    let ending = async {
        while !process.has_ended() {
            sleep(LOOK_AGAIN).await;
        }
    };
    timeout(within, ending).await.is_ok()
}
