//! Which part of a text a target means, and the text with that part replaced. Knows no file.

use std::ops::Range;

/// What to replace with what.
#[derive(Debug, Clone, Copy)]
pub(super) struct Replacement<'a> {
    pub(super) target: &'a str,
    pub(super) replacement: &'a str,
    /// Which of several matches, counted from 1.
    pub(super) occurrence: Option<usize>,
}

/// Why nothing is replaced.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    NotFound,
    /// Several matches and no choice, or a choice that is not among them; the line of each match.
    NotOne {
        lines: Vec<usize>,
    },
    NothingChanges,
}

impl Replacement<'_> {
    /// The text with the one match replaced. Its line ends and the end of the file stay as they were.
    pub(super) fn apply(&self, text: &str) -> Result<String, Refusal> {
        let matches = find(text, self.target);
        let chosen = match (self.occurrence, matches.as_slice()) {
            (_, []) => return Err(Refusal::NotFound),
            (None, [only]) => only,
            (None, _) => return Err(not_one(text, &matches)),
            (Some(number), _) => match number.checked_sub(1).and_then(|index| matches.get(index)) {
                Some(chosen) => chosen,
                None => return Err(not_one(text, &matches)),
            },
        };
        let written = with_line_ends_of(text, chosen.start, self.replacement);
        let mut after = [&text[..chosen.start], &written, &text[chosen.end..]].concat();
        keep_final_line_end(text, &mut after);
        if after == text { Err(Refusal::NothingChanges) } else { Ok(after) }
    }
}

fn not_one(text: &str, matches: &[Range<usize>]) -> Refusal {
    let (mut line, mut counted) = (1, 0);
    let lines = matches.iter().map(|found| {
        line += line_ends(&text[counted..found.start]);
        counted = found.start;
        line
    });
    Refusal::NotOne { lines: lines.collect() }
}

fn line_ends(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}

/// Where the target is, exactly or else as far as blanks and CRs at the ends of lines are ignored. Matches may overlap:
/// which of them is meant is then as open as with any others.
fn find(text: &str, target: &str) -> Vec<Range<usize>> {
    let exact: Vec<_> = positions(text, target).into_iter().map(|start| start..start + target.len()).collect();
    if exact.is_empty() && !target.trim().is_empty() { find_ignoring_line_tails(text, target) } else { exact }
}

/// Every position of the target, found in one pass (Knuth, Morris and Pratt).
fn positions(text: &str, target: &str) -> Vec<usize> {
    let (text, target) = (text.as_bytes(), target.as_bytes());
    if target.is_empty() || target.len() > text.len() {
        return Vec::new();
    }
    let fallbacks = fallbacks(target);
    let mut found = Vec::new();
    let mut matched = 0;
    for (index, byte) in text.iter().enumerate() {
        while matched > 0 && (matched == target.len() || target[matched] != *byte) {
            matched = fallbacks[matched - 1];
        }
        matched += usize::from(target[matched] == *byte);
        if matched == target.len() {
            found.push(index + 1 - matched);
        }
    }
    found
}

/// For each beginning of the target, how long the longest shorter beginning is that it ends with.
fn fallbacks(target: &[u8]) -> Vec<usize> {
    let mut fallbacks = vec![0; target.len()];
    let mut matched = 0;
    for index in 1..target.len() {
        while matched > 0 && target[matched] != target[index] {
            matched = fallbacks[matched - 1];
        }
        matched += usize::from(target[matched] == target[index]);
        fallbacks[index] = matched;
    }
    fallbacks
}

fn find_ignoring_line_tails(text: &str, target: &str) -> Vec<Range<usize>> {
    let stripped = Stripped::of(text);
    let wanted = Stripped::of(target);
    // Blanks that the target names must stand where a line ends, or where it is blank altogether.
    let begins_line = wanted.lines[0].has_tail && wanted.lines[0].length == 0;
    let ends_line = wanted.lines.last().is_some_and(|line| line.has_tail);
    let meant = |start: usize| {
        let (first, last) = (stripped.line_at(start), stripped.line_at(start + wanted.text.len()));
        (!begins_line || start == first.start) && (!ends_line || start + wanted.text.len() == last.start + last.length)
    };
    let starts = positions(&stripped.text, &wanted.text).into_iter().filter(|start| meant(*start));
    starts.map(|start| stripped.original(text, start..start + wanted.text.len(), ends_line)).collect()
}

