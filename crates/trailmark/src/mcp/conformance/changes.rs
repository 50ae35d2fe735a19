//! Lists that change while the server runs, and telling the clients that asked to know.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ResourceUpdatedNotificationParam, SubscriptionFilter};
use rmcp::service::{Peer, ServiceError, SubscriptionContext};
use tokio::sync::broadcast::{self, Receiver, Sender, error::RecvError};

use super::resources::WATCHED;
use super::session::Session;

const UNREAD: usize = 16;
/// A subscription is acknowledged shortly before it listens; a change announced in between would be lost.
const UNTIL_SUBSCRIPTIONS_LISTEN: Duration = Duration::from_millis(50);

#[derive(Debug, Clone, Copy)]
pub(super) enum Change {
    Tools,
    Prompts,
    WatchedResource,
}

/// Whether the tool and the prompt that come and go are there, for all sessions.
#[derive(Debug)]
pub(super) struct Changes {
    has_extra_tool: AtomicBool,
    has_extra_prompt: AtomicBool,
    announced: Sender<Change>,
}

impl Default for Changes {
    fn default() -> Self {
        let (announced, _) = broadcast::channel(UNREAD);
        Self { has_extra_tool: AtomicBool::new(false), has_extra_prompt: AtomicBool::new(false), announced }
    }
}

impl Changes {
    pub(super) fn has_extra_tool(&self) -> bool {
        self.has_extra_tool.load(Ordering::Relaxed)
    }

    pub(super) fn has_extra_prompt(&self) -> bool {
        self.has_extra_prompt.load(Ordering::Relaxed)
    }

    pub(super) async fn make(&self, change: Change) {
        tokio::time::sleep(UNTIL_SUBSCRIPTIONS_LISTEN).await;
        match change {
            Change::Tools => drop(self.has_extra_tool.fetch_not(Ordering::Relaxed)),
            Change::Prompts => drop(self.has_extra_prompt.fetch_not(Ordering::Relaxed)),
            Change::WatchedResource => {}
        }
        // Fails only when nobody listens.
        let _ = self.announced.send(change);
    }
}

/// Everything that a client may subscribe to.
pub(super) fn offered() -> SubscriptionFilter {
    SubscriptionFilter::builder().tools_list_changed().prompts_list_changed().resource_subscription(WATCHED).build()
}

/// Runs until the client ends the subscription, whose sink drops what the client did not ask for.
pub(super) async fn tell_subscription(changes: &Changes, subscription: &SubscriptionContext) {
    let mut announced = changes.announced.subscribe();
    let sink = subscription.sink();
    loop {
        let change = tokio::select! {
            () = subscription.cancelled() => return,
            change = next(&mut announced) => change,
        };
        let _ = match change {
            None => return,
            Some(Change::Tools) => sink.notify_tool_list_changed().await,
            Some(Change::Prompts) => sink.notify_prompt_list_changed().await,
            Some(Change::WatchedResource) => sink.notify_resource_updated(WATCHED).await,
        };
    }
}

/// Tells a session of an older client in the background, until it is gone.
pub(super) fn tell_session(changes: &Changes, session: Arc<Session>, peer: Peer<RoleServer>) {
    let mut announced = changes.announced.subscribe();
    tokio::spawn(async move {
        while let Some(change) = next(&mut announced).await {
            if notify(&peer, &session, change).await.is_err() {
                return;
            }
        }
    });
}

async fn notify(peer: &Peer<RoleServer>, session: &Session, change: Change) -> Result<(), ServiceError> {
    match change {
        Change::Tools => peer.notify_tool_list_changed().await,
        Change::Prompts => peer.notify_prompt_list_changed().await,
        Change::WatchedResource if session.watches(WATCHED) => {
            peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(WATCHED)).await
        }
        Change::WatchedResource => Ok(()),
    }
}

/// `None` when no more changes can come.
async fn next(announced: &mut Receiver<Change>) -> Option<Change> {
    loop {
        match announced.recv().await {
            Ok(change) => return Some(change),
            Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return None,
        }
    }
}
