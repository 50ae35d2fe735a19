//! The client's side of standard output: whole lines, in the order they were given, written by one task that owns the stream.
//!
//! Giving a line never waits, so no line is lost or torn when the caller is dropped.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde::Serialize;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;

/// Bytes that may wait for a client that does not read them before we stop reading from it.
const UNREAD_BYTES: usize = 8 * 1024 * 1024;
/// How often to look whether a client that does not read has hung up.
const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// Lines written in one step.
const TOGETHER: usize = 64;

/// Where lines are given.
#[derive(Debug)]
pub(super) struct Output {
    lines: Option<mpsc::UnboundedSender<Vec<u8>>>,
    unread: Arc<Unread>,
    writer: JoinHandle<io::Result<()>>,
}

#[derive(Debug, Default)]
struct Unread {
    bytes: AtomicUsize,
    changed: Notify,
}

impl Unread {
    fn taken(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        self.changed.notify_one();
    }
}

impl Output {
    /// Starts the writing task on the current runtime.
    pub(super) fn start(stream: impl AsyncWrite + Unpin + Send + 'static) -> Self {
        let (lines, given) = mpsc::unbounded_channel();
        let unread = Arc::<Unread>::default();
        let writer = tokio::spawn(write_all(stream, given, unread.clone()));
        Self { lines: Some(lines), unread, writer }
    }

    pub(super) fn send(&self, message: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        let gone = || io::Error::new(io::ErrorKind::BrokenPipe, "the client does not read any more");
        let lines = self.lines.as_ref().ok_or_else(gone)?;
        self.unread.bytes.fetch_add(line.len(), Ordering::Relaxed);
        lines.send(line).map_err(|refused| {
            self.unread.taken(refused.0.len());
            gone()
        })
    }

    /// Returns at once unless the client has left too much unread; returns also when the client has gone or hung up.
    pub(super) async fn wait_for_reader(&self, hung_up: fn() -> bool) {
        while self.unread.bytes.load(Ordering::Relaxed) > UNREAD_BYTES && !hung_up() {
            let _ = tokio::time::timeout(LOOK_AGAIN, self.unread.changed.notified()).await;
        }
    }

    /// Waits until all that was given is written.
    pub(super) async fn finish(&mut self) -> io::Result<()> {
        self.lines = None;
        (&mut self.writer).await.map_err(io::Error::other)?
    }
}

async fn write_all(
    mut stream: impl AsyncWrite + Unpin,
    mut given: mpsc::UnboundedReceiver<Vec<u8>>,
    unread: Arc<Unread>,
) -> io::Result<()> {
    let mut lines = Vec::new();
    let mut ended = Ok(());
    while given.recv_many(&mut lines, TOGETHER).await > 0 {
        let bytes = if lines.len() == 1 { lines.swap_remove(0) } else { lines.concat() };
        lines.clear();
        if ended.is_ok() {
            ended = write(&mut stream, &bytes).await;
        }
        if ended.is_err() {
            given.close();
        }
        unread.taken(bytes.len());
    }
    ended
}

async fn write(stream: &mut (impl AsyncWrite + Unpin), bytes: &[u8]) -> io::Result<()> {
    stream.write_all(bytes).await?;
    stream.flush().await
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use tokio::io::{AsyncReadExt, duplex};

    #[tokio::test]
    async fn lines_arrive_whole_and_in_order() {
        let (ours, mut theirs) = duplex(16);
        let mut output = Output::start(ours);
        for number in 0..100 {
            output.send(&json!({ "n": number })).unwrap();
        }
        let reading = tokio::spawn(async move {
            let mut text = String::new();
            theirs.read_to_string(&mut text).await.unwrap();
            text
        });
        output.finish().await.unwrap();
        drop(output);
        let expected: String = (0..100).map(|number| format!("{{\"n\":{number}}}\n")).collect();
        assert_eq!(reading.await.unwrap(), expected);
    }

    #[tokio::test]
    async fn a_client_that_has_gone_is_an_error_and_nobody_waits_for_it() {
        let (ours, theirs) = duplex(16);
        drop(theirs);
        let output = Output::start(ours);
        let long = "x".repeat(UNREAD_BYTES + 1);
        while output.send(&long).is_ok() {
            tokio::task::yield_now().await;
        }
        output.wait_for_reader(|| false).await;
    }
}
