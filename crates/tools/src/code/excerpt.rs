//! Some lines of a text file, however long the file is: it is read once from end to end, and little of it is kept.

use std::io::{self, Read};

use tokio_util::sync::CancellationToken;

use super::encoding::Encoding;
use super::file_errors::unusable;
use super::file_kind::{HEAD, binary_kind};
use super::root::Place;
use super::text_file::{TextFile, not_text};
use crate::error::{ErrorKind, ToolError};

const CHUNK: usize = 128 * 1024;

/// Which lines are wanted, and how much of them at most.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// Lines to leave out at the beginning.
    pub(super) offset: usize,
    pub(super) limit: usize,
    /// Bytes of text that are kept; what comes after them is counted and left out.
    pub(super) most_bytes: usize,
}

/// The lines that were wanted.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Excerpt {
    pub(super) text: String,
    /// How many lines the file has.
    pub(super) total: usize,
}

/// Reads a file of this size from its beginning.
pub(super) fn read(
    mut file: impl Read,
    size: u64,
    wanted: Wanted,
    place: &Place,
    cancel: &CancellationToken,
) -> Result<Excerpt, ToolError> {
    let failed = |error: io::Error| unusable("read", place, &error);
    let mut head = Vec::new();
    file.by_ref().take(HEAD as u64).read_to_end(&mut head).map_err(failed)?;
    if let Some(kind) = binary_kind(&head) {
        return Err(not_text(place, kind, size));
    }
    let mut window = Window::new(wanted);
    if matches!(Encoding::marked(&head), Some(Encoding::Utf16LittleEndian | Encoding::Utf16BigEndian)) {
        window.take(TextFile::read(head.chain(file), place)?.text.as_bytes());
        return Ok(window.finish());
    }
    window.take(head.strip_prefix(Encoding::Utf8WithMark.mark()).unwrap_or(&head));
    let mut chunk = vec![0; CHUNK];
    loop {
        if cancel.is_cancelled() {
            return Err(ToolError::new(ErrorKind::Timeout, "the call was cancelled"));
        }
        match file.read(&mut chunk) {
            Ok(0) => return Ok(window.finish()),
            Ok(length) => window.take(&chunk[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(failed(error)),
        }
    }
}

/// Counts all lines that pass by, keeps those that are wanted, and learns whether all of them are UTF-8.
#[derive(Debug)]
struct Window {
    wanted: Wanted,
    kept: Vec<u8>,
    line_ends: usize,
    in_line: bool,
    is_utf8: bool,
    /// The beginning of a character whose end has not come yet.
    open: Vec<u8>,
}

impl Window {
    fn new(wanted: Wanted) -> Self {
        Self { wanted, kept: Vec::new(), line_ends: 0, in_line: false, is_utf8: true, open: Vec::new() }
    }

    fn take(&mut self, bytes: &[u8]) {
        self.check_utf8(bytes);
        let end = self.wanted.offset.saturating_add(self.wanted.limit);
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            if (self.wanted.offset..end).contains(&self.line_ends) {
                let room = self.wanted.most_bytes.saturating_sub(self.kept.len());
                self.kept.extend_from_slice(&piece[..piece.len().min(room)]);
            }
            self.in_line = !piece.ends_with(b"\n");
            self.line_ends += usize::from(!self.in_line);
        }
    }

    fn check_utf8(&mut self, bytes: &[u8]) {
        if !self.is_utf8 {
            return;
        }
        let joined;
        let bytes = if self.open.is_empty() {
            bytes
        } else {
            joined = [self.open.as_slice(), bytes].concat();
            &joined
        };
        match std::str::from_utf8(bytes) {
            Ok(_) => self.open.clear(),
            Err(error) => {
                self.is_utf8 = error.error_len().is_none();
                self.open = bytes[error.valid_up_to()..].to_vec();
            }
        }
    }

    fn finish(self) -> Excerpt {
        let total = self.line_ends + usize::from(self.in_line);
        let text = if self.is_utf8 && self.open.is_empty() {
            // The last character may have been cut when the room was used up.
            let whole = std::str::from_utf8(&self.kept).map_or_else(|error| error.valid_up_to(), str::len);
            String::from_utf8_lossy(&self.kept[..whole]).into_owned()
        } else {
            Encoding::Latin1.decode(&self.kept).unwrap_or_default()
        };
        Excerpt { text, total }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a few bytes at a time, as a slow disk may.
    struct Slowly<'a>(&'a [u8], usize);

    impl Read for Slowly<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = self.1.min(buffer.len());
            Read::read(&mut self.0, &mut buffer[..most])
        }
    }

    fn excerpt(bytes: &[u8], offset: usize, limit: usize, most_bytes: usize) -> Result<Excerpt, ToolError> {
        let place = Place { path: "a".into(), given: "a".into() };
        let (wanted, cancel) = (Wanted { offset, limit, most_bytes }, CancellationToken::new());
        let at_once = read(bytes, bytes.len() as u64, wanted, &place, &cancel);
        for step in [1, 2, 3, 5] {
            let slowly = read(Slowly(bytes, step), bytes.len() as u64, wanted, &place, &cancel);
            assert_eq!(slowly, at_once, "{step} bytes at a time");
        }
        at_once
    }

    #[track_caller]
    fn check(bytes: &[u8], offset: usize, limit: usize, text: &str, total: usize) {
        assert_eq!(excerpt(bytes, offset, limit, 1000).unwrap(), Excerpt { text: text.to_owned(), total });
    }

    #[test]
    fn the_wanted_lines_come_with_their_ends() {
        check(b"a\nb\nc\n", 0, usize::MAX, "a\nb\nc\n", 3);
        check(b"a\nb\nc", 0, usize::MAX, "a\nb\nc", 3);
        check(b"a\r\nb\r\nc\r\n", 1, 1, "b\r\n", 3);
        check(b"a\nb\nc", 2, 10, "c", 3);
        check(b"a\n\n\n", 1, 1, "\n", 3);
        check(b"a\nb\n", 2, 1, "", 2);
        check(b"a\nb\n", usize::MAX, usize::MAX, "", 2);
        check(b"", 0, 1, "", 0);
    }

    #[test]
    fn every_encoding_is_read() {
        check("一\n二\n三".as_bytes(), 1, 1, "二\n", 3);
        check(b"\xef\xbb\xbfa\nb", 0, 1, "a\n", 2);
        check(b"\xff\xfea\0\n\0b\0", 1, 1, "b", 2);
        check(b"a\ncaf\xe9\n", 1, 1, "café\n", 2);
        check("字\n\u{e9}".as_bytes().split_last().unwrap().1, 0, 1, "å\u{ad}\u{97}\n", 2);
    }

    #[test]
    fn what_comes_after_the_room_is_counted_and_left_out() {
        let text = "一二三\n四五六\n七\n";
        assert_eq!(excerpt(text.as_bytes(), 0, 9, 5).unwrap(), Excerpt { text: "一".to_owned(), total: 3 });
        assert_eq!(excerpt(text.as_bytes(), 0, 1, 500).unwrap().text, "一二三\n");
    }

    #[test]
    fn binary_data_is_refused_and_a_cancelled_call_stops() {
        let error = excerpt(b"\x7fELF\x02", 0, 1, 10).unwrap_err();
        assert_eq!(error.message, "`a` is a binary file (ELF program, 5 bytes)");
        let (place, cancel) = (Place { path: "a".into(), given: "a".into() }, CancellationToken::new());
        cancel.cancel();
        let wanted = Wanted { offset: 0, limit: 1, most_bytes: 1 };
        assert_eq!(read(&b"abc"[..], 3, wanted, &place, &cancel).unwrap_err().kind, ErrorKind::Timeout);
    }
}
