//! Text → tokens. Keywords are names here; the parser knows where which of them means something.

use crate::error::{Error, ErrorKind, Result, Span};

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Token {
    Name(String),
    /// A name in backticks: never a keyword.
    Quoted(String),
    /// The magnitude only; up to 2^63, which is valid after a minus.
    Int(u64),
    Float(f64),
    Text(String),
    Parameter(String),
    Symbol(&'static str),
    End,
}

#[derive(Debug)]
pub(crate) struct Tokens {
    pub(crate) tokens: Vec<Token>,
    pub(crate) spans: Vec<Span>,
    /// For each opening bracket, the index of the one that closes it.
    pub(crate) closing: Vec<Option<usize>>,
}

/// Longer symbols come first.
const SYMBOLS: &[&str] = &[
    "<>", "<=", ">=", "=~", "+=", "..", "||", "::", "(", ")", "[", "]", "{", "}", ",", ".", ":", ";", "|", "&", "!",
    "%", "+", "-", "*", "/", "^", "=", "<", ">", "$", "?",
];

pub(crate) fn tokenize(source: &str) -> Result<Tokens> {
    let mut lexer =
        Lexer { source, at: 0, found: Tokens { tokens: Vec::new(), spans: Vec::new(), closing: Vec::new() } };
    lexer.run()?;
    match_brackets(&mut lexer.found);
    Ok(lexer.found)
}

fn match_brackets(found: &mut Tokens) {
    found.closing = vec![None; found.tokens.len()];
    let mut open: Vec<(usize, &'static str)> = Vec::new();
    for (index, token) in found.tokens.iter().enumerate() {
        let Token::Symbol(symbol) = token else { continue };
        match *symbol {
            "(" => open.push((index, ")")),
            "[" => open.push((index, "]")),
            "{" => open.push((index, "}")),
            ")" | "]" | "}" => {
                if let Some((opening, _)) = open.pop_if(|(_, closer)| closer == symbol) {
                    found.closing[opening] = Some(index);
                }
            }
            _ => {}
        }
    }
}

struct Lexer<'a> {
    source: &'a str,
    at: usize,
    found: Tokens,
}

impl Lexer<'_> {
    fn run(&mut self) -> Result<()> {
        loop {
            self.skip_blanks()?;
            let start = self.at;
            let token = self.token()?;
            let is_end = token == Token::End;
            self.found.tokens.push(token);
            self.found.spans.push(self.span_from(start));
            if is_end {
                return Ok(());
            }
        }
    }

    fn rest(&self) -> &str {
        &self.source[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn span_from(&self, start: usize) -> Span {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Span { start: clamp(start), end: clamp(self.at) }
    }

    fn fail<T>(&self, kind: ErrorKind, start: usize, message: impl Into<String>) -> Result<T> {
        Err(Error::compile(kind, self.span_from(start), message))
    }

    fn skip_blanks(&mut self) -> Result<()> {
        loop {
            let trimmed = self.rest().trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            self.at = self.source.len() - trimmed.len();
            if self.rest().starts_with("//") {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            } else if self.rest().starts_with("/*") {
                let Some(end) = self.rest().find("*/") else {
                    return self.fail(ErrorKind::UnexpectedSyntax, self.at, "the comment is not closed with `*/`");
                };
                self.at += end + 2;
            } else {
                return Ok(());
            }
        }
    }

    fn token(&mut self) -> Result<Token> {
        let Some(first) = self.peek() else { return Ok(Token::End) };
        match first {
            '\'' | '"' => self.text(first),
            '`' => self.quoted_name().map(Token::Quoted),
            '$' => self.parameter(),
            '0'..='9' => self.number(),
            '.' if self.rest()[1..].starts_with(|c: char| c.is_ascii_digit()) => self.number(),
            _ if is_name_start(first) => Ok(Token::Name(self.name())),
            _ => self.symbol(first),
        }
    }

    fn symbol(&mut self, first: char) -> Result<Token> {
        if let Some(symbol) = SYMBOLS.iter().find(|symbol| self.rest().starts_with(**symbol)) {
            self.at += symbol.len();
            return Ok(Token::Symbol(symbol));
        }
        let start = self.at;
        self.at += first.len_utf8();
        let kind = if first.is_ascii() { ErrorKind::UnexpectedSyntax } else { ErrorKind::InvalidUnicodeCharacter };
        self.fail(kind, start, format!("the character `{first}` means nothing here"))
    }

    fn name(&mut self) -> String {
        let length = self.rest().find(|c: char| !is_name_part(c)).unwrap_or(self.rest().len());
        let name = self.rest()[..length].to_owned();
        self.at += length;
        name
    }

    fn quoted_name(&mut self) -> Result<String> {
        let start = self.at;
        let mut name = String::new();
        self.at += 1;
        loop {
            let Some(end) = self.rest().find('`') else {
                return self.fail(ErrorKind::UnexpectedSyntax, start, "the name is not closed with a backtick");
            };
            name.push_str(&self.source[self.at..self.at + end]);
            self.at += end + 1;
            if !self.rest().starts_with('`') {
                return Ok(name);
            }
            name.push('`');
            self.at += 1;
        }
    }

    fn parameter(&mut self) -> Result<Token> {
        let start = self.at;
        self.at += 1;
        match self.peek() {
            Some('`') => self.quoted_name().map(Token::Parameter),
            Some(first) if is_name_part(first) => Ok(Token::Parameter(self.name())),
            _ => self.fail(ErrorKind::UnexpectedSyntax, start, "expected the name of a parameter after `$`"),
        }
    }

    fn text(&mut self, quote: char) -> Result<Token> {
        let start = self.at;
        let mut text = String::new();
        self.at += 1;
        loop {
            let Some(next) = self.peek() else {
                return self.fail(ErrorKind::UnexpectedSyntax, start, format!("the text is not closed with {quote}"));
            };
            self.at += next.len_utf8();
            match next {
                '\\' => self.escape(&mut text)?,
                _ if next == quote => return Ok(Token::Text(text)),
                _ => text.push(next),
            }
        }
    }

    fn escape(&mut self, text: &mut String) -> Result<()> {
        let start = self.at - 1;
        let Some(escaped) = self.peek() else { return Ok(()) };
        self.at += escaped.len_utf8();
        match escaped {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            '\\' | '\'' | '"' | '`' => text.push(escaped),
            'u' => text.push(self.code_point(start, 4)?),
            'U' => text.push(self.code_point(start, 8)?),
            // Regular expressions are full of these, and are written with one backslash more often than with two.
            _ => text.extend(['\\', escaped]),
        }
        Ok(())
    }

    fn code_point(&mut self, start: usize, digits: usize) -> Result<char> {
        let code = self.rest().get(..digits).filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
        let code = code.and_then(|hex| u32::from_str_radix(hex, 16).ok()).and_then(char::from_u32);
        let Some(character) = code else {
            let message = format!("expected {digits} hexadecimal digits of a character after the backslash");
            return self.fail(ErrorKind::InvalidUnicodeLiteral, start, message);
        };
        self.at += digits;
        Ok(character)
    }

    fn number(&mut self) -> Result<Token> {
        let start = self.at;
        let rest = self.rest().as_bytes();
        let length = number_length(rest);
        let text = &self.source[start..start + length];
        self.at += length;
        if self.peek().is_some_and(is_name_part) {
            self.name();
            let found = &self.source[start..self.at];
            return self.fail(ErrorKind::InvalidNumberLiteral, start, format!("`{found}` is not a number"));
        }
        let digits = text.replace('_', "");
        for (prefix, radix) in [("0x", 16), ("0X", 16), ("0o", 8), ("0O", 8)] {
            if let Some(digits) = digits.strip_prefix(prefix) {
                return self.integer(start, digits, radix);
            }
        }
        if digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return self.integer(start, &digits, 10);
        }
        match digits.parse::<f64>() {
            Ok(float) if float.is_finite() => Ok(Token::Float(float)),
            Ok(_) => self.fail(ErrorKind::FloatingPointOverflow, start, format!("`{text}` is too large for a float")),
            Err(_) => self.fail(ErrorKind::InvalidNumberLiteral, start, format!("`{text}` is not a number")),
        }
    }

    fn integer(&self, start: usize, digits: &str, radix: u32) -> Result<Token> {
        let found = &self.source[start..self.at];
        if digits.is_empty() {
            return self.fail(ErrorKind::InvalidNumberLiteral, start, format!("`{found}` is not a number"));
        }
        match u64::from_str_radix(digits, radix) {
            Ok(magnitude) if magnitude <= 1 << 63 => Ok(Token::Int(magnitude)),
            _ => self.fail(ErrorKind::IntegerOverflow, start, format!("`{found}` does not fit into 64 bits")),
        }
    }
}

fn is_name_start(character: char) -> bool {
    character == '_' || character.is_alphabetic()
}

fn is_name_part(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

/// How many bytes belong to the number at the beginning. `1..2` is a range: its first number ends before the dots.
fn number_length(text: &[u8]) -> usize {
    let digits = |from: usize| text[from..].iter().take_while(|b| b.is_ascii_digit() || **b == b'_').count();
    if let [b'0', b'x' | b'X', ..] = text {
        return 2 + text[2..].iter().take_while(|b| b.is_ascii_hexdigit() || **b == b'_').count();
    }
    if let [b'0', b'o' | b'O', ..] = text {
        return 2 + text[2..].iter().take_while(|b| (b'0'..=b'7').contains(*b) || **b == b'_').count();
    }
    let mut length = digits(0);
    if text.get(length) == Some(&b'.') && text.get(length + 1).is_some_and(u8::is_ascii_digit) {
        length += 1 + digits(length + 1);
    }
    if matches!(text.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(length + 1), Some(b'+' | b'-')));
        if text.get(length + 1 + sign).is_some_and(u8::is_ascii_digit) {
            length += 1 + sign + digits(length + 1 + sign);
        }
    }
    length
}
