//! Which text does a rule see when characters that nobody sees stand inside a token?
//!
//! Controls, zero-width characters and marks of direction are left out, and full-width forms of ASCII become ASCII. Places in
//! what is left lead back to the text as it came.

use std::borrow::Cow;
use std::ops::Range;

/// A text as the rules see it.
#[derive(Debug)]
pub(super) struct Folded<'a> {
    text: Cow<'a, [u8]>,
    /// Where the two texts drift apart: a place in the folded text and the place in the original from there on.
    shifts: Vec<(usize, usize)>,
    original: &'a str,
}

impl<'a> Folded<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        match text.char_indices().find(|(_, character)| is_folded(*character)) {
            None => Self { text: Cow::Borrowed(text.as_bytes()), shifts: Vec::new(), original: text },
            Some((first, _)) => Self::without_the_unseen(text, first),
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.text
    }

    /// The same place in the original, from and to whole characters.
    pub(super) fn original(&self, range: Range<usize>) -> Range<usize> {
        let mut start = self.place(range.start);
        // The end is behind the last byte of the finding, not before what follows it.
        let mut end = if range.is_empty() { start } else { self.place(range.end - 1) + 1 };
        while !self.original.is_char_boundary(start) {
            start -= 1;
        }
        while !self.original.is_char_boundary(end) {
            end += 1;
        }
        start..end.max(start)
    }

    fn place(&self, position: usize) -> usize {
        let shift = self.shifts.partition_point(|(folded, _)| *folded <= position);
        match shift.checked_sub(1).map(|index| self.shifts[index]) {
            Some((folded, original)) => original + (position - folded),
            None => position,
        }
    }

    fn without_the_unseen(text: &'a str, first: usize) -> Self {
        let mut out = Vec::with_capacity(text.len());
        out.extend_from_slice(&text.as_bytes()[..first]);
        let mut shifts = Vec::new();
        let mut drifted = false;
        for (offset, character) in text[first..].char_indices() {
            let place = first + offset;
            if is_unseen(character) {
                drifted = true;
                continue;
            }
            let narrow = narrow(character);
            if drifted || narrow.is_some() {
                shifts.push((out.len(), place));
                drifted = narrow.is_some();
            }
            match narrow {
                Some(byte) => out.push(byte),
                None => out.extend_from_slice(&text.as_bytes()[place..place + character.len_utf8()]),
            }
        }
        Self { text: Cow::Owned(out), shifts, original: text }
    }
}

fn is_folded(character: char) -> bool {
    is_unseen(character) || narrow(character).is_some()
}

pub(super) fn is_unseen(character: char) -> bool {
    matches!(character,
        '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{7F}'
        | '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// The ASCII form of a full-width character.
fn narrow(character: char) -> Option<u8> {
    match character {
        '\u{FF01}'..='\u{FF5E}' => u8::try_from(u32::from(character) - 0xFF01 + 0x21).ok(),
        '\u{3000}' => Some(b' '),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, folded: &str, range: Range<usize>, original: &str) {
        let result = Folded::of(text);
        assert_eq!(String::from_utf8_lossy(result.bytes()), folded);
        assert_eq!(&text[result.original(range)], original);
    }

    #[test]
    fn what_nobody_sees_is_left_out_and_places_lead_back() {
        check("abc", "abc", 1..2, "b");
        check("a\u{200b}bc", "abc", 0..2, "a\u{200b}b");
        check("a\u{200b}bc", "abc", 0..1, "a");
        check("\u{202e}abc\0d", "abcd", 2..4, "c\0d");
        check("密码：ｇｈｐ_1", "密码:ghp_1", 7..12, "ｇｈｐ_1");
        check("é\u{200d}é", "éé", 0..1, "é");
        check("a\r\n\tb", "a\r\n\tb", 0..5, "a\r\n\tb");
    }
}