/// A text without blanks and CRs at the ends of its lines, and where each line was.
#[derive(Debug)]
struct Stripped {
    text: String,
    lines: Vec<StrippedLine>,
}

#[derive(Debug, Clone, Copy)]
struct StrippedLine {
    /// In the stripped text.
    start: usize,
    /// Without what was stripped and without the line end.
    length: usize,
    /// In the text as it was.
    original: usize,
    has_tail: bool,
}

impl Stripped {
    fn of(text: &str) -> Self {
        let mut stripped = Self { text: String::with_capacity(text.len()), lines: Vec::new() };
        let mut original = 0;
        for line in text.split('\n') {
            let kept = line.trim_end_matches([' ', '\t', '\r']);
            if original > 0 {
                stripped.text.push('\n');
            }
            let start = stripped.text.len();
            stripped.lines.push(StrippedLine { start, length: kept.len(), original, has_tail: kept != line });
            stripped.text.push_str(kept);
            original += line.len() + 1;
        }
        stripped
    }

    fn line_at(&self, position: usize) -> &StrippedLine {
        let after = self.lines.partition_point(|line| line.start <= position);
        &self.lines[after - 1]
    }

    /// The same part of the text as it was. At the end of a line, its blanks belong to the part; its line end does not.
    fn original(&self, text: &str, part: Range<usize>, ends_line: bool) -> Range<usize> {
        let (first, last) = (self.line_at(part.start), self.line_at(part.end));
        let start = first.original + (part.start - first.start);
        let mut end = last.original + (part.end - last.start);
        if part.end == last.start + last.length && (part.end > last.start || ends_line) {
            let tail = text[end..].split('\n').next().unwrap_or_default();
            end += tail.strip_suffix('\r').unwrap_or(tail).len();
        }
        start..end
    }
}

/// The replacement with the line ends that the text has around a position; as it is where the text has none.
fn with_line_ends_of(text: &str, position: usize, replacement: &str) -> String {
    let after = text[position..].find('\n').map(|index| position + index);
    let Some(line_end) = after.or_else(|| text[..position].rfind('\n')) else { return replacement.to_owned() };
    let plain = replacement.replace("\r\n", "\n");
    if text[..line_end].ends_with('\r') { plain.replace('\n', "\r\n") } else { plain }
}

