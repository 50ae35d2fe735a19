//! Which rules find something in a text, and where?

use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::AhoCorasick;
use regex::bytes::{Regex, RegexBuilder};

use super::folding::Folded;
use super::rules;
use super::{Rule, Span};

/// The findings of every rule, in the order of the text, none of them twice.
pub(super) fn spans(text: &str) -> Vec<Span> {
    let folded = Folded::of(text);
    let mut found: Vec<(usize, Span)> = Vec::new();
    for index in SCANNER.rules_to_try(folded.bytes()) {
        let rule = SCANNER.rules[index];
        for range in SCANNER.findings(index, folded.bytes()) {
            let range = folded.original(range);
            found.push((index, Span { rule, range }));
        }
    }
    merged(found)
}

/// The places where one rule finds something, whatever the others say.
#[cfg(test)]
pub(super) fn spans_of(rule: &Rule, text: &str) -> Vec<Range<usize>> {
    let index = SCANNER.rules.iter().position(|other| std::ptr::eq(*other, rule)).expect("the rule is in the table");
    let folded = Folded::of(text);
    let awake = SCANNER.rules_to_try(folded.bytes()).contains(&index);
    if awake { SCANNER.findings(index, folded.bytes()) } else { Vec::new() }
}

static SCANNER: LazyLock<Scanner> = LazyLock::new(Scanner::new);

/// The rules, ready to be tried. A pattern is compiled when a text first asks for it.
struct Scanner {
    rules: Vec<&'static Rule>,
    patterns: Vec<OnceLock<Regex>>,
    keywords: AhoCorasick,
    /// The rules that each keyword wakes.
    woken: Vec<Vec<usize>>,
    always: Vec<usize>,
}

impl Scanner {
    fn new() -> Self {
        let rules: Vec<&'static Rule> = rules::all().collect();
        let mut keywords: Vec<&str> = rules.iter().flat_map(|rule| rule.keywords).copied().collect();
        keywords.sort_unstable();
        keywords.dedup();
        let wakes =
            |keyword: &&str| (0..rules.len()).filter(|index| rules[*index].keywords.contains(keyword)).collect();
        let woken = keywords.iter().map(wakes).collect();
        let always = (0..rules.len()).filter(|index| rules[*index].keywords.is_empty()).collect();
        let keywords = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(&keywords)
            .expect("a few hundred short words fit into an automaton");
        let patterns = rules.iter().map(|_| OnceLock::new()).collect();
        Self { rules, patterns, keywords, woken, always }
    }

    fn rules_to_try(&self, text: &[u8]) -> Vec<usize> {
        let mut awake = vec![false; self.rules.len()];
        let mut seen = vec![false; self.woken.len()];
        let mut unseen = seen.len();
        self.always.iter().for_each(|&index| awake[index] = true);
        for found in self.keywords.find_overlapping_iter(text) {
            let keyword = found.pattern().as_usize();
            if std::mem::replace(&mut seen[keyword], true) {
                continue;
            }
            self.woken[keyword].iter().for_each(|&index| awake[index] = true);
            unseen -= 1;
            if unseen == 0 {
                break;
            }
        }
        (0..awake.len()).filter(|index| awake[*index]).collect()
    }

    fn pattern(&self, index: usize) -> &Regex {
        self.patterns[index].get_or_init(|| {
            let rule = self.rules[index];
            let built = RegexBuilder::new(rule.pattern).unicode(false).multi_line(true).build();
            built.unwrap_or_else(|error| panic!("the pattern of {} does not compile: {error}", rule.id))
        })
    }

    fn findings(&self, index: usize, text: &[u8]) -> Vec<Range<usize>> {
        let (rule, pattern) = (self.rules[index], self.pattern(index));
        let mut found = Vec::new();
        let mut position = 0;
        while let Some(captures) = pattern.captures_at(text, position) {
            let whole = captures.get(0).map_or(position..text.len(), |group| group.range());
            position = whole.end.max(whole.start + 1);
            if let Some(secret) = rule.judge(text, &captures) {
                position = position.max(secret.end);
                found.push(secret);
            }
            if position > text.len() {
                break;
            }
        }
        found
    }
}

/// Overlapping findings become one, under the name of the first rule in the table.
fn merged(mut found: Vec<(usize, Span)>) -> Vec<Span> {
    found.sort_by_key(|(index, span)| (span.range.start, *index));
    let mut out: Vec<(usize, Span)> = Vec::new();
    for (index, span) in found {
        match out.last_mut() {
            Some((last, before)) if span.range.start < before.range.end => {
                before.range.end = before.range.end.max(span.range.end);
                if index < *last {
                    *last = index;
                    before.rule = span.rule;
                }
            }
            _ => out.push((index, span)),
        }
    }
    out.into_iter().map(|(_, span)| span).collect()
}
