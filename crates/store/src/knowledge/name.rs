//! What may a label, a type or a property be called?

use std::fmt;

use crate::error::{ErrorKind, Result, StoreError};

/// The name of a label, a type or a property: a letter, then letters, digits and underscores, all of ASCII. It needs no
/// quoting in any query language.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(Box<str>);

impl Name {
    /// What a name must match.
    pub const PATTERN: &str = "^[A-Za-z][A-Za-z0-9_]*$";

    /// The most characters of a name.
    pub const LONGEST: usize = 100;

    /// This text as a name, or `InvalidInput`.
    pub fn parse(text: &str) -> Result<Self> {
        let mut characters = text.chars();
        let begins_well = characters.next().is_some_and(|first| first.is_ascii_alphabetic());
        let goes_on_well = characters.all(|character| character.is_ascii_alphanumeric() || character == '_');
        if begins_well && goes_on_well && text.len() <= Self::LONGEST {
            return Ok(Self(text.into()));
        }
        let (pattern, longest) = (Self::PATTERN, Self::LONGEST);
        let message = format!("`{text}` is no name: names match {pattern} and have at most {longest} characters");
        Err(StoreError::new(ErrorKind::InvalidInput, message))
    }

    /// The name itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Maps with names as keys can be asked with a text.
impl std::borrow::Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_names_are_names() {
        for name in ["Entity", "a", "RELATED_TO", "x9_", &"a".repeat(100)] {
            assert_eq!(Name::parse(name).unwrap().as_str(), name);
        }
        for text in
            ["", "_a", "9a", "a b", "a`b", "a-b", "名", "a) DETACH DELETE n //", "a\n", "a\u{0}", &"a".repeat(101)]
        {
            assert_eq!(Name::parse(text).unwrap_err().kind(), ErrorKind::InvalidInput, "{text}");
        }
    }
}
