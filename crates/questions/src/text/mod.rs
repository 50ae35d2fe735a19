//! The text of a question: made uniform, and cut into words, names, numbers and marks.

mod normalise;
mod scan;

pub(crate) use normalise::normalise;
pub(crate) use scan::{Token, TokenKind, scan};
