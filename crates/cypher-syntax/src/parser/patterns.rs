//! Patterns of nodes and relationships, and the expressions over labels in them.

use graph::Direction;

use crate::ast::{Expr, ExprKind, LabelExpr, Length, NodePattern, PatternPart, RelationshipPattern, Search};
use crate::error::{Error, ErrorKind, Result};
use crate::lexer::Token;

use super::Parser;

impl Parser {
    pub(super) fn pattern_part(&mut self) -> Result<PatternPart> {
        let start = self.span();
        let has_variable = matches!(self.peek(), Token::Name(_) | Token::Quoted(_)) && self.is_at(1, "=");
        let variable = if has_variable { self.take_name() } else { None };
        if has_variable {
            self.expect("=")?;
        }
        let mut part = self.anonymous_pattern()?;
        part.variable = variable;
        part.at = self.span_from(start);
        Ok(part)
    }

    pub(super) fn search_keyword(&self) -> Option<Search> {
        if !self.is_at(1, "(") {
            return None;
        }
        if self.is_keyword("shortestPath") {
            return Some(Search::Shortest);
        }
        self.is_keyword("allShortestPaths").then_some(Search::AllShortest)
    }

    pub(super) fn anonymous_pattern(&mut self) -> Result<PatternPart> {
        let start = self.span();
        if let Some(search) = self.search_keyword() {
            self.advance();
            self.expect("(")?;
            let mut part = self.nested(Parser::anonymous_pattern)?;
            self.expect(")")?;
            if part.steps.len() != 1 || part.search != Search::Every {
                let message = "a shortest path needs a pattern of two nodes and one relationship";
                return Err(Error::compile(ErrorKind::UnexpectedSyntax, part.at, message));
            }
            part.search = search;
            part.at = self.span_from(start);
            return Ok(part);
        }
        if self.is("(") && self.is_at(1, "(") {
            let message = "quantified path patterns such as `((a)-->(b)){1,3}` are not supported";
            let error = Error::compile(ErrorKind::NotSupported, self.span(), message);
            return Err(error.hint("use a variable length such as `(a)-[:TYPE*1..3]->(b)`"));
        }
        let first = self.node_pattern()?;
        let mut steps = Vec::new();
        while self.is("-") || self.is("<") {
            let relationship = self.relationship_pattern()?;
            let node = self.node_pattern()?;
            steps.push((relationship, node));
        }
        Ok(PatternPart { variable: None, search: Search::Every, start: first, steps, at: self.span_from(start) })
    }

    pub(super) fn node_pattern(&mut self) -> Result<NodePattern> {
        let start = self.span();
        if !self.take("(") {
            return Err(self.unexpected("a node such as `(n:Label)`"));
        }
        let variable = if self.is_keyword("WHERE") && !self.is_at(1, ")") && !self.is_at(1, ":") {
            None
        } else {
            self.take_name()
        };
        let labels = self.label_part()?;
        let properties = self.pattern_properties()?;
        let filter = self.with_bar(false, Parser::filter)?;
        if !self.take(")") {
            return Err(self.unexpected("`)` at the end of the node"));
        }
        Ok(NodePattern { variable, labels, properties, filter, at: self.span_from(start) })
    }

    fn label_part(&mut self) -> Result<Option<LabelExpr>> {
        if self.take(":") || (self.is_keyword("IS") && self.take_keyword("IS")) {
            return self.with_bar(false, Parser::label_expression).map(Some);
        }
        Ok(None)
    }

    fn pattern_properties(&mut self) -> Result<Option<Expr>> {
        if let Token::Parameter(name) = self.peek() {
            let message = format!("the parameter `${name}` cannot stand for all properties of a pattern");
            let error = Error::compile(ErrorKind::InvalidParameterUse, self.span(), message);
            return Err(error.hint("name the properties: `{name: $name}`"));
        }
        if !self.is("{") {
            return Ok(None);
        }
        self.nested(Parser::map_literal).map(Some)
    }

    fn relationship_pattern(&mut self) -> Result<RelationshipPattern> {
        let start = self.span();
        let points_left = self.take("<");
        self.expect("-")?;
        let mut pattern = RelationshipPattern {
            variable: None,
            kinds: None,
            direction: Direction::Either,
            length: None,
            properties: None,
            filter: None,
            at: start,
        };
        if self.take("[") {
            self.relationship_detail(&mut pattern)?;
        }
        if !self.take("-") {
            return Err(self.unexpected("`-` after the relationship"));
        }
        let points_right = self.take(">");
        pattern.direction = match (points_left, points_right) {
            (true, false) => Direction::Incoming,
            (false, true) => Direction::Outgoing,
            (true, true) | (false, false) => Direction::Either,
        };
        self.quantifier(&mut pattern)?;
        pattern.at = self.span_from(start);
        Ok(pattern)
    }

    fn relationship_detail(&mut self, pattern: &mut RelationshipPattern) -> Result<()> {
        let is_filter = self.is_keyword("WHERE") && !self.is_at(1, "]") && !self.is_at(1, ":");
        if !is_filter {
            pattern.variable = self.take_name();
        }
        pattern.kinds = self.label_part()?;
        if self.take("*") {
            pattern.length = Some(self.length()?);
        } else if self.is("..") {
            let message = "a variable length begins with `*`, as in `[:TYPE*1..3]`";
            return Err(Error::compile(ErrorKind::InvalidRelationshipPattern, self.span(), message));
        }
        pattern.properties = self.pattern_properties()?;
        pattern.filter = self.with_bar(false, Parser::filter)?;
        if self.take("]") { Ok(()) } else { Err(self.unexpected("`]` at the end of the relationship")) }
    }

