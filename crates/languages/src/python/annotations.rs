//! Types as they are declared.

use super::lexer::Kind;
use super::{Begin, Parser};

impl Parser<'_> {
    pub(super) fn declared_type(&mut self) -> Option<()> {
        let begin = self.begin();
        self.one_type(begin)?;
        loop {
            match self.token.kind {
                Kind::Bar => {
                    self.advance()?;
                    let right = self.begin();
                    self.one_type(right)?;
                    self.close(begin, self.kinds().union_type);
                }
                Kind::Dot => {
                    self.advance()?;
                    self.name()?;
                    self.close(begin, self.kinds().member_type);
                }
                _ => return Some(()),
            }
            self.close(begin, self.kinds().type_);
        }
    }

    fn one_type(&mut self, begin: Begin) -> Option<()> {
        if self.is_generic() {
            self.name()?;
            self.deeper(Self::type_parameters)?;
            self.close(begin, self.kinds().generic_type);
        } else {
            self.expression()?;
        }
        self.close(begin, self.kinds().type_);
        Some(())
    }

    fn is_generic(&self) -> bool {
        self.is(Kind::Name)
            && self.lexer.byte_after(self.token) == b'['
            && !matches!(self.word(), b"match" | b"print" | b"exec")
    }

    pub(super) fn type_parameters(&mut self) -> Option<()> {
        let begin = self.begin();
        self.expect(Kind::OpenSquare)?;
        while !self.is(Kind::CloseSquare) {
            self.type_parameter()?;
            if !self.take(Kind::Comma)? {
                break;
            }
        }
        self.expect(Kind::CloseSquare)?;
        self.close(begin, self.kinds().type_parameter);
        Some(())
    }

    /// `T`, or `T: bound`.
    fn type_parameter(&mut self) -> Option<()> {
        let begin = self.begin();
        self.declared_type()?;
        if self.take(Kind::Colon)? {
            self.declared_type()?;
            self.close(begin, self.kinds().constrained_type);
            self.close(begin, self.kinds().type_);
        }
        Some(())
    }
}
