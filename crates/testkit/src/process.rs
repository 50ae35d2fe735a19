//! A process that cannot outlive its test: pipes served by threads, every wait bounded, killed after a minute.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::PATIENCE;

/// The longest life of a process; one that reaches it has hung, and every wait on it then fails.
const LONGEST_LIFE: Duration = Duration::from_secs(60);
/// How long the last lines on standard error may take after the end of a process.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// Time between two looks at something that cannot be waited for.
const LOOK_AGAIN: Duration = Duration::from_millis(1);

/// A running process with its three pipes.
#[derive(Debug)]
pub struct Process {
    child: Arc<Mutex<Child>>,
    id: u32,
    input: Option<Sender<Vec<u8>>>,
    output: Output,
    errors: Errors,
    /// Dropped to call the watchdog off.
    _watchdog: Sender<()>,
}

/// Standard output is not read before the test asks for it: a client that never reads is a client, too.
#[derive(Debug)]
enum Output {
    Unread(Option<ChildStdout>),
    Lines(Receiver<Vec<u8>>),
}

/// What came on standard error, and word of its end.
#[derive(Debug)]
struct Errors {
    collected: Arc<Mutex<Vec<u8>>>,
    ended: Receiver<()>,
}

impl Process {
    /// Starts the command with all three pipes taken.
    pub fn start(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
        let input = child.stdin.take().map(write_in_background);
        let output = Output::Unread(child.stdout.take());
        let errors = collect_in_background(child.stderr.take().expect("standard error was taken as a pipe"));
        let id = child.id();
        let child = Arc::new(Mutex::new(child));
        let _watchdog = watch(child.clone());
        Self { child, id, input, output, errors, _watchdog }
    }

    /// The number the system gave it.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Hands bytes to the process; never blocks, since a thread writes them.
    pub fn write(&self, bytes: &[u8]) {
        let input = self.input.as_ref().expect("standard input is still open");
        // The writer is gone when the process is; what the test waits for next says so.
        let _ = input.send(bytes.to_vec());
    }

    /// Closes standard input once everything written before has gone through.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Closes a standard output that nothing was read from, as the death of the reader would.
    pub fn close_output(&mut self) {
        match &mut self.output {
            Output::Unread(stdout) => drop(stdout.take()),
            Output::Lines(_) => panic!("standard output is being read"),
        }
    }

    /// The next line of standard output with its end, which the last one may lack; `None` after `patience`, or when there
    /// will be none.
    pub fn read_line(&mut self, patience: Duration) -> Option<Vec<u8>> {
        if let Output::Unread(stdout) = &mut self.output {
            let stdout = stdout.take().expect("standard output is taken once");
            self.output = Output::Lines(read_in_background(stdout));
        }
        match &self.output {
            Output::Lines(lines) => lines.recv_timeout(patience).ok(),
            Output::Unread(_) => None,
        }
    }

    /// What the process has written to standard error so far.
    pub fn errors(&self) -> String {
        String::from_utf8_lossy(&lock(&self.errors.collected)).into_owned()
    }

    /// Waits until standard error holds a line that begins like this, and gives the rest of that line.
    pub fn wait_for_error_line(&mut self, beginning: &str) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            let errors = self.errors();
            let whole_lines = errors.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
            if let Some(rest) = whole_lines.filter_map(|line| line.strip_prefix(beginning)).next() {
                return rest.to_owned();
            }
            assert!(Instant::now() < until, "no `{beginning}` on standard error: {errors}");
            if let Some(status) = self.exit_status() {
                panic!("the process ended ({status}) before it said `{beginning}`: {}", self.errors());
            }
            thread::sleep(LOOK_AGAIN);
        }
    }

    /// How it ended, if it has.
    pub fn exit_status(&mut self) -> Option<ExitStatus> {
        lock(&self.child).try_wait().expect("the state of a child can be asked for")
    }

    /// Waits for its end; a process that does not end in time fails the test.
    pub fn wait_for_exit(&mut self, patience: Duration) -> ExitStatus {
        let until = Instant::now() + patience;
        loop {
            if let Some(status) = self.exit_status() {
                // What it wrote last may still be on its way through the pipe.
                let _ = self.errors.ended.recv_timeout(LAST_WORDS);
                return status;
            }
            assert!(Instant::now() < until, "still running after {patience:?}; standard error: {}", self.errors());
            thread::sleep(LOOK_AGAIN);
        }
    }

    /// Asks it to end, as a supervisor would.
    pub fn terminate(&self) {
        let child = lock(&self.child);
        kill_process(Pid::from_child(&child), Signal::TERM).expect("the process is running");
    }

    /// Ends it at once, as a crash would.
    pub fn kill(&mut self) {
        let mut child = lock(&self.child);
        child.kill().expect("the process can be killed");
        child.wait().expect("a killed process can be waited for");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let mut child = lock(&self.child);
        let _ = child.kill();
        let _ = child.wait();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn watch(child: Arc<Mutex<Child>>) -> Sender<()> {
    let (call_off, called_off) = mpsc::channel::<()>();
    thread::spawn(move || {
        if called_off.recv_timeout(LONGEST_LIFE) == Err(RecvTimeoutError::Timeout) {
            // The standard library does not signal a child that was waited for, so no stranger is hit.
            let _ = lock(&child).kill();
        }
    });
    call_off
}

fn write_in_background(mut stdin: ChildStdin) -> Sender<Vec<u8>> {
    let (sender, pieces) = mpsc::channel::<Vec<u8>>();
    thread::spawn(move || pieces.iter().try_for_each(|piece| stdin.write_all(&piece).and_then(|()| stdin.flush())));
    sender
}

fn read_in_background(stdout: ChildStdout) -> Receiver<Vec<u8>> {
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        let mut stdout = BufReader::new(stdout);
        let mut line = Vec::new();
        while let Ok(1..) = stdout.read_until(b'\n', &mut line) {
            if sender.send(std::mem::take(&mut line)).is_err() {
                return;
            }
        }
    });
    lines
}

fn collect_in_background(mut stderr: ChildStderr) -> Errors {
    let collected = Arc::new(Mutex::new(Vec::new()));
    let shared = collected.clone();
    let (at_end, ended) = mpsc::channel::<()>();
    thread::spawn(move || {
        let _at_end = at_end;
        let mut piece = [0; 4096];
        while let Ok(length @ 1..) = stderr.read(&mut piece) {
            lock(&shared).extend_from_slice(&piece[..length]);
        }
    });
    Errors { collected, ended }
}