    fn length(&mut self) -> Result<Length> {
        if self.is("-") {
            let message = "the length of a path cannot be negative";
            return Err(Error::compile(ErrorKind::InvalidRelationshipPattern, self.span(), message));
        }
        if let Token::Parameter(_) = self.peek() {
            let message = "the length of a path must be written as a number, not as a parameter";
            return Err(Error::compile(ErrorKind::InvalidParameterUse, self.span(), message));
        }
        let min = self.take_count();
        if !self.take("..") {
            return Ok(Length { min, max: min });
        }
        Ok(Length { min, max: self.take_count() })
    }

    fn take_count(&mut self) -> Option<u64> {
        let Token::Int(count) = *self.peek() else { return None };
        self.advance();
        Some(count)
    }

    /// `+`, `*` or `{1,3}` after a relationship.
    fn quantifier(&mut self, pattern: &mut RelationshipPattern) -> Result<()> {
        let length = if self.is("+") && self.is_at(1, "(") {
            self.advance();
            Length { min: Some(1), max: None }
        } else if self.is("*") && self.is_at(1, "(") {
            self.advance();
            Length { min: Some(0), max: None }
        } else if self.take("{") {
            let min = self.take_count();
            let max = if self.take(",") { self.take_count() } else { min };
            self.expect("}")?;
            Length { min: min.or(Some(0)), max }
        } else {
            return Ok(());
        };
        if pattern.length.replace(length).is_some() {
            return Err(self.unexpected("one length only"));
        }
        Ok(())
    }

    /// `A`, `A:B`, `A|B`, `A|:B`, `A&!B`, `(A|B)&C`, `%`
    pub(super) fn label_expression(&mut self) -> Result<LabelExpr> {
        let mut parts = vec![self.label_conjunction()?];
        while !self.bar_ends && self.is("|") && self.is_label_start(1) {
            self.advance();
            self.take(":");
            parts.push(self.label_conjunction()?);
        }
        Ok(flatten(parts, LabelExpr::Or))
    }

    /// Whether a label begins `ahead` tokens from here; a bar may also end the list of a comprehension.
    fn is_label_start(&self, ahead: usize) -> bool {
        match self.peek_at(ahead) {
            Token::Name(_) | Token::Quoted(_) => true,
            Token::Symbol(symbol) => matches!(*symbol, ":" | "!" | "(" | "%"),
            Token::Int(_) | Token::Float(_) | Token::Text(_) | Token::Parameter(_) | Token::End => false,
        }
    }

    fn label_conjunction(&mut self) -> Result<LabelExpr> {
        let mut parts = vec![self.label_atom()?];
        while self.is("&") || self.is(":") && self.is_label_start(1) {
            self.advance();
            parts.push(self.label_atom()?);
        }
        Ok(flatten(parts, LabelExpr::And))
    }

    fn label_atom(&mut self) -> Result<LabelExpr> {
        if self.take("!") {
            return self.nested(Parser::label_atom).map(|inner| LabelExpr::Not(Box::new(inner)));
        }
        if self.take("%") {
            return Ok(LabelExpr::Any);
        }
        if self.take("(") {
            let inner = self.with_bar(false, |parser| parser.nested(Parser::label_expression))?;
            self.expect(")")?;
            return Ok(inner);
        }
        if let Token::Parameter(_) = self.peek() {
            let message = "a label or type must be written out, not given as a parameter";
            return Err(Error::compile(ErrorKind::InvalidParameterUse, self.span(), message));
        }
        self.expect_name("the name of a label or type").map(LabelExpr::Label)
    }

    /// Whether the parenthesis here begins a pattern rather than an expression; decided without reading it twice.
    pub(super) fn is_pattern_ahead(&self, ahead: usize) -> bool {
        let start = self.at + ahead;
        let Some(Some(close)) = self.tokens.closing.get(start) else { return false };
        if !self.is_at(ahead, "(") || !self.could_be_node(ahead + 1) {
            return false;
        }
        let after = close - self.at;
        if self.is_at(after + 1, "<") {
            return self.is_at(after + 2, "-") && (self.is_at(after + 3, "-") || self.is_at(after + 3, "["));
        }
        if !self.is_at(after + 1, "-") {
            return false;
        }
        if self.is_at(after + 2, "-") {
            return self.is_at(after + 3, "(") || self.is_at(after + 3, ">") && self.is_at(after + 4, "(");
        }
        let bracket = close + 2;
        self.is_at(after + 2, "[") && self.tokens.closing[bracket].is_some_and(|end| self.is_at(end - self.at + 1, "-"))
    }

    fn could_be_node(&self, ahead: usize) -> bool {
        match self.peek_at(ahead) {
            Token::Name(_) | Token::Quoted(_) => {
                let follows = [")", ":", "{"].iter().any(|symbol| self.is_at(ahead + 1, symbol));
                follows || self.is_keyword_at(ahead + 1, "WHERE") || self.is_keyword_at(ahead + 1, "IS")
            }
            Token::Symbol(symbol) => matches!(*symbol, ")" | ":" | "{"),
            Token::Int(_) | Token::Float(_) | Token::Text(_) | Token::Parameter(_) | Token::End => false,
        }
    }

    pub(super) fn pattern_expression(&mut self) -> Result<Expr> {
        let start = self.span();
        let (part, inner) = self.measured(Parser::anonymous_pattern)?;
        self.build_over(ExprKind::Pattern(Box::new(part)), start, inner)
    }
}

fn flatten(mut parts: Vec<LabelExpr>, join: fn(Vec<LabelExpr>) -> LabelExpr) -> LabelExpr {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        last => {
            parts.extend(last);
            join(parts)
        }
    }
}
