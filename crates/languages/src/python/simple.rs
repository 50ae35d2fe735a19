//! Statements in one line.

use super::lexer::{Kind, is_keyword};
use super::{Begin, Parser};
use crate::tree::Entry;

impl Parser<'_> {
    /// Statements up to the end of a line, which comes next.
    pub(super) fn simple_statements(&mut self) -> Option<()> {
        loop {
            self.simple_statement()?;
            if !self.take(Kind::Semicolon)? || self.is(Kind::Newline) {
                break;
            }
        }
        self.is(Kind::Newline).then_some(())
    }

    fn simple_statement(&mut self) -> Option<()> {
        let kinds = self.kinds();
        match self.token.kind {
            Kind::Return => self.after_word(kinds.return_),
            Kind::Del => self.after_word(kinds.delete),
            Kind::Raise => self.raise(),
            Kind::Pass => self.leaf(kinds.pass),
            Kind::Break => self.leaf(kinds.break_),
            Kind::Continue => self.leaf(kinds.continue_),
            Kind::Assert => self.assert(),
            Kind::Global => self.outer_names(kinds.global),
            Kind::Nonlocal => self.outer_names(kinds.nonlocal),
            Kind::Import => self.import(),
            Kind::From => self.import_from(),
            Kind::Name if self.is_type_alias() => self.type_alias(),
            Kind::Name if self.is_old_statement() => None,
            _ => self.expression_statement(),
        }
    }

    /// A word and the values behind it, if there are any.
    fn after_word(&mut self, kind: u16) -> Option<()> {
        let begin = self.begin();
        self.advance()?;
        if self.begins_value() {
            self.values()?;
        }
        self.close(begin, kind);
        Some(())
    }

    fn raise(&mut self) -> Option<()> {
        let begin = self.begin();
        self.advance()?;
        if self.begins_value() {
            self.values()?;
        }
        if self.take(Kind::From)? {
            self.expression()?;
            self.field(self.fields().cause);
        }
        self.close(begin, self.kinds().raise);
        Some(())
    }

    fn assert(&mut self) -> Option<()> {
        let begin = self.begin();
        self.advance()?;
        self.expression()?;
        while self.take(Kind::Comma)? {
            self.expression()?;
        }
        self.close(begin, self.kinds().assert);
        Some(())
    }

    fn outer_names(&mut self, kind: u16) -> Option<()> {
        let begin = self.begin();
        self.advance()?;
        self.name()?;
        while self.take(Kind::Comma)? {
            self.name()?;
        }
        self.close(begin, kind);
        Some(())
    }

    fn dotted_name(&mut self) -> Option<()> {
        let begin = self.begin();
        self.name()?;
        while self.take(Kind::Dot)? {
            self.name()?;
        }
        self.close(begin, self.kinds().dotted_name);
        Some(())
    }

    fn import(&mut self) -> Option<()> {
        let begin = self.begin();
        self.advance()?;
        self.imported()?;
        self.close(begin, self.kinds().import);
        Some(())
    }

    /// `name, other as alias`
    fn imported(&mut self) -> Option<()> {
        loop {
            let begin = self.begin();
            self.dotted_name()?;
            if self.is(Kind::As) {
                self.field(self.fields().name);
                self.advance()?;
                self.name()?;
                self.field(self.fields().alias);
                self.close(begin, self.kinds().aliased_import);
            }
            self.field(self.fields().name);
            if !self.take(Kind::Comma)? || !self.is(Kind::Name) {
                return Some(());
            }
        }
    }

    fn import_from(&mut self) -> Option<()> {
        let begin = self.begin();
        self.advance()?;
        let is_future = self.word() == b"__future__" && self.lexer.word_after(self.token) == b"import";
        if is_future {
            self.advance()?;
        } else {
            self.module_name()?;
            self.field(self.fields().module_name);
        }
        self.expect(Kind::Import)?;
        match self.token.kind {
            Kind::Star if !is_future => self.leaf(self.kinds().wildcard_import)?,
            Kind::OpenRound => {
                self.advance()?;
                self.imported()?;
                self.expect(Kind::CloseRound)?;
            }
            _ => self.imported()?,
        }
        self.close(begin, if is_future { self.kinds().future_import } else { self.kinds().import_from });
        Some(())
    }

    fn module_name(&mut self) -> Option<()> {
        if self.is(Kind::Name) {
            return self.dotted_name();
        }
        let begin = self.begin();
        while matches!(self.token.kind, Kind::Dot | Kind::Ellipsis) {
            self.advance()?;
        }
        if self.end <= begin.start || self.tree.mark() != begin.mark {
            return None;
        }
        self.tree.push(Entry::leaf(self.kinds().import_prefix, begin.start, self.end, begin.row, self.end_row));
        if self.is(Kind::Name) {
            self.dotted_name()?;
        }
        self.close(begin, self.kinds().relative_import);
        Some(())
    }

    /// `print "text"`, `exec "code"`
    fn is_old_statement(&self) -> bool {
        matches!(self.word(), b"print" | b"exec")
            && !matches!(
                self.lexer.byte_after(self.token),
                b'(' | b'.' | b'=' | b',' | b':' | b'[' | b';' | b'\n' | b'#'
            )
    }

    fn is_type_alias(&self) -> bool {
        let next = self.lexer.word_after(self.token);
        self.word() == b"type" && !next.is_empty() && !is_keyword(next)
    }

    fn type_alias(&mut self) -> Option<()> {
        let begin = self.begin();
        self.advance()?;
        self.declared_type()?;
        self.field(self.fields().left);
        self.expect(Kind::Equal)?;
        self.declared_type()?;
        self.field(self.fields().right);
        self.close(begin, self.kinds().type_alias);
        Some(())
    }

    fn expression_statement(&mut self) -> Option<()> {
        let begin = self.begin();
        if self.is(Kind::Yield) {
            self.yielded()?;
        } else {
            self.value_or_starred()?;
            let is_list = self.more_values()?;
            self.given_to(begin, is_list)?;
        }
        self.close(begin, self.kinds().expression_statement);
        Some(())
    }

    /// Whether what was read is a target, and then the value that it gets.
    fn given_to(&mut self, begin: Begin, is_list: bool) -> Option<bool> {
        let kind = match self.token.kind {
            Kind::Equal | Kind::Colon => self.kinds().assignment,
            Kind::Augmented => self.kinds().augmented_assignment,
            _ => return Some(false),
        };
        self.become_targets(begin, is_list)?;
        self.field(self.fields().left);
        let mut has_value = true;
        if self.is(Kind::Colon) {
            if is_list {
                return None;
            }
            self.advance()?;
            self.declared_type()?;
            self.field(self.fields().type_);
            has_value = self.is(Kind::Equal);
        }
        if has_value {
            self.advance()?;
            self.deeper(Self::given)?;
            self.field(self.fields().right);
        }
        self.close(begin, kind);
        Some(true)
    }

    /// What stands right of a sign of equality, which may be an assignment again.
    fn given(&mut self) -> Option<()> {
        if self.is(Kind::Yield) {
            return self.yielded();
        }
        let begin = self.begin();
        self.value_or_starred()?;
        let is_list = self.more_values()?;
        if self.is(Kind::Colon) {
            return None;
        }
        if !self.given_to(begin, is_list)? && is_list {
            self.close(begin, self.kinds().expression_list);
        }
        Some(())
    }
}
