//! Tools that change what the server offers, for the clients that want to hear of it.

use futures::FutureExt;

use super::{Call, EXTRA, Fixture, Running, at_once, text};
use crate::mcp::conformance::changes::Change;

pub(super) const TOOLS: &[Fixture] = &[
    Fixture::without_arguments("test_trigger_tool_change", "Adds a tool, or takes it away.", |call| {
        change(call, Change::Tools)
    }),
    Fixture::without_arguments("test_trigger_prompt_change", "Adds a prompt, or takes it away.", |call| {
        change(call, Change::Prompts)
    }),
    Fixture::without_arguments("test_trigger_resource_update", "Updates the watched resource.", |call| {
        change(call, Change::WatchedResource)
    }),
    Fixture::without_arguments(EXTRA, "A tool that comes and goes.", |_| at_once(text("This tool is there now."))),
];

fn change(call: Call<'_>, change: Change) -> Running<'_> {
    async move {
        call.server.changes.make(change).await;
        text("Changed.")
    }
    .boxed()
}
