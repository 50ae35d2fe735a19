//! Queries, clauses and projections; clauses that write are recognised here and refused.

use crate::ast::{CallProcedure, CallSubquery, Clause, Expr, Imports, Item, Match, Name, Projection, SortItem, Union};
use crate::error::{Error, ErrorKind, Result};
use crate::lexer::Token;

use super::Parser;

/// For messages: what a misspelt word may have been meant to be.
pub(super) const KEYWORDS: &[&str] = &[
    "MATCH", "OPTIONAL", "WHERE", "RETURN", "WITH", "UNWIND", "ORDER", "BY", "SKIP", "LIMIT", "UNION", "CALL",
    "DISTINCT", "STARTS", "ENDS", "CONTAINS", "CASE", "WHEN", "THEN", "ELSE", "END", "EXISTS", "NULL", "EXPLAIN",
    "YIELD",
];

const WRITING: &[&str] = &[
    "CREATE",
    "MERGE",
    "SET",
    "DELETE",
    "DETACH",
    "NODETACH",
    "REMOVE",
    "FOREACH",
    "LOAD",
    "DROP",
    "INSERT",
    "ALTER",
    "GRANT",
    "REVOKE",
    "DENY",
    "START",
    "STOP",
    "TERMINATE",
    "RENAME",
    "ENABLE",
];

impl Parser {
    pub(super) fn union(&mut self) -> Result<Union> {
        let start = self.span();
        let mut parts = vec![self.single_query()?];
        let mut kind = None;
        while self.is_keyword("UNION") {
            let at = self.span();
            self.advance();
            let all = self.take_keyword("ALL");
            if !all {
                self.take_keyword("DISTINCT");
            }
            if kind.replace(all).is_some_and(|before| before != all) {
                let message = "`UNION` and `UNION ALL` cannot be mixed in one query";
                return Err(Error::compile(ErrorKind::InvalidClauseComposition, at, message));
            }
            parts.push(self.single_query()?);
        }
        Ok(Union { all: kind.unwrap_or(false), parts, at: self.span_from(start) })
    }

    fn single_query(&mut self) -> Result<Vec<Clause>> {
        let may_lack_return = std::mem::take(&mut self.may_lack_return);
        let mut clauses = Vec::new();
        loop {
            let clause = self.clause()?;
            let is_last = matches!(clause, Clause::Return(_));
            clauses.push(clause);
            if is_last || self.is_end_of_query() {
                break;
            }
        }
        if self.take_keyword("FINISH") {
            return Err(self.unexpected("`RETURN`"));
        }
        match clauses.last() {
            Some(Clause::Return(_)) => self.refuse_clause_after_return().map(|()| clauses),
            _ if may_lack_return && self.is("}") => Ok(clauses),
            Some(Clause::Procedure(_)) if clauses.len() == 1 => Ok(clauses),
            _ => {
                let error = self.unexpected("`RETURN` at the end");
                Err(error.hint("a query that reads must say what it returns"))
            }
        }
    }

    fn is_end_of_query(&self) -> bool {
        self.peek() == &Token::End || self.is(";") || self.is("}") || self.is_keyword("UNION")
    }

    fn refuse_clause_after_return(&self) -> Result<()> {
        if self.is_end_of_query() {
            return Ok(());
        }
        self.refuse_writing()?;
        let clauses = ["MATCH", "OPTIONAL", "WITH", "RETURN", "UNWIND", "CALL"];
        if clauses.iter().any(|clause| self.is_keyword(clause)) {
            let message = format!("{} cannot come after `RETURN`", self.describe());
            let error = Error::compile(ErrorKind::InvalidClauseComposition, self.span(), message);
            return Err(error.hint("use `WITH` to pass rows on to further clauses"));
        }
        Err(self.unexpected("`,`, `ORDER BY`, `SKIP`, `LIMIT`, `UNION` or the end of the query"))
    }

    fn clause(&mut self) -> Result<Clause> {
        self.refuse_writing()?;
        if self.take_keyword("OPTIONAL") {
            if self.is_keyword("CALL") {
                let message = "`OPTIONAL CALL` is not supported";
                return Err(Error::compile(ErrorKind::NotSupported, self.span(), message));
            }
            self.expect_keyword("MATCH")?;
            return self.match_clause(true);
        }
        if self.take_keyword("MATCH") {
            return self.match_clause(false);
        }
        if self.take_keyword("UNWIND") {
            let list = self.expression()?;
            self.expect_keyword("AS")?;
            let variable = self.expect_name("a variable for the elements")?;
            return Ok(Clause::Unwind { list, variable });
        }
        if self.take_keyword("WITH") {
            let projection = self.projection()?;
            let filter = self.filter()?;
            return Ok(Clause::With { projection, filter });
        }
        if self.take_keyword("RETURN") {
            return self.projection().map(Clause::Return);
        }
        if self.take_keyword("CALL") {
            return self.call();
        }
        Err(self.unexpected("a clause such as `MATCH`, `WITH` or `RETURN`"))
    }

    /// A clause that writes stands where a clause must stand; the same word elsewhere is only a name.
    fn refuse_writing(&self) -> Result<()> {
        let Some(word) = WRITING.iter().find(|word| self.is_keyword(word)) else { return Ok(()) };
        let message = format!("`{word}` changes the graph or its settings; only queries that read are allowed");
        Err(Error::compile(ErrorKind::WritingClause, self.span(), message))
    }

