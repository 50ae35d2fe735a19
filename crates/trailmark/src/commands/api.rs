//! `trailmark api`: the tools that OpenAPI documents give, looked at and called from the shell.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Subcommand;
use openapi::{Api, Operation};
use serde_json::{Value, json};
use tools::{Apis, nearest};

use super::call;
use crate::apis::{self, Loaded};
use crate::console::{Console, Paint, printable};
use crate::settings::Settings;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the operations of the documents, and what was left out of them
    List,
    /// Show one operation with the schema of its arguments
    Show {
        /// The name of its tool
        tool: String,
    },
    /// Call one operation, exactly as a client would
    Call {
        /// The name of its tool
        tool: String,
        /// Its arguments as a JSON object, or `-` to read them from standard input
        #[arg(default_value = "{}")]
        arguments: String,
    },
}

pub(super) async fn run(command: Command, settings: &Settings, console: &Console) -> anyhow::Result<ExitCode> {
    if settings.apis.apis.is_empty() {
        bail!("no OpenAPI document is named: give --openapi FILE_OR_URL, or `[[openapi]]` in the settings file");
    }
    let mut settings = settings.clone();
    // Here every operation is a tool, however many there are.
    settings.apis.most_tools = usize::MAX;
    let Loaded { apis, remarks } = apis::load(&settings).await;
    remarks.iter().for_each(|remark| console.remark(&printable(remark)));
    if apis.is_empty() {
        return Ok(ExitCode::FAILURE);
    }
    match command {
        Command::List => list(&apis, console),
        Command::Show { tool } => show(&apis, &tool, console)?,
        Command::Call { tool, arguments } => {
            find(&apis, &tool)?;
            return call::run_with(tool, &arguments, apis, &settings, console).await;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn list(apis: &Arc<Apis>, console: &Console) {
    if console.json {
        console.json(&apis.all().iter().map(|api| described(api)).collect::<Vec<Value>>());
        return;
    }
    for api in apis.all() {
        let heading = console.paint(Paint::Strong, &api.name);
        console.line(&format!("{heading}: {} ({})", printable(&api.title), printable(apis::shown(&api.source))));
        let row = |operation: &Operation| {
            let what = format!("{} {}", operation.method, operation.path);
            vec![format!("  {}", operation.name), what, operation.title.clone()]
        };
        console.table(&api.operations.iter().map(row).collect::<Vec<_>>());
        for skipped in &api.skipped {
            console.line(&printable(&format!("  left out: {}: {}", skipped.operation, skipped.reason)));
        }
        let filtered = if api.filtered > 0 { format!(", {} filtered out", api.filtered) } else { String::new() };
        console.line(&format!("{} operations, {} left out{filtered}.\n", api.operations.len(), api.skipped.len()));
    }
}

fn described(api: &Api) -> Value {
    let operation = |operation: &Operation| {
        json!({
            "name": operation.name, "operationId": operation.id, "method": operation.method.as_str(), "path": operation.path,
            "title": operation.title, "tags": operation.tags, "deprecated": operation.deprecated,
        })
    };
    let skipped = api.skipped.iter().map(|skipped| json!({"operation": skipped.operation, "reason": skipped.reason}));
    json!({
        "name": api.name, "title": api.title, "source": apis::shown(&api.source), "filtered": api.filtered,
        "operations": api.operations.iter().map(operation).collect::<Vec<_>>(), "skipped": skipped.collect::<Vec<_>>(),
    })
}

fn show(apis: &Arc<Apis>, tool: &str, console: &Console) -> anyhow::Result<()> {
    let operation = find(apis, tool)?;
    let server = operation.base().map_or_else(Value::from, |base| Value::from(base.as_str()));
    let whole = json!({
        "name": operation.name, "operationId": operation.id, "method": operation.method.as_str(), "path": operation.path,
        "server": server, "title": operation.title, "description": operation.description, "tags": operation.tags,
        "cuts": operation.cuts, "inputSchema": *operation.input_schema,
    });
    if console.json {
        console.json(&whole);
        return Ok(());
    }
    console.line(&format!("{}: {}", console.paint(Paint::Strong, &operation.name), printable(&operation.description)));
    console.line(&serde_json::to_string_pretty(&whole["inputSchema"]).context("a schema is JSON")?);
    Ok(())
}

fn find<'a>(apis: &'a Arc<Apis>, tool: &str) -> anyhow::Result<&'a Operation> {
    let found = apis.operations().map(|(_, operation)| operation).find(|operation| operation.name == tool);
    found.with_context(|| {
        let known = apis.operations().map(|(_, operation)| operation.name.as_str());
        let near = nearest(tool, known).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        format!("no operation is named `{}`{near} (`trailmark api list` lists them)", printable(tool))
    })
}