/// A file that ended with a line end still does, and one that did not still does not.
fn keep_final_line_end(before: &str, after: &mut String) {
    match (before.ends_with('\n'), after.ends_with('\n')) {
        (true, false) if !after.is_empty() => {
            after.push_str(if before.ends_with("\r\n") { "\r\n" } else { "\n" });
        }
        (false, true) => {
            after.pop();
            if after.ends_with('\r') {
                after.pop();
            }
        }
        (true, _) | (false, false) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(text: &str, target: &str, replacement: &str, occurrence: Option<usize>) -> Result<String, Refusal> {
        Replacement { target, replacement, occurrence }.apply(text)
    }

    #[track_caller]
    fn check(text: &str, target: &str, replacement: &str, expected: &str) {
        assert_eq!(apply(text, target, replacement, None).as_deref(), Ok(expected));
    }

    #[test]
    fn an_exact_match_is_replaced_wherever_it_stands() {
        check("let a = 1;\n", "a = 1", "b = 2", "let b = 2;\n");
        check("a\nb\nc\n", "b\n", "", "a\nc\n");
        check("一二三", "二", "2", "一2三");
        check("x  \nx\n", "x  ", "y", "y\nx\n");
    }

    #[test]
    fn blanks_and_crs_at_the_ends_of_lines_are_ignored_when_nothing_matches_exactly() {
        check("if a:  \n\tb\t\nc\n", "if a:\n\tb\n", "pass\n", "pass\nc\n");
        check("f(\r\n  a)\r\n", "f(\n  a)", "g()", "g()\r\n");
        check("a\nb\n", "a \nb\t", "c", "c\n");
        check("a  \r\nb  \r\nc", "a\nb", "x\ny", "x\r\ny\r\nc");
        check("a\n   \nb\n", "a\n\nb", "c", "c\n");
        check("a\n\nb\n", "a\n  \nb", "c", "c\n");
        check("a\n\t\nb\n", "a\n  ", "c", "c\nb\n");
        check("call(\r\n  one);\r\n", "call(\n  one", "call(\n  two", "call(\r\n  two);\r\n");
    }

    #[test]
    fn ignoring_blanks_never_matches_half_a_line() {
        assert_eq!(apply("return ab\n", "return a ", "x", None), Err(Refusal::NotFound));
        check("return ab\nreturn a\n", "return a ", "x", "return ab\nx\n");
        assert_eq!(apply("bar\nfoo\n", "  \nfoo", "x", None), Err(Refusal::NotFound));
        check("bar\n\nfoo\n", "  \nfoo", "x", "bar\nx\n");
        assert_eq!(apply("    a\n", "\ta", "x", None), Err(Refusal::NotFound), "indentation matters");
        assert_eq!(apply("ab\n", "  ", "x", None), Err(Refusal::NotFound));
    }

    #[test]
    fn an_exact_match_wins_over_others() {
        check("a \nb\na\nb\n", "a\nb\n", "c\n", "a \nb\nc\n");
    }

    #[test]
    fn several_matches_need_a_choice() {
        let text = "x\na\nx x\n";
        assert_eq!(apply(text, "x", "y", None), Err(Refusal::NotOne { lines: vec![1, 3, 3] }));
        assert_eq!(apply(text, "x", "y", Some(3)).as_deref(), Ok("x\na\nx y\n"));
        for occurrence in [0, 4, usize::MAX] {
            let refused = apply(text, "x", "y", Some(occurrence));
            assert_eq!(refused, Err(Refusal::NotOne { lines: vec![1, 3, 3] }));
        }
        assert_eq!(apply(text, "a", "b", Some(1)).as_deref(), Ok("x\nb\nx x\n"));
        assert_eq!(apply("a \nb\na\t\nb\n", "a\nb\n", "c\n", Some(2)).as_deref(), Ok("a \nb\nc\n"));
    }

    #[test]
    fn matches_that_overlap_are_several() {
        assert_eq!(apply("}\n}\n}\n", "}\n}\n", "", None), Err(Refusal::NotOne { lines: vec![1, 2] }));
        assert_eq!(positions("aabaabaab", "aabaab"), [0, 3]);
        assert_eq!(positions("aaaa", "aa"), [0, 1, 2]);
        assert_eq!(positions("abc", "abcd"), Vec::<usize>::new());
    }

    #[test]
    fn the_replacement_gets_the_line_ends_of_its_surroundings() {
        check("a\r\nb\r\n", "a", "x\ny", "x\r\ny\r\nb\r\n");
        check("a\nb\n", "a", "x\r\ny", "x\ny\nb\n");
        check("a\r\nb\nc\nd", "c", "x\ny", "a\r\nb\nx\ny\nd");
        check("a\r\nb", "b", "x\ny", "a\r\nx\r\ny");
        check("a", "a", "x\r\ny", "x\r\ny");
    }

    #[test]
    fn the_end_of_the_file_stays_as_it_was() {
        check("a\nb\n", "b\n", "c", "a\nc\n");
        check("a\r\nb\r\n", "b\r\n", "c", "a\r\nc\r\n");
        check("a\nb", "b", "c\n", "a\nc");
        check("a\r\nb", "b", "c\r\n", "a\r\nc");
        check("a\n", "a\n", "", "");
        check("a\nb\n", "\nb\n", "", "a\n");
    }

    #[test]
    fn a_replacement_that_changes_nothing_is_refused() {
        assert_eq!(apply("a\n", "a", "a", None), Err(Refusal::NothingChanges));
        assert_eq!(apply("a\r\nb\r\n", "a\r\nb", "a\nb", None), Err(Refusal::NothingChanges));
    }
}
