//! Expressions, by the precedences of the grammar.

use super::lexer::Kind;
use super::{Begin, Parser};

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Option<()> {
        self.deeper(|this| {
            let begin = this.begin();
            this.expression_without_if()?;
            if this.is(Kind::If) { this.conditional(begin) } else { Some(()) }
        })
    }

    /// `… if condition else other`, after its first value.
    fn conditional(&mut self, begin: Begin) -> Option<()> {
        if self.only_since(begin) == Some(self.kinds().lambda) {
            return None;
        }
        self.expect(Kind::If)?;
        self.expression_without_if()?;
        self.expect(Kind::Else)?;
        self.expression()?;
        self.close(begin, self.kinds().conditional);
        Some(())
    }

    /// An expression that ends before `if`, as in comprehensions.
    pub(super) fn expression_without_if(&mut self) -> Option<()> {
        let begin = self.begin();
        self.disjunction()?;
        if !self.is(Kind::ColonEqual) {
            return Some(());
        }
        if self.only_since(begin) != Some(self.kinds().identifier) || self.is_in_interpolation() {
            return None;
        }
        self.field(self.fields().name);
        self.advance()?;
        self.deeper(Self::disjunction)?;
        self.field(self.fields().value);
        self.close(begin, self.kinds().named_expression);
        Some(())
    }

    fn disjunction(&mut self) -> Option<()> {
        let begin = self.begin();
        self.conjunction()?;
        while self.is(Kind::Or) {
            self.operator(begin, Self::conjunction, self.kinds().boolean_operator)?;
        }
        Some(())
    }

    fn conjunction(&mut self) -> Option<()> {
        let begin = self.begin();
        self.inversion()?;
        while self.is(Kind::And) {
            self.operator(begin, Self::inversion, self.kinds().boolean_operator)?;
        }
        Some(())
    }

    /// An operator after its left side, and its right side.
    fn operator(&mut self, begin: Begin, right: impl FnOnce(&mut Self) -> Option<()>, kind: u16) -> Option<()> {
        self.field(self.fields().left);
        self.advance()?;
        right(self)?;
        self.field(self.fields().right);
        self.close(begin, kind);
        Some(())
    }

    fn inversion(&mut self) -> Option<()> {
        match self.token.kind {
            Kind::Not => self.prefixed(Self::inversion, self.kinds().not_operator),
            Kind::Lambda => self.lambda(),
            _ => self.comparison(),
        }
    }

    /// A sign or word before its argument.
    fn prefixed(&mut self, argument: impl FnOnce(&mut Self) -> Option<()>, kind: u16) -> Option<()> {
        let begin = self.begin();
        self.advance()?;
        self.deeper(argument)?;
        self.field(self.fields().argument);
        self.close(begin, kind);
        Some(())
    }

    fn lambda(&mut self) -> Option<()> {
        let begin = self.begin();
        self.advance()?;
        if !self.is(Kind::Colon) {
            let parameters = self.begin();
            self.parameter_list(Kind::Colon)?;
            self.close(parameters, self.kinds().lambda_parameters);
            self.field(self.fields().parameters);
        }
        self.expect(Kind::Colon)?;
        self.expression()?;
        self.field(self.fields().body);
        self.close(begin, self.kinds().lambda);
        Some(())
    }

    fn comparison(&mut self) -> Option<()> {
        let begin = self.begin();
        self.binary(Self::LOOSEST)?;
        let mut is_comparison = false;
        loop {
            match self.token.kind {
                Kind::Comparison | Kind::In => self.advance()?,
                Kind::Not => {
                    self.advance()?;
                    self.expect(Kind::In)?;
                }
                Kind::Is => {
                    self.advance()?;
                    self.take(Kind::Not)?;
                }
                _ => break,
            }
            self.binary(Self::LOOSEST)?;
            is_comparison = true;
        }
        if is_comparison {
            self.close(begin, self.kinds().comparison);
        }
        Some(())
    }

    const LOOSEST: u8 = 1;

    /// Operators that bind at least so tightly. Powers are not among them.
    fn binary(&mut self, loosest: u8) -> Option<()> {
        let begin = self.begin();
        self.unary()?;
        loop {
            let strength = match self.token.kind {
                Kind::Bar => Self::LOOSEST,
                Kind::Ampersand => 2,
                Kind::Caret => 3,
                Kind::Shift => 4,
                Kind::Plus | Kind::Minus => 5,
                Kind::Star | Kind::Slash | Kind::Times | Kind::At => 6,
                _ => return Some(()),
            };
            if strength < loosest {
                return Some(());
            }
            self.operator(begin, |this| this.binary(strength + 1), self.kinds().binary_operator)?;
        }
    }

    fn unary(&mut self) -> Option<()> {
        match self.token.kind {
            Kind::Plus | Kind::Minus | Kind::Tilde => self.prefixed(Self::unary, self.kinds().unary_operator),
            Kind::Await => {
                let begin = self.begin();
                self.advance()?;
                self.deeper(Self::unary)?;
                self.close(begin, self.kinds().await_);
                Some(())
            }
            _ => self.power(),
        }
    }

    fn power(&mut self) -> Option<()> {
        let begin = self.begin();
        self.primary()?;
        if self.is(Kind::DoubleStar) {
            self.operator(begin, |this| this.deeper(Self::unary), self.kinds().binary_operator)?;
        }
        Some(())
    }

    /// A value and what is taken from it: members, entries, results of calls.
    pub(super) fn primary(&mut self) -> Option<()> {
        let begin = self.begin();
        self.atom()?;
        loop {
            match self.token.kind {
                Kind::Dot => {
                    self.field(self.fields().object);
                    self.advance()?;
                    self.name()?;
                    self.field(self.fields().attribute);
                    self.close(begin, self.kinds().attribute);
                }
                Kind::OpenRound => {
                    self.field(self.fields().function);
                    self.deeper(Self::arguments)?;
                    self.field(self.fields().arguments);
                    self.close(begin, self.kinds().call);
                }
                Kind::OpenSquare => {
                    self.field(self.fields().value);
                    self.deeper(Self::subscripts)?;
                    self.close(begin, self.kinds().subscript);
                }
                _ => return Some(()),
            }
        }
    }

    fn atom(&mut self) -> Option<()> {
        match self.token.kind {
            Kind::Name => self.leaf(self.kinds().identifier),
            Kind::String => self.strings(),
            Kind::Integer => self.leaf(self.kinds().integer),
            Kind::Float => self.leaf(self.kinds().float),
            Kind::True => self.leaf(self.kinds().true_),
            Kind::False => self.leaf(self.kinds().false_),
            Kind::None => self.leaf(self.kinds().none),
            Kind::Ellipsis => self.leaf(self.kinds().ellipsis),
            Kind::OpenRound => self.deeper(Self::in_brackets),
            Kind::OpenSquare => self.deeper(Self::list),
            Kind::OpenCurly => self.deeper(Self::dictionary_or_set),
            _ => None,
        }
    }

    /// `(…)`: an expression, a tuple or a generator.
    fn in_brackets(&mut self) -> Option<()> {
        let begin = self.begin();
        self.advance()?;
        if self.is(Kind::Yield) {
            self.yielded()?;
            self.expect(Kind::CloseRound)?;
            self.close(begin, self.kinds().parenthesized);
            return Some(());
        }
        if !self.is(Kind::CloseRound) {
            let is_spread = self.is(Kind::Star);
            self.element()?;
            if self.is_comprehension() && !is_spread {
                return self.comprehension(begin, Kind::CloseRound, self.kinds().generator);
            }
            if self.is(Kind::CloseRound) && !is_spread {
                self.advance()?;
                self.close(begin, self.kinds().parenthesized);
                return Some(());
            }
            self.more_elements(Kind::CloseRound)?;
        }
        self.expect(Kind::CloseRound)?;
        self.close(begin, self.kinds().tuple);
        Some(())
    }

    fn list(&mut self) -> Option<()> {
        let begin = self.begin();
        self.advance()?;
        if !self.is(Kind::CloseSquare) {
            self.element()?;
            if self.is_comprehension() {
                return self.comprehension(begin, Kind::CloseSquare, self.kinds().list_comprehension);
            }
            if !self.is(Kind::CloseSquare) {
                self.more_elements(Kind::CloseSquare)?;
            }
        }
        self.expect(Kind::CloseSquare)?;
        self.close(begin, self.kinds().list);
        Some(())
    }

    fn dictionary_or_set(&mut self) -> Option<()> {
        let begin = self.begin();
        self.advance()?;
        if self.is(Kind::CloseCurly) || self.is(Kind::DoubleStar) {
            return self.dictionary_from(begin);
        }
        let first = self.begin();
        self.element()?;
        if self.is(Kind::Colon) {
            self.pair_from(first)?;
            if self.is_comprehension() {
                return self.comprehension(begin, Kind::CloseCurly, self.kinds().dictionary_comprehension);
            }
            if !self.is(Kind::CloseCurly) {
                self.expect(Kind::Comma)?;
            }
            return self.dictionary_from(begin);
        }
        if self.is_comprehension() {
            return self.comprehension(begin, Kind::CloseCurly, self.kinds().set_comprehension);
        }
        if !self.is(Kind::CloseCurly) {
            self.more_elements(Kind::CloseCurly)?;
        }
        self.expect(Kind::CloseCurly)?;
        self.close(begin, self.kinds().set);
        Some(())
    }

    /// The rest of a dictionary, from the beginning of a pair.
    fn dictionary_from(&mut self, begin: Begin) -> Option<()> {
        while !self.is(Kind::CloseCurly) {
            let pair = self.begin();
            if self.is(Kind::DoubleStar) {
                self.spread(self.kinds().dictionary_splat)?;
            } else {
                self.expression()?;
                self.pair_from(pair)?;
            }
            if !self.take(Kind::Comma)? {
                break;
            }
        }
        self.expect(Kind::CloseCurly)?;
        self.close(begin, self.kinds().dictionary);
        Some(())
    }

    fn pair_from(&mut self, begin: Begin) -> Option<()> {
        if self.only_since(begin) == Some(self.kinds().list_splat) {
            return None;
        }
        self.field(self.fields().key);
        self.expect(Kind::Colon)?;
        self.expression()?;
        self.field(self.fields().value);
        self.close(begin, self.kinds().pair);
        Some(())
    }

    /// One value of a list, or all those of another.
    fn element(&mut self) -> Option<()> {
        if self.is(Kind::Star) { self.spread(self.kinds().list_splat) } else { self.expression() }
    }

    fn spread(&mut self, kind: u16) -> Option<()> {
        let begin = self.begin();
        self.advance()?;
        self.expression()?;
        self.close(begin, kind);
        Some(())
    }

    /// What follows the first value, from its comma on.
    fn more_elements(&mut self, end: Kind) -> Option<()> {
        self.expect(Kind::Comma)?;
        while !self.is(end) {
            self.element()?;
            if !self.take(Kind::Comma)? {
                break;
            }
        }
        Some(())
    }

    fn is_comprehension(&self) -> bool {
        self.is(Kind::For) || self.is(Kind::Async)
    }

    /// `… for target in values if condition]`, after its first value.
    fn comprehension(&mut self, begin: Begin, end: Kind, kind: u16) -> Option<()> {
        if self.only_since(begin) == Some(self.kinds().list_splat) {
            return None;
        }
        self.field(self.fields().body);
        while !self.is(end) {
            let clause = self.begin();
            if self.take(Kind::If)? {
                self.condition_without_lambda()?;
                self.close(clause, self.kinds().if_clause);
                continue;
            }
            self.take(Kind::Async)?;
            self.expect(Kind::For)?;
            self.targets()?;
            self.field(self.fields().left);
            self.expect(Kind::In)?;
            self.condition_without_lambda()?;
            self.field(self.fields().right);
            self.close(clause, self.kinds().for_in_clause);
        }
        self.advance()?;
        self.close(begin, kind);
        Some(())
    }

    /// A lambda takes what follows for its own.
    fn condition_without_lambda(&mut self) -> Option<()> {
        let begin = self.begin();
        self.expression_without_if()?;
        let is_lambda = self.only_since(begin) == Some(self.kinds().lambda);
        (!is_lambda).then_some(())
    }

    /// The arguments of a call, or the one generator.
    pub(super) fn arguments(&mut self) -> Option<()> {
        let begin = self.begin();
        self.advance()?;
        let mut is_first = true;
        while !self.is(Kind::CloseRound) {
            let argument = self.begin();
            match self.token.kind {
                Kind::Star => self.spread(self.kinds().list_splat)?,
                Kind::DoubleStar => self.spread(self.kinds().dictionary_splat)?,
                _ => self.expression()?,
            }
            if is_first && self.is_comprehension() {
                return self.comprehension(begin, Kind::CloseRound, self.kinds().generator);
            }
            if self.is(Kind::Equal) {
                self.named_argument(argument)?;
            }
            if !self.take(Kind::Comma)? {
                break;
            }
            is_first = false;
        }
        self.expect(Kind::CloseRound)?;
        self.close(begin, self.kinds().argument_list);
        Some(())
    }

    fn named_argument(&mut self, begin: Begin) -> Option<()> {
        if self.only_since(begin) != Some(self.kinds().identifier) {
            return None;
        }
        self.field(self.fields().name);
        self.advance()?;
        self.expression()?;
        self.field(self.fields().value);
        self.close(begin, self.kinds().keyword_argument);
        Some(())
    }

    fn subscripts(&mut self) -> Option<()> {
        self.expect(Kind::OpenSquare)?;
        while !self.is(Kind::CloseSquare) {
            self.subscript()?;
            self.field(self.fields().subscript);
            if !self.take(Kind::Comma)? {
                break;
            }
        }
        self.expect(Kind::CloseSquare)
    }

    fn subscript(&mut self) -> Option<()> {
        let begin = self.begin();
        if self.is(Kind::Star) {
            return self.starred();
        }
        if !self.is(Kind::Colon) {
            self.expression()?;
        }
        if !self.is(Kind::Colon) {
            return Some(());
        }
        for _ in 0..2 {
            if !self.take(Kind::Colon)? {
                break;
            }
            if !matches!(self.token.kind, Kind::Colon | Kind::Comma | Kind::CloseSquare) {
                self.expression()?;
            }
        }
        self.close(begin, self.kinds().slice);
        Some(())
    }

    /// `*values` where a value may stand.
    fn starred(&mut self) -> Option<()> {
        let begin = self.begin();
        self.advance()?;
        let inner = self.begin();
        self.primary()?;
        let kind = self.only_since(inner)?;
        let kinds = self.kinds();
        if ![kinds.identifier, kinds.attribute, kinds.subscript].contains(&kind) {
            return None;
        }
        self.close(begin, kinds.list_splat);
        Some(())
    }

    pub(super) fn value_or_starred(&mut self) -> Option<()> {
        if self.is(Kind::Star) { self.starred() } else { self.expression() }
    }

    /// What follows a value after its comma; whether there is more than the one.
    pub(super) fn more_values(&mut self) -> Option<bool> {
        let mut is_list = false;
        while self.take(Kind::Comma)? {
            is_list = true;
            if !self.begins_value() {
                break;
            }
            self.value_or_starred()?;
        }
        Some(is_list)
    }

    /// One value, or a list of them without brackets.
    pub(super) fn values(&mut self) -> Option<()> {
        let begin = self.begin();
        self.value_or_starred()?;
        if self.more_values()? {
            self.close(begin, self.kinds().expression_list);
        }
        Some(())
    }

    pub(super) fn begins_value(&self) -> bool {
        !matches!(
            self.token.kind,
            Kind::Newline
                | Kind::Semicolon
                | Kind::Colon
                | Kind::Equal
                | Kind::Augmented
                | Kind::CloseRound
                | Kind::CloseSquare
                | Kind::CloseCurly
                | Kind::Bang
                | Kind::Comma
                | Kind::From
                | Kind::End
        )
    }

    pub(super) fn yielded(&mut self) -> Option<()> {
        let begin = self.begin();
        self.advance()?;
        if self.take(Kind::From)? {
            self.expression()?;
        } else if self.begins_value() {
            self.values()?;
        }
        self.close(begin, self.kinds().yield_);
        Some(())
    }
}
