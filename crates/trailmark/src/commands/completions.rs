//! `trailmark completions`: the command line for a shell.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::command_line::CommandLine;

pub(super) fn run(shell: Shell) {
    clap_complete::generate(shell, &mut CommandLine::command(), "trailmark", &mut std::io::stdout().lock());
}
