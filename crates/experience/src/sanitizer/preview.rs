//! How is a finding shown without telling it?

use super::folding::is_unseen;
use super::{Finding, Span};

/// So much of the line is shown before and after a finding, in bytes.
const AROUND: usize = 40;

const HIDDEN: &str = "***";

/// Findings with places that people can find; the spans are in the order of the text.
pub(super) fn describe(text: &str, spans: &[Span]) -> Vec<Finding> {
    let (mut line, mut line_start, mut column, mut position) = (1, 0, 1, 0);
    let mut findings = Vec::with_capacity(spans.len());
    for (index, span) in spans.iter().enumerate() {
        let passed = &text[position..span.range.start];
        if let Some(last) = passed.rfind('\n') {
            line += passed.bytes().filter(|byte| *byte == b'\n').count();
            line_start = position + last + 1;
            column = 1;
            position = line_start;
        }
        column += text[position..span.range.start].chars().count();
        position = span.range.start;
        findings.push(Finding {
            rule: span.rule.id,
            finds: span.rule.finds,
            line,
            column,
            preview: preview(text, spans, index, line_start),
            range: span.range.clone(),
        });
    }
    findings
}

fn preview(text: &str, spans: &[Span], index: usize, line_start: usize) -> String {
    let range = &spans[index].range;
    let from = boundary(text, range.start.saturating_sub(AROUND).max(line_start));
    let rest = &text[range.end..];
    let to = boundary(text, range.end + rest.find('\n').unwrap_or(rest.len()).min(AROUND));
    let before = spans[..index].iter().rposition(|span| span.range.end <= from).map_or(0, |position| position + 1);
    let mut out = String::new();
    let mut position = from;
    for span in spans[before..].iter().take_while(|span| span.range.start < to) {
        out.push_str(&text[position.min(span.range.start)..span.range.start]);
        out.push_str(HIDDEN);
        position = span.range.end;
    }
    out.push_str(text.get(position..to).unwrap_or_default());
    let out: String = out.chars().filter(|character| !character.is_control() && !is_unseen(*character)).collect();
    out.trim().to_owned()
}

/// The next place at or after this one where a character begins.
fn boundary(text: &str, mut position: usize) -> usize {
    while !text.is_char_boundary(position) {
        position += 1;
    }
    position
}
