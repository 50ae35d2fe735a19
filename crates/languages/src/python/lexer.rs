//! Text to tokens, with the lines, blocks and comments as the scanner of tree-sitter's grammar sees them.

use memchr::memchr2;

use super::numbers::Kinds;
use crate::tree::{Entry, Growing};

/// What a tab counts for in the depth of a block.
const TAB: u32 = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Kind {
    #[default]
    End,
    Newline,
    Dedent,
    Name,
    Integer,
    Float,
    /// A text up to its first quote, or three.
    String,

    And,
    As,
    Assert,
    Async,
    Await,
    Break,
    Class,
    Continue,
    Def,
    Del,
    Elif,
    Else,
    Except,
    False,
    Finally,
    For,
    From,
    Global,
    If,
    Import,
    In,
    Is,
    Lambda,
    None,
    Nonlocal,
    Not,
    Or,
    Pass,
    Raise,
    Return,
    True,
    Try,
    While,
    With,
    Yield,

    OpenRound,
    CloseRound,
    OpenSquare,
    CloseSquare,
    OpenCurly,
    CloseCurly,
    Comma,
    Colon,
    ColonEqual,
    Semicolon,
    Dot,
    Ellipsis,
    Arrow,
    At,
    Bang,
    Equal,
    /// `+=` and its like.
    Augmented,
    /// `<`, `==` and others that are no words.
    Comparison,
    Plus,
    Minus,
    Star,
    DoubleStar,
    Slash,
    /// `%` and `//`.
    Times,
    Bar,
    Ampersand,
    Caret,
    Shift,
    Tilde,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) row: u32,
}

#[derive(Debug, Clone)]
pub(super) struct Lexer<'s> {
    text: &'s [u8],
    at: usize,
    row: u32,
    /// How many brackets are open: lines mean nothing in them.
    brackets: u32,
    /// How deep each block around stands.
    blocks: Vec<u32>,
    /// Whether a line begins, once blanks are skipped.
    at_line_start: bool,
    /// How deep the next line with code stands, where that was looked up.
    next_code: Option<u32>,
    /// Where the last token or comment has ended.
    reach: (u32, u32),
}

/// What a line begins with.
enum LineStart {
    Comment,
    Code,
}

impl<'s> Lexer<'s> {
    /// None for texts with other line ends and pages.
    pub(super) fn new(text: &'s [u8]) -> Option<Self> {
        if memchr2(b'\r', b'\x0c', text).is_some() || u32::try_from(text.len()).is_err() {
            return None;
        }
        Some(Self {
            text,
            at: 0,
            row: 0,
            brackets: 0,
            blocks: vec![0],
            at_line_start: true,
            next_code: None,
            reach: (0, 0),
        })
    }

