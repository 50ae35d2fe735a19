//! Tools that report while they run.
#![expect(deprecated, reason = "the suite still tests logging, which the newest revision deprecates")]

use std::time::Duration;

use futures::FutureExt;
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam};
use serde_json::json;
use tokio::time::sleep;
use tools::Progress;

use super::{Call, Fixture, Running, text};
use crate::mcp::progress::ProgressForwarder;

const STEP: Duration = Duration::from_millis(50);

pub(super) const TOOLS: &[Fixture] = &[
    Fixture::without_arguments("test_tool_with_progress", "Reports progress three times.", report_progress),
    Fixture::without_arguments("test_tool_with_logging", "Logs three messages.", log_steps),
    Fixture::without_arguments("test_logging_tool", "Logs three messages, if the request asks for any.", log_steps),
    Fixture::without_arguments("test_reconnection", "Takes long enough to lose the connection.", |_| {
        async {
            sleep(2 * STEP).await;
            text("Reconnection test completed.")
        }
        .boxed()
    }),
];

/// Uses the forwarder that real tools use.
fn report_progress(call: Call<'_>) -> Running<'_> {
    async move {
        let forwarder = ProgressForwarder::start(call.context);
        for done in [0.0, 50.0, 100.0] {
            if let Some(forwarder) = &forwarder {
                forwarder.sink().report(Progress { done, total: Some(100.0), message: None });
            }
            sleep(STEP).await;
        }
        if let Some(forwarder) = forwarder {
            forwarder.finish().await;
        }
        text("Progress test completed.")
    }
    .boxed()
}

fn log_steps(call: Call<'_>) -> Running<'_> {
    async move {
        for message in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
            log(call, message).await;
            sleep(STEP).await;
        }
        text("Logging test completed.")
    }
    .boxed()
}

/// A client that went away misses the message, which is no reason to stop.
async fn log(call: Call<'_>, message: &str) {
    if call.server.session.wants(LoggingLevel::Info, call.context) {
        let message = LoggingMessageNotificationParam::new(LoggingLevel::Info, json!(message));
        let _ = call.context.peer.notify_logging_message(message.with_logger("conformance")).await;
    }
}
