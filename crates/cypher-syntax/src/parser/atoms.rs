//! The smallest expressions, and those in brackets of their own.

use crate::ast::{Expr, ExprKind, MapItem, Name, PatternPart, Quantifier, Subquery, SubqueryKind};
use crate::error::Result;
use crate::lexer::Token;

use super::Parser;

/// Words that begin or continue a clause: where an expression is expected, they mean that one is missing.
const RESERVED: &[&str] = &[
    "MATCH", "OPTIONAL", "WHERE", "RETURN", "WITH", "UNWIND", "ORDER", "UNION", "AND", "OR", "XOR", "IN", "STARTS",
    "ENDS", "CONTAINS", "IS", "WHEN", "THEN", "ELSE", "DISTINCT", "AS", "ASC", "DESC", "SKIP", "LIMIT",
];

impl Parser {
    pub(super) fn atom(&mut self) -> Result<Expr> {
        let start = self.span();
        let kind = match self.peek().clone() {
            Token::Int(magnitude) => return self.integer(magnitude),
            Token::Float(float) => ExprKind::Float(float),
            Token::Text(text) => ExprKind::Text(text.into()),
            Token::Parameter(name) => ExprKind::Parameter(name.into()),
            Token::Symbol("(") => return self.parenthesised(),
            Token::Symbol("[") => return self.bracketed(),
            Token::Symbol("{") => return self.map_literal(),
            Token::Name(name) => return self.named(&name),
            Token::Quoted(_) => return self.variable_or_call(),
            Token::Symbol(_) | Token::End => return Err(self.unexpected("an expression")),
        };
        self.advance();
        self.build(kind, start)
    }

    fn parenthesised(&mut self) -> Result<Expr> {
        if self.is_pattern_ahead(0) {
            return self.pattern_expression();
        }
        self.expect("(")?;
        let inner = self.inner_expression()?;
        self.expect(")")?;
        Ok(inner)
    }

    fn named(&mut self, name: &str) -> Result<Expr> {
        let start = self.span();
        if self.search_keyword().is_some() {
            return self.pattern_expression();
        }
        let lower = name.to_ascii_lowercase();
        let constant = match lower.as_str() {
            "true" => Some(ExprKind::Bool(true)),
            "false" => Some(ExprKind::Bool(false)),
            "null" => Some(ExprKind::Null),
            "case" if !self.is_at(1, ".") && !self.is_at(1, ")") && !self.is_at(1, ",") => return self.case(),
            _ => None,
        };
        if let Some(kind) = constant.filter(|_| !self.is_at(1, "(")) {
            self.advance();
            return self.build(kind, start);
        }
        if self.is_at(1, "{") {
            let kind = match lower.as_str() {
                "exists" => Some(SubqueryKind::Exists),
                "count" => Some(SubqueryKind::Count),
                "collect" => Some(SubqueryKind::Collect),
                _ => None,
            };
            if let Some(kind) = kind {
                return self.subquery(kind);
            }
        }
        if self.is_at(1, "(") {
            if let Some(special) = self.special_call(&lower)? {
                return Ok(special);
            }
        } else if RESERVED.iter().any(|word| word.eq_ignore_ascii_case(name)) {
            return Err(self.unexpected("an expression"));
        }
        self.variable_or_call()
    }

    fn variable_or_call(&mut self) -> Result<Expr> {
        let start = self.span();
        let mut ahead = 1;
        while self.is_at(ahead, ".") && matches!(self.peek_at(ahead + 1), Token::Name(_) | Token::Quoted(_)) {
            ahead += 2;
        }
        if self.is_at(ahead, "(") {
            return self.call_expression();
        }
        let name = self.expect_name("a variable")?;
        if self.is("{") {
            return self.map_projection(name);
        }
        self.build(ExprKind::Variable(name.text), start)
    }

    fn call_expression(&mut self) -> Result<Expr> {
        let start = self.span();
        let name = self.dotted_name("the name of a function")?;
        self.expect("(")?;
        if self.is("*") && name.text.eq_ignore_ascii_case("count") {
            self.advance();
            self.expect(")")?;
            return self.build(ExprKind::CountStar, start);
        }
        let distinct = self.take_keyword("DISTINCT");
        let arguments = self.arguments()?;
        self.build(ExprKind::Function { name, distinct, arguments }, start)
    }

