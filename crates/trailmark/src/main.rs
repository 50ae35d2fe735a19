//! The `trailmark` binary: settings, wiring, the MCP adapter, transports and the command line.

mod command_line;
mod commands;
mod console;
mod logging;
mod mcp;
mod settings;
mod transport;
mod watching;
mod wiring;

use std::process::ExitCode;

use clap::Parser;

use crate::command_line::CommandLine;
use crate::console::Console;

/// Indexing makes and drops many small things on all cores, the parsers most of all.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let command_line = CommandLine::parse();
    let console = Console::new(command_line.json);
    match commands::run(command_line, &console) {
        Ok(code) => code,
        Err(error) => {
            console.error(&format!("{error:#}"));
            ExitCode::from(2)
        }
    }
}
