//! What functions take.

use super::lexer::Kind;
use super::{Begin, Parser};

impl Parser<'_> {
    pub(super) fn parameters(&mut self) -> Option<()> {
        let begin = self.begin();
        self.expect(Kind::OpenRound)?;
        self.parameter_list(Kind::CloseRound)?;
        self.expect(Kind::CloseRound)?;
        self.close(begin, self.kinds().parameters);
        Some(())
    }

    /// Parameters up to a sign; before a colon they have no types.
    pub(super) fn parameter_list(&mut self, end: Kind) -> Option<()> {
        while !self.is(end) {
            self.parameter(end)?;
            if !self.take(Kind::Comma)? {
                break;
            }
        }
        Some(())
    }

    fn parameter(&mut self, end: Kind) -> Option<()> {
        let begin = self.begin();
        let kinds = self.kinds();
        match self.token.kind {
            Kind::Name => {
                self.name()?;
                self.after_name(begin, end)
            }
            Kind::Slash => self.leaf(kinds.positional_separator),
            Kind::Star if matches!(self.lexer.byte_after(self.token), b',' | b')' | b':') => {
                self.leaf(kinds.keyword_separator)
            }
            Kind::Star => self.rest(begin, kinds.list_splat_pattern, end),
            Kind::DoubleStar => self.rest(begin, kinds.dictionary_splat_pattern, end),
            _ => None,
        }
    }

    fn after_name(&mut self, begin: Begin, end: Kind) -> Option<()> {
        let kinds = self.kinds();
        let is_typed = end != Kind::Colon && self.is(Kind::Colon);
        let (plain, with_default) = match is_typed {
            true => (Some(kinds.typed_parameter), kinds.typed_default_parameter),
            false => (None, kinds.default_parameter),
        };
        let name = self.tree.mark_of_last();
        if is_typed {
            self.parameter_type()?;
        }
        if self.is(Kind::Equal) {
            self.tree.set_field(name, self.fields().name);
            self.advance()?;
            self.expression()?;
            self.field(self.fields().value);
            self.close(begin, with_default);
        } else if let Some(plain) = plain {
            self.close(begin, plain);
        }
        Some(())
    }

    fn parameter_type(&mut self) -> Option<()> {
        self.expect(Kind::Colon)?;
        self.declared_type()?;
        self.field(self.fields().type_);
        Some(())
    }

    fn rest(&mut self, begin: Begin, kind: u16, end: Kind) -> Option<()> {
        self.advance()?;
        self.name()?;
        self.close(begin, kind);
        if end != Kind::Colon && self.is(Kind::Colon) {
            self.parameter_type()?;
            self.close(begin, self.kinds().typed_parameter);
        }
        Some(())
    }
}