    /// Calls whose arguments are no plain expressions.
    fn special_call(&mut self, lower: &str) -> Result<Option<Expr>> {
        let is_loop = matches!(self.peek_at(2), Token::Name(_) | Token::Quoted(_)) && self.is_keyword_at(3, "IN");
        let quantifier = match lower {
            "all" => Some(Quantifier::All),
            "any" => Some(Quantifier::Any),
            "none" => Some(Quantifier::None),
            "single" => Some(Quantifier::Single),
            _ => None,
        };
        if let Some(kind) = quantifier.filter(|_| is_loop) {
            return self.quantified(kind).map(Some);
        }
        if lower == "reduce" && self.is_at(3, "=") {
            return self.reduce().map(Some);
        }
        Ok(None)
    }

    fn quantified(&mut self, kind: Quantifier) -> Result<Expr> {
        let start = self.span();
        self.advance();
        self.expect("(")?;
        let variable = self.expect_name("a variable")?;
        self.expect_keyword("IN")?;
        let list = Box::new(self.inner_expression()?);
        self.expect_keyword("WHERE")?;
        let filter = Box::new(self.inner_expression()?);
        self.expect(")")?;
        self.build(ExprKind::Quantifier { kind, variable, list, filter }, start)
    }

    fn reduce(&mut self) -> Result<Expr> {
        let start = self.span();
        self.advance();
        self.expect("(")?;
        let total = self.expect_name("a variable")?;
        self.expect("=")?;
        let first = Box::new(self.expression()?);
        self.expect(",")?;
        let variable = self.expect_name("a variable")?;
        self.expect_keyword("IN")?;
        let list = Box::new(self.with_bar(true, Parser::expression)?);
        self.expect("|")?;
        let step = Box::new(self.inner_expression()?);
        self.expect(")")?;
        self.build(ExprKind::Reduce { total, start: first, variable, list, step }, start)
    }

    fn case(&mut self) -> Result<Expr> {
        let start = self.span();
        self.advance();
        let subject = if self.is_keyword("WHEN") { None } else { Some(Box::new(self.expression()?)) };
        let mut branches = Vec::new();
        while self.take_keyword("WHEN") {
            let mut whens = vec![self.expression()?];
            while subject.is_some() && self.take(",") {
                whens.push(self.expression()?);
            }
            self.expect_keyword("THEN")?;
            let then = self.expression()?;
            branches.extend(whens.into_iter().map(|when| (when, then.clone())));
        }
        if branches.is_empty() {
            return Err(self.unexpected("`WHEN`"));
        }
        let otherwise = if self.take_keyword("ELSE") { Some(Box::new(self.expression()?)) } else { None };
        if !self.take_keyword("END") {
            return Err(self.unexpected("`END` of the `CASE`"));
        }
        self.build(ExprKind::Case { subject, branches, otherwise }, start)
    }

    pub(super) fn map_literal(&mut self) -> Result<Expr> {
        let start = self.span();
        self.expect("{")?;
        let mut entries = Vec::new();
        while !self.take("}") {
            if !entries.is_empty() && !self.take(",") {
                return Err(self.unexpected("`,` or `}`"));
            }
            let key = self.expect_name("the name of an entry")?;
            self.expect(":")?;
            entries.push((key, self.inner_expression()?));
        }
        self.build(ExprKind::Map(entries), start)
    }

    fn map_projection(&mut self, variable: Name) -> Result<Expr> {
        let start = variable.at;
        self.expect("{")?;
        let mut items = Vec::new();
        while !self.take("}") {
            if !items.is_empty() {
                self.expect(",")?;
            }
            items.push(self.map_item()?);
        }
        self.build(ExprKind::MapProjection { variable, items }, start)
    }

    fn map_item(&mut self) -> Result<MapItem> {
        if self.take(".") {
            if self.take("*") {
                return Ok(MapItem::AllProperties);
            }
            return self.expect_name("the name of a property after `.`").map(MapItem::Property);
        }
        let name = self.expect_name("`.property`, `.*`, `name: value` or a variable")?;
        if !self.take(":") {
            return Ok(MapItem::Variable(name));
        }
        self.inner_expression().map(|value| MapItem::Entry(name, value))
    }

