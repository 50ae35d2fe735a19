//! What a program needs from start to end: processor time, memory, and time on the clock.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use wait4::Wait4;

use crate::process;

const POLL: Duration = Duration::from_millis(2);

#[derive(Debug, Clone, Copy)]
pub(super) struct Usage {
    /// User and system, of the program and of what it started and waited for.
    pub(super) processor: Duration,
    /// The most that one of these processes had in RAM.
    pub(super) megabytes: f64,
    pub(super) clock: Duration,
}

/// Runs a program that must succeed, with this file as its input, and returns what it printed as well.
pub(super) fn of(command: &mut Command, input: Option<File>, limit: Duration) -> Result<(Usage, String)> {
    let name = process::describe(command);
    let (mut printed, said) = (tempfile::NamedTempFile::new()?, tempfile::NamedTempFile::new()?);
    command.stdin(input.map_or_else(Stdio::null, Stdio::from));
    command.stdout(printed.reopen()?).stderr(said.reopen()?);
    let started = Instant::now();
    let mut child = command.spawn().with_context(|| format!("cannot start `{name}`"))?;
    let finished = loop {
        if let Some(finished) = child.try_wait4()? {
            break finished;
        }
        if started.elapsed() > limit {
            child.kill()?;
            bail!("`{name}` did not end within {} s and was ended", limit.as_secs());
        }
        std::thread::sleep(POLL);
    };
    let clock = started.elapsed();
    if !finished.status.success() {
        bail!("`{name}` failed ({}):\n{}", finished.status, std::fs::read_to_string(said.path())?);
    }
    let mut text = String::new();
    std::io::Read::read_to_string(&mut printed, &mut text)?;
    let rusage = finished.rusage;
    let megabytes = rusage.maxrss as f64 / (1024.0 * 1024.0);
    Ok((Usage { processor: rusage.utime + rusage.stime, megabytes, clock }, text))
}

/// Runs a server that answers these lines, until it has answered so often; the clock stops with the last answer.
pub(super) fn of_server(command: &mut Command, requests: &str, answers: usize) -> Result<(Usage, Vec<String>)> {
    let name = process::describe(command);
    let started = Instant::now();
    let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut child = spawned.with_context(|| format!("cannot start `{name}`"))?;
    let mut input = child.stdin.take().context("the server has no input")?;
    input.write_all(requests.as_bytes())?;
    let output = BufReader::new(child.stdout.take().context("the server has no output")?);
    let lines = output.lines().take(answers).collect::<Result<Vec<_>, _>>()?;
    let clock = started.elapsed();
    drop(input);
    let finished = child.wait4()?;
    ensure!(lines.len() == answers, "`{name}` answered {} of {answers} times ({})", lines.len(), finished.status);
    let rusage = finished.rusage;
    let megabytes = rusage.maxrss as f64 / (1024.0 * 1024.0);
    Ok((Usage { processor: rusage.utime + rusage.stime, megabytes, clock }, lines))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn work_and_memory_are_counted_and_waiting_is_not() {
        let (busy, printed) = of(
            &mut shell("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo done"),
            None,
            Duration::from_secs(60),
        )
        .unwrap();
        assert_eq!(printed, "done\n");
        assert!(busy.processor > Duration::from_millis(20) && busy.megabytes > 0.5, "{busy:?}");
        let (idle, _) = of(&mut shell("sleep 0.3"), None, Duration::from_secs(60)).unwrap();
        assert!(idle.clock >= Duration::from_millis(300) && idle.processor < idle.clock, "{idle:?}");
    }

    #[test]
    fn a_server_is_left_after_its_last_answer() {
        let (usage, lines) = of_server(&mut Command::new("cat"), "one\ntwo\n", 2).unwrap();
        assert_eq!(lines, ["one", "two"]);
        assert!(usage.megabytes > 0.1, "{usage:?}");
        let silent = of_server(&mut shell("read line; echo $line"), "one\n", 2).unwrap_err();
        assert!(silent.to_string().contains("answered 1 of 2 times"), "{silent}");
    }

    #[test]
    fn failure_and_hanging_are_errors() {
        let failed = of(&mut shell("echo no >&2; exit 3"), None, Duration::from_secs(60)).unwrap_err();
        assert!(failed.to_string().ends_with("no\n"), "{failed}");
        let hung = of(&mut shell("exec sleep 60"), None, Duration::from_millis(100)).unwrap_err();
        assert!(hung.to_string().contains("did not end within"), "{hung}");
    }
}