    pub(super) fn text(&self, start: u32, end: u32) -> &'s [u8] {
        &self.text[start as usize..end as usize]
    }

    pub(super) fn end_of_text(&self) -> (u32, u32) {
        (position(self.text.len()), self.row)
    }

    pub(super) fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    /// Where the text of a token of more than one part goes on.
    pub(super) fn go_to(&mut self, at: usize, row: u32) {
        (self.at, self.row) = (at, row);
        self.reach = (position(at), row);
    }

    pub(super) fn rest_from(&self, at: usize) -> &'s [u8] {
        &self.text[at.min(self.text.len())..]
    }

    pub(super) fn brackets(&self) -> u32 {
        self.brackets
    }

    pub(super) fn open_bracket(&mut self) {
        self.brackets += 1;
    }

    pub(super) fn close_bracket(&mut self) {
        self.brackets = self.brackets.saturating_sub(1);
    }

    pub(super) fn note_bracket(&mut self, kind: Kind) {
        match kind {
            Kind::OpenRound | Kind::OpenSquare | Kind::OpenCurly => self.open_bracket(),
            Kind::CloseRound | Kind::CloseSquare | Kind::CloseCurly => self.close_bracket(),
            _ => {}
        }
    }

    /// The byte after a token that is no blank.
    pub(super) fn byte_after(&self, token: Token) -> u8 {
        self.byte(self.skip_blanks_from(token.end as usize))
    }

    /// The word after a token.
    pub(super) fn word_after(&self, token: Token) -> &'s [u8] {
        let from = self.skip_blanks_from(token.end as usize);
        &self.text[from..self.word_end(from)]
    }

    /// What is left of the line after a token, without blanks and comment.
    pub(super) fn rest_of_line(&self, token: Token) -> &'s [u8] {
        let rest = self.rest_from(token.end as usize);
        let end = memchr2(b'\n', b'#', rest).unwrap_or(rest.len());
        rest[..end].trim_ascii()
    }

    fn skip_blanks_from(&self, mut at: usize) -> usize {
        while matches!(self.byte(at), b' ' | b'\t') {
            at += 1;
        }
        at
    }

    /// Whether the lines that come now are a block of their own; they are from then on.
    pub(super) fn begin_block(&mut self) -> bool {
        let depth = self.depth_of_code_after(self.at);
        let is_deeper = self.blocks.last().is_some_and(|around| depth > *around);
        if is_deeper {
            self.blocks.push(depth);
        }
        is_deeper
    }

    fn depth_of_code_after(&self, mut at: usize) -> u32 {
        let mut depth = 0;
        loop {
            match self.byte(at) {
                b'\n' => depth = 0,
                b' ' => depth += 1,
                b'\t' => depth += TAB,
                b'#' => {
                    let rest = self.rest_from(at);
                    at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                    depth = 0;
                }
                _ if at >= self.text.len() => return 0,
                _ => return depth,
            }
            at += 1;
        }
    }

    pub(super) fn next(&mut self, tree: &mut Growing, kinds: &Kinds) -> Option<Token> {
        if self.at_line_start
            && let Some(dedent) = self.begin_line(tree, kinds)?
        {
            return Some(dedent);
        }
        let mut continuations = 0;
        loop {
            match self.byte(self.at) {
                b' ' | b'\t' => self.at += 1,
                b'\n' if self.brackets == 0 => {
                    self.at_line_start = true;
                    self.next_code = None;
                    return Some(self.sign(Kind::Newline));
                }
                b'\n' => {
                    self.at += 1;
                    self.row += 1;
                }
                b'#' if continuations > 0 => return None,
                b'#' => self.comment(tree, kinds),
                b'\\' => {
                    self.continuation(tree, kinds)?;
                    continuations += 1;
                }
                0 if self.at >= self.text.len() => return self.end(),
                _ => break,
            }
        }
        let token = self.token()?;
        if token.kind == Kind::String {
            // The scanner of texts takes it for a blank.
            tree.drop_last(continuations);
        }
        self.reach = (token.end, self.row);
        Some(token)
    }

    fn end(&self) -> Option<Token> {
        (self.brackets == 0).then(|| self.sign(Kind::End))
    }

    /// A token without length, where the last one ends.
    fn sign(&self, kind: Kind) -> Token {
        let (at, row) = self.reach;
        Token { kind, start: at, end: at, row }
    }

    /// Goes to the first token of a line; blocks may end before it, and comments before or after that.
    fn begin_line(&mut self, tree: &mut Growing, kinds: &Kinds) -> Option<Option<Token>> {
        loop {
            let (start, depth, at, row) = self.line_start();
            let around = self.blocks.last().copied().unwrap_or(0);
            let code = match start {
                LineStart::Code => depth,
                LineStart::Comment => self.next_code_depth(at),
            };
            if code < around && depth < around {
                self.blocks.pop();
                return Some(Some(self.sign(Kind::Dedent)));
            }
            (self.at, self.row) = (at, row);
            match start {
                LineStart::Comment => self.comment(tree, kinds),
                LineStart::Code if depth == around && self.byte(at) != b'\\' => {
                    self.at_line_start = false;
                    self.next_code = None;
                    return Some(None);
                }
                LineStart::Code => return None,
            }
        }
    }

    /// Looked up once for all comments above a line, however many there are.
    fn next_code_depth(&mut self, at: usize) -> u32 {
        let depth = self.next_code.unwrap_or_else(|| self.depth_of_code_after(at));
        self.next_code = Some(depth);
        depth
    }

    /// What the next line begins with that is not blank, how deep it stands and where.
    fn line_start(&self) -> (LineStart, u32, usize, u32) {
        let (mut at, mut row, mut depth) = (self.at, self.row, 0);
        loop {
            match self.byte(at) {
                b'\n' => (depth, row) = (0, row + 1),
                b' ' => depth += 1,
                b'\t' => depth += TAB,
                b'#' => return (LineStart::Comment, depth, at, row),
                _ if at >= self.text.len() => return (LineStart::Code, 0, at, row),
                _ => return (LineStart::Code, depth, at, row),
            }
            at += 1;
        }
    }

    fn comment(&mut self, tree: &mut Growing, kinds: &Kinds) {
        let rest = self.rest_from(self.at);
        let end = self.at + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let (start, end) = (position(self.at), position(end));
        tree.push(Entry::leaf(kinds.comment, start, end, self.row, self.row).extra());
        self.at = end as usize;
        self.reach = (end, self.row);
    }

    /// A line that goes on in the next one.
    fn continuation(&mut self, tree: &mut Growing, kinds: &Kinds) -> Option<()> {
        let next = self.byte(self.skip_blanks_from(self.at + 2));
        if self.byte(self.at + 1) != b'\n' || matches!(next, b'\n' | b'#' | 0) {
            return None;
        }
        let (start, end) = (position(self.at), position(self.at + 2));
        tree.push(Entry::leaf(kinds.line_continuation, start, end, self.row, self.row + 1).extra());
        self.at += 2;
        self.row += 1;
        Some(())
    }

    fn token(&mut self) -> Option<Token> {
        let start = self.at;
        let (kind, end) = match self.byte(start) {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(start)?,
            b'0'..=b'9' => self.number(start)?,
            b'.' if self.byte(start + 1).is_ascii_digit() => self.number(start)?,
            b'"' | b'\'' => (Kind::String, self.after_quotes(start)),
            first => self.operator(first, start)?,
        };
        self.at = end;
        Some(Token { kind, start: position(start), end: position(end), row: self.row })
    }

    fn word_end(&self, start: usize) -> usize {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        start + self.text[start..].iter().take_while(|byte| is_part(byte)).count()
    }

    fn word(&self, start: usize) -> Option<(Kind, usize)> {
        let end = self.word_end(start);
        let word = &self.text[start..end];
        match self.byte(end) {
            b'"' | b'\'' if word.iter().all(|letter| b"fFtTrRbBuU".contains(letter)) => {
                Some((Kind::String, self.after_quotes(end)))
            }
            128.. => None,
            _ => Some((keyword(word).unwrap_or(Kind::Name), end)),
        }
    }

    fn after_quotes(&self, quote: usize) -> usize {
        let mark = self.byte(quote);
        let is_triple = self.byte(quote + 1) == mark && self.byte(quote + 2) == mark;
        quote + if is_triple { 3 } else { 1 }
    }

    fn number(&self, start: usize) -> Option<(Kind, usize)> {
        let second = self.byte(start + 1).to_ascii_lowercase();
        if self.byte(start) == b'0' && matches!(second, b'x' | b'o' | b'b') {
            let is_part = |byte: &&u8| byte.is_ascii_hexdigit() || **byte == b'_';
            let end = start + 2 + self.text[start + 2..].iter().take_while(is_part).count();
            let suffix = usize::from(matches!(self.byte(end), b'l' | b'L'));
            return (end > start + 2).then_some((Kind::Integer, end + suffix));
        }
        let mut end = self.digits_end(start);
        let mut kind = Kind::Integer;
        if self.byte(end) == b'.' {
            (kind, end) = (Kind::Float, self.digits_end(end + 1));
        }
        if matches!(self.byte(end), b'e' | b'E') {
            let sign = usize::from(matches!(self.byte(end + 1), b'+' | b'-'));
            let exponent = self.digits_end(end + 1 + sign);
            if exponent > end + 1 + sign {
                (kind, end) = (Kind::Float, exponent);
            }
        }
        let is_suffix =
            |byte: u8| matches!(byte, b'j' | b'J') || (kind == Kind::Integer && matches!(byte, b'l' | b'L'));
        Some((kind, end + usize::from(is_suffix(self.byte(end)))))
    }

    fn digits_end(&self, start: usize) -> usize {
        let is_part = |byte: &&u8| byte.is_ascii_digit() || **byte == b'_';
        start + self.text[start..].iter().take_while(is_part).count()
    }

    fn operator(&self, first: u8, start: usize) -> Option<(Kind, usize)> {
        let (second, third) = (self.byte(start + 1), self.byte(start + 2));
        let (kind, length) = match (first, second) {
            (b'(', _) => (Kind::OpenRound, 1),
            (b')', _) => (Kind::CloseRound, 1),
            (b'[', _) => (Kind::OpenSquare, 1),
            (b']', _) => (Kind::CloseSquare, 1),
            (b'{', _) => (Kind::OpenCurly, 1),
            (b'}', _) => (Kind::CloseCurly, 1),
            (b',', _) => (Kind::Comma, 1),
            (b';', _) => (Kind::Semicolon, 1),
            (b'~', _) => (Kind::Tilde, 1),
            (b':', b'=') => (Kind::ColonEqual, 2),
            (b':', _) => (Kind::Colon, 1),
            (b'.', b'.') if third == b'.' => (Kind::Ellipsis, 3),
            (b'.', _) => (Kind::Dot, 1),
            (b'-', b'>') => (Kind::Arrow, 2),
            (b'=' | b'!' | b'<' | b'>', b'=') => (Kind::Comparison, 2),
            (b'=', _) => (Kind::Equal, 1),
            (b'!', _) => (Kind::Bang, 1),
            (b'<', b'>') => return None,
            (b'<' | b'>', _) if second == first => twice(Kind::Shift, third),
            (b'<' | b'>', _) => (Kind::Comparison, 1),
            (b'*', b'*') => twice(Kind::DoubleStar, third),
            (b'/', b'/') => twice(Kind::Times, third),
            (b'+' | b'-' | b'*' | b'/' | b'%' | b'@' | b'|' | b'&' | b'^', b'=') => (Kind::Augmented, 2),
            (b'+', _) => (Kind::Plus, 1),
            (b'-', _) => (Kind::Minus, 1),
            (b'*', _) => (Kind::Star, 1),
            (b'/', _) => (Kind::Slash, 1),
            (b'%', _) => (Kind::Times, 1),
            (b'@', _) => (Kind::At, 1),
            (b'|', _) => (Kind::Bar, 1),
            (b'&', _) => (Kind::Ampersand, 1),
            (b'^', _) => (Kind::Caret, 1),
            _ => return None,
        };
        Some((kind, start + length))
    }
}

