//! A program in a process group of its own, which ends with everything that it started.

use std::io;
use std::process::Stdio;

use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::error::Error;
use crate::last_words::LastWords;
use crate::target::Program;

/// Variables with this beginning are for Trailmark and may hold its secrets.
const OURS: &str = "TRAILMARK_";

/// A running program. Dropping it kills its whole group at once.
#[derive(Debug)]
pub(crate) struct Process {
    /// Not waited for before its group is killed: as long as it is not, the number of the group belongs to nobody else.
    child: Child,
    last_words: LastWords,
}

impl Process {
    /// Starts the program with all three pipes taken. Must run where blocking is allowed.
    pub(crate) fn start(program: &Program) -> Result<(Self, ChildStdout, ChildStdin), Error> {
        let mut command = command(program);
        let mut child = command.spawn().map_err(|error| not_started(program, &error))?;
        let pipes = child.stdout.take().zip(child.stdin.take()).zip(child.stderr.take());
        let ((stdout, stdin), stderr) = pipes.expect("all three were asked for as pipes");
        Ok((Self { child, last_words: LastWords::collect(stderr) }, stdout, stdin))
    }

    pub(crate) fn last_words(&self) -> Option<String> {
        self.last_words.last()
    }

    /// How it ended, with the last it said; `None` while it runs.
    pub(crate) async fn end(&mut self) -> Option<(String, Option<String>)> {
        let status = status(&mut self.child)?;
        Some((status, self.last_words.at_the_end().await))
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        status(&mut self.child).is_some()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        kill_group(&self.child);
        // The runtime collects what is left of it; without a runtime the system does when we end.
        let _ = self.child.start_kill();
    }
}

fn command(program: &Program) -> Command {
    // A relative path is meant from where we are, not from where the program will be.
    let is_relative_path = program.command.is_relative() && program.command.components().count() > 1;
    let absolute = is_relative_path.then(|| std::path::absolute(&program.command).ok()).flatten();
    let mut command = Command::new(absolute.as_ref().unwrap_or(&program.command));
    command.args(&program.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.kill_on_drop(true);
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with(OURS)) {
        command.env_remove(name);
    }
    command.envs(program.environment.iter().map(|(name, value)| (name, value)));
    if let Some(folder) = &program.folder {
        command.current_dir(folder);
    }
    #[cfg(unix)]
    command.process_group(0);
    command
}

fn not_started(program: &Program, error: &io::Error) -> Error {
    let missing_folder = program.folder.as_ref().filter(|folder| !folder.is_dir());
    let reason = match (missing_folder, error.kind()) {
        (Some(folder), _) => format!("there is no folder {}", folder.display()),
        (None, io::ErrorKind::NotFound) => "there is no such program".to_owned(),
        (None, io::ErrorKind::PermissionDenied) => "it may not be executed".to_owned(),
        (None, _) => error.to_string(),
    };
    Error::NotStarted { server: program.command.display().to_string(), reason }
}

#[cfg(unix)]
fn kill_group(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    if let Some(group) = group {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_child: &Child) {}

/// How the process ended, without collecting it.
#[cfg(unix)]
fn status(child: &mut Child) -> Option<String> {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let pid = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw)?;
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let status = waitid(WaitId::Pid(pid), options).ok()??;
    Some(match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "for no known reason".to_owned(),
    })
}

#[cfg(not(unix))]
fn status(child: &mut Child) -> Option<String> {
    child.try_wait().ok()?.map(|status| status.to_string())
}
