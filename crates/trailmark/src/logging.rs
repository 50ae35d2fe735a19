//! Logs go to standard error: standard output belongs to the protocol.

use std::str::FromStr;

use anyhow::Context;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

pub(crate) fn start(filter: &str) -> anyhow::Result<()> {
    let targets = Targets::from_str(filter)
        .with_context(|| format!("`{filter}` is not a log filter; try error, warn, info, debug or trace"))?;
    // The library warns of every error that a client is answered with; the audit log has those.
    let targets = if filter.contains("rmcp") { targets } else { targets.with_target("rmcp", tracing::Level::ERROR) };
    // What it says of servers that we call holds their addresses with the keys in them; our own errors tell the rest.
    let quiet = ["rmcp::transport::worker", "rmcp::transport::streamable_http_client", "rmcp::transport::common"];
    let targets = quiet.iter().fold(targets, |targets, target| targets.with_target(*target, LevelFilter::OFF));
    let layer = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(false);
    tracing_subscriber::registry().with(layer).with(targets).init();
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "a bug stopped a task: {}", panic.payload_as_str().unwrap_or("no message"));
    }));
    Ok(())
}
