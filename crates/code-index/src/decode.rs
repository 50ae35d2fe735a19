//! Which text do these bytes stand for, if any?

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// How much of a file is looked at to tell what it is.
const SAMPLE_BYTES: usize = 8_192;

/// Source code has next to no control characters; compressed data has one in nine bytes.
const MAX_CONTROL_PERCENT: usize = 5;

/// Of the pairs of bytes in a UTF-16 text without a mark, this many are ASCII, one byte of which is zero.
const MIN_UTF_16_PERCENT: usize = 40;

/// The text, or `None` for what is no text. Encodings are told apart by their marks, then by zero bytes (UTF-16), then by
/// whether the bytes are valid UTF-8; the rest is taken for Windows-1252, which Latin-1 is a part of.
pub(crate) fn decode(bytes: &[u8], is_cut: bool) -> Option<Cow<'_, str>> {
    let text = match Encoding::for_bom(bytes) {
        Some((encoding, mark)) => encoding.decode_without_bom_handling(whole(bytes, mark, encoding)).0,
        None if bytes.contains(&0) => {
            let encoding = utf_16_without_mark(bytes).filter(|_| is_cut || bytes.len().is_multiple_of(2))?;
            encoding.decode_without_bom_handling_and_without_replacement(whole(bytes, 0, encoding))?
        }
        None => match utf_8(bytes, is_cut) {
            Some(text) => Cow::Borrowed(text),
            None => WINDOWS_1252.decode_without_bom_handling(bytes).0,
        },
    };
    is_text(&text).then_some(text)
}

/// The bytes after the mark, without half a unit at the end of what was cut.
fn whole<'a>(bytes: &'a [u8], mark: usize, encoding: &'static Encoding) -> &'a [u8] {
    let rest = &bytes[mark..];
    if encoding == UTF_8 { rest } else { &rest[..rest.len() & !1] }
}

fn utf_8(bytes: &[u8], is_cut: bool) -> Option<&str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text),
        // The cut went through a character.
        Err(error) if is_cut && error.error_len().is_none() => std::str::from_utf8(&bytes[..error.valid_up_to()]).ok(),
        Err(_) => None,
    }
}

/// Which half of the pairs is zero tells the order of bytes.
fn utf_16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = &bytes[..bytes.len().min(SAMPLE_BYTES)];
    let pairs = sample.len() / 2;
    let zeros = |half: usize| sample.iter().skip(half).step_by(2).filter(|byte| **byte == 0).count();
    let many = (pairs * MIN_UTF_16_PERCENT).div_ceil(100).max(1);
    match (zeros(0), zeros(1)) {
        (first, second) if second >= many && first * 20 <= second => Some(UTF_16LE),
        (first, second) if first >= many && second * 20 <= first => Some(UTF_16BE),
        _ => None,
    }
}

fn is_text(text: &str) -> bool {
    let mut end = text.len().min(SAMPLE_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let sample = &text[..end];
    let control = |c: &char| c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1b}');
    !text.contains('\0') && sample.chars().filter(control).count() * 100 <= sample.len() * MAX_CONTROL_PERCENT
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: Option<&str>) {
        assert_eq!(decode(bytes, false).as_deref(), expected);
    }

    fn utf_16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(unit).collect()
    }

    #[test]
    fn utf_8_is_read_with_and_without_a_mark() {
        check("naïve".as_bytes(), Some("naïve"));
        check("\u{feff}x = 1".as_bytes(), Some("x = 1"));
        check(b"", Some(""));
    }

    #[test]
    fn utf_16_is_read_in_both_orders_with_and_without_a_mark() {
        let text = "def größe():\n    return 'größer'\n";
        check(&utf_16(&format!("\u{feff}{text}"), u16::to_le_bytes), Some(text));
        check(&utf_16(&format!("\u{feff}{text}"), u16::to_be_bytes), Some(text));
        check(&utf_16(text, u16::to_le_bytes), Some(text));
        check(&utf_16(text, u16::to_be_bytes), Some(text));
    }

    #[test]
    fn latin_1_is_read_when_utf_8_is_impossible() {
        check(b"# caf\xe9 \x80\nprint(1)\n", Some("# café €\nprint(1)\n"));
    }

    #[test]
    fn what_has_zero_bytes_or_many_control_characters_is_no_text() {
        check(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0", None);
        check(b"a\0b", None);
        let compressed: Vec<u8> = (0..2_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8 | 1).collect();
        check(&compressed, None);
    }

    #[test]
    fn a_cut_through_a_character_loses_only_that_character() {
        let text = "größe";
        assert_eq!(decode(&text.as_bytes()[..3], true).as_deref(), Some("gr"));
        assert_eq!(decode(&text.as_bytes()[..3], false).as_deref(), Some("grÃ"));
    }
}
