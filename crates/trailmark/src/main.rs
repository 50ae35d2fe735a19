//! The `trailmark` binary: settings, wiring, the MCP adapter, transports and the command line.

mod apis;
mod command_line;
mod commands;
mod console;
mod embedding;
mod logging;
mod mcp;
mod servers;
mod settings;
mod transport;
mod watching;
mod wiring;

use std::process::ExitCode;

use clap::Parser;
use store::StoreError;

use crate::command_line::CommandLine;
use crate::commands::intelligence;
use crate::console::Console;

/// Indexing makes and drops many small things on all cores, the parsers most of all.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let command_line = match CommandLine::try_parse() {
        Ok(command_line) => command_line,
        Err(refused) => return refuse(&refused),
    };
    let console = Console::new(command_line.json);
    match commands::run(command_line, &console) {
        Ok(code) => code,
        Err(error) => {
            console.error(&explained(&error));
            ExitCode::from(2)
        }
    }
}

/// With what the operator can do, where a store knows that.
fn explained(error: &anyhow::Error) -> String {
    match error.downcast_ref::<StoreError>().and_then(StoreError::hint) {
        Some(hint) => format!("{error:#} ({hint})"),
        None => format!("{error:#}"),
    }
}

/// Help and version are no mistakes. Scripts tell a mistake in some commands by another code than that of the rest.
fn refuse(refused: &clap::Error) -> ExitCode {
    // There is nobody left to tell that it cannot be printed.
    let _ = refused.print();
    if !refused.use_stderr() {
        return ExitCode::SUCCESS;
    }
    let is_in = |command: &str| std::env::args().skip(1).any(|argument| argument == command);
    let has_own_codes = intelligence::COMMANDS.into_iter().any(is_in);
    ExitCode::from(if has_own_codes { intelligence::BAD_ARGUMENT } else { 2 })
}
