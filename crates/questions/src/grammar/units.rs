//! A question as a row of units: each a meaning from the lexicon, a value, or a number.

use crate::lexicon::{self, Atom, values};
use crate::names::Names;
use crate::text::{Token, TokenKind};

/// A word or phrase of a question with its meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unit {
    pub atom: Atom,
    pub text: String,
    /// Whether a rule has made something of it.
    pub used: bool,
}

impl Unit {
    /// Whether its meaning is this, or begins with it.
    pub(crate) fn is(&self, prefix: &str) -> bool {
        self.atom.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }

    pub(crate) fn number(&self) -> Option<u32> {
        lexicon::number(self.atom).or_else(|| self.text.parse().ok())
    }

    /// Whether an English noun is in its singular form; `None` where the form does not say.
    pub(crate) fn is_singular(&self) -> Option<bool> {
        let last = self.text.chars().last()?;
        last.is_ascii_alphabetic().then(|| !self.text.ends_with('s') || self.text.ends_with("ss"))
    }
}

/// The units of a question, those that mean nothing for it included.
pub(crate) fn units(tokens: &[Token], names: &dyn Names) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        at += match tokens[at].kind {
            TokenKind::Chinese => chinese(&tokens[at].text, &mut units),
            TokenKind::Word | TokenKind::Code => english(tokens, at, names, &mut units),
            TokenKind::Quoted => push(&mut units, values::QUOTED, tokens[at].text.clone()),
            TokenKind::Number => push(&mut units, values::NUMBER, tokens[at].text.clone()),
            TokenKind::Possessive => push(&mut units, values::POSSESSIVE, tokens[at].text.clone()),
            TokenKind::Mark => push(&mut units, values::COMMA, tokens[at].text.clone()),
        };
    }
    units
}

fn push(units: &mut Vec<Unit>, atom: Atom, text: String) -> usize {
    units.push(Unit { atom, text, used: false });
    1
}

/// One word or phrase that begins at this token. Gives how many tokens it took.
fn english(tokens: &[Token], at: usize, names: &dyn Names, units: &mut Vec<Unit>) -> usize {
    let token = &tokens[at];
    let is_capital = token.text.chars().next().is_some_and(char::is_uppercase);
    if is_capital && at > 0 && !names.exact(&token.text).is_empty() {
        return push(
            units,
            if token.kind == TokenKind::Code { values::CODE } else { values::WORD },
            token.text.clone(),
        );
    }
    let words: Vec<String> = tokens[at..]
        .iter()
        .take_while(|token| token.kind == TokenKind::Word || is_shouted(token))
        .map(|token| token.text.to_lowercase())
        .collect();
    if let Some((atom, count)) = lexicon::english(&words) {
        let text = tokens[at..at + count].iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ");
        push(units, atom, text);
        return count;
    }
    push(units, if token.kind == TokenKind::Code { values::CODE } else { values::WORD }, token.text.clone())
}

fn is_shouted(token: &Token) -> bool {
    token.kind == TokenKind::Code && token.text.chars().all(char::is_uppercase)
}

fn chinese(text: &str, units: &mut Vec<Unit>) -> usize {
    let characters: Vec<char> = text.chars().collect();
    let mut at = 0;
    let mut unknown = String::new();
    while at < characters.len() {
        if let Some((atom, count)) = lexicon::chinese(&characters[at..]) {
            flush(&mut unknown, units);
            push(units, atom, characters[at..at + count].iter().collect());
            at += count;
        } else {
            unknown.push(characters[at]);
            at += 1;
        }
    }
    flush(&mut unknown, units);
    1
}

fn flush(unknown: &mut String, units: &mut Vec<Unit>) {
    if !unknown.is_empty() {
        push(units, values::WORD, std::mem::take(unknown));
    }
}
