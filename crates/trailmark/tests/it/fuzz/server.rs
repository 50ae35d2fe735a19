//! A real `trailmark serve` on pipes. Nothing here waits for ever, whatever the server does.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use super::ledger::shortened;

/// A server that has not answered by then hangs.
const PATIENCE: Duration = Duration::from_secs(20);
const EXIT: Duration = Duration::from_secs(5);
/// What the server writes to standard error when a task of its panicked.
const PANICS: &[&str] = &["a bug stopped a task", "panicked at"];

#[derive(Debug)]
pub(super) struct Server {
    child: Child,
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Vec<u8>>,
    log: Receiver<Vec<u8>>,
    _folders: [TempDir; 2],
}

impl Server {
    pub(super) fn start() -> Self {
        let [home, root] = [(); 2].map(|()| tempfile::tempdir().expect("a temporary folder can be made"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_trailmark"));
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("TRAILMARK_")) {
            command.env_remove(name);
        }
        command.arg("serve").env("TRAILMARK_HOME", home.path()).env("TRAILMARK_ROOT", root.path());
        command.current_dir(home.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        let input = write_lines(child.stdin.take().expect("stdin is piped"));
        let output = read_lines(child.stdout.take().expect("stdout is piped"));
        let log = read_lines(child.stderr.take().expect("stderr is piped"));
        Self { child, input: Some(input), output, log, _folders: [home, root] }
    }

    pub(super) fn send(&self, line: Vec<u8>) {
        // When the server is gone, the missing answer says so.
        let _ = self.input.as_ref().map(|input| input.send(line));
    }

    /// The next message of the server.
    pub(super) fn receive(&self) -> Result<Value, String> {
        match self.output.recv_timeout(PATIENCE) {
            Ok(line) => parse(&line),
            Err(RecvTimeoutError::Timeout) => Err(format!("no answer within {} s", PATIENCE.as_secs())),
            Err(RecvTimeoutError::Disconnected) => {
                Err(format!("the server closed its output{}", stderr(self.log.try_iter())))
            }
        }
    }

    /// Ends the conversation: what the server still says, after which it must have ended well and quietly.
    pub(super) fn stop(mut self) -> Result<Vec<Value>, String> {
        self.input = None;
        let status = self.wait()?;
        // Both streams end with the process, so neither of these waits.
        let rest: Result<Vec<Value>, String> = self.output.iter().map(|line| parse(&line)).collect();
        let said = stderr(self.log.iter());
        if !status.success() {
            return Err(format!("the server ended with {status}{said}"));
        }
        if PANICS.iter().any(|panic| said.contains(panic)) {
            return Err(format!("something in the server panicked{said}"));
        }
        rest
    }

    fn wait(&mut self) -> Result<ExitStatus, String> {
        let deadline = Instant::now() + EXIT;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().map_err(|error| error.to_string())? {
                return Ok(status);
            }
            thread::sleep(Duration::from_millis(2));
        }
        Err(format!("the server had not ended {} s after its input", EXIT.as_secs()))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn stderr(lines: impl Iterator<Item = Vec<u8>>) -> String {
    let lines: Vec<u8> = lines.flatten().collect();
    if lines.is_empty() { String::new() } else { format!("; stderr:\n{}", String::from_utf8_lossy(&lines)) }
}

fn parse(line: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(line)
        .map_err(|error| format!("stdout is not JSON: {error}: {}", shortened(&String::from_utf8_lossy(line))))
}

/// Writes from a thread of its own, so that a server that does not read cannot hold us up.
fn write_lines(mut stream: impl Write + Send + 'static) -> Sender<Vec<u8>> {
    let (sender, receiver) = channel::<Vec<u8>>();
    thread::spawn(move || {
        for mut line in receiver {
            line.push(b'\n');
            if stream.write_all(&line).and_then(|()| stream.flush()).is_err() {
                break;
            }
        }
    });
    sender
}

fn read_lines(stream: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        let mut line = Vec::new();
        while let Ok(1..) = reader.read_until(b'\n', &mut line) {
            if sender.send(std::mem::take(&mut line)).is_err() {
                break;
            }
        }
    });
    receiver
}
