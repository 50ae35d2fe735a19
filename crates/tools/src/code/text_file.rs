//! A whole text file in memory, and its bytes when it is written again in the same encoding.

use std::io::Read;

use super::encoding::Encoding;
use super::file_errors::{quoted, unusable};
use super::file_kind::{HEAD, binary_kind};
use super::root::Place;
use crate::error::ToolError;

/// The largest file that is read into memory as a whole.
const LARGEST: u64 = 64 * 1024 * 1024;

/// The text of a file and how it is written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TextFile {
    pub(super) text: String,
    pub(super) encoding: Encoding,
}

impl TextFile {
    /// Reads a file from its beginning.
    pub(super) fn read(file: impl Read, place: &Place) -> Result<Self, ToolError> {
        let mut bytes = Vec::new();
        file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| unusable("read", place, &error))?;
        if bytes.len() as u64 > LARGEST {
            let message = format!("{} is larger than the {LARGEST} bytes that are read at most", quoted(&place.given));
            return Err(ToolError::invalid(message));
        }
        if let Some(kind) = binary_kind(&bytes[..bytes.len().min(HEAD)]) {
            return Err(not_text(place, kind, bytes.len() as u64));
        }
        Self::of(&bytes).ok_or_else(|| not_text(place, "broken UTF-16", bytes.len() as u64))
    }

    fn of(bytes: &[u8]) -> Option<Self> {
        if let Some(encoding) = Encoding::marked(bytes) {
            let text = encoding.decode(&bytes[encoding.mark().len()..]);
            if encoding != Encoding::Utf8WithMark || text.is_some() {
                return text.map(|text| Self { text, encoding });
            }
        }
        let candidates = [Encoding::Utf8, Encoding::Latin1];
        candidates.into_iter().find_map(|encoding| Some(Self { text: encoding.decode(bytes)?, encoding }))
    }

    /// The bytes of another text in the encoding of this file.
    pub(super) fn bytes_of(&self, text: &str, place: &Place) -> Result<Vec<u8>, ToolError> {
        self.encoding.encode(text).map_err(|character| {
            let (given, encoding) = (quoted(&place.given), self.encoding.name());
            ToolError::invalid(format!("{given} is written in {encoding}, which has no `{character}`"))
                .with_hint("write_file writes the whole file in UTF-8")
        })
    }
}

/// The refusal of a file that no text can be read from.
pub(super) fn not_text(place: &Place, kind: &str, size: u64) -> ToolError {
    ToolError::invalid(format!("{} is a binary file ({kind}, {size} bytes)", quoted(&place.given)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], text: &str, encoding: Encoding) {
        let place = Place { path: "a".into(), given: "a".into() };
        let file = TextFile::read(bytes, &place).unwrap();
        assert_eq!(file, TextFile { text: text.to_owned(), encoding });
        assert_eq!(file.bytes_of(text, &place).unwrap(), bytes, "written as it was read");
    }

    #[test]
    fn a_file_is_written_as_it_was_read() {
        check(b"a\r\nb", "a\r\nb", Encoding::Utf8);
        check(b"", "", Encoding::Utf8);
        check(b"\xef\xbb\xbfa\n", "a\n", Encoding::Utf8WithMark);
        check(b"\xef\xbb\xbfcaf\xe9", "\u{ef}\u{bb}\u{bf}café", Encoding::Latin1);
        check(b"\xff\xfea\0\n\0", "a\n", Encoding::Utf16LittleEndian);
        check(b"\xfe\xff\0a", "a", Encoding::Utf16BigEndian);
        check(b"caf\xe9\n", "café\n", Encoding::Latin1);
    }

    #[test]
    fn what_is_no_text_is_refused_with_its_kind_and_size() {
        let place = Place { path: "a".into(), given: "a".into() };
        for (bytes, message) in [
            (&b"\x89PNG\r\n\x1a\n\0"[..], "`a` is a binary file (PNG image, 9 bytes)"),
            (b"\xff\xfea", "`a` is a binary file (broken UTF-16, 3 bytes)"),
            (b"a\0b", "`a` is a binary file (binary data, 3 bytes)"),
        ] {
            assert_eq!(TextFile::read(bytes, &place).unwrap_err().message, message);
        }
        let latin = TextFile::read(&b"caf\xe9"[..], &place).unwrap();
        let error = latin.bytes_of("缓", &place).unwrap_err();
        assert_eq!(error.message, "`a` is written in Latin-1, which has no `缓`");
    }
}
