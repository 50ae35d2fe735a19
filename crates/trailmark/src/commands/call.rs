//! `trailmark call`: one call on the same road that the protocol takes.

use std::io::Read;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;
use tools::{Apis, CallFailure, CallRequest, Origin, nearest};

use crate::apis::{self, Loaded};
use crate::console::{Console, printable};
use crate::settings::Settings;
use crate::wiring::{self, Backend};

/// The tool answered with an error.
const TOOL_FAILED: u8 = 1;

pub(super) async fn run(
    tool: String,
    arguments: &str,
    settings: &Settings,
    console: &Console,
) -> anyhow::Result<ExitCode> {
    let Loaded { apis, remarks } = apis::load(settings).await;
    remarks.iter().for_each(|remark| console.remark(&printable(remark)));
    run_with(tool, arguments, apis, settings, console).await
}

/// The same with APIs that are loaded already.
pub(super) async fn run_with(
    tool: String,
    arguments: &str,
    apis: Arc<Apis>,
    settings: &Settings,
    console: &Console,
) -> anyhow::Result<ExitCode> {
    let arguments = read_arguments(arguments)?;
    let backend = Backend::new(settings);
    let dispatcher = wiring::dispatcher_with(settings, &backend, apis)?;
    let request = CallRequest {
        tool,
        arguments,
        origin: Origin { client: concat!("trailmark call/", env!("CARGO_PKG_VERSION")).to_owned(), transport: "cli" },
        cancel: CancellationToken::new(),
        progress: None,
    };
    let ending = dispatcher.call(request).await;
    tokio::join!(dispatcher.recorder().flush(), dispatcher.counter().flush());
    let answer = match ending {
        Ok(answer) => answer,
        Err(CallFailure::UnknownTool { name }) => {
            let registry = dispatcher.registry();
            let known = registry.entries().iter().map(|entry| &*entry.info.name);
            let hint = nearest(&name, known).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            bail!("Unknown tool: {name}{hint} (`trailmark tools` lists them)");
        }
        Err(failure) => bail!("{failure}"),
    };
    backend.close().await;
    if console.json {
        console.json(&answer);
    } else {
        console.line(&answer.joined_text());
    }
    Ok(if answer.is_error { ExitCode::from(TOOL_FAILED) } else { ExitCode::SUCCESS })
}

fn read_arguments(text: &str) -> anyhow::Result<Map<String, Value>> {
    let mut typed = String::new();
    let text = if text == "-" {
        std::io::stdin().read_to_string(&mut typed).context("cannot read the arguments from standard input")?;
        typed.as_str()
    } else {
        text
    };
    serde_json::from_str(text).context("the arguments must be a JSON object, such as '{\"topic\": \"cache\"}'")
}
