//! The gate: does a text hold a secret or personal data, where, and how does it read without?
//!
//! In: any text. Out: [`check`] names every finding with its place and a preview that does not tell it; [`sanitise`] gives
//! the text with placeholders in their places, which passes the check. The rules are the tables in [`rules`]; only those
//! whose keywords occur in a text are compiled and tried.

mod assignment;
#[cfg(test)]
mod examples;
mod folding;
mod name;
mod preview;
mod published;
mod rule;
mod rules;
mod scan;
mod value;
mod words;

use std::ops::Range;

pub use rule::Rule;
pub use rules::all as rules;

/// A secret or a piece of personal data in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The id of the rule that found it.
    pub rule: &'static str,
    /// What the rule finds, for people.
    pub finds: &'static str,
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// The surroundings of the finding, with `***` for it and for every other finding.
    pub preview: String,
    /// Where it is, in bytes.
    pub range: Range<usize>,
}

/// So often a text is cleaned before whole lines are taken away.
const ROUNDS: usize = 4;

/// Every secret and every piece of personal data, in the order of the text; findings do not overlap.
pub fn check(text: &str) -> Vec<Finding> {
    preview::describe(text, &scan::spans(text))
}

/// The text with a placeholder for every finding. What comes out passes [`check`].
pub fn sanitise(text: &str) -> String {
    let mut clean = text.to_owned();
    for _ in 0..ROUNDS {
        let spans = scan::spans(&clean);
        if spans.is_empty() {
            return clean;
        }
        clean = replace(&clean, &spans);
    }
    without_unclean_lines(&clean)
}

/// A finding before it is described: a rule and a place.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Span {
    rule: &'static Rule,
    range: Range<usize>,
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Rule {}

fn replace(text: &str, spans: &[Span]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut position = 0;
    for span in spans {
        out.push_str(&text[position..span.range.start]);
        out.push_str(span.rule.replacement);
        position = span.range.end;
    }
    out.push_str(&text[position..]);
    out
}

/// The last resort, for texts made to defeat the replacement.
fn without_unclean_lines(text: &str) -> String {
    let lines: Vec<&str> =
        text.split('\n').map(|line| if scan::spans(line).is_empty() { line } else { rule::REDACTED }).collect();
    let clean = lines.join("\n");
    if scan::spans(&clean).is_empty() { clean } else { rule::REDACTED.to_owned() }
}

#[cfg(test)]
mod tests;
