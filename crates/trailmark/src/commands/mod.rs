//! One file per command.

pub(crate) mod api;
mod ask;
mod audit;
mod call;
mod calls;
pub(crate) mod chart;
mod completions;
mod demo;
mod docs;
mod doctor;
pub(crate) mod experience;
pub(crate) mod export;
pub(crate) mod import;
mod index;
mod indexing;
pub(crate) mod intelligence;
pub(crate) mod moving;
mod progress;
mod projects;
pub(crate) mod sanitize;
pub(crate) mod search;
mod serve;
mod stored_project;
mod symbols;
mod tools;

use std::process::ExitCode;

use crate::command_line::{Command, CommandLine};
use crate::console::Console;
use crate::logging;
use crate::settings::Settings;

/// Runs the command; its exit code tells success.
pub(crate) fn run(command_line: CommandLine, console: &Console) -> anyhow::Result<ExitCode> {
    let CommandLine { command, given, .. } = command_line;
    if let Command::Completions { shell } = command {
        completions::run(shell);
        return Ok(ExitCode::SUCCESS);
    }
    let settings = Settings::resolve(given)?;
    logging::start(&settings.log)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let ended = runtime.block_on(run_async(command, &settings, console));
    // A read of standard input that never returns must not keep the process alive.
    runtime.shutdown_background();
    ended
}

async fn run_async(command: Command, settings: &Settings, console: &Console) -> anyhow::Result<ExitCode> {
    match command {
        Command::Serve(options) => serve::run(options, settings, console).await,
        Command::Tools { all } => tools::run(all, settings, console).await,
        Command::Call { tool, arguments } => call::run(tool, &arguments, settings, console).await,
        Command::Index { target, force, verbose } => index::run(target, force, verbose, settings, console).await,
        Command::Calls { target, format } => calls::run(target, format, settings, console).await,
        Command::Symbols { target, format } => symbols::run(target, format, settings, console).await,
        Command::Ask(asked) => ask::run(asked, ask::Wording::Any, settings, console).await,
        Command::Cypher(asked) => ask::run(asked, ask::Wording::CypherOnly, settings, console).await,
        Command::Search(asked) => search::run(asked, settings, console).await,
        Command::GraphRag(asked) => Ok(intelligence::graph_rag(asked, settings, console).await),
        Command::CallChain(asked) => Ok(intelligence::call_chain(asked, settings, console).await),
        Command::Projects { command } => projects::run(command, settings, console).await,
        Command::Export(options) => export::run(options, settings, console).await,
        Command::Import(options) => import::run(options, settings, console).await,
        Command::Move(options) => moving::run(options, settings, console).await,
        Command::Chart(options) => chart::run(options, settings, console).await,
        Command::Sanitize(options) => sanitize::run(options, console).await,
        Command::Experience { command } => experience::run(command, settings, console).await,
        Command::Api { command } => api::run(command, settings, console).await,
        Command::Doctor => doctor::run(settings, console).await,
        Command::Audit { command } => audit::run(command, settings, console).await,
        Command::Demo => demo::run(console),
        Command::GenerateDocs { folder } => docs::run(&folder),
        Command::Completions { .. } => unreachable!("answered before the settings were read"),
    }
}
