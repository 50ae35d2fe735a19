//! Standard input and output as a transport of the protocol library, with an answer to everything that comes in.

use std::collections::HashSet;
use std::io;

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, GetMeta, JsonRpcMessage, ProtocolVersion, RequestId,
    ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use super::lines::{Line, Lines};
use super::output::Output;
use crate::mcp::envelope::{self, Rejection};

/// The longest message that is read.
pub(crate) const LONGEST_MESSAGE: usize = 16 * 1024 * 1024;

/// Requests without an answer, above which no more are read: a client that sends faster is slowed down, not refused.
const MOST_UNDER_WAY: usize = 512;

/// One client on two streams.
#[derive(Debug)]
pub(crate) struct StdioTransport<R> {
    lines: Lines<R>,
    output: Output,
    /// The ids of requests that have no answer yet.
    under_way: HashSet<RequestId>,
    lifecycle: Lifecycle,
    /// Whether the client has closed its side, even if not all it sent was read.
    hung_up: fn() -> bool,
    ended: CancellationToken,
}

/// How far the client has come in introducing itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lifecycle {
    New,
    /// It sent `initialize`.
    Initialized,
    /// Its requests introduce themselves one by one.
    PerRequest,
}

impl<R: AsyncRead + Unpin> StdioTransport<R> {
    /// `ended` is cancelled when the client closes its side. Must be called on a runtime.
    pub(crate) fn new(input: R, output: impl AsyncWrite + Unpin + Send + 'static, ended: CancellationToken) -> Self {
        Self {
            lines: Lines::new(input, LONGEST_MESSAGE),
            output: Output::start(output),
            under_way: HashSet::new(),
            lifecycle: Lifecycle::New,
            hung_up: standard_input_hung_up,
            ended,
        }
    }

    async fn next_message(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            self.output.wait_for_reader(self.hung_up).await;
            if self.under_way.len() >= MOST_UNDER_WAY {
                // The library asks anew after every answer it sends.
                std::future::pending::<()>().await;
            }
            let read = match self.lines.next().await {
                Ok(Line::Whole(line)) => envelope::read(&line),
                Ok(Line::TooLong) => Err(Rejection::invalid_request(
                    format!("Invalid request: a message may have at most {LONGEST_MESSAGE} bytes"),
                    serde_json::Value::Null,
                )),
                Ok(Line::End) => return None,
                Err(error) => {
                    tracing::warn!(%error, "standard input cannot be read");
                    return None;
                }
            };
            match read.and_then(|message| self.admit(message)) {
                Ok(Some(message)) => return Some(message),
                Ok(None) => {}
                Err(rejection) if rejection.of_notification => tracing::debug!(rejection.message, "ignored"),
                Err(rejection) => self.output.send(&rejection.to_json()).ok()?,
            }
        }
    }

    /// Lets a message through to the protocol, drops it, or answers it here.
    fn admit(&mut self, message: ClientJsonRpcMessage) -> Result<Option<ClientJsonRpcMessage>, Rejection> {
        match &message {
            JsonRpcMessage::Request(request) => {
                let id = serde_json::to_value(&request.id).unwrap_or_default();
                self.advance(&request.request, &id)?;
                if !self.under_way.insert(request.id.clone()) {
                    let text = format!("Invalid request: the id {id} belongs to a request that is still under way");
                    return Err(Rejection::invalid_request(text, id));
                }
            }
            JsonRpcMessage::Notification(_) | JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_)
                if self.lifecycle == Lifecycle::New =>
            {
                return Ok(None);
            }
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.under_way.remove(id);
                }
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => {}
        }
        Ok(Some(message))
    }

    fn advance(&mut self, request: &ClientRequest, id: &serde_json::Value) -> Result<(), Rejection> {
        let version = request.get_meta().protocol_version();
        match (self.lifecycle, request) {
            (Lifecycle::Initialized | Lifecycle::PerRequest, ClientRequest::InitializeRequest(_)) => {
                Err(Rejection::invalid_request(
                    "Invalid request: this connection has begun already; open another to initialize",
                    id.clone(),
                ))
            }
            (Lifecycle::New, ClientRequest::InitializeRequest(_)) => {
                self.lifecycle = Lifecycle::Initialized;
                Ok(())
            }
            (Lifecycle::New, ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_)) => Ok(()),
            // The library answers an introduction that it does not accept, and goes on waiting for one.
            (Lifecycle::New, _) if version.is_some() => {
                if is_accepted(request) {
                    self.lifecycle = Lifecycle::PerRequest;
                }
                Ok(())
            }
            (Lifecycle::New, _) => Err(Rejection::not_initialized(id.clone())),
            _ => Ok(()),
        }
    }
}

/// Whether the library takes this request as the beginning of a connection without `initialize`.
fn is_accepted(request: &ClientRequest) -> bool {
    let meta = request.get_meta();
    let is_known = meta.protocol_version().is_some_and(|version| ProtocolVersion::KNOWN_VERSIONS.contains(&version));
    is_known && meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty()
}

impl<R: AsyncRead + Unpin + Send> Transport<RoleServer> for StdioTransport<R> {
    type Error = io::Error;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let answered = match &message {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
        };
        if let Some(id) = answered {
            self.under_way.remove(id);
        }
        std::future::ready(self.output.send(&message))
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        let message = self.next_message().await;
        if message.is_none() {
            self.ended.cancel();
        }
        message
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output.finish().await
    }
}

/// A pipe tells that its writer is gone while there is still something to read in it.
#[cfg(unix)]
fn standard_input_hung_up() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let input = std::io::stdin();
    let mut watched = [PollFd::new(&input, PollFlags::IN)];
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut watched, Some(&at_once)).is_ok() && watched[0].revents().contains(PollFlags::HUP)
}

#[cfg(not(unix))]
fn standard_input_hung_up() -> bool {
    false
}
