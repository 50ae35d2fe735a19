//! Tokens → syntax tree, by recursive descent. No token is read twice, so time is linear in the text; nesting is bounded,
//! so the stack is too.

mod atoms;
mod clauses;
mod expressions;
mod patterns;

use std::sync::Arc;

use crate::ast::{Expr, ExprKind, Name, Union};
use crate::error::{Error, ErrorKind, Result, Span};
use crate::lexer::{Token, Tokens, tokenize};
use crate::suggest;

/// Brackets within brackets, and operators within operators.
const MAX_HEIGHT: u16 = 150;

#[derive(Debug)]
pub(crate) struct Parsed {
    pub(crate) explain: bool,
    pub(crate) body: Union,
}

pub(crate) fn parse(source: &str) -> Result<Parsed> {
    let tokens = tokenize(source)?;
    let mut parser = Parser { tokens, at: 0, depth: 0, tallest: 0, bar_ends: false, may_lack_return: false };
    parser.query()
}

pub(super) struct Parser {
    tokens: Tokens,
    at: usize,
    /// How many brackets are open around the current token.
    depth: u16,
    /// The height of the tallest expression since somebody last asked.
    tallest: u16,
    /// Whether a bar ends the expression at hand, as in a comprehension, rather than joining labels.
    bar_ends: bool,
    /// Whether the query at hand may leave out `RETURN`.
    may_lack_return: bool,
}

impl Parser {
    fn query(&mut self) -> Result<Parsed> {
        if self.peek() == &Token::End {
            let error = Error::compile(ErrorKind::UnexpectedSyntax, self.span(), "the query is empty");
            return Err(error.hint("write for example `MATCH (n) RETURN n LIMIT 10`"));
        }
        let explain = self.take_keyword("EXPLAIN") || self.take_keyword("PROFILE");
        let body = self.union()?;
        while self.take(";") {}
        if self.peek() != &Token::End {
            return Err(self.unexpected("a clause such as `MATCH`, `WITH` or `RETURN`"));
        }
        Ok(Parsed { explain, body })
    }

    fn peek(&self) -> &Token {
        &self.tokens.tokens[self.at]
    }

    fn peek_at(&self, ahead: usize) -> &Token {
        self.tokens.tokens.get(self.at + ahead).unwrap_or(&Token::End)
    }

    fn span(&self) -> Span {
        self.tokens.spans[self.at]
    }

    /// The span of what has been read since `start`.
    fn span_from(&self, start: Span) -> Span {
        let last = self.tokens.spans[self.at.saturating_sub(1)];
        start.to(last)
    }

    fn advance(&mut self) {
        if self.at + 1 < self.tokens.tokens.len() {
            self.at += 1;
        }
    }

    fn is(&self, symbol: &str) -> bool {
        self.is_at(0, symbol)
    }

    fn is_at(&self, ahead: usize, symbol: &str) -> bool {
        matches!(self.peek_at(ahead), Token::Symbol(found) if *found == symbol)
    }

    fn take(&mut self, symbol: &str) -> bool {
        let found = self.is(symbol);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, symbol: &'static str) -> Result<()> {
        if self.take(symbol) { Ok(()) } else { Err(self.unexpected(&format!("`{symbol}`"))) }
    }

    fn is_keyword(&self, keyword: &str) -> bool {
        self.is_keyword_at(0, keyword)
    }

    fn is_keyword_at(&self, ahead: usize, keyword: &str) -> bool {
        matches!(self.peek_at(ahead), Token::Name(name) if name.eq_ignore_ascii_case(keyword))
    }

    fn take_keyword(&mut self, keyword: &str) -> bool {
        let found = self.is_keyword(keyword);
        if found {
            self.advance();
        }
        found
    }

    fn expect_keyword(&mut self, keyword: &'static str) -> Result<()> {
        if self.take_keyword(keyword) { Ok(()) } else { Err(self.unexpected(&format!("`{keyword}`"))) }
    }

    /// A name of any kind, keywords included.
    fn take_name(&mut self) -> Option<Name> {
        let (Token::Name(text) | Token::Quoted(text)) = self.peek() else { return None };
        let name = Name { text: Arc::from(text.as_str()), at: self.span() };
        self.advance();
        Some(name)
    }

    fn expect_name(&mut self, what: &str) -> Result<Name> {
        self.take_name().ok_or_else(|| self.unexpected(what))
    }

    fn unexpected(&self, expected: &str) -> Error {
        let message = format!("expected {expected}, found {}", self.describe());
        Error::compile(ErrorKind::UnexpectedSyntax, self.span(), message).hint_if(self.misspelt_keyword())
    }

    fn misspelt_keyword(&self) -> Option<String> {
        let Token::Name(name) = self.peek() else { return None };
        let nearest = suggest::nearest(&name.to_ascii_uppercase(), clauses::KEYWORDS.iter().copied())?;
        (!nearest.eq_ignore_ascii_case(name)).then(|| suggest::did_you_mean(nearest))
    }

    fn describe(&self) -> String {
        match self.peek() {
            Token::Name(name) => format!("`{name}`"),
            Token::Quoted(name) => format!("the name `{name}`"),
            Token::Int(number) => format!("the number {number}"),
            Token::Float(number) => format!("the number {number}"),
            Token::Text(text) => format!("the text '{}'", suggest::shorten(text)),
            Token::Parameter(name) => format!("the parameter `${name}`"),
            Token::Symbol(symbol) => format!("`{symbol}`"),
            Token::End => "the end of the query".to_owned(),
        }
    }

    /// Runs `read` one level further in.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Parser) -> Result<T>) -> Result<T> {
        self.enter()?;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Goes one level further in; whoever does so comes out again by lowering the depth.
    fn enter(&mut self) -> Result<()> {
        if self.depth >= MAX_HEIGHT {
            return Err(self.too_deep());
        }
        self.depth += 1;
        Ok(())
    }

    /// Runs `read` where a bar does or does not end an expression.
    fn with_bar<T>(&mut self, bar_ends: bool, read: impl FnOnce(&mut Parser) -> Result<T>) -> Result<T> {
        let before = std::mem::replace(&mut self.bar_ends, bar_ends);
        let result = read(self);
        self.bar_ends = before;
        result
    }

    fn too_deep(&self) -> Error {
        let message = format!("the query is nested more than {MAX_HEIGHT} levels deep");
        Error::compile(ErrorKind::TooComplex, self.span(), message)
            .hint("split it with WITH, or pass lists as parameters")
    }

    /// An expression that ends before the current token.
    fn build(&mut self, kind: ExprKind, start: Span) -> Result<Expr> {
        self.build_over(kind, start, 0)
    }

    /// The same around something, such as a pattern, whose expressions are `inner` levels high.
    fn build_over(&mut self, kind: ExprKind, start: Span, inner: u16) -> Result<Expr> {
        let mut expression = Expr { kind, at: self.span_from(start), height: 0 };
        let mut below = inner;
        expression.children(&mut |child| below = below.max(child.height));
        if below >= MAX_HEIGHT {
            return Err(self.too_deep());
        }
        expression.height = below + 1;
        self.tallest = self.tallest.max(expression.height);
        Ok(expression)
    }

    /// Runs `read` and says how high the expressions in it are.
    fn measured<T>(&mut self, read: impl FnOnce(&mut Parser) -> Result<T>) -> Result<(T, u16)> {
        let before = std::mem::take(&mut self.tallest);
        let result = self.nested(read)?;
        let inner = self.tallest + 1;
        self.tallest = before.max(inner);
        Ok((result, inner))
    }
}
