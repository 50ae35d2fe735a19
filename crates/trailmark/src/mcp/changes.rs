//! Telling clients that other tools are offered: in a session of an older revision, or to a subscription of a newer one.

use rmcp::RoleServer;
use rmcp::service::{Peer, SubscriptionContext};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// Runs until the session ends.
pub(super) async fn tell_peer(mut changes: watch::Receiver<u64>, peer: Peer<RoleServer>) {
    while changes.changed().await.is_ok() {
        if peer.notify_tool_list_changed().await.is_err() {
            return;
        }
    }
}

/// Runs until the client ends the subscription or the server ends.
pub(super) async fn tell_subscription(
    mut changes: watch::Receiver<u64>,
    subscription: &SubscriptionContext,
    closing: &CancellationToken,
) {
    let sink = subscription.sink();
    loop {
        tokio::select! {
            () = subscription.cancelled() => return,
            () = closing.cancelled() => return,
            changed = changes.changed() => {
                if changed.is_err() || sink.notify_tool_list_changed().await.is_err() {
                    return;
                }
            }
        }
    }
}
