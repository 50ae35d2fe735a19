//! What this machine allows at best: pipes, processes, the disk.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// A process that only hands back what it gets.
fn echo() -> Result<Child> {
    Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("cannot start `cat`")
}

/// How long it takes to start a process that does nothing and to get one line through it.
pub(super) fn spawn_and_echo() -> Result<Duration> {
    let started = Instant::now();
    let mut child = echo()?;
    let mut line = String::new();
    writeln!(child.stdin.as_mut().context("no input")?, "x")?;
    BufReader::new(child.stdout.take().context("no output")?).read_line(&mut line)?;
    let elapsed = started.elapsed();
    drop(child.stdin.take());
    child.wait()?;
    Ok(elapsed)
}

/// The median time of a line of 400 bytes to another process and back.
pub(super) fn pipe_round_trip(count: usize) -> Result<Duration> {
    let mut child = echo()?;
    let mut input = child.stdin.take().context("no input")?;
    let mut output = BufReader::new(child.stdout.take().context("no output")?);
    let sent = format!("{}\n", "x".repeat(400));
    let mut times = Vec::with_capacity(count);
    for _ in 0..count {
        let started = Instant::now();
        input.write_all(sent.as_bytes())?;
        let mut line = String::new();
        output.read_line(&mut line)?;
        times.push(started.elapsed());
    }
    drop(input);
    child.wait()?;
    times.sort();
    Ok(times[times.len() / 2])
}

/// The median time to append 4 KiB to a file and have it on disk.
pub(super) fn durable_write(folder: &Path, count: usize) -> Result<Duration> {
    let mut file = fs::File::create(folder.join("durable"))?;
    let mut times = Vec::with_capacity(count);
    for _ in 0..count {
        let started = Instant::now();
        file.write_all(&[0; 4096])?;
        file.sync_data()?;
        times.push(started.elapsed());
    }
    times.sort();
    Ok(times[times.len() / 2])
}

/// The memory of a process that is in RAM, from the kernel.
pub(super) fn resident_megabytes(process: u32) -> Result<f64> {
    let path = format!("/proc/{process}/status");
    let status = fs::read_to_string(&path).with_context(|| format!("cannot read {path}; this bench needs Linux"))?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).context("the kernel names no VmRSS")?;
    let kilobytes: f64 = line.split_whitespace().nth(1).context("VmRSS has no value")?.parse()?;
    Ok(kilobytes / 1024.0)
}

/// Keeps every core busy with work that gives way to everything else: waking a sleeping core of a virtual machine takes
/// longer than a call. Ended when dropped.
pub(super) struct Awake(Vec<Child>);

impl Awake {
    pub(super) fn start() -> Result<Self> {
        let cores = std::thread::available_parallelism()?.get();
        let spin = || Command::new("nice").args(["-n", "19", "sh", "-c", "while :; do :; done"]).spawn();
        let children = (0..cores).map(|_| spin().context("cannot start `nice`")).collect::<Result<_>>()?;
        Ok(Self(children))
    }
}

impl Drop for Awake {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
