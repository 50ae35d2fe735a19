//! What a file is: text, or which kind of binary data.

/// How much of a file is looked at to tell.
pub(super) const HEAD: usize = 8 * 1024;

/// Beginnings that give a kind of file away.
const KINDS: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n\x1a\n", "PNG image"),
    (b"\xff\xd8\xff", "JPEG image"),
    (b"GIF87a", "GIF image"),
    (b"GIF89a", "GIF image"),
    (b"%PDF-", "PDF document"),
    (b"PK\x03\x04", "ZIP archive"),
    (b"PK\x05\x06", "ZIP archive"),
    (b"\x7fELF", "ELF program"),
    (b"\x1f\x8b", "gzip archive"),
    (b"\0asm", "WebAssembly module"),
    (b"SQLite format 3\0", "SQLite database"),
    (b"\xff\xfe\0\0", "UTF-32 text"),
    (b"\0\0\xfe\xff", "UTF-32 text"),
];

/// The beginnings of text in UTF-16, where NUL bytes are nothing unusual.
const UTF_16: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

/// The kind of binary data that a file with this beginning is, or nothing if it may be text.
pub(super) fn binary_kind(head: &[u8]) -> Option<&'static str> {
    let known = KINDS.iter().find(|(beginning, _)| head.starts_with(beginning)).map(|(_, kind)| *kind);
    known.or_else(|| (!is_utf16(head) && is_binary(head)).then_some("binary data"))
}

fn is_utf16(head: &[u8]) -> bool {
    UTF_16.iter().any(|mark| head.starts_with(mark))
}

/// Text has no NUL; in an encoding that is not UTF-8 it has no control characters but those of terminals and printers.
fn is_binary(head: &[u8]) -> bool {
    let is_utf8 = match std::str::from_utf8(head) {
        Ok(_) => true,
        // The last character may lie across the end of what was read.
        Err(error) => error.error_len().is_none() && head.len() >= HEAD,
    };
    let unusual = |byte: u8| matches!(byte, 0 | 1..=6 | 14..=26 | 28..=31 | 127);
    head.contains(&0) || (!is_utf8 && head.iter().any(|byte| unusual(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(head: &[u8], expected: Option<&str>) {
        assert_eq!(binary_kind(head), expected, "{head:?}");
    }

    #[test]
    fn text_in_any_encoding_is_text() {
        check(b"", None);
        check(b"fn main() {}\n", None);
        check("写入缓存\n".as_bytes(), None);
        check(b"\xef\xbb\xbfwith a mark", None);
        check(b"caf\xe9\r\n\x0c", None);
        check(b"\x1b[31mred\x1b[0m \x07", None);
        check(b"\xff\xfea\0\n\0", None);
        check(b"\xfe\xff\0a\0\n", None);
        check("字".repeat(HEAD).as_bytes().split_at(HEAD).0, None);
    }

    #[test]
    fn binary_data_is_known_by_its_beginning() {
        check(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", Some("PNG image"));
        check(b"\xff\xd8\xff\xe0\0\x10JFIF", Some("JPEG image"));
        check(b"GIF89a\x01", Some("GIF image"));
        check(b"%PDF-1.7\n", Some("PDF document"));
        check(b"PK\x03\x04\x14", Some("ZIP archive"));
        check(b"\x7fELF\x02\x01", Some("ELF program"));
        check(b"\x1f\x8b\x08", Some("gzip archive"));
        check(b"\0asm\x01\0\0\0", Some("WebAssembly module"));
        check(b"SQLite format 3\0\x10", Some("SQLite database"));
        check(b"\xff\xfe\0\0a\0\0\0", Some("UTF-32 text"));
    }

    #[test]
    fn other_binary_data_is_known_by_its_bytes() {
        check(b"text and\0more", Some("binary data"));
        check(b"\x9c\x01\x02caf\xe9", Some("binary data"));
    }
}