/// An operator of two signs, or the same with a sign of equality.
fn twice(kind: Kind, third: u8) -> (Kind, usize) {
    if third == b'=' { (Kind::Augmented, 3) } else { (kind, 2) }
}

fn position(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn keyword(word: &[u8]) -> Option<Kind> {
    if !(2..=8).contains(&word.len()) {
        return None;
    }
    Some(match word {
        b"and" => Kind::And,
        b"as" => Kind::As,
        b"assert" => Kind::Assert,
        b"async" => Kind::Async,
        b"await" => Kind::Await,
        b"break" => Kind::Break,
        b"class" => Kind::Class,
        b"continue" => Kind::Continue,
        b"def" => Kind::Def,
        b"del" => Kind::Del,
        b"elif" => Kind::Elif,
        b"else" => Kind::Else,
        b"except" => Kind::Except,
        b"False" => Kind::False,
        b"finally" => Kind::Finally,
        b"for" => Kind::For,
        b"from" => Kind::From,
        b"global" => Kind::Global,
        b"if" => Kind::If,
        b"import" => Kind::Import,
        b"in" => Kind::In,
        b"is" => Kind::Is,
        b"lambda" => Kind::Lambda,
        b"None" => Kind::None,
        b"nonlocal" => Kind::Nonlocal,
        b"not" => Kind::Not,
        b"or" => Kind::Or,
        b"pass" => Kind::Pass,
        b"raise" => Kind::Raise,
        b"return" => Kind::Return,
        b"True" => Kind::True,
        b"try" => Kind::Try,
        b"while" => Kind::While,
        b"with" => Kind::With,
        b"yield" => Kind::Yield,
        _ => return None,
    })
}

/// Whether a word means something of its own.
pub(super) fn is_keyword(word: &[u8]) -> bool {
    keyword(word).is_some()
}
