//! `cargo xtask <command>`: the automation of this repository, one module per command.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool talks to its user")]

mod backends;
mod bench;
mod cache;
mod command_line;
mod docs;
mod eval;
mod fuzz;
mod install;
mod jq;
mod process;
mod promises;
mod release;
mod sources;
mod test_run;
mod tidy;
mod web;
mod workspace;

use std::process::ExitCode;

use command_line::{Command, USAGE};

fn main() -> ExitCode {
    let command = match command_line::parse(std::env::args().skip(1)) {
        Ok(command) => command,
        Err(problem) => {
            eprintln!("error: {problem}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// True when everything the command checks holds.
fn run(command: Command) -> anyhow::Result<bool> {
    let root = workspace::root()?;
    match command {
        Command::Help => {
            println!("{USAGE}");
            Ok(true)
        }
        Command::Tidy => tidy::run(&root),
        Command::Docs { check: true } => docs::check(&root),
        Command::Docs { check: false } => docs::update(&root).map(|()| true),
        Command::Test(selection) => test_run::run(root, &selection),
        Command::Backends(action) => backends::run(&root, &action),
        Command::Web => web::install(&root).map(|said| {
            println!("{said}");
            true
        }),
        Command::Fuzz { seconds } => fuzz::run(&root, seconds),
        Command::Bench { name, options } => bench::run(&root, &name, options),
        Command::Eval { name, options } => eval::run(&root, &name, &options),
    }
}
