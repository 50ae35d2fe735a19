//! Expressions from the loosest operator to the tightest.

use crate::ast::{Binary, Compare, Expr, ExprKind, Logic};
use crate::error::{Error, ErrorKind, Result, Span};
use crate::lexer::Token;

use super::Parser;

/// From the loosest operators to the tightest.
const OR: u8 = 1;
const XOR: u8 = 2;
const AND: u8 = 3;
const NOT: u8 = 4;
const COMPARISON: u8 = 5;
const PREDICATE: u8 = 6;
const SUM: u8 = 7;
const PRODUCT: u8 = 8;
const POWER: u8 = 9;
const SIGN: u8 = 10;

/// What stands after an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Logical(Logic),
    Comparison,
    NullTest,
    Binary(Binary),
}

impl Parser {
    pub(super) fn expression(&mut self) -> Result<Expr> {
        self.enter()?;
        let result = self.operand(OR);
        self.depth -= 1;
        result
    }

    /// An expression in brackets of its own.
    pub(super) fn inner_expression(&mut self) -> Result<Expr> {
        let before = std::mem::replace(&mut self.bar_ends, false);
        let result = self.expression();
        self.bar_ends = before;
        result
    }

    /// An expression of operators that are at least as tight as this.
    fn operand(&mut self, loosest: u8) -> Result<Expr> {
        let start = self.span();
        let mut left = if loosest <= NOT && self.is_keyword("NOT") { self.negation()? } else { self.signed()? };
        while let Some((operator, tightness)) = self.operator() {
            if tightness < loosest {
                break;
            }
            left = self.operation(left, operator, tightness, start)?;
        }
        Ok(left)
    }

    fn negation(&mut self) -> Result<Expr> {
        let start = self.span();
        self.advance();
        self.enter()?;
        let inner = self.operand(NOT);
        self.depth -= 1;
        self.build(ExprKind::Not(Box::new(inner?)), start)
    }

    /// The operator here, which is not read yet.
    fn operator(&self) -> Option<(Operator, u8)> {
        match self.peek() {
            Token::Name(name) => keyword_operator(name),
            Token::Symbol(symbol) => match *symbol {
                "=" | "<>" | "<" | "<=" | ">" | ">=" => Some((Operator::Comparison, COMPARISON)),
                "!" if self.is_at(1, "=") => Some((Operator::Comparison, COMPARISON)),
                "=~" => Some((Operator::Binary(Binary::Matches), PREDICATE)),
                "+" | "||" => Some((Operator::Binary(Binary::Add), SUM)),
                "-" => Some((Operator::Binary(Binary::Subtract), SUM)),
                "*" => Some((Operator::Binary(Binary::Multiply), PRODUCT)),
                "/" => Some((Operator::Binary(Binary::Divide), PRODUCT)),
                "%" => Some((Operator::Binary(Binary::Modulo), PRODUCT)),
                "^" => Some((Operator::Binary(Binary::Power), POWER)),
                _ => None,
            },
            _ => None,
        }
    }

    fn operation(&mut self, left: Expr, operator: Operator, tightness: u8, start: Span) -> Result<Expr> {
        match operator {
            Operator::NullTest => self.null_test(left),
            Operator::Comparison => {
                let mut rest = Vec::new();
                while let Some(compare) = self.take_compare() {
                    rest.push((compare, self.operand(PREDICATE)?));
                }
                self.build(ExprKind::Comparison(Box::new(left), rest), start)
            }
            Operator::Logical(logic) => {
                let mut operands = vec![left];
                while self.operator() == Some((operator, tightness)) {
                    self.advance();
                    operands.push(self.operand(tightness + 1)?);
                }
                self.build(ExprKind::Logical(logic, operands), start)
            }
            Operator::Binary(binary) => {
                self.advance();
                if matches!(binary, Binary::StartsWith | Binary::EndsWith) {
                    self.expect_keyword("WITH")?;
                }
                let right = if tightness + 1 == SIGN { self.signed()? } else { self.operand(tightness + 1)? };
                self.build(ExprKind::Binary(binary, Box::new(left), Box::new(right)), start)
            }
        }
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
        self.enter()?;
        let inner = self.signed();
        self.depth -= 1;
        let inner = inner?;
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

fn keyword_operator(name: &str) -> Option<(Operator, u8)> {
    // No operator is longer, and most names are.
    if name.len() > 8 {
        return None;
    }
    Some(match name.to_ascii_uppercase().as_str() {
        "OR" => (Operator::Logical(Logic::Or), OR),
        "XOR" => (Operator::Logical(Logic::Xor), XOR),
        "AND" => (Operator::Logical(Logic::And), AND),
        "IS" => (Operator::NullTest, PREDICATE),
        "IN" => (Operator::Binary(Binary::In), PREDICATE),
        "CONTAINS" => (Operator::Binary(Binary::Contains), PREDICATE),
        "STARTS" => (Operator::Binary(Binary::StartsWith), PREDICATE),
        "ENDS" => (Operator::Binary(Binary::EndsWith), PREDICATE),
        _ => return None,
    })
}
