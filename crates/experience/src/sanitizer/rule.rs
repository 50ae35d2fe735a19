//! What is a rule, and how does it look at a text?

use std::ops::Range;

use regex::bytes::Captures;

use super::assignment;
use super::value;

/// One row of the table of rules.
#[derive(Debug)]
pub struct Rule {
    pub id: &'static str,
    /// What it finds, for people.
    pub finds: &'static str,
    /// The rule is tried only on texts that contain one of these, in any case; none means every text.
    pub keywords: &'static [&'static str],
    /// Where a finding begins. Its first group, if it has one, is what must not be told.
    pub(super) pattern: &'static str,
    pub(super) reads: Reads,
    /// What takes the place of the finding in a sanitised text; it passes the check.
    pub(super) replacement: &'static str,
    /// Texts that the rule must find, written as the tests' examples are.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests run it"))]
    pub(super) hits: &'static [&'static str],
    /// Texts that no rule may find.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests run it"))]
    pub(super) passes: &'static [&'static str],
}

/// What a match of the pattern says.
#[derive(Debug, Clone, Copy)]
pub(super) enum Reads {
    /// The match is a token of a known shape: a finding where it stands alone and is no placeholder.
    Token,
    /// The match is a finding when this says so.
    Judged(fn(&Matched<'_>) -> bool),
    /// The pattern ends where a literal begins; that is a finding when this says so.
    Assigned(fn(&assignment::Assigned<'_>) -> bool),
}

/// A place where the pattern of a rule matches.
#[derive(Debug, Clone)]
pub(super) struct Matched<'a> {
    pub(super) text: &'a [u8],
    pub(super) whole: Range<usize>,
    /// The first group, or the whole.
    pub(super) secret: Range<usize>,
}

pub(super) const REDACTED: &str = "<redacted>";

impl Rule {
    /// A token whose shape is known.
    pub(super) const fn token(
        id: &'static str,
        finds: &'static str,
        keywords: &'static [&'static str],
        pattern: &'static str,
        hits: &'static [&'static str],
        passes: &'static [&'static str],
    ) -> Self {
        Self { id, finds, keywords, pattern, reads: Reads::Token, replacement: REDACTED, hits, passes }
    }

    /// What a match of the pattern hides, or `None` when it hides nothing.
    pub(super) fn judge(&self, text: &[u8], captures: &Captures<'_>) -> Option<Range<usize>> {
        let whole = captures.get(0)?.range();
        let secret = captures.get(1).map_or(whole.clone(), |group| group.range());
        let matched = Matched { text, whole, secret };
        match self.reads {
            Reads::Token => (matched.stands_alone() && value::is_varied(matched.value())).then_some(matched.secret),
            Reads::Judged(is_finding) => is_finding(&matched).then_some(matched.secret),
            Reads::Assigned(is_finding) => {
                let assigned = assignment::Assigned::read(&matched)?;
                is_finding(&assigned).then(|| assigned.whole_value())
            }
        }
    }
}

impl<'a> Matched<'a> {
    pub(super) fn value(&self) -> &'a [u8] {
        &self.text[self.secret.clone()]
    }

    pub(super) fn byte_before(&self) -> Option<u8> {
        self.secret.start.checked_sub(1).map(|position| self.text[position])
    }

    pub(super) fn byte_after(&self) -> Option<u8> {
        self.text.get(self.secret.end).copied()
    }

    /// At most `length` bytes that come before the match.
    pub(super) fn before(&self, length: usize) -> &'a [u8] {
        &self.text[self.whole.start.saturating_sub(length)..self.whole.start]
    }

    /// No longer word goes on to the left or to the right. An escape such as `\n` is no part of a word.
    pub(super) fn stands_alone(&self) -> bool {
        let before = self.byte_before().is_some_and(|byte| byte.is_ascii_alphanumeric());
        let escape = self.secret.start >= 2 && self.text[self.secret.start - 2] == b'\\';
        let after = self.byte_after().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        (!before || escape) && !after
    }
}
