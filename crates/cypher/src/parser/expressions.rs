//! Expressions from the loosest operator to the tightest.

use crate::ast::{Binary, Compare, Expr, ExprKind, Logic};
use crate::error::{Error, ErrorKind, Result};
use crate::lexer::Token;

use super::Parser;

impl Parser {
    pub(super) fn expression(&mut self) -> Result<Expr> {
        self.nested(|parser| parser.logical(Logic::Or))
    }

    /// An expression in brackets of its own.
    pub(super) fn inner_expression(&mut self) -> Result<Expr> {
        self.with_bar(false, Parser::expression)
    }

    fn logical(&mut self, logic: Logic) -> Result<Expr> {
        let start = self.span();
        let keyword = match logic {
            Logic::Or => "OR",
            Logic::Xor => "XOR",
            Logic::And => "AND",
        };
        let first = self.logical_operand(logic)?;
        if !self.is_keyword(keyword) {
            return Ok(first);
        }
        let mut operands = vec![first];
        while self.take_keyword(keyword) {
            operands.push(self.logical_operand(logic)?);
        }
        self.build(ExprKind::Logical(logic, operands), start)
    }

    fn logical_operand(&mut self, logic: Logic) -> Result<Expr> {
        match logic {
            Logic::Or => self.logical(Logic::Xor),
            Logic::Xor => self.logical(Logic::And),
            Logic::And => self.negation(),
        }
    }

    fn negation(&mut self) -> Result<Expr> {
        let start = self.span();
        if !self.take_keyword("NOT") {
            return self.comparison();
        }
        let inner = self.nested(Parser::negation)?;
        self.build(ExprKind::Not(Box::new(inner)), start)
    }

