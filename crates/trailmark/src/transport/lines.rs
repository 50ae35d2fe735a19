//! Lines of bounded length from a stream, however they arrive.

use std::io;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// Reads lines; safe to drop and call again between bytes.
#[derive(Debug)]
pub(super) struct Lines<R> {
    stream: BufReader<R>,
    line: Vec<u8>,
    longest: usize,
    /// The rest of a line that was too long is still to be thrown away.
    discarding: bool,
}

/// What came.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Whole(Vec<u8>),
    /// A line longer than allowed was thrown away.
    TooLong,
    End,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(stream: R, longest: usize) -> Self {
        Self { stream: BufReader::with_capacity(32 * 1024, stream), line: Vec::new(), longest, discarding: false }
    }

    /// The next line without its end; a last line need not have one.
    pub(super) async fn next(&mut self) -> io::Result<Line> {
        loop {
            let available = self.stream.fill_buf().await?;
            if available.is_empty() {
                let rest = std::mem::take(&mut self.line);
                return Ok(if rest.is_empty() { Line::End } else { Line::Whole(rest) });
            }
            let newline = available.iter().position(|byte| *byte == b'\n');
            let taken = newline.map_or(available.len(), |at| at + 1);
            if !self.discarding {
                self.line.extend_from_slice(&available[..newline.unwrap_or(taken)]);
            }
            self.stream.consume(taken);
            if let Some(line) = self.complete(newline.is_some()) {
                return Ok(line);
            }
        }
    }

    fn complete(&mut self, ended: bool) -> Option<Line> {
        if self.line.len() > self.longest {
            self.line = Vec::new();
            self.discarding = !ended;
            return Some(Line::TooLong);
        }
        if !ended {
            return None;
        }
        if std::mem::take(&mut self.discarding) {
            return None;
        }
        let mut line = std::mem::take(&mut self.line);
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        (!line.is_empty()).then_some(Line::Whole(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn all(input: &[u8], longest: usize) -> Vec<Line> {
        let mut lines = Lines::new(input, longest);
        let mut found = Vec::new();
        loop {
            match lines.next().await.unwrap() {
                Line::End => return found,
                line @ (Line::Whole(_) | Line::TooLong) => found.push(line),
            }
        }
    }

    fn whole(text: &str) -> Line {
        Line::Whole(text.as_bytes().to_vec())
    }

    #[tokio::test]
    async fn lines_come_without_their_ends_and_empty_lines_are_skipped() {
        assert_eq!(all(b"a\r\n\n\r\nb\nc", 10).await, [whole("a"), whole("b"), whole("c")]);
    }

    #[tokio::test]
    async fn a_line_too_long_is_reported_once_and_the_next_one_is_read() {
        let mut input = vec![b'x'; 200_000];
        input.extend_from_slice(b"\nok\n");
        assert_eq!(all(&input, 100_000).await, [Line::TooLong, whole("ok")]);
        assert_eq!(all(b"12345\nok\n", 4).await, [Line::TooLong, whole("ok")]);
    }
}