    fn match_clause(&mut self, optional: bool) -> Result<Clause> {
        let mut patterns = vec![self.pattern_part()?];
        while self.take(",") {
            patterns.push(self.pattern_part()?);
        }
        // Planner hints change nothing in the answer.
        while self.take_keyword("USING") {
            while !self.is_end_of_query() && !self.is_clause_boundary() {
                self.advance();
            }
        }
        let filter = self.filter()?;
        Ok(Clause::Match(Match { optional, patterns, filter }))
    }

    fn is_clause_boundary(&self) -> bool {
        ["WHERE", "USING", "MATCH", "OPTIONAL", "WITH", "UNWIND", "RETURN", "CALL"]
            .iter()
            .any(|keyword| self.is_keyword(keyword))
    }

    pub(super) fn filter(&mut self) -> Result<Option<Expr>> {
        if self.take_keyword("WHERE") { self.expression().map(Some) } else { Ok(None) }
    }

    fn projection(&mut self) -> Result<Projection> {
        let start = self.span();
        let distinct = self.take_keyword("DISTINCT");
        let star = self.take("*");
        let mut items = Vec::new();
        if !star || self.take(",") {
            items.push(self.item()?);
            while self.take(",") {
                items.push(self.item()?);
            }
        }
        let order = self.order()?;
        let (mut skip, mut limit) = (None, None);
        loop {
            if skip.is_none() && (self.take_keyword("SKIP") || self.take_keyword("OFFSET")) {
                skip = Some(self.expression()?);
            } else if limit.is_none() && self.take_keyword("LIMIT") {
                limit = Some(self.expression()?);
            } else {
                break;
            }
        }
        Ok(Projection { distinct, star, items, order, skip, limit, at: self.span_from(start) })
    }

    fn item(&mut self) -> Result<Item> {
        let start = self.span();
        let expression = self.expression()?;
        let at = self.span_from(start);
        let alias = if self.take_keyword("AS") { Some(self.expect_name("a name after `AS`")?) } else { None };
        Ok(Item { expression, alias, at })
    }

    fn order(&mut self) -> Result<Vec<SortItem>> {
        let mut order = Vec::new();
        if !self.take_keyword("ORDER") {
            return Ok(order);
        }
        self.expect_keyword("BY")?;
        loop {
            let expression = self.expression()?;
            let descending = self.take_keyword("DESC") || self.take_keyword("DESCENDING");
            if !descending && !self.take_keyword("ASC") {
                self.take_keyword("ASCENDING");
            }
            order.push(SortItem { expression, descending });
            if !self.take(",") {
                return Ok(order);
            }
        }
    }

    fn call(&mut self) -> Result<Clause> {
        if self.is("{") || self.is("(") {
            let imports = if self.take("(") { Some(self.imports()?) } else { None };
            self.expect("{")?;
            let body = self.nested(Parser::union)?;
            self.expect("}")?;
            if self.is_keyword("IN") {
                let message = "`CALL { … } IN TRANSACTIONS` is not supported";
                return Err(Error::compile(ErrorKind::NotSupported, self.span(), message));
            }
            return Ok(Clause::Subquery(CallSubquery { imports, body }));
        }
        let name = self.dotted_name("the name of a procedure or `{`")?;
        let mut arguments = Vec::new();
        if self.take("(") {
            arguments = self.arguments()?;
        }
        let mut yields = Vec::new();
        let mut filter = None;
        if self.take_keyword("YIELD") {
            yields = if self.take("*") { Vec::new() } else { self.yields()? };
            filter = self.filter()?;
        }
        Ok(Clause::Procedure(CallProcedure { name, arguments, yields, filter }))
    }

    fn imports(&mut self) -> Result<Imports> {
        if self.take("*") {
            self.expect(")")?;
            return Ok(Imports::All);
        }
        let mut names = Vec::new();
        while !self.take(")") {
            if !names.is_empty() {
                self.expect(",")?;
            }
            names.push(self.expect_name("a variable")?);
        }
        Ok(Imports::Named(names))
    }

    fn yields(&mut self) -> Result<Vec<(Name, Option<Name>)>> {
        let mut yields = Vec::new();
        loop {
            let field = self.expect_name("the name of a field")?;
            let alias = if self.take_keyword("AS") { Some(self.expect_name("a name after `AS`")?) } else { None };
            yields.push((field, alias));
            if !self.take(",") {
                return Ok(yields);
            }
        }
    }

    /// `a.b.c`
    pub(super) fn dotted_name(&mut self, what: &str) -> Result<Name> {
        let first = self.expect_name(what)?;
        let mut text = first.text.to_string();
        while self.is(".") {
            self.advance();
            let part = self.expect_name("a name after `.`")?;
            text.push('.');
            text.push_str(&part.text);
        }
        Ok(Name { text: text.into(), at: self.span_from(first.at) })
    }

    /// Expressions up to the closing parenthesis.
    pub(super) fn arguments(&mut self) -> Result<Vec<Expr>> {
        let mut arguments = Vec::new();
        if self.take(")") {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.inner_expression()?);
            if !self.take(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(arguments)
    }
}
