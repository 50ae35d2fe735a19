//! A transport that passes over what a server should not send.
//!
//! Before the handshake is over the protocol library takes an answer to no question for the end of the connection, however
//! well the server goes on. Later it keeps its answers to the server's own questions until they are read, however many there
//! are.

use std::collections::HashSet;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rmcp::RoleClient;
use rmcp::model::{JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;

/// How many questions a server may ask before it has read the answers.
const MOST_UNANSWERED: usize = 16;

pub(crate) struct Forgiving<T> {
    inner: T,
    asked: HashSet<RequestId>,
    /// Questions of the server whose answers it has not read.
    unanswered: Arc<AtomicUsize>,
}

impl<T> Forgiving<T> {
    pub(crate) fn new(inner: T) -> Self {
        Self { inner, asked: HashSet::new(), unanswered: Arc::default() }
    }

    fn may_ask(&self) -> bool {
        let more = |unanswered: usize| (unanswered < MOST_UNANSWERED).then_some(unanswered + 1);
        self.unanswered.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok()
    }
}

impl<T: Transport<RoleClient, Error = io::Error>> Transport<RoleClient> for Forgiving<T> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let is_answer = match &message {
            JsonRpcMessage::Request(request) => {
                self.asked.insert(request.id.clone());
                false
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => true,
            JsonRpcMessage::Notification(_) => false,
        };
        let unanswered = Arc::clone(&self.unanswered);
        let sending = self.inner.send(message);
        async move {
            let sent = sending.await;
            if is_answer {
                let fewer = |unanswered: usize| unanswered.checked_sub(1);
                let _ = unanswered.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer);
            }
            sent
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            let message = self.inner.receive().await?;
            // An error without an id is about a message that could not be read: none that we sent.
            let is_wanted = match &message {
                JsonRpcMessage::Response(response) => self.asked.remove(&response.id),
                JsonRpcMessage::Error(error) => error.id.as_ref().is_some_and(|id| self.asked.remove(id)),
                JsonRpcMessage::Request(_) => self.may_ask(),
                JsonRpcMessage::Notification(_) => true,
            };
            if is_wanted {
                return Some(message);
            }
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), io::Error>> + Send {
        self.inner.close()
    }
}
