//! A transport that passes over answers to questions nobody asked.
//!
//! Before the handshake is over the protocol library takes one such answer for the end of the connection, however well the
//! server goes on.

use std::collections::HashSet;
use std::io;

use rmcp::RoleClient;
use rmcp::model::{JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;

pub(crate) struct Forgiving<T> {
    inner: T,
    asked: HashSet<RequestId>,
}

impl<T> Forgiving<T> {
    pub(crate) fn new(inner: T) -> Self {
        Self { inner, asked: HashSet::new() }
    }
}

impl<T: Transport<RoleClient, Error = io::Error>> Transport<RoleClient> for Forgiving<T> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        if let JsonRpcMessage::Request(request) = &message {
            self.asked.insert(request.id.clone());
        }
        self.inner.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            let message = self.inner.receive().await?;
            let answered = match &message {
                JsonRpcMessage::Response(response) => Some(&response.id),
                JsonRpcMessage::Error(error) => error.id.as_ref(),
                JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => return Some(message),
            };
            // An error without an id is about a message that could not be read: none that we sent.
            if answered.is_some_and(|id| self.asked.remove(id)) {
                return Some(message);
            }
            tracing::debug!("passed over an answer to no question");
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), io::Error>> + Send {
        self.inner.close()
    }
}