    fn comparison(&mut self) -> Result<Expr> {
        let start = self.span();
        let first = self.predicate()?;
        let mut rest = Vec::new();
        while let Some(operator) = self.take_compare() {
            rest.push((operator, self.predicate()?));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        self.build(ExprKind::Comparison(Box::new(first), rest), start)
    }

    fn take_compare(&mut self) -> Option<Compare> {
        let Token::Symbol(symbol) = self.peek() else { return None };
        let operator = match *symbol {
            "=" => Compare::Equal,
            "<>" => Compare::NotEqual,
            "<" => Compare::Less,
            "<=" => Compare::LessOrEqual,
            ">" => Compare::Greater,
            ">=" => Compare::GreaterOrEqual,
            "!" if self.is_at(1, "=") => {
                self.advance();
                Compare::NotEqual
            }
            _ => return None,
        };
        self.advance();
        Some(operator)
    }

    /// `IN`, `STARTS WITH`, `IS NULL` and their like.
    fn predicate(&mut self) -> Result<Expr> {
        let start = self.span();
        let mut left = self.sum()?;
        loop {
            if self.is_keyword("IS") {
                left = self.null_test(left)?;
                continue;
            }
            let operator = if self.take_keyword("IN") {
                Binary::In
            } else if self.take_keyword("CONTAINS") {
                Binary::Contains
            } else if self.is_keyword("STARTS") || self.is_keyword("ENDS") {
                let starts = self.take_keyword("STARTS");
                self.take_keyword("ENDS");
                self.expect_keyword("WITH")?;
                if starts { Binary::StartsWith } else { Binary::EndsWith }
            } else if self.take("=~") {
                Binary::Matches
            } else {
                return Ok(left);
            };
            let right = self.sum()?;
            left = self.build(ExprKind::Binary(operator, Box::new(left), Box::new(right)), start)?;
        }
    }

    fn null_test(&mut self, of: Expr) -> Result<Expr> {
        let start = of.at;
        self.expect_keyword("IS")?;
        let not = self.take_keyword("NOT");
        if self.take(":") {
            let labels = self.label_expression()?;
            let test = self.build(ExprKind::HasLabels(Box::new(of), labels), start)?;
            return if not { self.build(ExprKind::Not(Box::new(test)), start) } else { Ok(test) };
        }
        self.expect_keyword("NULL")?;
        self.build(ExprKind::IsNull { not, of: Box::new(of) }, start)
    }

    fn sum(&mut self) -> Result<Expr> {
        let start = self.span();
        let mut left = self.product()?;
        loop {
            let operator = if self.take("+") || self.take("||") {
                Binary::Add
            } else if self.take("-") {
                Binary::Subtract
            } else {
                return Ok(left);
            };
            let right = self.product()?;
            left = self.build(ExprKind::Binary(operator, Box::new(left), Box::new(right)), start)?;
        }
    }

    fn product(&mut self) -> Result<Expr> {
        let start = self.span();
        let mut left = self.power()?;
        loop {
            let operator = if self.take("*") {
                Binary::Multiply
            } else if self.take("/") {
                Binary::Divide
            } else if self.take("%") {
                Binary::Modulo
            } else {
                return Ok(left);
            };
            let right = self.power()?;
            left = self.build(ExprKind::Binary(operator, Box::new(left), Box::new(right)), start)?;
        }
    }

    fn power(&mut self) -> Result<Expr> {
        let start = self.span();
        let mut left = self.signed()?;
        while self.take("^") {
            let right = self.signed()?;
            left = self.build(ExprKind::Binary(Binary::Power, Box::new(left), Box::new(right)), start)?;
        }
        Ok(left)
    }

    fn signed(&mut self) -> Result<Expr> {
        let start = self.span();
        let minus = self.is("-");
        if !minus && !self.is("+") {
            return self.postfix();
        }
        self.advance();
        if let (true, Token::Int(magnitude)) = (minus, self.peek()) {
            let negated = 0_i64.checked_sub_unsigned(*magnitude);
            if let Some(number) = negated.filter(|_| !self.is_at(1, ".") && !self.is_at(1, "[")) {
                self.advance();
                return self.build(ExprKind::Int(number), start);
            }
        }
        let inner = self.nested(Parser::signed)?;
        if let (true, ExprKind::Float(float)) = (minus, &inner.kind) {
            let negated = -float;
            return self.build(ExprKind::Float(negated), start);
        }
        self.build(ExprKind::Sign { minus, of: Box::new(inner) }, start)
    }

    /// `.name`, `[index]`, `[from..to]`, `:Label`
    fn postfix(&mut self) -> Result<Expr> {
        let start = self.span();
        let mut left = self.atom()?;
        loop {
            if self.take(".") {
                let name = self.expect_name("the name of a property after `.`")?;
                left = self.build(ExprKind::Property(Box::new(left), name), start)?;
            } else if self.take("[") {
                let kind = self.subscript(left)?;
                left = self.build(kind, start)?;
            } else if self.is(":") && !matches!(left.kind, ExprKind::Text(_) | ExprKind::Int(_)) {
                self.advance();
                let labels = self.label_expression()?;
                left = self.build(ExprKind::HasLabels(Box::new(left), labels), start)?;
            } else {
                return Ok(left);
            }
        }
    }

    fn subscript(&mut self, of: Expr) -> Result<ExprKind> {
        let of = Box::new(of);
        if self.take("..") {
            let to = self.slice_end()?;
            return Ok(ExprKind::Slice(of, None, to));
        }
        let first = Box::new(self.inner_expression()?);
        if self.take("..") {
            let to = self.slice_end()?;
            return Ok(ExprKind::Slice(of, Some(first), to));
        }
        self.expect("]")?;
        Ok(ExprKind::Index(of, first))
    }

    fn slice_end(&mut self) -> Result<Option<Box<Expr>>> {
        if self.take("]") {
            return Ok(None);
        }
        let end = self.inner_expression()?;
        self.expect("]")?;
        Ok(Some(Box::new(end)))
    }

    pub(super) fn integer(&mut self, magnitude: u64) -> Result<Expr> {
        let start = self.span();
        self.advance();
        let Ok(number) = i64::try_from(magnitude) else {
            let message = format!("{magnitude} does not fit into 64 bits");
            return Err(Error::compile(ErrorKind::IntegerOverflow, start, message));
        };
        self.build(ExprKind::Int(number), start)
    }
}
