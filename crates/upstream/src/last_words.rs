//! What a program last said on its standard error: everything is read, one line is kept.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::error::shortened;

/// The longest line that is kept, in bytes.
const LONGEST: usize = 2_000;
/// How long the last line may take after the end of the program; a child of it may hold the pipe for ever.
const PATIENCE: Duration = Duration::from_millis(200);

/// The last line so far.
#[derive(Debug)]
pub(crate) struct LastWords {
    line: Arc<Mutex<Line>>,
    reading: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Line {
    whole: Vec<u8>,
    beginning: Vec<u8>,
}

impl LastWords {
    /// Reads until the end, so that the program is never held up by a full pipe.
    pub(crate) fn collect(mut stream: impl AsyncRead + Send + Unpin + 'static) -> Self {
        let line = Arc::new(Mutex::new(Line::default()));
        let shared = Arc::clone(&line);
        let reading = tokio::spawn(async move {
            let mut piece = [0; 4096];
            while let Ok(length @ 1..) = stream.read(&mut piece).await {
                lock(&shared).add(&piece[..length]);
            }
        });
        Self { line, reading }
    }

    /// The last line that is not empty.
    pub(crate) fn last(&self) -> Option<String> {
        let line = lock(&self.line);
        let newest = if is_blank(&line.beginning) { &line.whole } else { &line.beginning };
        (!is_blank(newest)).then(|| shortened(&String::from_utf8_lossy(newest)))
    }

    /// The same once the program has ended, when the last line may still be in the pipe.
    pub(crate) async fn at_the_end(&mut self) -> Option<String> {
        let _ = timeout(PATIENCE, &mut self.reading).await;
        self.last()
    }
}

impl Drop for LastWords {
    fn drop(&mut self) {
        self.reading.abort();
    }
}

impl Line {
    fn add(&mut self, piece: &[u8]) {
        for part in piece.split_inclusive(|byte| *byte == b'\n') {
            let room = LONGEST.saturating_sub(self.beginning.len());
            self.beginning.extend_from_slice(&part[..part.len().min(room)]);
            if !part.ends_with(b"\n") {
                continue;
            }
            let line = std::mem::take(&mut self.beginning);
            if !is_blank(&line) {
                self.whole = line;
            }
        }
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

fn lock(line: &Mutex<Line>) -> std::sync::MutexGuard<'_, Line> {
    line.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn check(said: &'static [u8], expected: Option<&str>) {
        assert_eq!(LastWords::collect(said).at_the_end().await.as_deref(), expected);
    }

    #[tokio::test]
    async fn the_last_line_that_says_something_is_kept() {
        check(b"one\ntwo\n\n  \n", Some("two")).await;
        check(b"one\nhalf a li", Some("half a li")).await;
        check(b"", None).await;
        check(b"\n \n", None).await;
        check(b"\x1b[31mred\x1b[0m\tend\xff\n", Some("[31mred [0m end\u{fffd}")).await;
    }

    #[tokio::test]
    async fn a_line_without_end_is_not_kept_whole() {
        let last = LastWords::collect(tokio::io::repeat(b'x').take(5_000_000)).at_the_end().await.unwrap();
        assert!(last.chars().count() < 400, "{}", last.len());
    }
}
