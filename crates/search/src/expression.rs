//! What must a text contain to answer a query? The same for every engine that can look tokens up.

use crate::query::{Query, Term};

/// A condition on the tokens of a text. Its leaves, in order, are what a match is scored by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// Every one of these.
    All(Vec<Expression>),
    /// At least one of these.
    Any(Vec<Expression>),
    /// A token that is this one.
    Token(String),
    /// A token that begins with this.
    Prefix(String),
}

impl Expression {
    /// The tokens and prefixes in it, in order, repeated where they are repeated.
    pub fn leaves(&self) -> Vec<&Expression> {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().flat_map(Self::leaves).collect(),
            Self::Token(_) | Self::Prefix(_) => vec![self],
        }
    }
}

impl Query {
    /// Holds for texts that contain every term.
    pub fn all(&self) -> Expression {
        Expression::All(self.terms().iter().map(all_of_term).collect())
    }

    /// Holds for texts that contain any token of any term: the fallback when too few contain them all.
    pub fn any(&self) -> Expression {
        Expression::Any(self.terms().iter().flat_map(any_of_term).collect())
    }
}

fn all_of_term(term: &Term) -> Expression {
    match term {
        Term::Word { word, incomplete } => one_of(word_forms(word, *incomplete)),
        Term::Identifier { whole, parts, incomplete } => {
            let mut alternatives = word_forms(whole, *incomplete);
            alternatives.push(all_parts(parts, *incomplete));
            Expression::Any(alternatives)
        }
        Term::Pair(pair) => Expression::Token(pair.clone()),
        Term::Character(character) => Expression::Prefix(character.clone()),
    }
}

fn all_parts(parts: &[String], incomplete: bool) -> Expression {
    let last = parts.len().saturating_sub(1);
    let form = |(position, part): (usize, &String)| one_of(word_forms(part, incomplete && position == last));
    Expression::All(parts.iter().enumerate().map(form).collect())
}

fn any_of_term(term: &Term) -> Vec<Expression> {
    match term {
        Term::Word { word, incomplete } => word_forms(word, *incomplete),
        Term::Identifier { whole, parts, incomplete } => {
            let parts = parts.iter().map(|part| Expression::Token(part.clone()));
            word_forms(whole, *incomplete).into_iter().chain(parts).collect()
        }
        Term::Pair(pair) => vec![Expression::Token(pair.clone())],
        Term::Character(character) => vec![Expression::Prefix(character.clone())],
    }
}

/// The complete word counts beside the prefix, so that it ranks above words that only begin with it.
fn word_forms(word: &str, incomplete: bool) -> Vec<Expression> {
    let token = Expression::Token(word.to_owned());
    if incomplete { vec![token, Expression::Prefix(word.to_owned())] } else { vec![token] }
}

fn one_of(mut forms: Vec<Expression>) -> Expression {
    if forms.len() == 1 { forms.remove(0) } else { Expression::Any(forms) }
}
