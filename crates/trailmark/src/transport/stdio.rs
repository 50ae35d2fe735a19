//! Standard input and output as a transport of the protocol library, with an answer to everything that comes in.

use std::collections::HashSet;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, GetMeta, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use serde::Serialize;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::lines::{Line, Lines};
use crate::mcp::envelope::{self, Rejection};

/// The longest message that is read.
pub(crate) const LONGEST_MESSAGE: usize = 16 * 1024 * 1024;
/// Answers that may wait for a client that does not read them before we stop reading from it.
const UNREAD_BYTES: usize = 8 * 1024 * 1024;

/// One client on two streams.
#[derive(Debug)]
pub(crate) struct StdioTransport<R, W> {
    lines: Lines<R>,
    output: Arc<Output<W>>,
    under_way: Arc<UnderWay>,
    lifecycle: Lifecycle,
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

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin + Send + 'static> StdioTransport<R, W> {
    /// `ended` is cancelled when the client closes its side.
    pub(crate) fn new(input: R, output: W, ended: CancellationToken) -> Self {
        Self {
            lines: Lines::new(input, LONGEST_MESSAGE),
            output: Arc::new(Output::new(output)),
            under_way: Arc::default(),
            lifecycle: Lifecycle::New,
            ended,
        }
    }

    async fn next_message(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            self.output.wait_for_reader().await;
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
                Err(rejection) => {
                    if self.output.send(&rejection.to_json()).await.is_err() {
                        return None;
                    }
                }
            }
        }
    }

    /// Lets a message through to the protocol, drops it, or answers it here.
    fn admit(&mut self, message: ClientJsonRpcMessage) -> Result<Option<ClientJsonRpcMessage>, Rejection> {
        match &message {
            JsonRpcMessage::Request(request) => {
                let id = serde_json::to_value(&request.id).unwrap_or_default();
                self.advance(&request.request, &id)?;
                if !self.under_way.begin(&request.id) {
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
                    self.under_way.end(id);
                }
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => {}
        }
        Ok(Some(message))
    }

    fn advance(&mut self, request: &ClientRequest, id: &serde_json::Value) -> Result<(), Rejection> {
        let introduces_itself = request.get_meta().protocol_version().is_some();
        match (self.lifecycle, request) {
            (Lifecycle::Initialized, ClientRequest::InitializeRequest(_)) => {
                Err(Rejection::invalid_request("Invalid request: this connection is initialized already", id.clone()))
            }
            (_, ClientRequest::InitializeRequest(_)) => {
                self.lifecycle = Lifecycle::Initialized;
                Ok(())
            }
            (Lifecycle::New, ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_)) => Ok(()),
            (Lifecycle::New, _) if introduces_itself => {
                self.lifecycle = Lifecycle::PerRequest;
                Ok(())
            }
            (Lifecycle::New, _) => Err(Rejection::not_initialized(id.clone())),
            _ => Ok(()),
        }
    }
}

impl<R, W> Transport<RoleServer> for StdioTransport<R, W>
where
    R: AsyncRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Error = io::Error;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        match &message {
            JsonRpcMessage::Response(response) => self.under_way.end(&response.id),
            JsonRpcMessage::Error(error) => error.id.iter().for_each(|id| self.under_way.end(id)),
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => {}
        }
        let output = self.output.clone();
        async move { output.send(&message).await }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        let message = self.next_message().await;
        if message.is_none() {
            self.ended.cancel();
        }
        message
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output.stream.lock().await.shutdown().await
    }
}

/// The ids of requests that have no answer yet.
#[derive(Debug, Default)]
struct UnderWay(Mutex<HashSet<RequestId>>);

impl UnderWay {
    /// False when a request with this id is under way already.
    fn begin(&self, id: &RequestId) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone())
    }

    fn end(&self, id: &RequestId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }
}

/// The client's side of the output: whole lines, one after the other.
#[derive(Debug)]
struct Output<W> {
    stream: tokio::sync::Mutex<W>,
    unread: AtomicUsize,
    was_read: Notify,
}

impl<W: AsyncWrite + Unpin> Output<W> {
    fn new(stream: W) -> Self {
        Self { stream: tokio::sync::Mutex::new(stream), unread: AtomicUsize::new(0), was_read: Notify::new() }
    }

    async fn send(&self, message: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        self.unread.fetch_add(line.len(), Ordering::Relaxed);
        let mut stream = self.stream.lock().await;
        let written = stream.write_all(&line).await;
        let flushed = stream.flush().await;
        self.unread.fetch_sub(line.len(), Ordering::Relaxed);
        self.was_read.notify_one();
        written.and(flushed)
    }

    /// Returns at once unless the client has left too much unread.
    async fn wait_for_reader(&self) {
        while self.unread.load(Ordering::Relaxed) > UNREAD_BYTES {
            self.was_read.notified().await;
        }
    }
}
