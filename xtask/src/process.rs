//! Running other programs: output captured and, if wanted, shown as it comes; a limit on time; nothing left behind.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// How long the output may stay open after the program itself has ended.
const DRAIN: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(20);

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Show {
    /// Both streams reach the terminal while the program runs.
    Live,
    Nothing,
}

#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Finished {
    /// What the program said, or the last lines of it, for an error message.
    pub(crate) fn tail(&self, lines: usize) -> String {
        let all: Vec<&str> = self.stdout.lines().chain(self.stderr.lines()).filter(|line| !line.is_empty()).collect();
        all[all.len().saturating_sub(lines)..].join("\n")
    }
}

/// Runs to the end, whatever the exit status. Past `limit` the program and all it started are ended, and that is an
/// error.
pub(crate) fn run(command: &mut Command, limit: Duration, show: Show) -> Result<Finished> {
    let name = describe(command);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{name}`"))?;
    let stdout = child.stdout.take().context("the child's stdout was not piped")?;
    let stderr = child.stderr.take().context("the child's stderr was not piped")?;
    let stdout = read_lines(stdout, move |line| {
        if show == Show::Live {
            forward(&mut std::io::stdout(), line);
        }
    });
    let stderr = read_lines(stderr, move |line| {
        if show == Show::Live {
            forward(&mut std::io::stderr(), line);
        }
    });
    let Some(status) = wait(&mut child, limit)? else {
        end_tree(&mut child);
        bail!("`{name}` did not end within {} s and was ended", limit.as_secs());
    };
    Ok(Finished { status, stdout: collect(&stdout), stderr: collect(&stderr) })
}

/// Runs a program that must succeed; its output is part of the error when it does not.
pub(crate) fn run_ok(command: &mut Command, limit: Duration) -> Result<Finished> {
    let finished = run(command, limit, Show::Nothing)?;
    if finished.status.success() {
        return Ok(finished);
    }
    bail!("`{}` failed ({}):\n{}", describe(command), finished.status, finished.tail(20))
}

/// The command as a person would type it, without the folder of the program.
pub(crate) fn describe(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let program = program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned();
    command.get_args().fold(program, |line, argument| line + " " + &argument.to_string_lossy())
}

/// Sends each line to `seen` and to the receiver; ends with the stream. Lines that are not UTF-8 are kept lossily.
pub(crate) fn read_lines(stream: impl Read + Send + 'static, seen: impl Fn(&str) + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        let mut bytes = Vec::new();
        while let Ok(1..) = reader.read_until(b'\n', &mut bytes) {
            let line = String::from_utf8_lossy(&bytes).into_owned();
            seen(&line);
            if sender.send(line).is_err() {
                break;
            }
            bytes.clear();
        }
    });
    receiver
}

/// A closed terminal must not end a run half-way.
fn forward(stream: &mut impl Write, line: &str) {
    let _ = stream.write_all(line.as_bytes()).and_then(|()| stream.flush());
}

fn collect(lines: &Receiver<String>) -> String {
    let mut text = String::new();
    let deadline = Instant::now() + DRAIN;
    loop {
        match lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => text.push_str(&line),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return text,
        }
    }
}

fn wait(child: &mut Child, limit: Duration) -> Result<Option<ExitStatus>> {
    let deadline = Instant::now() + limit;
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        std::thread::sleep(POLL);
    }
    Ok(None)
}

/// Ends a child and every process below it. Without `ps` (Windows) only the child itself is ended.
fn end_tree(child: &mut Child) {
    let below = process_table().map(|table| descendants(&table, child.id())).unwrap_or_default();
    let _ = child.kill();
    let _ = child.wait();
    for process in below {
        let _ = Command::new("kill").arg("-KILL").arg(process.to_string()).stderr(Stdio::null()).status();
    }
}

fn process_table() -> Option<Vec<(u32, u32)>> {
    let output = Command::new("ps").args(["-A", "-o", "pid=,ppid="]).output().ok()?;
    let row = |line: &str| {
        let mut fields = line.split_whitespace();
        Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
    };
    Some(String::from_utf8_lossy(&output.stdout).lines().filter_map(row).collect())
}

fn descendants(table: &[(u32, u32)], ancestor: u32) -> Vec<u32> {
    let mut found = vec![ancestor];
    let mut next = 0;
    while next < found.len() {
        let parent = found[next];
        found.extend(table.iter().filter(|(_, of)| *of == parent).map(|(process, _)| *process));
        next += 1;
    }
    found.split_off(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    #[cfg(unix)]
    fn both_streams_and_the_status_are_kept() {
        let finished =
            run(&mut shell("echo out; echo err >&2; exit 3"), Duration::from_secs(20), Show::Nothing).unwrap();
        assert_eq!((finished.stdout.as_str(), finished.stderr.as_str()), ("out\n", "err\n"));
        assert_eq!(finished.status.code(), Some(3));
        assert_eq!(finished.tail(1), "err");
    }

    #[test]
    #[cfg(unix)]
    fn a_program_that_hangs_is_ended_with_what_it_started() {
        let folder = tempfile::tempdir().unwrap();
        let script = format!("sleep 300 & echo $! > {}; wait", folder.path().join("pid").display());
        let error = run(&mut shell(&script), Duration::from_millis(400), Show::Nothing).unwrap_err();
        assert!(error.to_string().contains("did not end within"), "{error}");
        let grandchild: u32 = std::fs::read_to_string(folder.path().join("pid")).unwrap().trim().parse().unwrap();
        let gone = (0..100).any(|_| {
            std::thread::sleep(POLL);
            process_table().unwrap().iter().all(|(process, _)| *process != grandchild) || is_zombie(grandchild)
        });
        assert!(gone, "process {grandchild} is still there");
    }

    /// Where nobody reaps orphans, an ended process keeps its row.
    #[cfg(unix)]
    fn is_zombie(process: u32) -> bool {
        let output = Command::new("ps").args(["-o", "stat=", "-p", &process.to_string()]).output().unwrap();
        String::from_utf8_lossy(&output.stdout).trim().starts_with('Z')
    }

    #[test]
    fn a_program_that_must_succeed_reports_what_it_said() {
        let error = run_ok(Command::new("cargo").arg("no-such-command"), Duration::from_secs(60)).unwrap_err();
        assert!(error.to_string().contains("no such command"), "{error}");
    }

    #[test]
    fn descendants_are_found_through_several_generations() {
        let table = [(2, 1), (3, 2), (4, 3), (5, 1), (6, 4)];
        assert_eq!(descendants(&table, 2), [3, 4, 6]);
    }
}
