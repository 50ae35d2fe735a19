//! Regular expressions of a document: only those that the validator of arguments understands are published.

use std::cell::RefCell;
use std::collections::HashMap;

/// A longer one says nothing to a model.
const LONGEST: usize = 400;

/// Remembers which patterns compile.
#[derive(Debug, Default)]
pub(crate) struct Patterns(RefCell<HashMap<String, bool>>);

impl Patterns {
    pub(crate) fn accepts(&self, pattern: &str) -> bool {
        if pattern.len() > LONGEST {
            return false;
        }
        if let Some(known) = self.0.borrow().get(pattern) {
            return *known;
        }
        let accepts = compiles(pattern);
        self.0.borrow_mut().insert(pattern.to_owned(), accepts);
        accepts
    }
}

fn compiles(pattern: &str) -> bool {
    // What JSON Schema means by a pattern has no possessive quantifiers, inline flags, conditionals or `\A`, which others have.
    let is_foreign =
        ["(?i", "(?m", "(?s", "(?x", "(?P", "(?#", "(?>", "++", "*+", "?+", "\\A", "\\z", "\\Z", "\\G", "\\h", "{,"]
            .iter()
            .any(|sign| pattern.contains(sign));
    !is_foreign && fancy_regex::Regex::new(pattern).is_ok()
}
