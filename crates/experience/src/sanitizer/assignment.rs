//! Which literal is given to which name?

use std::ops::Range;

use super::name::{self, Kind};
use super::rule::Matched;
use super::value;

/// A longer value is judged by its beginning.
const JUDGED: usize = 128;

/// A longer name is judged by its end.
const NAME: usize = 64;

/// A literal and the name that it is given.
#[derive(Debug)]
pub(super) struct Assigned<'a> {
    text: &'a [u8],
    pub(super) name: &'a [u8],
    /// What stands between name and value, without blanks.
    operator: Operator,
    quote: Option<u8>,
    start: usize,
    end: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    /// `=`, `:` and their kin.
    Gives,
    /// `=>`: in programs also the beginning of a function.
    Arrow,
    /// Only a comma or a blank: the value must be quoted.
    Beside,
}

impl<'a> Assigned<'a> {
    /// The value behind the match, whose end is where it begins.
    pub(super) fn read(matched: &Matched<'a>) -> Option<Self> {
        let text = matched.text;
        let name = name_around(text, matched.secret.clone());
        let operator = operator(&text[matched.secret.end..matched.whole.end]);
        let (quote, start) = opening(text, matched.whole.end);
        let end = match quote {
            Some(quote) => quoted_end(text, start, quote),
            None => unquoted_end(text, start),
        };
        let value = Self { text, name: &text[name.clone()], operator, quote, start, end };
        let option = text[name.clone()].starts_with(b"-");
        let allowed = match operator {
            Operator::Gives | Operator::Arrow => true,
            Operator::Beside => quote.is_some() || option || value.is_unmistakable(),
        };
        // In `"Password:", "Name:"` the mark behind the name ends what the mark before it began.
        let before = name.start.checked_sub(1).map(|place| text[place]);
        let closing = quote.is_some()
            && before == quote
            && !text[matched.secret.end..matched.whole.end].contains(&text[name.start - 1]);
        // `key::Path` is a name in a program.
        let path = text[start..end].starts_with(b":");
        (allowed && end > start && !path && !closing).then_some(value)
    }

    pub(super) fn value(&self) -> &'a [u8] {
        &self.text[self.start..self.end]
    }

    /// The value to its very end, however long it is.
    pub(super) fn whole_value(&self) -> Range<usize> {
        let rest = &self.text[self.end..];
        let ends = |byte: &u8| byte.is_ascii_whitespace() || !byte.is_ascii() || b"\"'`<>,;".contains(byte);
        let more = if self.end - self.start < JUDGED { 0 } else { rest.iter().position(ends).unwrap_or(rest.len()) };
        self.start..self.end + more
    }

    /// A literal under a name that promises a secret, and neither a placeholder nor code.
    pub(super) fn is_secret(&self) -> bool {
        let value = self.value();
        let Some(kind) = name::kind(self.name) else { return false };
        if value.iter().any(|byte| byte.is_ascii_whitespace() || !byte.is_ascii()) {
            return false;
        }
        // What costs little comes first: nearly all values end here.
        let shaped = match kind {
            Kind::Password => value::is_random(value) || self.is_password(),
            Kind::Token => self.is_token(),
            Kind::Perhaps => value.len() >= 20 && value::is_random(value) && !value::is_uuid(value),
        };
        let code = self.quote.is_none() && (self.is_code() || value::is_reference(value));
        shaped && !code && !self.repeats_name() && !value::is_placeholder(value)
    }

    /// So random that no sign is needed between a name and its value: `token 4f8a…`.
    fn is_unmistakable(&self) -> bool {
        let value = self.value();
        let kind = name::kind(self.name);
        let named = kind == Some(Kind::Password) || kind == Some(Kind::Token);
        let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
        named && value.len() >= 20 && digits >= 3 && value::is_random(value)
    }

    fn is_password(&self) -> bool {
        let value = self.value();
        value::is_password(value) && !value::is_reference(value) || value::is_punctuated(value)
    }

    fn is_token(&self) -> bool {
        let value = self.value();
        let digits = value.len() >= 16 && value.iter().all(u8::is_ascii_digit);
        digits || value::is_random(value) || (value::is_punctuated(value) && value::is_no_expression(value))
    }

    /// An expression that begins like this goes on, or a function begins.
    fn is_code(&self) -> bool {
        let next = self.text.get(self.end).copied();
        self.operator == Operator::Arrow || next == Some(b'(') || next == Some(b'[')
    }

    /// `password = "password"` and `accessToken: ACCESS_TOKEN`.
    fn repeats_name(&self) -> bool {
        let letters = |text: &[u8]| -> Vec<u8> {
            text.iter().filter(|byte| byte.is_ascii_alphabetic()).map(u8::to_ascii_lowercase).collect()
        };
        letters(self.name) == letters(self.value())
    }
}

/// The whole identifier around its part that was found.
fn name_around(text: &[u8], found: Range<usize>) -> Range<usize> {
    let before = text[..found.start].iter().rev().take(NAME);
    let length = before.take_while(|byte| byte.is_ascii_alphanumeric() || b"_.-$".contains(byte)).count();
    found.start - length..found.end
}

fn operator(between: &[u8]) -> Operator {
    let signs: Vec<u8> = between.iter().copied().filter(|byte| b"=:,>-<".contains(byte)).collect();
    match signs.as_slice() {
        [] | [b','] => Operator::Beside,
        [.., b'=', b'>'] => Operator::Arrow,
        _ => Operator::Gives,
    }
}

/// The kind of quotation mark and where the text behind it begins; prefixes such as `r"` and `\"` belong to the mark.
fn opening(text: &[u8], position: usize) -> (Option<u8>, usize) {
    let rest = &text[position..];
    let prefix = match rest {
        [b'\\', b'"' | b'\'', ..] | [b'r' | b'b' | b'u' | b'f', b'"' | b'\'', ..] | [b'@' | b'$' | b'L', b'"', ..] => 1,
        _ => 0,
    };
    match rest.get(prefix) {
        Some(&quote) if b"\"'`".contains(&quote) => {
            let same = rest[prefix..].iter().take(3).take_while(|byte| **byte == quote).count();
            let marks = if same == 3 { 3 } else { 1 };
            let start = position + prefix + marks;
            if closes(text, start, quote) { (Some(quote), start) } else { (None, start) }
        }
        _ => (None, position),
    }
}

fn closes(text: &[u8], start: usize, quote: u8) -> bool {
    let judged = &text[start..text.len().min(start + JUDGED)];
    let end = judged.iter().position(|byte| *byte == quote || *byte == b'\n');
    end.map_or(judged.len() == JUDGED, |end| judged[end] == quote)
}

fn quoted_end(text: &[u8], start: usize, quote: u8) -> usize {
    let judged = &text[start..text.len().min(start + JUDGED)];
    let end = judged.iter().position(|byte| *byte == quote).unwrap_or(judged.len());
    let escape = usize::from(end > 0 && judged.get(end - 1) == Some(&b'\\'));
    start + end - escape
}

fn unquoted_end(text: &[u8], start: usize) -> usize {
    let judged = &text[start..text.len().min(start + JUDGED)];
    let ends = |byte: &u8| byte.is_ascii_whitespace() || !byte.is_ascii() || b"\"'`,;&<>|".contains(byte);
    let end = judged.iter().position(ends).unwrap_or(judged.len());
    let trailing = judged[..end].iter().rev().take_while(|byte| b".):]\\".contains(byte)).count();
    start + end - trailing
}
