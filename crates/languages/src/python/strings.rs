//! Texts, and the expressions in them.

use memchr::memchr3;

use super::lexer::Kind;
use super::{Begin, Parser};
use crate::tree::Entry;

/// How a text is written.
#[derive(Debug, Clone, Copy)]
struct Manner {
    quote: u8,
    is_triple: bool,
    is_raw: bool,
    is_format: bool,
}

impl Manner {
    fn of(opening: &[u8]) -> Option<Self> {
        let quotes = opening.iter().position(|byte| matches!(byte, b'"' | b'\''))?;
        let has = |letter: u8| opening[..quotes].iter().any(|byte| byte.to_ascii_lowercase() == letter);
        Some(Self {
            quote: opening[quotes],
            is_triple: opening.len() - quotes == 3,
            is_raw: has(b'r'),
            is_format: has(b'f') || has(b't'),
        })
    }
}

impl Parser<'_> {
    /// A text, or several that stand one after the other.
    pub(super) fn strings(&mut self) -> Option<()> {
        let begin = self.begin();
        self.string()?;
        if !self.is(Kind::String) {
            return Some(());
        }
        while self.is(Kind::String) {
            self.string()?;
        }
        self.close(begin, self.kinds().concatenated_string);
        Some(())
    }

    fn string(&mut self) -> Option<()> {
        let begin = self.begin();
        let manner = Manner::of(self.word())?;
        let (mut at, mut row) = (self.token.end as usize, self.token.row);
        self.tree.push(Entry::leaf(self.kinds().string_start, begin.start, self.token.end, row, row));
        loop {
            let rest = self.lexer.rest_from(at);
            at += match manner.is_format {
                true => rest.iter().position(|byte| is_special(*byte, manner.quote))?,
                false => memchr3(manner.quote, b'\\', b'\n', rest)?,
            };
            match self.lexer.byte(at) {
                b'\n' if manner.is_triple => (at, row) = (at + 1, row + 1),
                b'\n' => return None,
                b'\\' => (at, row) = self.escape(at, row, manner),
                b'{' if self.lexer.byte(at + 1) == b'{' => at += 2,
                b'{' => (at, row) = self.interpolation(at, row, self.kinds().interpolation)?,
                b'}' if self.lexer.byte(at + 1) != b'}' => return None,
                b'}' => at += 2,
                quote => match self.closing(at, quote, manner) {
                    true => break,
                    false => at += 1,
                },
            }
        }
        self.end_string(begin, at + if manner.is_triple { 3 } else { 1 }, row)
    }

    fn closing(&self, at: usize, quote: u8, manner: Manner) -> bool {
        !manner.is_triple || (self.lexer.byte(at + 1) == quote && self.lexer.byte(at + 2) == quote)
    }

    fn end_string(&mut self, begin: Begin, at: usize, row: u32) -> Option<()> {
        self.lexer.go_to(at, row);
        (self.end, self.end_row) = (u32::try_from(at).ok()?, row);
        self.close_whole(begin, self.kinds().string);
        self.read()
    }

    /// What a backslash takes with it.
    fn escape(&self, at: usize, row: u32, manner: Manner) -> (usize, u32) {
        match self.lexer.byte(at + 1) {
            b'\n' => (at + 2, row + 1),
            b'N' if manner.is_format && !manner.is_raw && self.lexer.byte(at + 2) == b'{' => {
                let rest = self.lexer.rest_from(at);
                (at + memchr::memchr(b'}', rest).map_or(2, |end| end + 1), row)
            }
            next if next == b'\\' || next == manner.quote => (at + 2, row),
            _ => (at + 1, row),
        }
    }

    /// `{value!r:format}` in a text; gives where it has ended.
    fn interpolation(&mut self, at: usize, row: u32, kind: u16) -> Option<(usize, u32)> {
        let begin = Begin { mark: self.tree.mark(), start: u32::try_from(at).ok()?, row };
        let around = self.interpolation.replace(self.lexer.brackets() + 1);
        self.lexer.open_bracket();
        self.lexer.go_to(at + 1, row);
        self.read()?;
        self.deeper(Self::values)?;
        self.field(self.fields().expression);
        self.take(Kind::Equal)?;
        if self.is(Kind::Bang) {
            self.conversion()?;
        }
        let (end, row) = match self.token.kind {
            Kind::Colon => self.format()?,
            Kind::CloseCurly => (self.token.end as usize, self.token.row),
            _ => return None,
        };
        self.lexer.close_bracket();
        self.interpolation = around;
        (self.end, self.end_row) = (u32::try_from(end).ok()?, row);
        self.close_whole(begin, kind);
        Some((end, row))
    }

    /// `!r`
    fn conversion(&mut self) -> Option<()> {
        let (start, row) = (self.token.start, self.token.row);
        if !self.lexer.byte(start as usize + 1).is_ascii_lowercase() {
            return None;
        }
        self.tree.push(Entry::leaf(self.kinds().type_conversion, start, start + 2, row, row));
        self.field(self.fields().type_conversion);
        self.lexer.go_to(start as usize + 2, row);
        self.read()
    }

    /// `:>{width}`; gives where the bracket after it has ended.
    fn format(&mut self) -> Option<(usize, u32)> {
        let begin = self.begin();
        let (mut at, mut row) = (self.token.end as usize, self.token.row);
        loop {
            let rest = self.lexer.rest_from(at);
            at += rest.iter().position(|byte| matches!(byte, b'{' | b'}' | b'\n'))?;
            match self.lexer.byte(at) {
                b'{' => {
                    let nested = self.deeper_interpolation(at, row)?;
                    (at, row) = nested;
                }
                b'}' => break,
                _ => return None,
            }
        }
        (self.end, self.end_row) = (u32::try_from(at).ok()?, row);
        self.close_whole(begin, self.kinds().format_specifier);
        self.field(self.fields().format_specifier);
        Some((at + 1, row))
    }

    fn deeper_interpolation(&mut self, at: usize, row: u32) -> Option<(usize, u32)> {
        let mut ended = None;
        self.deeper(|this| {
            ended = Some(this.interpolation(at, row, this.kinds().format_expression)?);
            Some(())
        })?;
        ended
    }

    /// Whether a colon here would end the expression.
    pub(super) fn is_in_interpolation(&self) -> bool {
        self.interpolation == Some(self.lexer.brackets())
    }
}

fn is_special(byte: u8, quote: u8) -> bool {
    byte == quote || matches!(byte, b'\\' | b'\n' | b'{' | b'}')
}