    /// A list, a list comprehension or a pattern comprehension.
    fn bracketed(&mut self) -> Result<Expr> {
        let start = self.span();
        let is_name = matches!(self.peek_at(1), Token::Name(_) | Token::Quoted(_));
        if is_name && self.is_keyword_at(2, "IN") {
            return self.list_comprehension();
        }
        if self.is_pattern_ahead(1) || is_name && self.is_at(2, "=") && self.is_pattern_ahead(3) {
            return self.pattern_comprehension();
        }
        self.expect("[")?;
        let mut items = Vec::new();
        while !self.take("]") {
            if !items.is_empty() && !self.take(",") {
                return Err(self.unexpected("`,` or `]`"));
            }
            items.push(self.inner_expression()?);
        }
        self.build(ExprKind::List(items), start)
    }

    fn list_comprehension(&mut self) -> Result<Expr> {
        let start = self.span();
        self.expect("[")?;
        let variable = self.expect_name("a variable")?;
        self.expect_keyword("IN")?;
        let list = Box::new(self.with_bar(true, Parser::expression)?);
        let filter = self.with_bar(true, Parser::filter)?.map(Box::new);
        let map = if self.take("|") { Some(Box::new(self.inner_expression()?)) } else { None };
        self.expect("]")?;
        self.build(ExprKind::ListComprehension { variable, list, filter, map }, start)
    }

    fn pattern_comprehension(&mut self) -> Result<Expr> {
        let start = self.span();
        self.expect("[")?;
        let (pattern, inner) = self.measured(Parser::pattern_part)?;
        let pattern: Box<PatternPart> = Box::new(pattern);
        let filter = self.with_bar(true, Parser::filter)?.map(Box::new);
        self.expect("|")?;
        let map = Box::new(self.inner_expression()?);
        self.expect("]")?;
        self.build_over(ExprKind::PatternComprehension { pattern, filter, map }, start, inner)
    }

    fn subquery(&mut self, kind: SubqueryKind) -> Result<Expr> {
        let start = self.span();
        self.advance();
        self.expect("{")?;
        let (subquery, inner) = self.measured(|parser| parser.with_bar(false, |inner| inner.subquery_body(kind)))?;
        self.expect("}")?;
        self.build_over(ExprKind::Subquery(kind, Box::new(subquery)), start, inner)
    }

    fn subquery_body(&mut self, kind: SubqueryKind) -> Result<Subquery> {
        let begins_pattern = self.is("(") || self.search_keyword().is_some() || self.is_at(1, "=");
        let is_short_match = kind != SubqueryKind::Collect && self.is_match_without_return();
        if !begins_pattern && !is_short_match {
            self.may_lack_return = kind != SubqueryKind::Collect;
            return self.union().map(Subquery::Query);
        }
        self.take_keyword("MATCH");
        let mut patterns = vec![self.pattern_part()?];
        while self.take(",") {
            patterns.push(self.pattern_part()?);
        }
        let filter = self.filter()?;
        Ok(Subquery::Pattern(patterns, filter))
    }

    /// Whether the subquery here is one `MATCH` up to its closing brace, which may then leave out `RETURN`.
    fn is_match_without_return(&self) -> bool {
        if !self.is_keyword("MATCH") {
            return false;
        }
        let mut index = self.at + 1;
        while let Some(token) = self.tokens.tokens.get(index) {
            match token {
                Token::Symbol("}") => return true,
                Token::Symbol("(" | "[" | "{") => match self.tokens.closing[index] {
                    Some(close) => index = close,
                    None => return false,
                },
                Token::Name(name) => {
                    let ends = ["MATCH", "OPTIONAL", "RETURN", "UNWIND", "UNION", "CALL", "SET", "CREATE", "DELETE"];
                    let is_with = name.eq_ignore_ascii_case("WITH") && !self.follows_starts_or_ends(index);
                    if is_with || ends.iter().any(|word| name.eq_ignore_ascii_case(word)) {
                        return false;
                    }
                }
                Token::End => return false,
                _ => {}
            }
            index += 1;
        }
        false
    }

    fn follows_starts_or_ends(&self, index: usize) -> bool {
        let before = index.checked_sub(1).and_then(|before| self.tokens.tokens.get(before));
        matches!(before, Some(Token::Name(name)) if ["STARTS", "ENDS"].iter().any(|w| name.eq_ignore_ascii_case(w)))
    }
}
