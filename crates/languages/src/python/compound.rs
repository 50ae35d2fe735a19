//! Statements with blocks.

use super::lexer::{Kind, is_keyword};
use super::{Begin, Parser};
use crate::tree::Entry;

impl Parser<'_> {
    pub(super) fn statement(&mut self) -> Option<()> {
        match self.token.kind {
            Kind::If => self.if_statement(),
            Kind::For => self.for_statement(self.begin()),
            Kind::While => self.while_statement(),
            Kind::Try => self.try_statement(),
            Kind::With => self.with_statement(self.begin()),
            Kind::Def => self.function(self.begin()),
            Kind::Class => self.class(),
            Kind::At => self.decorated(),
            Kind::Async => self.asynchronous(),
            Kind::Name if self.may_be_match() => None,
            _ => {
                self.simple_statements()?;
                self.advance()
            }
        }
    }

    /// Whether `match` may be more than a name here.
    fn may_be_match(&self) -> bool {
        if self.word() != b"match" {
            return false;
        }
        match self.lexer.byte_after(self.token) {
            b'(' | b'[' => matches!(self.lexer.rest_of_line(self.token).last(), Some(b':' | b'(' | b'[' | b'{' | b',')),
            b'-' | b'*' | b'{' | b'"' | b'\'' | b'~' | b'\\' => true,
            _ => {
                let next = self.lexer.word_after(self.token);
                let may_begin = matches!(next, b"not" | b"lambda" | b"await" | b"None" | b"True" | b"False");
                !next.is_empty() && (may_begin || !is_keyword(next))
            }
        }
    }

    fn asynchronous(&mut self) -> Option<()> {
        let begin = self.begin();
        let Kind::Async = self.token.kind else { return None };
        let (start, end, row) = (self.token.start, self.token.end, self.token.row);
        self.advance()?;
        match self.token.kind {
            Kind::Def => {
                self.tree.push(Entry::leaf(self.numbers.tokens.async_, start, end, row, row).token());
                self.function(begin)
            }
            Kind::For => self.for_statement(begin),
            Kind::With => self.with_statement(begin),
            _ => None,
        }
    }

    /// `: statements`, in the line or below it.
    fn block(&mut self, field: u16) -> Option<()> {
        self.expect(Kind::Colon)?;
        if !self.is(Kind::Newline) {
            let begin = self.begin();
            self.simple_statements()?;
            self.close_before_sign(begin, self.kinds().block);
            self.field(field);
            return self.advance();
        }
        if !self.lexer.begin_block() {
            return None;
        }
        self.advance()?;
        self.deeper(|this| {
            let begin = this.begin();
            while !this.is(Kind::Dedent) {
                this.statement()?;
            }
            this.close_before_sign(begin, this.kinds().block);
            this.field(field);
            Some(())
        })?;
        self.advance()
    }

    /// `else: …` and its like, if it is there.
    fn clause(&mut self, word: Kind, kind: u16, field: u16, body: u16) -> Option<()> {
        if !self.is(word) {
            return Some(());
        }
        let begin = self.begin();
        self.advance()?;
        self.block(body)?;
        self.close(begin, kind);
        self.field(field);
        Some(())
    }

    fn otherwise(&mut self, field: u16) -> Option<()> {
        self.clause(Kind::Else, self.kinds().else_clause, field, self.fields().body)
    }

    fn if_statement(&mut self) -> Option<()> {
        let begin = self.begin();
        self.conditioned()?;
        while self.is(Kind::Elif) {
            let clause = self.begin();
            self.conditioned()?;
            self.close(clause, self.kinds().elif_clause);
            self.field(self.fields().alternative);
        }
        self.otherwise(self.fields().alternative)?;
        self.close(begin, self.kinds().if_);
        Some(())
    }

    fn conditioned(&mut self) -> Option<()> {
        self.advance()?;
        self.expression()?;
        self.field(self.fields().condition);
        self.block(self.fields().consequence)
    }

    fn for_statement(&mut self, begin: Begin) -> Option<()> {
        self.expect(Kind::For)?;
        self.targets()?;
        self.field(self.fields().left);
        self.expect(Kind::In)?;
        self.values()?;
        self.field(self.fields().right);
        self.block(self.fields().body)?;
        self.otherwise(self.fields().alternative)?;
        self.close(begin, self.kinds().for_);
        Some(())
    }

    fn while_statement(&mut self) -> Option<()> {
        let begin = self.begin();
        self.advance()?;
        self.expression()?;
        self.field(self.fields().condition);
        self.block(self.fields().body)?;
        self.otherwise(self.fields().alternative)?;
        self.close(begin, self.kinds().while_);
        Some(())
    }

    fn try_statement(&mut self) -> Option<()> {
        let begin = self.begin();
        self.advance()?;
        self.block(self.fields().body)?;
        while self.is(Kind::Except) {
            self.except()?;
        }
        self.otherwise(0)?;
        self.clause(Kind::Finally, self.kinds().finally_clause, 0, 0)?;
        self.close(begin, self.kinds().try_);
        Some(())
    }

    fn except(&mut self) -> Option<()> {
        let begin = self.begin();
        self.advance()?;
        self.take(Kind::Star)?;
        while !self.is(Kind::Colon) {
            self.value_with_alias()?;
            self.field(self.fields().value);
            if !self.take(Kind::Comma)? {
                break;
            }
        }
        self.block(0)?;
        self.close(begin, self.kinds().except_clause);
        Some(())
    }

    /// `value as target`
    fn value_with_alias(&mut self) -> Option<()> {
        let begin = self.begin();
        self.expression()?;
        if !self.is(Kind::As) {
            return Some(());
        }
        let kinds = self.kinds();
        let kind = self.only_since(begin)?;
        if [kinds.conditional, kinds.lambda, kinds.named_expression].contains(&kind) {
            return None;
        }
        self.advance()?;
        let target = self.begin();
        self.expression_without_if()?;
        self.close(target, kinds.as_pattern_target);
        self.field(self.fields().alias);
        self.close(begin, kinds.as_pattern);
        Some(())
    }

    fn with_statement(&mut self, begin: Begin) -> Option<()> {
        self.expect(Kind::With)?;
        let clause = self.begin();
        if !self.is(Kind::OpenRound) || !self.items_in_brackets() {
            self.with_items(Kind::Colon)?;
        }
        self.close(clause, self.kinds().with_clause);
        self.block(self.fields().body)?;
        self.close(begin, self.kinds().with);
        Some(())
    }

    /// Items up to a sign, and how many.
    fn with_items(&mut self, end: Kind) -> Option<usize> {
        let mut items = 0;
        while !self.is(end) {
            let begin = self.begin();
            self.value_with_alias()?;
            self.field(self.fields().value);
            self.close(begin, self.kinds().with_item);
            items += 1;
            if !self.take(Kind::Comma)? {
                break;
            }
        }
        Some(items)
    }

    /// `with (first as one, second as other):`; reads nothing if it is anything else.
    fn items_in_brackets(&mut self) -> bool {
        let before = self.before();
        let found = self.try_items_in_brackets();
        if found.is_none() {
            self.put_back(before);
        }
        found.is_some()
    }

    fn try_items_in_brackets(&mut self) -> Option<()> {
        self.expect(Kind::OpenRound)?;
        let items = self.with_items(Kind::CloseRound)?;
        self.expect(Kind::CloseRound)?;
        (items > 1 && self.is(Kind::Colon)).then_some(())
    }

    fn function(&mut self, begin: Begin) -> Option<()> {
        self.expect(Kind::Def)?;
        self.name()?;
        self.field(self.fields().name);
        if self.is(Kind::OpenSquare) {
            self.type_parameters()?;
            self.field(self.fields().type_parameters);
        }
        self.parameters()?;
        self.field(self.fields().parameters);
        if self.take(Kind::Arrow)? {
            self.declared_type()?;
            self.field(self.fields().return_type);
        }
        self.block(self.fields().body)?;
        self.close(begin, self.kinds().function);
        Some(())
    }

    fn class(&mut self) -> Option<()> {
        let begin = self.begin();
        self.expect(Kind::Class)?;
        self.name()?;
        self.field(self.fields().name);
        if self.is(Kind::OpenSquare) {
            self.type_parameters()?;
            self.field(self.fields().type_parameters);
        }
        if self.is(Kind::OpenRound) {
            let bases = self.begin();
            self.arguments()?;
            if self.only_since(bases) != Some(self.kinds().argument_list) {
                return None;
            }
            self.field(self.fields().superclasses);
        }
        self.block(self.fields().body)?;
        self.close(begin, self.kinds().class);
        Some(())
    }

    fn decorated(&mut self) -> Option<()> {
        let begin = self.begin();
        while self.is(Kind::At) {
            let decorator = self.begin();
            self.advance()?;
            self.expression()?;
            if !self.is(Kind::Newline) {
                return None;
            }
            self.close_before_sign(decorator, self.kinds().decorator);
            self.advance()?;
        }
        match self.token.kind {
            Kind::Def => self.function(self.begin())?,
            Kind::Class => self.class()?,
            Kind::Async if self.lexer.word_after(self.token) == b"def" => self.asynchronous()?,
            _ => return None,
        }
        self.field(self.fields().definition);
        self.close(begin, self.kinds().decorated);
        Some(())
    }
}
